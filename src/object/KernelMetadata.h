// What a code object says of its kernels: descriptors and the metadata note.
#pragma once

#include "object/CodeObject.h"
#include <optional>

namespace inflight {

inline constexpr uint64_t descriptorSize = 64; ///< bytes

/// Reads a descriptor of descriptorSize bytes.
KernelDescriptor readDescriptor(const uint8_t *bytes);

/// How many lanes the waves of these kernels have, of a chip where each may choose; 0 where none can. An error when
/// they differ: a file's code is read for one size.
llvm::Expected<unsigned> waveLanesOf(const TargetInfo &target, llvm::ArrayRef<KernelDescriptor> kernels);

/// The kernels of a metadata note (MessagePack), without descriptors; nothing when it is corrupt.
std::optional<std::vector<Kernel>> readKernelMetadata(llvm::StringRef blob);

/// The same of the text between .amdgpu_metadata and .end_amdgpu_metadata.
std::vector<Kernel> readKernelMetadataYaml(llvm::StringRef yaml);

} // namespace inflight
