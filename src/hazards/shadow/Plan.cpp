#include "hazards/shadow/Plan.h"

#include "hazards/shadow/Flow.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace inflight::hazards::shadow {

namespace {

class Planner {
public:
  Planner(const Program &program, const Table &table, const Wanted &wanted)
      : program(program), wanted(wanted), flow(program, table) {}

  Result run(ArrayRef<Edit> pending) {
    if (wanted.onlyLost)
      findKnown();
    for (const Edit &edit : pending)
      if (edit.action == Edit::Action::Remove || edit.action == Edit::Action::Replace)
        flow.gone[edit.at] = true;
    if (wanted.strips)
      strip();
    if (wanted.inserts)
      insert();
    for (uint32_t i = 0; i < program.instructions().size(); ++i)
      edit(i);
    removeRest();
    stable_sort(result.edits, [](const Edit &a, const Edit &b) { return a.at < b.at; });
    return std::move(result);
  }

private:
  using Key = std::tuple<uint32_t, const Rule *, uint32_t>;
  static Key keyOf(const Meeting &meeting) {
    return {meeting.instruction, meeting.rule, meeting.shadow ? meeting.shadow->producer : meeting.instruction};
  }

  /// What is missing without the pending edits stays so.
  void findKnown() {
    flow.solve();
    flow.visit([&](const Meeting &meeting) { known.insert(keyOf(meeting)); });
  }

  /// Where a scheduling mode is set, waits for the ALU have other purposes, which aren't ours.
  bool setsScheduling() const {
    constexpr unsigned schedMode = 26; // LLVM, SIDefines.h, Hwreg: ID_SCHED_MODE
    for (uint32_t i = 0; i < program.instructions().size(); ++i)
      if (flow.use(i).kinds & kind::SetReg && flow.use(i).number == schedMode)
        return true;
    return false;
  }

  void strip() {
    const bool keepsWaits = setsScheduling();
    ours.resize(program.instructions().size());
    for (const Block &block : program.blocks())
      for (uint32_t i = block.begin; i < block.end; ++i) {
        const Use &use = flow.use(i);
        const bool isPadding = block.function == ~0u && block.predecessors.empty();
        if (isPadding || program.instructions()[i].isFromMacro || !program.instructions()[i].desc)
          continue;
        ours[i] = use.kinds & (kind::VNop | kind::SNop) || (use.waits && !keepsWaits && isWait(i));
        if (ours[i])
          flow.gone[i] = true;
      }
  }

  bool isWait(uint32_t i) const {
    const Mnemonic id = program.instructions()[i].desc->id;
    return id == Mnemonic::s_wait_alu || id == Mnemonic::s_waitcnt_depctr;
  }

  void insert() {
    bool changed = true;
    // What is put in can only end shadows, so that each round leaves fewer.
    for (unsigned round = 0; changed; ++round) {
      constexpr unsigned manyRounds = 64;
      if (round == manyRounds) {
        result.problems.push_back("the hazards of this program aren't mended in so many rounds");
        return;
      }
      changed = false;
      at = ~0u;
      flow.solve();
      flow.visit([&](const Meeting &meeting) {
        if (!known.count(keyOf(meeting)))
          changed |= mend(meeting);
      });
    }
  }

  /// Whether that changed something.
  bool mend(const Meeting &meeting) {
    Mends &mends = flow.mends[meeting.instruction];
    const Mends before = mends;
    // Those that it has were counted when the shadow came to it.
    if (at != meeting.instruction) {
      at = meeting.instruction;
      counted = mends.vNops;
    }
    const unsigned found = meeting.shadow ? meeting.shadow->slots : 0;
    const unsigned missing = meeting.required - std::min(meeting.required, found);
    switch (meeting.rule->mend) {
    case Mend::VNop: mends.vNops = std::max(mends.vNops, uint8_t(counted + missing)); break;
    case Mend::SNop: mends.sNops = 1; break;
    case Mend::VMov: mends.moves = true; break;
    case Mend::Wait: mends.waits |= meeting.waits; break;
    }
    return !mends.beyond(before).empty();
  }

  /// Those of ours that stand directly before the instruction, the nearest first.
  SmallVector<uint32_t, 4> rowBefore(uint32_t i) const {
    SmallVector<uint32_t, 4> row;
    while (i && !ours.empty() && ours[i - 1] && !isFirstOfBlock(i))
      row.push_back(--i);
    return row;
  }
  bool isFirstOfBlock(uint32_t i) const {
    ArrayRef<Block> blocks = program.blocks();
    const auto *block = partition_point(blocks, [&](const Block &b) { return b.begin < i; });
    return block != blocks.end() && block->begin == i;
  }

  /// Those of ours at the end of a block, which no instruction follows.
  void removeRest() {
    if (ours.empty())
      return;
    for (const Block &block : program.blocks())
      for (uint32_t i = block.end; i-- > block.begin && ours[i];)
        result.edits.push_back({i, Edit::Action::Remove});
  }

  /// What is wanted before the instruction, as far as that goes in what was there.
  void edit(uint32_t i) {
    Mends mends = flow.mends.lookup(i);
    if (!ours.empty() && ours[i])
      return;
    SmallVector<Edit, 4> edits;
    for (uint32_t old : rowBefore(i)) {
      const Kinds kinds = flow.use(old).kinds;
      if (kinds & kind::VNop && mends.vNops)
        --mends.vNops;
      else if (kinds & kind::SNop && mends.sNops)
        --mends.sNops;
      else if (flow.use(old).waits && mends.waits) {
        if (flow.use(old).waits != mends.waits)
          edits.push_back({old, Edit::Action::Replace, Edit::What::AluWait, immediateOf(mends.waits)});
        mends.waits = 0;
      } else {
        edits.push_back({old, Edit::Action::Remove});
      }
    }
    put(i, mends, edits);
    append_range(result.edits, edits);
  }

  void put(uint32_t i, const Mends &mends, SmallVectorImpl<Edit> &edits) {
    auto add = [&](Edit::What what, uint16_t immediate) {
      edits.push_back({i, Edit::Action::InsertBefore, what, immediate});
    };
    if (mends.waits)
      add(Edit::What::AluWait, immediateOf(mends.waits));
    for (unsigned n = 0; n < mends.vNops; ++n)
      add(Edit::What::VNop, 0);
    if (mends.moves)
      if (const std::optional<uint16_t> number = movable(i))
        add(Edit::What::Move, *number);
    for (unsigned n = 0; n < mends.sNops; ++n)
      add(Edit::What::Nop, 0);
  }

  /// The code of the first vector register that the instruction reads, if a move of it to itself means the same
  /// register twice: the windows of the result and of the source are one.
  std::optional<uint16_t> movable(uint32_t i) {
    constexpr unsigned inWindow = regunit::Agpr0 - regunit::Vgpr0;
    auto number = [](RegUnit unit) {
      return isUpperVgpr(unit) ? unit - regunit::UpperVgpr0 + inWindow : unit - regunit::Vgpr0;
    };
    const Instruction &instruction = program.instructions()[i];
    auto firstVector = [&](ArrayRef<RegRange> ranges) -> std::optional<unsigned> {
      for (RegRange range : ranges)
        if (isVgpr(range.first))
          return number(range.first);
      return std::nullopt;
    };
    const std::optional<unsigned> source = firstVector(program.reads(instruction)),
                                  result = firstVector(program.writes(instruction));
    if (source && result && !instruction.isWindowOpen && *source / inWindow == *result / inWindow)
      return uint16_t(*source % inWindow);
    this->result.problems.push_back("'" + program.text(i) +
                                    "' wants another VALU instruction before it, and no v_mov can be put there: its "
                                    "registers lie in different windows");
    return std::nullopt;
  }

  const Program &program;
  const Wanted wanted;
  Flow flow;
  std::set<Key> known;
  std::vector<bool> ours; ///< by instruction: taken out, or left where it is wanted; empty: none is
  uint32_t at = ~0u;      ///< the instruction whose shadows are looked at
  unsigned counted = 0;   ///< v_nop before it that they have counted
  Result result;
};

} // namespace

Result plan(const Program &program, const Table &table, const Wanted &wanted, ArrayRef<Edit> pending) {
  if (table.empty() || (wanted.onlyLost && pending.empty()))
    return {};
  return Planner(program, table, wanted).run(pending);
}

} // namespace inflight::hazards::shadow
