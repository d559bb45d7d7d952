// Which memory a memref or a pointer is in, and how many bytes of it.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <cstdint>
#include <optional>

namespace inflight {

/// A memref type's memory space, given by name or by number; no attribute is global memory.
bool isWorkgroupSpace(mlir::Attribute space);
bool isGlobalSpace(mlir::Attribute space);
bool isPrivateSpace(mlir::Attribute space);
unsigned llvmAddressSpace(mlir::Attribute space);

/// LLVM's numbers of address spaces.
inline constexpr unsigned flatSpace = 0, globalSpace = 1, ldsSpace = 3, constantSpace = 4, privateSpace = 5,
                          bufferSpace = 7, resourceSpace = 8;
/// The address space of a memref or an LLVM pointer.
unsigned addressSpaceOf(mlir::Value memory);
inline bool isLds(mlir::Value memory) { return addressSpaceOf(memory) == ldsSpace; }

/// What counts as global memory. Flat memory does: nothing else is accessed through it.
enum class Global : uint8_t {
  Any,       ///< all but LDS and private memory, whatever space it is
  ByAddress, ///< what a 64-bit address alone reaches: flat, global and constant memory
  Variable,  ///< what a memref of constants isn't: flat, global and buffers
};
bool isGlobal(unsigned space, Global which);
inline bool isGlobal(mlir::Value memory, Global which) { return isGlobal(addressSpaceOf(memory), which); }

/// Bytes of one element in memory; 0 if the type has no size.
uint64_t elementBytes(mlir::Type element);

/// Bytes from the aligned pointer to past the last element of a static layout; nullopt if a part is
/// dynamic, a stride is negative, or the number overflows.
std::optional<uint64_t> staticByteExtent(mlir::MemRefType type);

} // namespace inflight
