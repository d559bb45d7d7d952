// What scalar registers hold after a stretch of code, as terms over what they held before it: the same number for what
// is computed the same way, wherever in the code.
#pragma once

#include "program/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <bitset>
#include <map>
#include <vector>

namespace inflight::values {

class ScalarTerms {
public:
  explicit ScalarTerms(const Program &program LLVM_LIFETIME_BOUND);

  static constexpr unsigned unitCount = regunit::Mode + 1;
  using Units = std::bitset<unitCount>;
  using Term = uint32_t;
  static constexpr Term unknown = 0;
  using Registers = std::array<Term, unitCount>;
  /// Registers of two waves, over the same values.
  struct OfTwo {
    Registers one, other;
    bool operator==(const OfTwo &) const = default;
  };

  /// Only registers on which the branches at the ends of these blocks depend are followed; call it before anything
  /// else.
  void followFor(llvm::ArrayRef<uint32_t> blocks);
  /// Each register holds its own value from before.
  Registers start() const;
  /// Two waves in which these registers hold the same, and others each its own value.
  OfTwo start(const Units &same) const;
  void run(uint32_t index, Registers &registers);
  /// The instructions of a block that write scalar registers.
  llvm::ArrayRef<uint32_t> instructions(uint32_t block) const LLVM_LIFETIME_BOUND { return scalars[block]; }
  /// Which of them they write; all when the block calls.
  const Units &written(uint32_t block) const LLVM_LIFETIME_BOUND { return writes[block]; }
  /// What decides the last instruction's branch; `isTakenWhenSet`: it is taken when that isn't 0.
  Term condition(uint32_t index, const Registers &registers, bool &isTakenWhenSet);
  /// A term over what registers held at the start, where they held `before`.
  Term substitute(Term term, const Registers &before);
  /// The same for all registers.
  Registers substitute(const Registers &terms, const Registers &before);
  /// What holds in both of two cases, over values that registers hold now: named after the first register that holds
  /// them, so there are only so many.
  OfTwo common(const OfTwo &a, const OfTwo &b);
  /// For `express`: values have these names from now on.
  void nameValues(const OfTwo &a, const OfTwo &b);
  /// What is `one` in the first of both cases and `other` in the second, over values that registers hold now.
  Term express(Term one, Term other);
  /// Those that were made so far.
  size_t termCount() const { return nodes.size(); }

private:
  /// An operation of terms; without a shape, a value.
  struct Node {
    uint32_t shape = 0, firstOperand = 0;
    uint16_t operandCount = 0, depth = 0;
    uint32_t hash = 0;
  };
  /// Terms by numbers, of one call: forgotten without a look at the places.
  class Memo {
  public:
    Memo() : places(256) {}
    void clear();
    /// The key's term; null when there is none.
    const Term *find(uint64_t key) const;
    /// Nothing when there is one.
    void add(uint64_t key, Term term);

  private:
    struct Place {
      uint64_t key = 0;
      uint32_t call = 0; ///< in which it was taken
      Term term = unknown;
    };
    size_t placeOf(uint64_t key) const;
    std::vector<Place> places;
    uint32_t call = 1;
    size_t used = 0;
  };
  using Operands = llvm::SmallVector<Term, 8>;
  llvm::ArrayRef<Term> operands(Term term) const LLVM_LIFETIME_BOUND {
    return llvm::ArrayRef(allOperands).slice(nodes[term].firstOperand, nodes[term].operandCount);
  }
  uint32_t shapeOf(std::vector<uint64_t> key) {
    return shapes.try_emplace(std::move(key), shapes.size() + 1).first->second;
  }
  Term make(uint32_t shape, const Operands &operands);
  Term substituteKnown(Term term, const Registers &before);
  void findTracked();
  void growTerms();

  const Program &program;
  bool isUnknown = false;
  Units followed;
  std::vector<std::vector<uint32_t>> scalars;
  std::vector<Units> writes;
  std::vector<Node> nodes; ///< by term
  std::vector<Term> allOperands;
  std::map<std::vector<uint64_t>, uint32_t> shapes;  ///< by what an operation is beside its operands
  std::vector<Term> terms = std::vector<Term>(1024); ///< by hash, open addressing; `unknown` is free
  std::vector<uint16_t> tracked;                     ///< units that may hold anything known, in order
  Memo substituted;                                  ///< by term
  Memo holders, expressed;                           ///< by the terms of two cases
};

} // namespace inflight::values
