// Bytes through the code object reader, the disassembler, and a few steps of the machine.
#include "object/CodeObject.h"
#include "Harness.h"
#include "machine/Machine.h"
#include "program/decode/Disassemble.h"

using namespace llvm;

namespace inflight::fuzz {

const bool inputIsText = false;

static void runKernel(const CodeObject &object, const Kernel &kernel) {
  machine::Memory memory;
  machine::LaunchConfig config;
  for (unsigned i = 0; i < 3; ++i)
    config.block[i] = kernel.requiredWorkgroupSize[i] ? kernel.requiredWorkgroupSize[i] : 1;
  if (!kernel.requiredWorkgroupSize[0])
    config.block[0] = 64;
  config.maxInstructions = 1000;
  // Every argument points to a buffer: pointers that lead somewhere reach more of the handlers.
  constexpr unsigned pointers = 32, bufferBytes = 4096;
  uint64_t arguments[pointers];
  Expected<uint64_t> buffer = memory.allocate(bufferBytes);
  require(buffer.takeError(), "device memory");
  std::fill(std::begin(arguments), std::end(arguments), *buffer);
  ArrayRef<uint8_t> kernarg(reinterpret_cast<const uint8_t *>(arguments), sizeof arguments);
  consumeError(machine::run(object, kernel, config, kernarg, memory).takeError());
}

void fuzzOne(StringRef input) {
  Expected<CodeObject> object = CodeObject::load(input, "fuzz.hsaco");
  if (!object) {
    consumeError(object.takeError());
    return;
  }
  consumeError(disassemble(*object).takeError());
  for (const Kernel &kernel : object->kernels().take_front(2))
    runKernel(*object, kernel);
}

} // namespace inflight::fuzz
