#include "device/ModelDevice.h"

#include "machine/timed/TimedRun.h"
#include "support/Diagnostics.h"
#include <algorithm>
#include <map>
#include <thread>

using namespace llvm;

namespace inflight::device {

namespace {

struct ModelModule final : Module {
  CodeObject object;
};

class ModelDevice final : public Device {
public:
  ModelDevice(const ModelOptions &options, timing::Device product) : product(std::move(product)) {
    timed.device = this->product.name;
    timed.clockMHz = options.clockMHz;
    timed.latencies = options.latencies;
    timed.latenciesName = options.latenciesName;
  }

  StringRef chip() const override { return product.chip; }
  std::string name() const override { return "model of " + product.name; }
  unsigned computeUnits() const override { return product.computeUnits; }
  bool hasTime(uint32_t workgroup, uint32_t workgroups) const override {
    return workgroup % std::min(workgroups, product.computeUnits) == 0;
  }

  Expected<uint64_t> allocate(uint64_t bytes) override {
    Expected<uint64_t> address = memory.allocate(bytes);
    if (address)
      sizes[*address] = bytes;
    return address;
  }
  // The machine's memory grows only; what was released reads as anything, like a GPU's.
  Error release(uint64_t address) override {
    if (!sizes.erase(address))
      return makeError("release of memory that wasn't allocated");
    return Error::success();
  }
  Error copyTo(uint64_t address, ArrayRef<uint8_t> bytes) override {
    if (!memory.contains(address, bytes.size()))
      return makeError("copy to memory that wasn't allocated");
    std::copy(bytes.begin(), bytes.end(), memory.pointer(address));
    return Error::success();
  }
  Error copyFrom(uint64_t address, MutableArrayRef<uint8_t> bytes) override {
    if (!memory.contains(address, bytes.size()))
      return makeError("copy from memory that wasn't allocated");
    std::copy_n(memory.pointer(address), bytes.size(), bytes.begin());
    return Error::success();
  }

  Expected<std::unique_ptr<Module>> load(StringRef codeObject) override {
    Expected<CodeObject> object = CodeObject::load(codeObject, "code object");
    if (!object)
      return object.takeError();
    if (object->chip() != product.chip)
      return makeError("the code object is for " + object->chip() + ", the device is " + name() + " with " +
                       product.chip);
    auto module = std::make_unique<ModelModule>();
    module->object = std::move(*object);
    return std::unique_ptr<Module>(std::move(module));
  }

  Error launch(const Module &module, StringRef kernelName, const Launch &launch, ArrayRef<uint8_t> kernarg) override {
    const CodeObject &object = static_cast<const ModelModule &>(module).object;
    Expected<const Kernel *> kernel = object.findKernel(kernelName);
    if (!kernel)
      return kernel.takeError();
    machine::LaunchConfig config;
    config.grid = launch.grid;
    config.block = launch.block;
    config.dynamicLdsBytes = launch.dynamicLdsBytes;
    config.threads = std::max(1u, std::thread::hardware_concurrency());
    return machine::timed::runTimed(object, **kernel, config, timed, kernarg, memory).takeError();
  }
  Error synchronise() override { return Error::success(); }

private:
  timing::Device product;
  machine::timed::TimedOptions timed;
  machine::Memory memory;
  std::map<uint64_t, uint64_t> sizes;
};

} // namespace

Expected<std::unique_ptr<Device>> makeModelDevice(const ModelOptions &options) {
  Expected<timing::Device> product = timing::Device::get(options.chip, options.product);
  if (!product)
    return product.takeError();
  if (Error error =
          timing::TimingData::load(*product, product->clockMHz, options.latencies, options.latenciesName).takeError())
    return std::move(error);
  return std::make_unique<ModelDevice>(options, std::move(*product));
}

} // namespace inflight::device
