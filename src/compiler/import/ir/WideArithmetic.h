// Arithmetic on integers that are lists of pairs of words.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace inflight::import {

inline constexpr unsigned wordBits = 32, partBits = 64;

/// Whether it is an integer of another size than words and pairs of words have.
inline bool isWide(const llvm::Type *type) {
  auto *integer = llvm::dyn_cast<llvm::IntegerType>(type);
  return integer && integer->getBitWidth() > wordBits && integer->getBitWidth() != partBits;
}
inline unsigned bitsOf(const llvm::Value *value) { return value->getType()->getScalarSizeInBits(); }
inline unsigned countOf(unsigned bits) { return llvm::divideCeil(bits, partBits); }

/// Arguments that are such integers are read where they lie, or come as a pair. The kernel, or what stands for it now.
llvm::Function &withoutWideArguments(llvm::Function &kernel);

/// Operations on vectors of such integers are those of their elements.
void splitWideVector(llvm::Instruction &inst);

/// The lowest bits first. Those above the integer's own are undefined unless someone says that they are wanted.
using Parts = llvm::SmallVector<llvm::Value *, 4>;

Parts sum(llvm::IRBuilder<> &builder, const Parts &a, const Parts &b);
Parts difference(llvm::IRBuilder<> &builder, const Parts &a, const Parts &b);
/// So many bits of it.
Parts product(llvm::IRBuilder<> &builder, const Parts &a, const Parts &b, unsigned bits);
/// By an amount that is less than the integer's bits.
Parts shiftedUp(llvm::IRBuilder<> &builder, const Parts &a, llvm::Value *amount);
/// The bits above the integer's own are what comes in.
Parts shiftedDown(llvm::IRBuilder<> &builder, const Parts &a, llvm::Value *amount, bool isSigned);

} // namespace inflight::import
