// The same code runs on both devices: the model, and a HIP library, here the stand-in of this directory.
#include "device/HipDevice.h"
#include "device/ModelDevice.h"
#include "probes/Works.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::device;

namespace {

std::string messageOf(llvm::Error error) { return llvm::toString(std::move(error)); }

std::unique_ptr<Device> model(const char *chip = "gfx942") {
  ModelOptions options;
  options.chip = chip;
  return llvm::cantFail(makeModelDevice(options));
}

HipOptions standIn(const char *library = STANDIN) {
  HipOptions options;
  options.library = library;
  return options;
}

/// A kernel that writes its clocks.
std::string codeObject(const char *chip = "gfx942") {
  probes::CodeCache code;
  return llvm::cantFail(code.get(probes::slotsWork("s_nop 0").with("COUNT", 100).variant, chip)).str();
}

void checkMemory(Device &device) {
  llvm::Expected<uint64_t> address = device.allocate(64);
  ASSERT_TRUE(bool(address)) << messageOf(address.takeError());
  std::vector<uint8_t> bytes(64, 1);
  EXPECT_FALSE(bool(device.copyFrom(*address, bytes)));
  EXPECT_EQ(bytes, std::vector<uint8_t>(64, 0)) << "new memory is zero";
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t(i);
  EXPECT_FALSE(bool(device.copyTo(*address, bytes)));
  std::vector<uint8_t> back(32);
  EXPECT_FALSE(bool(device.copyFrom(*address + 16, back)));
  EXPECT_EQ(back, std::vector<uint8_t>(bytes.begin() + 16, bytes.begin() + 48));
  EXPECT_FALSE(bool(device.release(*address)));
  EXPECT_NE(messageOf(device.release(*address)), "");
}

TEST(ModelDevice, Memory) { checkMemory(*model()); }
TEST(HipDevice, Memory) { checkMemory(*llvm::cantFail(makeHipDevice(standIn()))); }

/// 100 s_nop take 400 cycles, wherever.
void checkLaunch(Device &device) {
  probes::CodeCache code;
  probes::Bench bench(device, code);
  EXPECT_EQ(bench.each(probes::slotsWork("s_nop 0"), 8, 24), 4);
  EXPECT_EQ(messageOf(bench.takeError()), "");
}

TEST(ModelDevice, RunsKernels) { checkLaunch(*model()); }
TEST(HipDevice, RunsKernels) { checkLaunch(*llvm::cantFail(makeHipDevice(standIn()))); }

TEST(ModelDevice, Names) {
  EXPECT_EQ(model()->name(), "model of MI300X");
  EXPECT_EQ(model()->computeUnits(), 304u);
  EXPECT_EQ(model("gfx950")->chip(), "gfx950");
}

TEST(HipDevice, Names) {
  std::unique_ptr<Device> device = llvm::cantFail(makeHipDevice(standIn()));
  EXPECT_EQ(device->chip(), "gfx942") << "from gcnArchName, without its features; not from the product's name";
  EXPECT_EQ(device->name(), "Stand-in Instinct");
  EXPECT_EQ(device->computeUnits(), 304u);
}

TEST(ModelDevice, Errors) {
  std::unique_ptr<Device> device = model();
  EXPECT_EQ(messageOf(device->load(codeObject("gfx950")).takeError()),
            "the code object is for gfx950, the device is model of MI300X with gfx942");
  std::unique_ptr<Module> module = llvm::cantFail(device->load(codeObject()));
  EXPECT_NE(messageOf(device->launch(*module, "other", {}, {})).find("no kernel 'other'"), std::string::npos);
  std::vector<uint8_t> bytes(4);
  EXPECT_EQ(messageOf(device->copyTo(12345, bytes)), "copy to memory that wasn't allocated");
  ModelOptions options;
  options.chip = "gfx942";
  options.product = "MI999";
  EXPECT_NE(messageOf(makeModelDevice(options).takeError()).find("no device 'MI999' with the chip gfx942"),
            std::string::npos);
}

TEST(HipDevice, Errors) {
  EXPECT_NE(messageOf(makeHipDevice(standIn("/nowhere/libamdhip64.so")).takeError())
                .find("no HIP runtime: /nowhere/libamdhip64.so can't be loaded"),
            std::string::npos);
  EXPECT_EQ(messageOf(makeHipDevice(standIn(STANDIN_OLD)).takeError()),
            STANDIN_OLD " lacks hipModuleLoadData, hipModuleUnload, hipModuleGetFunction, hipModuleLaunchKernel");
  HipOptions second = standIn();
  second.ordinal = 1;
  EXPECT_EQ(messageOf(makeHipDevice(second).takeError()), "no GPU 1: there are 1");
  HipOptions other = standIn();
  other.chip = "gfx950";
  EXPECT_EQ(messageOf(makeHipDevice(other).takeError()), "GPU 0 (Stand-in Instinct) is gfx942, not gfx950");
  setenv("STANDIN_GPUS", "0", 1);
  EXPECT_EQ(messageOf(makeHipDevice(standIn()).takeError()),
            "no GPU: HIP error 100: no ROCm-capable device is detected");
  setenv("STANDIN_GPUS", "1", 1);
  setenv("STANDIN_ARCH", "gfx1103", 1);
  EXPECT_EQ(messageOf(makeHipDevice(standIn()).takeError()),
            "GPU 0 (Stand-in Instinct) is gfx1103, which isn't supported");
  unsetenv("STANDIN_ARCH");

  std::unique_ptr<Device> device = llvm::cantFail(makeHipDevice(standIn()));
  EXPECT_EQ(messageOf(device->allocate(uint64_t(1) << 40).takeError()),
            "allocating 1099511627776 bytes: HIP error 2: out of memory");
  EXPECT_NE(messageOf(device->load("no code object").takeError()).find("loading a code object: HIP error 200"),
            std::string::npos);
  std::unique_ptr<Module> module = llvm::cantFail(device->load(codeObject()));
  EXPECT_EQ(messageOf(device->launch(*module, "other", {}, {})),
            "kernel 'other': HIP error 500: named symbol not found");
}

} // namespace
