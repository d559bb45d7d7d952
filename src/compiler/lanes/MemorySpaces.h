// Which memory a memref is in, and how many bytes of it.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include <cstdint>
#include <optional>

namespace inflight {

bool isWorkgroupSpace(mlir::Attribute space);
bool isGlobalSpace(mlir::Attribute space);
bool isPrivateSpace(mlir::Attribute space);
unsigned llvmAddressSpace(mlir::Attribute space);

/// Bytes of one element in memory; 0 if the type has no size.
uint64_t elementBytes(mlir::Type element);

/// Bytes from the aligned pointer to past the last element of a static layout; nullopt if a part is
/// dynamic, a stride is negative, or the number overflows.
std::optional<uint64_t> staticByteExtent(mlir::MemRefType type);

} // namespace inflight
