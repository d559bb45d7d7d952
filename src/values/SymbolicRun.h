// Runs a program's blocks symbolically, each once for every phase of the loops around it.
#pragma once

#include "values/Evaluate.h"
#include "values/LdsMap.h"
#include "values/expr/ExprKeep.h"
#include "values/flow/Loops.h"
#include "values/flow/WaveBranches.h"
#include "llvm/ADT/BitVector.h"
#include <memory>

namespace inflight::values {

/// A loop or tangle while control is in it from one entry to the exit: symbols of its blocks belong to it. Number 0 is
/// outside all.
struct Instance {
  uint32_t around = 0;
  SymbolId iteration = noSymbol; ///< of a loop
  bool hasDivergentExit = false; ///< waves may leave it in different iterations; known when it has been run
};

/// Where an instruction touches LDS.
struct Touch {
  uint32_t index;
  ExprId first = zero, second = zero; ///< addresses
  uint32_t bytes = 0;                 ///< at each; 0 = anywhere
  bool isPair = false;
  bool isMasked = false; ///< lanes of the wave may be left out; LDS DMA is taken to be whole
  bool isBound = false;  ///< no other bytes are touched, but perhaps not these
};

/// Where paths meet that bring several values of a register: what the symbol that stands for these is on an edge.
struct MetValue {
  uint32_t from, to; ///< phase blocks
  SymbolId symbol;   ///< made when control comes to `to`
  ExprId value;      ///< at the end of `from`
};

/// What a phase block begins with, where several values meet.
struct Meetings {
  struct Register {
    uint16_t slot;
    SymbolId symbol;
  };
  std::vector<Register> registers;
  std::vector<MetValue> values; ///< `to` isn't known yet
};
struct AllMeetings {
  Meetings next; ///< of the block that is entered next
  llvm::DenseMap<uint32_t, std::vector<Meetings::Register>>
      again; ///< of phase blocks that control comes back to, but natural loops'
};

/// What a run comes to.
struct PhaseTrace {
  /// What is known of a phase block beside its edges.
  struct Place {
    uint32_t instance = 0;                 ///< the innermost
    uint32_t tangle = 0;                   ///< the tangle's around it, or around the loop that it heads; 0: none
    bool isHeader = false;                 ///< of a loop, in its first phase
    bool isDivergent = true;               ///< waves may leave it on different paths
    uint32_t beginTouch = 0, endTouch = 0; ///< in `touches`
  };
  std::vector<PhaseBlock> blocks;
  std::vector<Place> places; ///< by phase block
  std::vector<Touch> touches;
  std::vector<MetValue> met;
  llvm::DenseMap<uint32_t, Known> indexes; ///< by S_SET_GPR_IDX_ON: what it was run with
  uint32_t reached = 0;                    ///< phase blocks; control comes to none of those after them
  std::vector<Instance> instances{1};
  /// Whether a symbol made in `owner` means something else in the next iteration of `instance`.
  bool isInside(uint32_t owner, uint32_t instance) const {
    for (; owner; owner = instances[owner].around)
      if (owner == instance)
        return true;
    return instance == 0;
  }
  /// Whether waves that come to `instance` may have left the instance `owner`, or one around it, in different
  /// iterations.
  bool haveWavesDiverged(uint32_t owner, uint32_t instance) const {
    for (; owner && !isInside(instance, owner); owner = instances[owner].around)
      if (instances[owner].hasDivergentExit)
        return true;
    return false;
  }
};

class SymbolicRun {
public:
  SymbolicRun(const Program &program LLVM_LIFETIME_BOUND, Expressions &exprs,
              const WaveBranches &branches LLVM_LIFETIME_BOUND, size_t keptExpressions = LdsMap::keptAtLeast);
  PhaseTrace run();

private:
  using StateRef = std::shared_ptr<const State>;
  struct Incoming {
    uint32_t from = ~0u; ///< phase block
    EdgeKind kind = EdgeKind::Next;
    bool isEdge = true; ///< not the step over a call
    StateRef state;
    ExprId condition = zero; ///< 1 when control comes this path
    uint32_t branch = ~0u;   ///< phase block that decided it
  };
  using Incomings = llvm::SmallVector<Incoming, 2>;
  /// An exit of a loop.
  struct Exit {
    uint32_t to;
    unsigned phase; ///< in which it is taken
    Incoming incoming;
  };
  struct Frame {
    int loop = -1;
    uint32_t instance = 0;
    uint32_t inner = 0; ///< the same, or the tangle's that is run
    unsigned phase = 0;
    Incomings back;
    std::vector<Exit> out; ///< by phase
  };
  /// What follows a loop: blocks of the loop around it, and headers of other loops in that.
  struct AfterLoop {
    std::vector<uint32_t> perPhase, ///< that stand once for each phase
        beside,                     ///< that must have been run before
        after;                      ///< that come after these and stand once
    size_t count = 0;               ///< of the blocks looked at
    int64_t size = 0;               ///< of `after`, with the blocks of loops
  };
  /// What a loop does to registers in one iteration, over symbols for their values when the iteration starts.
  struct Summary {
    bool isKnown = false;
    bool hasDma = false, hasBarrier = false;  ///< without either, phases say nothing
    llvm::BitVector written;                  ///< slots
    llvm::SmallVector<uint16_t, 16> relevant; ///< written slots that addresses in the loop depend on
    llvm::SmallVector<std::pair<uint16_t, uint32_t>, 4>
        counters;             ///< slots that exits depend on, and what each iteration adds
    std::vector<ExprId> next; ///< by slot; of those that are written
    llvm::SmallVector<ExprId, 16> addresses;
  };
  /// What registers are assumed to be when an iteration starts.
  struct Plan {
    unsigned phases = 1;
    struct Start {
      enum Kind : uint8_t { Unknown, Bounded, Same, Steps } kind = Unknown;
      uint32_t step = 0; ///< an iteration of one phase
      Known known;
    };
    std::vector<Start> starts; ///< by slot; only written ones count
  };

  /// A tangle that is run: what its registers hold when control comes in, and any value in those that it writes.
  struct TangleRun {
    StateRef start;
    uint32_t instance = 0;
    std::vector<Meetings::Register> entered; ///< of which several values come in
  };

  /// What the conditional branch at a block's end says.
  struct Branch {
    EdgeKind activeEdge = EdgeKind::Call; ///< taken if EXEC isn't 0; Call: none is
    ExprId condition = zero;              ///< of the edge Branch
    bool decides = false;                 ///< the condition being false is that of the other edge
    std::optional<ExprId> vcc;            ///< whether VCC isn't 0
    EdgeKind setEdge = EdgeKind::Call;    ///< taken if `vcc`
  };
  /// How much there is before an attempt at a loop.
  struct Checkpoint {
    size_t blocks, touches, met;
    int64_t extraBlocks;
    llvm::SmallVector<std::pair<uint32_t, size_t>, 4> edges; ///< of the blocks that lead there: how many they have
  };

  bool forgetStates(size_t worthIt);
  void summarize();
  void enterTangle(Frame &frame, int tangle);
  /// What a block begins with that control may come back to: of a tangle, of a function; null when control doesn't come
  /// there.
  StateRef startOf(uint32_t block, const Incomings &from);
  void discover(int loop);
  Plan choose(int loop, const State &entry);
  bool isBad(ExprId address) const;
  bool simulate(int loop, const State &entry, Plan &plan, double &score);
  std::vector<Exit> runLoop(Frame &around, int loop);
  std::vector<Exit> passLoop(int loop, State entry);
  Frame beginLoop(const Frame &around, int loop, unsigned phases);
  State assumedStart(int loop, const Plan &plan, const State &entry, ExprId iterations);
  bool proves(int loop, Plan &plan, const State &start, const State &after, SymbolId iteration);
  Checkpoint checkpoint(const Incomings &entries) const;
  void rollBack(const Checkpoint &to, const Loop &loop);
  void runBlocks(Frame &frame, llvm::ArrayRef<uint32_t> blocks);
  bool isUniform(const Incoming &incoming) const;
  bool isLeftTogether(int loop, llvm::ArrayRef<Exit> exits) const;
  bool findsDivergentExit(int loop, uint32_t firstBlock) const;
  ExprId afterLoops(ExprId expr);
  AfterLoop findAfter(const Frame &frame, int loop, llvm::ArrayRef<Exit> exits, unsigned phases,
                      llvm::ArrayRef<uint32_t> rest) const;
  size_t runAfter(Frame &frame, int loop, std::vector<Exit> exits, llvm::ArrayRef<uint32_t> rest);
  Branch branchOf(uint32_t block, const State &state);
  /// What the block's end leads to by a step; nothing where it can't be taken.
  std::optional<Incoming> incomingBy(const Flow::Step &step, const Branch &branch, const StateRef &state);
  void beginInstance(const Frame &frame, uint32_t block, const Incomings &from);
  void enterBlock(Frame &frame, uint32_t block, const Incomings &from, State state);
  void send(Frame &frame, uint32_t to, Incoming incoming);
  State merge(const Incomings &from, uint32_t block);
  void noteMeeting(unsigned slot, ExprId symbol, const Incomings &from);
  void touch(uint32_t index, State &state, llvm::SmallVectorImpl<Touch> &found);
  void noteAddress(ExprId address);
  void noteIndex(uint32_t index, const State &state);
  void finish();
  State unknownState(uint32_t block, llvm::function_ref<bool(unsigned)> isLive);

  const Program &program;
  Expressions &exprs;
  Slice slice;
  LiveSlots live;
  const WaveBranches &branches;
  const Flow &flow;
  Evaluator evaluator;
  PhaseTrace trace;
  AllMeetings meetings;
  std::vector<Incomings> pending;
  std::vector<uint32_t> latest; ///< phase block of each block
  std::vector<Summary> summaries;
  std::vector<llvm::BitVector> writtenInTangle; ///< slots
  std::vector<TangleRun> tangleRuns;
  std::vector<SymbolId> startSymbols;                                  ///< by slot: in summaries
  llvm::DenseMap<std::pair<ExprId, uint32_t>, ExprId> afterLoopsCache; ///< by expression and instance
  ExprKeeper keeper;
  bool discovering = false;
  llvm::SmallVector<ExprId, 16> *discovered = nullptr;
  enum class Meets : uint8_t { None, Perhaps, Barrier }; ///< other waves; perhaps in a call
  std::vector<Meets> meetsWaves;                         ///< by block of the program
  std::vector<bool> touchesLds;
  int64_t extraBlocks = 0; ///< that phases may still add
  int64_t lookAhead = 0;   ///< blocks that may still be looked at after loops
  int64_t work = 0;        ///< instructions that may still be run
};

} // namespace inflight::values
