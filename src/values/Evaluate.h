// Runs instructions on symbolic registers.
#pragma once

#include "program/VectorModes.h"
#include "values/Operation.h"
#include "values/expr/Expr.h"
#include "values/flow/Loops.h"
#include <optional>

namespace inflight::values {

/// Which registers are followed, and which instructions change them: found once, from the LDS addresses backwards.
class Slice {
public:
  explicit Slice(const Program &program);

  static constexpr uint16_t none = 0xffff;
  uint16_t slot(RegUnit unit) const { return unit < regunit::Count ? slots[unit] : none; }
  /// Of a state: the registers', and one that tells which EXEC isn't 0.
  unsigned slotCount() const { return units.size() + 1; }
  unsigned activeSlot() const { return units.size(); }
  RegUnit unit(unsigned slot) const { return units[slot]; }
  /// Instructions of a block that are run, in order.
  llvm::ArrayRef<uint32_t> instructions(uint32_t block) const LLVM_LIFETIME_BOUND {
    return llvm::ArrayRef(relevant).slice(firstRelevant[block], firstRelevant[block + 1] - firstRelevant[block]);
  }
  const Operation &operation(unsigned opcode) const LLVM_LIFETIME_BOUND {
    return opcodes.find(opcode)->second.operation;
  }
  const LdsShape &ldsShape(unsigned opcode) const LLVM_LIFETIME_BOUND { return opcodes.find(opcode)->second.lds; }
  /// Whether SCC is read after the instruction before it is written again.
  bool needsScc(uint32_t index) const { return sccNeeded[index]; }
  VectorModes::Skips skips(uint32_t index) const { return modes.skips(index); }
  bool isMoved(uint32_t index) const { return modes.moved(index); }
  /// Registers that an instruction may write.
  llvm::ArrayRef<RegRange> writes(const Program &program, uint32_t index) const {
    const VectorModes::Moved *moved = modes.moved(index);
    return moved ? llvm::ArrayRef<RegRange>(moved->writes) : program.writes(program.instructions()[index]);
  }

private:
  class Finder;
  VectorModes modes;
  uint16_t slots[regunit::Count];
  std::vector<RegUnit> units;
  std::vector<uint32_t> relevant, firstRelevant;
  std::vector<bool> sccNeeded;
  struct Opcode {
    Operation operation;
    LdsShape lds;
  };
  llvm::DenseMap<unsigned, Opcode> opcodes;
};

/// Which followed registers' values at a block's begin may be read there or later for an LDS address, EXEC or a branch:
/// of the others nothing need be known, and what computes them alone isn't run. Calls read none, as nothing is known
/// after them.
class LiveSlots {
public:
  LiveSlots(const Program &program, const Slice &slice, const Flow &flow LLVM_LIFETIME_BOUND);
  bool isLive(uint32_t block, unsigned slot) const { return live[block * words + slot / 64] >> slot % 64 & 1; }
  bool isLiveAfter(uint32_t block, unsigned slot) const;
  /// Whether what the instruction does may be read.
  bool isNeeded(uint32_t index) const { return needed[index]; }

private:
  class Finder;
  const Flow &flow;
  size_t words;
  std::vector<uint64_t> live;
  std::vector<bool> needed; ///< by instruction
};

/// A register's value. For vector registers only of the lanes that were active when it was written.
struct Value {
  ExprId expr = zero;
  uint32_t lanes = 0; ///< which EXEC; 0 = all lanes
  bool operator==(const Value &) const = default;
};
using State = std::vector<Value>; ///< by slot

class Evaluator {
public:
  Evaluator(const Program &program LLVM_LIFETIME_BOUND, const Slice &slice LLVM_LIFETIME_BOUND, Expressions &exprs)
      : program(program), slice(slice), exprs(exprs) {}

  /// The state when a function begins; null: nothing is known.
  State entry(const Function *function, uint32_t functionIndex);
  void run(uint32_t index, State &state);
  /// Whether VCC isn't 0, as a condition, where one value that is the same for all lanes was masked with EXEC; else
  /// nothing. `isExact`: also that it is 0 says something.
  std::optional<ExprId> vccIsSet(const State &state, bool &isExact);
  /// The bit that all of the mask's are, as a condition; none where they may differ.
  std::optional<ExprId> bitOfAll(ExprId mask);
  /// Expressions::other: of a LaneMask, the lanes from 32 on.
  static constexpr uint8_t upperLanes = 4;
  /// Of slots whose values may be read.
  void assume(State &state, ExprId condition, bool value, llvm::function_ref<bool(unsigned)> isLive);
  /// EXEC isn't 0.
  void assumeActive(State &state) { state[slice.activeSlot()] = {zero, activeLanes(state)}; }
  /// All lanes that the wave began with are active.
  bool areAllActive(const State &state);
  /// The value of a register in the lanes that are active.
  ExprId read(RegUnit unit, const State &state);
  /// Behind so many bytes from its address on a tile touches none; 0: it may be anywhere.
  uint32_t mostBytes(const TileRegisters &tile, const State &state);
  /// The register takes any value.
  void forget(unsigned slot, State &state, Symbol::Kind kind, uint32_t where, Known known = {},
              Depends like = {true, true, false, false, true});

  /// No state is left: which lanes their values are of isn't known any more.
  void forgetLanes();
  /// Those that are the same in all states.
  void eachSymbol(llvm::function_ref<void(SymbolId &)> visit) {
    visit(laneSymbol);
    visit(lowLaneSymbol);
  }

  uint32_t owner = 0; ///< of symbols that are made
  /// What was known of the values in a register that is forgotten.
  Value opaque(unsigned slot, Symbol::Kind kind, uint32_t where, Known known, Depends like);

private:
  struct Step;
  ExprId operand(const llvm::MCOperand &operand, uint32_t index, const State &state, unsigned half = 0);
  ExprId compute(const Operation &op, llvm::ArrayRef<ExprId> sources);
  ExprId compare(const Operation &op, ExprId a, ExprId b);
  ExprId firstLane(ExprId value, const State &state);
  bool hasFirstLane(const llvm::MCOperand &source, const State &state);
  void write(RegUnit unit, ExprId value, State &state);
  void writeScc(uint32_t index, ExprId value, State &state);
  void forgetWrites(uint32_t index, State &state);
  uint32_t activeLanes(const State &state);
  ExprId lane(bool isWhole); ///< number of the lane in its wave, or of those below in the lower half
  /// A value as another lane has it; none where it depends on more of the lane than its number.
  std::optional<ExprId> inLane(ExprId value, ExprId number);
  bool isWhole(const State &state); ///< EXEC has all lanes of a whole wave
  bool areWithin(uint32_t inner, uint32_t outer);
  bool halfWithin(ExprId inner, ExprId outer, unsigned depth = 0);

  const Program &program;
  const Slice &slice;
  Expressions &exprs;
  SymbolId laneSymbol = noSymbol, lowLaneSymbol = noSymbol;
  uint32_t entryLanes = ~0u; ///< EXEC of the kernel that is looked at, when it begins
  std::vector<std::pair<ExprId, ExprId>> laneSets{{zero, zero}}; ///< EXEC's halves, by Value::lanes
  llvm::DenseMap<std::pair<ExprId, ExprId>, uint32_t> laneSetIndex;
};

} // namespace inflight::values
