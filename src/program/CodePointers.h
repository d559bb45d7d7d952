// Which code a pair of SGPRs points to: found from its definitions, for calls and jumps through registers.
#pragma once

#include "program/ControlFlow.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace inflight {

struct CodePointer {
  enum class Kind : uint8_t {
    Unknown,
    Place,         ///< `target`
    Incoming,      ///< what the registers held when the function was entered
    ReturnAddress, ///< what a call in this function wrote
    Loaded,        ///< from memory, or computed: a table
  };
  Kind kind = Kind::Unknown;
  JumpTarget target;
  uint32_t low = ~0u, high = ~0u; ///< the additions of a Place that has them
};

/// A graph of blocks to walk backward in. Calls are stepped over: what they leave alone by the ABI can't be seen from here,
/// and code that uses a register behind a call relies on it being the same.
class BlockGraph {
public:
  virtual ~BlockGraph() = default;
  virtual uint32_t blockOf(uint32_t instruction) const = 0;
  virtual uint32_t begin(uint32_t block) const = 0;
  virtual uint32_t end(uint32_t block) const = 0;
  virtual llvm::ArrayRef<uint32_t> predecessors(uint32_t block) const = 0;
  virtual bool isEntry(uint32_t block) const = 0;
};

class CodePointers {
public:
  CodePointers(const Program &program, const AddressReader &addresses, const BlockGraph &graph)
      : program(program), addresses(addresses), graph(graph), budget(64 * program.instructions().size() + 100000) {}

  /// The pair that begins with `low`, just before instruction `at`.
  CodePointer pair(uint32_t at, RegUnit low);

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
  Definition definitionOf(uint32_t at, Cell cell);
  CodePointer resolve(uint32_t atLow, Cell low, uint32_t atHigh, Cell high, unsigned depth);
  std::optional<Cell> copiedFrom(uint32_t instruction, Cell to) const;

  const Program &program;
  const AddressReader &addresses;
  const BlockGraph &graph;
  uint64_t budget; ///< instructions that may still be looked at: no input takes more than linear time
};

} // namespace inflight
