#include "compiler/schedule/AddressForms.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

using enum Mnemonic;

bool WordForm::add(const WordForm &other, uint32_t times) {
  constexpr size_t mostTerms = 8;
  constant += other.constant * times;
  for (auto [value, factor] : other.terms) {
    auto *at = lower_bound(terms, value, [](const auto &term, unsigned v) { return term.first < v; });
    if (at == terms.end() || at->first != value)
      at = terms.insert(at, {value, 0});
    at->second += factor * times;
    if (!at->second)
      terms.erase(at);
  }
  return terms.size() <= mostTerms;
}

bool WordPlace::isApart(const WordPlace &other) const {
  const uint32_t ahead = other.begin.constant - begin.constant;
  return begin.terms == other.begin.terms && ahead >= bytes && 0 - ahead >= other.bytes;
}

WordForm WordForms::of(unsigned value) const {
  if (auto found = forms.find(value); found != forms.end())
    return found->second;
  return {{{value, 1}}, 0};
}

namespace {
/// A sum of operands, each shifted by so many bits; `negates` the second one.
struct Sum {
  SmallVector<std::pair<unsigned, unsigned>, 3> terms; ///< operand, operand that says by how much it is shifted or 0
  bool negates = false;
};
} // namespace

static std::optional<Sum> asSum(const Inst &inst) {
  switch (inst.mnemonic()) {
  case s_mov_b32:
  case v_mov_b32: return Sum{{{1, 0}}};
  case s_add_i32:
  case s_add_u32:
  case v_add_u32: return Sum{{{1, 0}, {2, 0}}};
  case v_add_co_u32: return Sum{{{2, 0}, {3, 0}}};
  case s_sub_i32:
  case s_sub_u32:
  case v_sub_u32: return Sum{{{1, 0}, {2, 0}}, true};
  case s_lshl_b32: return Sum{{{1, 2}}};
  case v_lshlrev_b32: return Sum{{{2, 1}}};
  case v_lshl_add_u32:
  case v_lshl_add_u64: return Sum{{{1, 2}, {3, 0}}};
  case v_add_lshl_u32: return Sum{{{1, 3}, {2, 3}}};
  case v_add3_u32: return Sum{{{1, 0}, {2, 0}, {3, 0}}};
  default: return std::nullopt;
  }
}

std::optional<WordForm> WordForms::sumOf(const Inst &inst, NumberOf numberOf) const {
  auto wordOf = [&](const Operand &operand) -> std::optional<WordForm> {
    if (operand.isImm())
      return WordForm{{}, uint32_t(operand.imm)};
    if (!operand.isReg() || operand.negate || operand.absolute)
      return std::nullopt;
    return of(numberOf(operand.reg.piece(0)));
  };
  if (!inst.desc || inst.desc->isDpp || inst.desc->isSdwa || !inst.modifiers.empty() || inst.keepsInactiveLanes)
    return std::nullopt;
  const std::optional<Sum> sum = asSum(inst);
  if (!sum)
    return std::nullopt;
  WordForm result;
  for (auto [i, term] : enumerate(sum->terms)) {
    const auto [operand, shift] = term;
    const std::optional<WordForm> word = wordOf(inst.operands[operand]);
    constexpr unsigned bits = 32;
    if (!word || (shift && (!inst.operands[shift].isImm() || uint64_t(inst.operands[shift].imm) >= bits)))
      return std::nullopt;
    const uint32_t times = shift ? 1u << inst.operands[shift].imm : 1;
    if (!result.add(*word, i && sum->negates ? 0 - times : times))
      return std::nullopt;
  }
  return result;
}

SmallVector<WordForm> WordForms::resultsOf(const Inst &inst, NumberOf numberOf) const {
  SmallVector<WordForm> results;
  if (inst.isCopy() && inst.operands[1].isReg() && !inst.keepsInactiveLanes) {
    const Reg source = inst.operands[1].reg;
    for (unsigned i = 0; i < source.count; ++i)
      results.push_back(of(numberOf(source.piece(i))));
  } else if (std::optional<WordForm> sum = sumOf(inst, numberOf)) {
    results.push_back(std::move(*sum));
  }
  return results;
}

} // namespace inflight::lir
