// Branches that say where they go in 16 bits reach some 128 KiB. Those that would have to reach further go by way of
// others: single branches that stand between blocks, where the code around them jumps over them. So they need neither
// registers nor SCC.
#include "compiler/finish/Finish.h"
#include "compiler/lir/Encode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {
/// Words: all instructions but few are one or two.
constexpr int64_t wordBytes = 4;

class LongBranches {
public:
  LongBranches(Function &function, int64_t reach)
      : function(function), encoder(function, [](const Operand &) { return MCOperand::createImm(0); }), reach(reach) {}

  Error run() {
    if (isShort())
      return Error::success();
    for (const Block &block : function.blocks) {
      Expected<int64_t> size = bytesOf(block.insts);
      if (!size)
        return size.takeError();
      bytes.push_back(*size);
    }
    // Each step brings a branch nearer to its target by most of the reach.
    for (;;) {
      starts.assign(1, 0);
      for (int64_t size : bytes)
        starts.push_back(starts.back() + size);
      const auto far = find_if(seq<unsigned>(0, function.blocks.size()), [&](unsigned b) {
        const Operand *target = targetOf(b);
        return target && std::abs(starts[target->imm] - starts[b + 1]) > reach;
      });
      if (far == seq<unsigned>(0, function.blocks.size()).end()) {
        findSuccessors();
        return Error::success();
      }
      goByWayOfAnother(*far);
    }
  }

private:
  /// Told without encoding anything.
  bool isShort() const {
    constexpr int64_t mostBytes = 16;
    int64_t bytes = 0;
    for (const Block &block : function.blocks)
      bytes += mostBytes * block.insts.size();
    return bytes <= reach;
  }

  /// At most: what may be a literal counts as one.
  Expected<int64_t> bytesOf(ArrayRef<Inst> insts) {
    int64_t sum = 0;
    for (const Inst &inst : insts) {
      Expected<int64_t> size = bytesOf(inst);
      if (!size)
        return size.takeError();
      sum += *size;
    }
    return sum;
  }

  Expected<int64_t> bytesOf(const Inst &inst) {
    Expected<MCInst> encoded = encoder.require(inst);
    if (!encoded)
      return encoded.takeError();
    const int64_t size = function.isa->instrInfo().get(encoded->getOpcode()).getSize();
    const bool mayHaveLiteral = any_of(inst.operands, [](const Operand &operand) {
      return operand.kind == Operand::Kind::Symbol || (operand.isImm() && !operand.isInlineInteger());
    });
    return size == wordBytes && mayHaveLiteral ? 2 * wordBytes : size;
  }

  /// Where the block's branch goes; null if it ends otherwise.
  Operand *targetOf(unsigned block) {
    std::vector<Inst> &insts = function.blocks[block].insts;
    if (insts.empty())
      return nullptr;
    auto target = find_if(insts.back().operands, [](const Operand &o) { return o.kind == Operand::Kind::Block; });
    return target == insts.back().operands.end() ? nullptr : &*target;
  }

  bool fallsThrough(unsigned block) const {
    const std::vector<Inst> &insts = function.blocks[block].insts;
    return insts.empty() || !(insts.back().is(Mnemonic::s_branch) || insts.back().is(Mnemonic::s_endpgm));
  }

  /// Where another branch goes to the same target already, or a place for one.
  void goByWayOfAnother(unsigned from) {
    const unsigned target = targetOf(from)->imm;
    const int64_t end = starts[from + 1];
    const bool isForward = starts[target] > end;
    // What is put in between makes the way longer.
    const int64_t most = reach - reach / 8;
    std::optional<unsigned> best, present;
    for (unsigned b = isForward ? from + 1 : target + 1; b <= (isForward ? target : from); ++b) {
      if (std::abs(starts[b] - end) > most)
        continue;
      const bool isOther = b != from && function.blocks[b].insts.size() == 1 && !fallsThrough(b);
      if (const Operand *goesTo = isOther ? targetOf(b) : nullptr; goesTo && goesTo->imm == target)
        present = isForward || !present ? b : present;
      if (std::abs(starts[b] - end) >= reach / 2)
        best = isForward || !best ? b : best;
    }
    if (present)
      targetOf(from)->imm = *present;
    else
      insertBranch(best ? *best : split(isForward ? end + most : end - most, from), from);
  }

  /// Makes the place, or one before it, the beginning of a block, which is returned. `from` is the branch's block.
  unsigned split(int64_t place, unsigned &from) {
    const unsigned b = std::distance(starts.begin(), upper_bound(starts, place)) - 1;
    std::vector<Inst> &insts = function.blocks[b].insts;
    int64_t at = starts[b];
    size_t first = 0;
    for (size_t i = 0; i < insts.size() && at <= place; ++i) {
      // What is added to the program counter follows it at once.
      if (none_of(insts[i].operands, [](const Operand &o) { return o.kind == Operand::Kind::Symbol; }))
        first = i;
      at += cantFail(bytesOf(insts[i]));
    }
    Block after;
    after.insts.assign(std::make_move_iterator(insts.begin() + first), std::make_move_iterator(insts.end()));
    insts.erase(insts.begin() + first, insts.end());
    after.loopDepth = function.blocks[b].loopDepth;
    insertBlocks(b + 1, {std::move(after)});
    bytes[b] = cantFail(bytesOf(function.blocks[b].insts));
    from += from >= b;
    return b + 1;
  }

  /// Puts a branch to where `from` goes before a block, and `from` goes there.
  void insertBranch(unsigned before, unsigned from) {
    const Inst &branch = function.blocks[from].insts.back();
    auto jump = [&](unsigned target) {
      Inst inst = makeInst(*function.isa, Mnemonic::s_branch, {Operand::block(target)});
      inst.isTerminator = inst.hasSideEffects = true;
      inst.place = branch.place;
      Block block;
      block.loopDepth = function.blocks[before].loopDepth;
      block.insts.push_back(std::move(inst));
      return block;
    };
    std::vector<Block> added;
    if (before && fallsThrough(before - 1))
      added.push_back(jump(before));
    added.push_back(jump(targetOf(from)->imm));
    const unsigned other = before + added.size() - 1;
    from += from >= before ? added.size() : 0;
    insertBlocks(before, std::move(added));
    targetOf(from)->imm = other;
  }

  /// Before block `at`; branches go to where their targets are then.
  void insertBlocks(unsigned at, std::vector<Block> added) {
    const unsigned count = added.size();
    for (unsigned i = 0; i < count; ++i)
      bytes.insert(bytes.begin() + at + i, cantFail(bytesOf(added[i].insts)));
    function.blocks.insert(function.blocks.begin() + at, std::make_move_iterator(added.begin()),
                           std::make_move_iterator(added.end()));
    for (unsigned b = 0; b < function.blocks.size(); ++b)
      if (Operand *target = targetOf(b); target && target->imm >= at)
        target->imm += count;
  }

  void findSuccessors() {
    for (unsigned b = 0; b < function.blocks.size(); ++b) {
      SmallVector<unsigned, 2> &successors = function.blocks[b].successors;
      successors.clear();
      if (const Operand *target = targetOf(b))
        successors.push_back(target->imm);
      if (fallsThrough(b) && b + 1 < function.blocks.size() && !is_contained(successors, b + 1))
        successors.push_back(b + 1);
    }
  }

  Function &function;
  Encoder encoder;
  const int64_t reach;
  std::vector<int64_t> bytes, starts; ///< by block, of starts with one past the end
};
} // namespace

Error shortenBranches(Function &function, int64_t reach) { return LongBranches(function, reach).run(); }

} // namespace inflight::lir
