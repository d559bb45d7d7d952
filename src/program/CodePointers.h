// Which code a pair of SGPRs points to: found from its definitions, for calls and jumps through registers.
#pragma once

#include "program/ControlFlow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace inflight {

struct CodePointer {
  enum class Kind : uint8_t {
    Unknown,
    Place,         ///< `offset` from what `getpc` gives: `target`
    Incoming,      ///< what the registers held when the function was entered
    ReturnAddress, ///< what a call in this function wrote
    Loaded,        ///< from memory, or computed: a table
  };
  Kind kind = Kind::Unknown;
  uint32_t getpc = 0;
  CodeOffset offset;
  JumpTarget target;
  uint32_t low = ~0u; ///< the last addition to the low half of a Place, if any

  CodePointer(Kind kind = Kind::Unknown, uint32_t getpc = 0) : kind(kind), getpc(getpc) {}
};

/// A graph of blocks to walk backward in. Calls are stepped over: what they leave alone by the ABI can't be seen from
/// here, and code that uses a register after a call relies on it being the same.
class BlockGraph {
public:
  virtual ~BlockGraph() = default;
  virtual uint32_t blockOf(uint32_t instruction) const = 0;
  virtual uint32_t begin(uint32_t block) const = 0;
  virtual uint32_t end(uint32_t block) const = 0;
  virtual llvm::ArrayRef<uint32_t> predecessors(uint32_t block) const LLVM_LIFETIME_BOUND = 0;
  virtual bool isEntry(uint32_t block) const = 0;
};

class CodePointers {
public:
  CodePointers(const Program &program LLVM_LIFETIME_BOUND, const AddressReader &addresses LLVM_LIFETIME_BOUND,
               const BlockGraph &graph LLVM_LIFETIME_BOUND)
      : program(program), addresses(addresses), graph(graph), budget(64 * program.instructions().size() + 100000) {}

  /// The pair that begins with `low`, just before instruction `at`.
  CodePointer pair(uint32_t at, RegUnit low);
  /// The same where several places set the pair: a Place for each, or nothing when one isn't known.
  std::vector<CodePointer> choices(uint32_t at, RegUnit low);
  /// The pair whose high half `high` writes.
  CodePointer madeBy(uint32_t high);

private:
  struct Definition {
    enum class Kind : uint8_t { Unknown, Entry, Instruction } kind = Kind::Unknown;
    uint32_t instruction = 0;
    bool operator==(const Definition &) const = default;
    bool is() const { return kind == Kind::Instruction; }
  };
  /// A register, or a lane of one.
  struct Cell {
    RegUnit unit;
    int lane = -1;
  };
  struct Definitions {
    llvm::SmallVector<uint32_t, 4> instructions;
    bool hasEntry = false, hasUnknown = false;
  };
  std::optional<uint32_t> lastWriteIn(uint32_t block, RegUnit unit);
  Definitions definitionsOf(uint32_t at, Cell cell);
  Definition definitionOf(uint32_t at, Cell cell);
  CodePointer resolve(uint32_t atLow, Cell low, uint32_t atHigh, Cell high, unsigned depth);
  CodePointer resolveDefined(uint32_t definesLow, Cell low, uint32_t definesHigh, Cell high, unsigned depth);
  CodePointer resolveLongSum(uint32_t sum, unsigned depth);
  struct Number {
    CodeOffset value;
    bool isAbsolute = false; ///< the value without its sign is meant
  };
  std::optional<Number> numberIn(uint32_t at, Cell cell, unsigned depth);
  std::optional<Number> sumOf(uint32_t instruction, llvm::ArrayRef<Cell> registers, unsigned depth);
  std::optional<Cell> copiedFrom(uint32_t instruction, Cell to) const;
  llvm::SmallVector<Cell, 2> sourcesOf(uint32_t instruction) const;
  CodePointer withTarget(CodePointer pointer) const;

  const Program &program;
  const AddressReader &addresses;
  const BlockGraph &graph;
  llvm::DenseMap<uint32_t, std::vector<std::pair<unsigned, uint32_t>>> lastWrites; ///< by block: unit, instruction
  uint64_t budget; ///< instructions that may still be looked at: no input takes more than linear time
};

} // namespace inflight
