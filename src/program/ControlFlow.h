// Blocks, edges and functions of a program's instructions, whatever file they came from.
#pragma once

#include "program/Program.h"
#include <optional>

namespace inflight {

/// A run of instructions that lie after each other in one section.
struct CodeSection {
  uint32_t begin = 0, end = 0;
  std::string name;
};

/// Where a jump goes, as far as the file says.
struct JumpTarget {
  enum class Kind : uint8_t {
    Instruction, ///< to `instruction`
    Unknown,     ///< out of this program, or not known
    Invalid,     ///< where no instruction begins; `reason` says it
  };
  Kind kind = Kind::Unknown;
  uint32_t instruction = 0;
  std::string reason;

  static JumpTarget to(uint32_t instruction) { return {Kind::Instruction, instruction, {}}; }
  static JumpTarget invalid(std::string reason) { return {Kind::Invalid, 0, std::move(reason)}; }
  bool isKnown() const { return kind == Kind::Instruction; }
};

/// A number of bytes: `number`, and when there is a symbol its distance from the last word of the instruction `at`.
struct CodeOffset {
  int64_t number = 0;
  const void *symbol = nullptr; ///< the reader's; null for none
  uint32_t at = 0;
};

/// What a reader knows of addresses.
class AddressReader {
public:
  virtual ~AddressReader() = default;
  /// The target of an s_branch, s_cbranch_* or s_call_b64.
  virtual JumpTarget branchTarget(uint32_t instruction) const = 0;
  /// The sum of the constants among an instruction's sources; nothing when it has none or they can't be known.
  virtual std::optional<CodeOffset> constantOf(uint32_t instruction) const = 0;
  /// The place so far from what s_getpc_b64 `getpc` gives.
  virtual JumpTarget targetAt(uint32_t getpc, const CodeOffset &offset) const = 0;
  /// Whether it leads to a symbol of another file.
  virtual bool isElsewhere(const CodeOffset &) const { return false; }
  /// The name of a place that has no function symbol.
  virtual std::string nameOf(uint32_t instruction) const = 0;
};

/// A place where something may begin that the file names. `function.entry` is not set.
struct FunctionSeed {
  uint32_t instruction = 0;
  bool isVisible = false; ///< to other files
  bool addressIsTaken = false;
  Function function;
};

struct ControlFlow {
  std::vector<Block> blocks;
  std::vector<Function> functions;
  std::vector<std::pair<uint32_t, std::string>> problems; ///< block, why its ending is Invalid; sorted
};

/// `program` has its instructions, but no blocks yet. Data belongs to no block.
ControlFlow buildControlFlow(const Program &program, llvm::ArrayRef<CodeSection> sections,
                             std::vector<FunctionSeed> seeds, const AddressReader &addresses);

} // namespace inflight
