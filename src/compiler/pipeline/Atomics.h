// Read-modify-write operations: the chip's instructions for them, and loops that compare and exchange for those that it
// has none for.
#pragma once

#include "isa/Isa.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight {

/// Bits that an operation on values of the type exchanges; 0: of none.
unsigned atomicBits(mlir::Type type);

/// The instruction for it, on any chip that has it.
Mnemonic atomicMnemonic(mlir::LLVM::AtomicRMWOp op);
bool isAtomicInstruction(const Isa &isa, mlir::LLVM::AtomicRMWOp op);

/// Replaces what `pointer` points to by `compute` of it, atomically; returns what it was. Types below
/// 32 bits are exchanged within the dword they lie in.
mlir::Value exchangeUntilUnchanged(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer, mlir::Type type,
                                   llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)> compute);

/// memref.generic_atomic_rmw, whose upstream lowering makes branches that a structured region can't hold.
void populateGenericAtomicPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);

} // namespace inflight
