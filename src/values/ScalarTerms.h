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
  explicit ScalarTerms(const Program &program);

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
  llvm::ArrayRef<uint32_t> instructions(uint32_t block) const { return scalars[block]; }
  /// Which of them they write; all when the block calls.
  const Units &written(uint32_t block) const { return writes[block]; }
  /// What decides the last instruction's branch; `isTakenWhenSet`: it is taken when that isn't 0.
  Term condition(uint32_t index, const Registers &registers, bool &isTakenWhenSet);
  /// A term over what registers held at the start, where they held `before`.
  Term substitute(Term term, const Registers &before);
  /// The same for all registers.
  Registers substitute(const Registers &terms, const Registers &before);
  /// What holds in both of two cases, over values that registers hold now: named after the first register that holds
  /// them, so there are only so many.
  OfTwo common(const OfTwo &a, const OfTwo &b);
  /// Those that were made so far.
  size_t termCount() const { return nodes.size(); }

private:
  /// An operation of terms; without a shape, a value.
  struct Node {
    uint32_t shape = 0, firstOperand = 0;
    uint16_t operandCount = 0, depth = 0;
  };
  using Operands = llvm::SmallVector<Term, 8>;
  llvm::ArrayRef<Term> operands(Term term) const {
    return llvm::ArrayRef(allOperands).slice(nodes[term].firstOperand, nodes[term].operandCount);
  }
  uint32_t shapeOf(std::vector<uint64_t> key) {
    return shapes.try_emplace(std::move(key), shapes.size() + 1).first->second;
  }
  Term make(uint32_t shape, const Operands &operands);
  Term substitute(Term term, const Registers &before, llvm::DenseMap<Term, Term> &known);

  const Program &program;
  bool isUnknown = false;
  Units followed;
  std::vector<std::vector<uint32_t>> scalars;
  std::vector<Units> writes;
  std::vector<Node> nodes; ///< by term
  std::vector<Term> allOperands;
  std::map<std::vector<uint64_t>, uint32_t> shapes;           ///< by what an operation is beside its operands
  llvm::DenseMap<uint64_t, llvm::SmallVector<Term, 1>> terms; ///< by hash
};

} // namespace inflight::values
