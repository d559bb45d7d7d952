// What the preparation passes share about memrefs.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>

namespace inflight {

/// A memref from its LLVM descriptor's parts (offset, sizes, strides), with static parts as constants.
mlir::Value buildMemRef(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, mlir::Value pointer,
                        mlir::ValueRange dynamicParts);

/// Every memref in `function` gets one of the spaces global, workgroup, private or a buffer: no space
/// and numbers are translated, casts between spaces vanish, and memref.alloca is private.
mlir::LogicalResult assignMemorySpaces(mlir::FunctionOpInterface function);

/// Gives `root` and all that is derived from it another memory space. False, and nothing has
/// changed, if a user can't have it or a value merges with another memory.
bool moveToSpace(mlir::Value root, mlir::Attribute space, mlir::Operation **obstacle = nullptr);

/// `memref` by a buffer descriptor of `validBytes`; without a value, of its static extent.
mlir::Value castToBuffer(mlir::OpBuilder &builder, mlir::Value memref, mlir::Value validBytes);

/// Reaches `memref`, a kernel argument, through a buffer descriptor if all its users can.
void useBufferDescriptor(mlir::Value memref, mlir::Value validBytes);

} // namespace inflight
