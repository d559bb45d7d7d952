// Words of addresses as sums: what two of them differ by, if that is known.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace inflight::lir {

/// A word modulo 2^32: a constant and products of values with constants, by the number of the value.
struct WordForm {
  llvm::SmallVector<std::pair<unsigned, uint32_t>, 4> terms;
  uint32_t constant = 0;

  /// Adds so many times the other one. False if that takes more terms than are worth comparing.
  bool add(const WordForm &other, uint32_t times = 1);
};

/// Bytes at an address of which the lower word is known. What is apart there is apart whatever the upper words are.
struct WordPlace {
  WordForm begin;
  uint32_t bytes = 0;
  bool isApart(const WordPlace &other) const;
};

class WordForms {
public:
  /// `numberOf`: of the value that a register has.
  using NumberOf = llvm::function_ref<unsigned(Reg)>;
  /// The first words of the instruction's first result, from the values before the instruction, as far as they aren't
  /// values of their own.
  llvm::SmallVector<WordForm> resultsOf(const Inst &inst, NumberOf numberOf) const;
  void set(unsigned value, WordForm form) { forms[value] = std::move(form); }
  WordForm of(unsigned value) const;

private:
  std::optional<WordForm> sumOf(const Inst &inst, NumberOf numberOf) const;
  llvm::DenseMap<unsigned, WordForm> forms; ///< of values that aren't their own
};

} // namespace inflight::lir
