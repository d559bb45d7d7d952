#include "machine/check/undefined/UndefinedBits.h"

#include "llvm/ADT/bit.h"

namespace inflight::machine::check {

static uint32_t byteOf(uint64_t bytes, unsigned select) {
  return select < 8    ? bytes >> (8 * select) & 0xff
         : select < 12 ? (bytes >> (16 * (select - 8) + 15) & 1 ? 0xff : 0)
                       : 0;
}

/// A bit is undefined where its row of the table isn't the only one that the undefined bits leave, and the rows differ.
static uint32_t undefinedBitop3(uint32_t truth, std::array<uint32_t, 3> v, std::array<uint32_t, 3> u) {
  uint32_t canBe[2] = {};
  for (unsigned row = 0; row < 8; ++row) {
    uint32_t possible = ~0u;
    for (unsigned i = 0; i < 3; ++i)
      possible &= (row & 4 >> i ? v[i] : ~v[i]) | u[i];
    canBe[truth >> row & 1] |= possible;
  }
  return canBe[0] & canBe[1];
}

uint32_t undefinedResult(Rule rule, const Op &op, std::array<uint32_t, 3> v, std::array<uint32_t, 3> u) {
  const uint32_t any = u[0] | u[1] | u[2];
  if (!any)
    return 0;
  const uint32_t all = ~0u, amount = v[0] & 31;
  switch (rule) {
  case Rule::Sum: return all << llvm::countr_zero(any);
  case Rule::Mov: return u[0];
  case Rule::And: return undefinedAnd(v[0], u[0], v[1], u[1]);
  case Rule::Or: return undefinedOr(v[0], u[0], v[1], u[1]);
  case Rule::Xor: return u[0] | u[1];
  case Rule::Lshl: return u[0] ? all : u[1] << amount;
  case Rule::Lshr: return u[0] ? all : u[1] >> amount;
  case Rule::Ashr: return u[0] ? all : uint32_t(int32_t(u[1]) >> amount);
  case Rule::AndOr: return undefinedOr(v[0] & v[1], undefinedAnd(v[0], u[0], v[1], u[1]), v[2], u[2]);
  case Rule::Or3: return undefinedOr(v[0] | v[1], undefinedOr(v[0], u[0], v[1], u[1]), v[2], u[2]);
  case Rule::LshlOr: return u[1] & 31 ? all : undefinedOr(v[0] << (v[1] & 31), u[0] << (v[1] & 31), v[2], u[2]);
  case Rule::Bfi: return u[0] ? all : (v[0] & u[1]) | (~v[0] & u[2]);
  case Rule::BfeU:
  case Rule::BfeI: {
    if ((u[1] | u[2]) & 31)
      return all;
    const uint32_t field = u[0] >> (v[1] & 31) & ((1u << (v[2] & 31)) - 1);
    return rule == Rule::BfeI && field ? all << llvm::countr_zero(field) : field;
  }
  case Rule::Perm: {
    if (u[2])
      return all;
    const uint64_t bytes = uint64_t(u[0]) << 32 | u[1];
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i)
      result |= byteOf(bytes, v[2] >> (8 * i) & 0xff) << (8 * i);
    return result;
  }
  case Rule::Alignbit: return u[2] & 31 ? all : uint32_t((uint64_t(u[0]) << 32 | u[1]) >> (v[2] & 31));
  case Rule::Alignbyte: return u[2] & 3 ? all : uint32_t((uint64_t(u[0]) << 32 | u[1]) >> (8 * (v[2] & 3)));
  case Rule::Pack: {
    auto half = [&](unsigned i) { return op.opSel >> i & 1 ? u[i] >> 16 : u[i] & 0xffff; };
    return half(0) | half(1) << 16;
  }
  case Rule::Bitop3: return undefinedBitop3(bitop3Table(op), v, u);
  case Rule::LowestOne: return llvm::countr_zero(v[0] & ~u[0]) < llvm::countr_zero(u[0]) ? 0 : all;
  case Rule::HighestOne: return llvm::countl_zero(v[0] & ~u[0]) < llvm::countl_zero(u[0]) ? 0 : all;
  case Rule::Halves: return (u[0] ? 0xffffu : 0) | (u[1] ? 0xffff0000u : 0);
  case Rule::Packed16: {
    uint32_t low = 0, high = 0;
    for (unsigned i = 0; i < 3; ++i) {
      low |= op.opSel >> i & 1 ? u[i] >> 16 : u[i] & 0xffff;
      high |= op.opSelHigh >> i & 1 ? u[i] >> 16 : u[i] & 0xffff;
    }
    return (low ? 0xffffu : 0) | (high ? 0xffff0000u : 0);
  }
  default: return all;
  }
}

} // namespace inflight::machine::check
