// How many workgroups of a kernel a compute unit holds, and other numbers of kernels.
#include "hip/runtime/Runtime.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <climits>

using namespace llvm;
using namespace inflight::hip;

/// Workgroups of `lanes` lanes that a compute unit holds at once.
static int residentWorkgroups(const Product &product, const Function &kernel, uint64_t lanes, uint64_t dynamicLds) {
  if (!lanes || lanes > std::min<uint64_t>(kernel.maxLanes, product.workgroupLanes))
    return 0;
  const uint64_t waves = divideCeil(lanes, product.lanes);
  uint64_t groups = kernel.wavesPerSimd * product.simds / waves;
  if (const uint64_t lds = kernel.ldsBytes + dynamicLds)
    groups = std::min(groups, product.ldsBytes / lds);
  return int(groups);
}

static HipError resident(int *count, const Function &kernel, int lanes, size_t dynamicLds) {
  const Product *const product = Runtime::get().product();
  if (!count || !product)
    return give(hipErrorInvalidValue);
  *count = residentWorkgroups(*product, kernel, lanes, dynamicLds);
  return hipSuccess;
}

/// The size of workgroups with which most waves are resident; the largest of those.
static HipError bestBlock(int *grid, int *block, const Function &kernel, size_t dynamicLds, int limit) {
  const Product *const product = Runtime::get().product();
  if (!grid || !block || !product)
    return give(hipErrorInvalidValue);
  uint64_t best = 0;
  *grid = *block = 0;
  for (uint64_t lanes = product->lanes; lanes <= std::min<uint64_t>(kernel.maxLanes, limit ? limit : INT_MAX);
       lanes += product->lanes) {
    const int groups = residentWorkgroups(*product, kernel, lanes, dynamicLds);
    if (groups * lanes < best)
      continue;
    best = groups * lanes;
    *block = int(lanes);
    *grid = int(groups * product->computeUnits);
  }
  return hipSuccess;
}

HIP_EXPORT HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *count, Function *kernel, int lanes,
                                                                       size_t lds) {
  return kernel ? resident(count, *kernel, lanes, lds) : give(hipErrorInvalidHandle);
}
HIP_EXPORT HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count, Function *kernel, int lanes,
                                                                                size_t lds, unsigned) {
  return kernel ? resident(count, *kernel, lanes, lds) : give(hipErrorInvalidHandle);
}
HIP_EXPORT HipError hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, Function *kernel, size_t lds,
                                                            int limit) {
  return kernel ? bestBlock(grid, block, *kernel, lds, limit) : give(hipErrorInvalidHandle);
}
HIP_EXPORT HipError hipOccupancyMaxActiveBlocksPerMultiprocessor(int *count, const void *host, int lanes, size_t lds) {
  Function *kernel = nullptr;
  if (HipError error = Runtime::get().functionAt("hipOccupancyMaxActiveBlocksPerMultiprocessor", host,
                                                 Runtime::get().current(), kernel))
    return error;
  return resident(count, *kernel, lanes, lds);
}
HIP_EXPORT HipError hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count, const void *host, int lanes,
                                                                          size_t lds, unsigned) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(count, host, lanes, lds);
}
HIP_EXPORT HipError hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *host, size_t lds, int limit) {
  Function *kernel = nullptr;
  if (HipError error =
          Runtime::get().functionAt("hipOccupancyMaxPotentialBlockSize", host, Runtime::get().current(), kernel))
    return error;
  return bestBlock(grid, block, *kernel, lds, limit);
}

HIP_EXPORT HipError hipFuncGetAttribute(int *value, int attribute, const Function *kernel) {
  if (!value || !kernel)
    return give(hipErrorInvalidValue);
  enum { MaxThreads, SharedBytes, ConstBytes, LocalBytes, Registers, PtxVersion, BinaryVersion, CacheMode, MaxDynamic };
  switch (attribute) {
  case MaxThreads: *value = int(kernel->maxLanes); return hipSuccess;
  case SharedBytes: *value = int(kernel->ldsBytes); return hipSuccess;
  case LocalBytes: *value = int(kernel->scratchBytes); return hipSuccess;
  case Registers: *value = int(kernel->vgprs); return hipSuccess;
  case ConstBytes:
  case PtxVersion:
  case BinaryVersion:
  case CacheMode: *value = 0; return hipSuccess;
  case MaxDynamic: {
    const Product *const product = Runtime::get().product();
    *value = product ? int(product->ldsBytes - kernel->ldsBytes) : 0;
    return hipSuccess;
  }
  default: return fail(hipErrorInvalidValue, "hipFuncGetAttribute", "attribute " + Twine(attribute));
  }
}

HIP_EXPORT HipError hipFuncGetAttributes(FunctionAttributes *attributes, const void *host) {
  Function *kernel = nullptr;
  if (!attributes)
    return give(hipErrorInvalidValue);
  if (HipError error = Runtime::get().functionAt("hipFuncGetAttributes", host, Runtime::get().current(), kernel))
    return error;
  *attributes = {};
  attributes->localSizeBytes = kernel->scratchBytes;
  attributes->sharedSizeBytes = kernel->ldsBytes;
  attributes->maxThreadsPerBlock = int(kernel->maxLanes);
  attributes->numRegs = int(kernel->vgprs);
  if (const Product *product = Runtime::get().product())
    attributes->maxDynamicSharedSizeBytes = int(product->ldsBytes - kernel->ldsBytes);
  return hipSuccess;
}
