#include "machine/Dispatch.h"

#include "machine/memory/Apertures.h"
#include "machine/memory/DeviceHeap.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::support::endian;

namespace inflight::machine {

uint32_t scratchBytes(const Kernel &kernel, const LaunchConfig &config) {
  const uint32_t fixed = kernel.descriptor.privateSegmentFixedSize;
  if (config.scratchBytes)
    return std::max(fixed, *config.scratchBytes);
  // What the compiler takes for the stack of a function that it doesn't see (LLVM,
  // amdgpu-assume-external-call-stack-size).
  constexpr uint32_t dynamicStack = 16384;
  return fixed + (kernel.descriptor.usesDynamicStack() || kernel.usesDynamicStack ? dynamicStack : 0);
}

Expected<uint64_t> loadImage(const CodeObject &object, Memory &memory) {
  ArrayRef<uint8_t> image = object.image();
  Expected<uint64_t> address = memory.allocate(image.size(), "the code object");
  if (!address)
    return address.takeError();
  uint8_t *bytes = memory.pointer(*address);
  std::copy(image.begin(), image.end(), bytes);
  for (uint64_t place : object.relativeRelocations())
    write64le(bytes + place, read64le(bytes + place) + *address);
  return address;
}

/// amd_queue_t (HSA runtime, amd_hsa_queue.h): what compiled code reads of it.
static Expected<uint64_t> makeQueue(Memory &memory) {
  constexpr unsigned size = 256, groupApertureHigh = 64, privateApertureHigh = 68;
  Expected<uint64_t> address = memory.allocate(size);
  if (!address)
    return address.takeError();
  uint8_t *queue = memory.pointer(*address);
  write32le(queue + groupApertureHigh, sharedBase >> 32);
  write32le(queue + privateApertureHigh, privateBase >> 32);
  return address;
}

/// hsa_kernel_dispatch_packet_t (HSA runtime specification, "AQL packets").
static void writePacket(uint8_t *packet, const Kernel &kernel, const LaunchConfig &config, const Dispatch &dispatch) {
  constexpr uint16_t kernelDispatch = 2, systemScopes = 2 << 9 | 2 << 11;
  write16le(packet, kernelDispatch | systemScopes);
  write16le(packet + 2, config.dimensions());
  for (size_t i = 0; i < 3; ++i) {
    write16le(packet + 4 + 2 * i, config.block[i]);
    write32le(packet + 12 + 4 * i, config.lanes(i));
  }
  write32le(packet + 24, scratchBytes(kernel, config));
  write32le(packet + 28, kernel.descriptor.groupSegmentFixedSize + config.dynamicLdsBytes);
  write64le(packet + 32, dispatch.image + kernel.descriptorAddress);
  write64le(packet + 40, dispatch.kernarg);
}

/// What a kernel whose workgroups wait for each other counts them by (ROCm's device library up to 7.0, ockl/src/cg.cl,
/// struct mg_info): two words that begin as zeros, and how many workgroups there are. There is one grid: what several
/// share is at `grids`, where nothing is.
static Expected<uint64_t> makeGridBarrier(const LaunchConfig &config, uint64_t grids, Memory &memory) {
  constexpr size_t size = 64, workgroupCount = 40;
  Expected<uint64_t> address = memory.allocate(size, "the grid's barrier");
  if (!address)
    return address.takeError();
  uint8_t *barrier = memory.pointer(*address);
  std::memset(barrier, 0, size);
  write64le(barrier, grids);
  write32le(barrier + workgroupCount, config.workgroups());
  return address;
}

/// AMDGPUUsage, "Code Object V4 Metadata" and "V5": value kinds of hidden arguments.
static Expected<uint64_t> hiddenValue(StringRef kind, const LaunchConfig &config, Dispatch &dispatch, Memory &memory) {
  const unsigned dim = kind.ends_with("_y") ? 1 : kind.ends_with("_z") ? 2 : 0;
  if (kind.starts_with("hidden_block_count_"))
    return config.lanes(dim) / config.block[dim];
  if (kind.starts_with("hidden_group_size_"))
    return config.block[dim];
  if (kind.starts_with("hidden_remainder_"))
    return config.lanes(dim) % config.block[dim];
  if (kind.starts_with("hidden_global_offset_") || kind == "hidden_none")
    return 0;
  if (kind == "hidden_grid_dims")
    return config.dimensions();
  if (kind == "hidden_dynamic_lds_size")
    return config.dynamicLdsBytes;
  if (kind == "hidden_private_base")
    return privateBase >> 32;
  if (kind == "hidden_shared_base")
    return sharedBase >> 32;
  if (kind == "hidden_queue_ptr")
    return dispatch.queue;
  if (kind == "hidden_hostcall_buffer") {
    Expected<std::unique_ptr<Hostcalls>> made = Hostcalls::create(memory);
    if (!made)
      return made.takeError();
    dispatch.hostcalls = std::move(*made);
    return dispatch.hostcalls->address();
  }
  if (kind == "hidden_heap_v1") {
    Expected<DeviceHeap *> heap = memory.heap();
    return heap ? Expected<uint64_t>((*heap)->address()) : heap.takeError();
  }
  constexpr uint64_t reach = 4096; // how far after the pointer an access still names it
  const StringRef uses = kind == "hidden_printf_buffer"        ? " (for OpenCL's printf)"
                         : kind == "hidden_multigrid_sync_arg" ? " (of several grids)"
                                                               : "";
  Expected<uint64_t> missing =
      memory.reserve("hidden argument '" + kind.str() + "'" + uses.str() + ", which this machine doesn't have", reach);
  if (missing && kind == "hidden_multigrid_sync_arg")
    return makeGridBarrier(config, *missing, memory);
  return missing;
}

Expected<Dispatch> prepareDispatch(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                                   ArrayRef<uint8_t> kernarg, Memory &memory) {
  Dispatch dispatch;
  constexpr uint64_t packetBytes = 64;
  auto place = [&](uint64_t &into, Expected<uint64_t> address) -> Error {
    if (!address)
      return address.takeError();
    into = *address;
    return Error::success();
  };
  if (config.image)
    dispatch.image = *config.image;
  else if (Error error = place(dispatch.image, loadImage(object, memory)))
    return std::move(error);
  // The segment is aligned to 16 bytes (AMDGPUUsage, kernarg_segment_align), so compilers load up to the next multiple.
  const uint64_t kernargBytes = std::max<uint64_t>(alignTo(kernarg.size(), 16), 64);
  if (Error error = place(dispatch.kernarg, memory.allocate(kernargBytes, "the kernel's arguments")))
    return std::move(error);
  if (Error error = place(dispatch.packet, memory.allocate(packetBytes, "the dispatch packet")))
    return std::move(error);
  if (Error error = place(dispatch.queue, makeQueue(memory)))
    return std::move(error);
  std::copy(kernarg.begin(), kernarg.end(), memory.pointer(dispatch.kernarg));
  writePacket(memory.pointer(dispatch.packet), kernel, config, dispatch);
  for (const KernelArgument &argument : kernel.arguments) {
    if (!argument.isHidden())
      continue;
    if (size_t(argument.offset) + argument.size > kernarg.size())
      return makeError("kernel '" + kernel.name + "': argument '" + argument.valueKind +
                       "' lies beyond the kernarg segment");
    Expected<uint64_t> value = hiddenValue(argument.valueKind, config, dispatch, memory);
    if (!value)
      return value.takeError();
    std::memcpy(memory.pointer(dispatch.kernarg) + argument.offset, &*value, std::min<size_t>(argument.size, 8));
  }
  return dispatch;
}

} // namespace inflight::machine
