// Where a wave's flat addresses lead to LDS and scratch.
#pragma once

#include <cstdint>

namespace inflight::machine {

/// Bases of the 4 GiB apertures as the Linux driver places them (amdkfd, kfd_flat_memory.c: MAKE_LDS_APP_BASE_V9,
/// MAKE_SCRATCH_APP_BASE_V9). Programs read them as src_shared_base and src_private_base.
inline constexpr uint64_t sharedBase = uint64_t(1) << 48, privateBase = uint64_t(2) << 48,
                          apertureBytes = uint64_t(1) << 32;
inline constexpr uint64_t sharedLimit = sharedBase + apertureBytes - 1, privateLimit = privateBase + apertureBytes - 1;

/// Where programs believe a wave's scratch to be: 48 bits, above all host memory, as only buffer descriptors and
/// FLAT_SCRATCH hold it. There, dword d of lane l is at 256 × d + 4 × l (AMDGPUUsage, "Private memory").
inline constexpr uint64_t scratchWindow = 0xf00000000000;

} // namespace inflight::machine
