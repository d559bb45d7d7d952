#include "compiler/import/ir/WideArithmetic.h"

using namespace llvm;

namespace inflight::import {

static bool isZero(const Value *value) {
  auto *constant = dyn_cast<ConstantInt>(value);
  return constant && constant->isZero();
}

Parts sum(IRBuilder<> &builder, const Parts &a, const Parts &b) {
  Parts result;
  Value *carry = nullptr;
  for (auto [x, y] : zip_equal(a, b)) {
    Value *both = builder.CreateAdd(x, y), *overflows = builder.CreateICmpULT(both, x);
    if (carry) {
      Value *before = both;
      both = builder.CreateAdd(before, builder.CreateZExt(carry, builder.getInt64Ty()));
      overflows = builder.CreateOr(overflows, builder.CreateICmpULT(both, before));
    }
    result.push_back(both);
    carry = overflows;
  }
  return result;
}

Parts difference(IRBuilder<> &builder, const Parts &a, const Parts &b) {
  Parts result;
  Value *borrow = nullptr;
  for (auto [x, y] : zip_equal(a, b)) {
    Value *rest = builder.CreateSub(x, y), *underflows = builder.CreateICmpULT(x, y);
    if (borrow) {
      Value *before = rest;
      Value *taken = builder.CreateZExt(borrow, builder.getInt64Ty());
      rest = builder.CreateSub(before, taken);
      underflows = builder.CreateOr(underflows, builder.CreateICmpULT(before, taken));
    }
    result.push_back(rest);
    borrow = underflows;
  }
  return result;
}

/// Words, each in a pair; null where they are zero.
static Parts wordsOf(IRBuilder<> &builder, const Parts &parts) {
  Parts words;
  for (Value *value : parts)
    for (Value *word :
         {builder.CreateAnd(value, maskTrailingOnes<uint64_t>(wordBits)), builder.CreateLShr(value, wordBits)})
      words.push_back(isZero(word) ? nullptr : word);
  return words;
}

/// By words, as on paper: a product of two words and two words more fit into a pair.
Parts product(IRBuilder<> &builder, const Parts &a, const Parts &b, unsigned bits) {
  const Parts x = wordsOf(builder, a), y = wordsOf(builder, b);
  const unsigned count = divideCeil(bits, wordBits);
  Parts words(2 * a.size(), nullptr);
  for (unsigned i = 0; i < count; ++i) {
    if (!x[i])
      continue;
    Value *carry = nullptr;
    for (unsigned at = i; at < count; ++at) {
      Value *total = y[at - i] ? builder.CreateMul(x[i], y[at - i]) : nullptr;
      for (Value *more : {words[at], carry})
        if (more)
          total = total ? builder.CreateAdd(total, more) : more;
      if (!total)
        continue;
      words[at] = builder.CreateAnd(total, maskTrailingOnes<uint64_t>(wordBits));
      carry = builder.CreateLShr(total, wordBits);
    }
  }
  Parts result;
  for (unsigned i = 0; i < a.size(); ++i) {
    Value *low = words[2 * i] ? words[2 * i] : builder.getInt64(0), *high = words[2 * i + 1];
    result.push_back(high ? builder.CreateOr(low, builder.CreateShl(high, wordBits)) : low);
  }
  return result;
}

/// `of(i)` for as many parts as `amount` says more than `i`.
static Value *movedParts(IRBuilder<> &builder, Value *amount, unsigned count, function_ref<Value *(unsigned)> of) {
  Value *by = builder.CreateLShr(amount, Log2_32(partBits));
  Value *moved = of(count - 1);
  for (unsigned i = count - 1; i-- > 0;)
    moved = builder.CreateSelect(builder.CreateICmpEQ(by, builder.getInt64(i)), of(i), moved);
  return moved;
}

/// The upper bits of `high` and `low`, moved up by `amount`, less than a part's bits; or the lower ones, moved down.
static Value *across(IRBuilder<> &builder, Value *high, Value *low, Value *amount, bool isUp) {
  if (isZero(amount))
    return isUp ? high : low;
  if (auto *constant = dyn_cast<ConstantInt>(amount)) {
    const uint64_t up = isUp ? constant->getZExtValue() : partBits - constant->getZExtValue();
    return builder.CreateOr(builder.CreateShl(high, up), builder.CreateLShr(low, partBits - up));
  }
  // In two steps, as the whole size isn't an amount.
  Value *rest = builder.CreateXor(amount, builder.getInt64(partBits - 1));
  if (isUp)
    return builder.CreateOr(builder.CreateShl(high, amount), builder.CreateLShr(builder.CreateLShr(low, 1), rest));
  return builder.CreateOr(builder.CreateLShr(low, amount), builder.CreateShl(builder.CreateShl(high, 1), rest));
}

Parts shiftedUp(IRBuilder<> &builder, const Parts &a, Value *amount) {
  const unsigned count = a.size();
  if (count == 1)
    return {builder.CreateShl(a[0], amount)};
  Value *bits = builder.CreateAnd(amount, partBits - 1);
  Parts moved, result;
  for (unsigned k = 0; k < count; ++k)
    moved.push_back(movedParts(builder, amount, count,
                               [&](unsigned by) { return by <= k ? a[k - by] : (Value *)builder.getInt64(0); }));
  for (unsigned k = 0; k < count; ++k)
    result.push_back(k ? across(builder, moved[k], moved[k - 1], bits, true) : builder.CreateShl(moved[0], bits));
  return result;
}

Parts shiftedDown(IRBuilder<> &builder, const Parts &a, Value *amount, bool isSigned) {
  const unsigned count = a.size();
  auto shift = [&](Value *value, Value *by) {
    return isSigned ? builder.CreateAShr(value, by) : builder.CreateLShr(value, by);
  };
  if (count == 1)
    return {shift(a[0], amount)};
  Value *bits = builder.CreateAnd(amount, partBits - 1);
  Value *above = isSigned ? builder.CreateAShr(a.back(), partBits - 1) : builder.getInt64(0);
  Parts moved, result;
  for (unsigned k = 0; k < count; ++k)
    moved.push_back(
        movedParts(builder, amount, count, [&](unsigned by) { return k + by < count ? a[k + by] : above; }));
  for (unsigned k = 0; k < count; ++k)
    result.push_back(k + 1 < count ? across(builder, moved[k + 1], moved[k], bits, false) : shift(moved[k], bits));
  return result;
}

} // namespace inflight::import
