// Dead code by 32-bit pieces: a worklist from the instructions that must stay. Each instruction and each piece is
// visited once. A tuple that a loop carries may have pieces that nobody but the loop itself reads: they go, and copies
// of the tuple become copies of what is left.
#include "compiler/regalloc/RegAlloc.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {

bool isRegCopy(const Inst &inst) { return inst.isCopy() && inst.operands[1].isReg(); }

bool mustStay(const Inst &inst) {
  if (inst.hasSideEffects || inst.mayStore || inst.isTerminator || inst.is(Pseudo::SchedGroup) ||
      inst.is(Mnemonic::s_setprio))
    return true;
  // Writes of EXEC, VCC, M0 and SCC are read by instructions that don't name a virtual register;
  // those with a virtual result as well (s_add_u32 sets SCC) are judged by it.
  bool definesReg = false, definesSpecial = false;
  for (const Operand &operand : inst.operands) {
    definesReg |= operand.isReg() && operand.isDef;
    definesSpecial |= operand.kind == Operand::Kind::Special && operand.isDef;
  }
  return !definesReg && definesSpecial;
}

class DeadCode {
public:
  explicit DeadCode(Function &function) : function(function) {
    firstPiece.reserve(function.regs.size());
    for (const VirtualReg &reg : function.regs) {
      firstPiece.push_back(pieceCount);
      pieceCount += reg.width;
    }
    for (Block &block : function.blocks)
      for (Inst &inst : block.insts)
        insts.push_back(&inst);
    needed.resize(pieceCount);
    kept.resize(insts.size());
  }

  void run() {
    indexDefinitions();
    indexSpecialProducers();
    indexOverwrittenScc();
    for (unsigned i = 0; i < insts.size(); ++i)
      if (mustStay(*insts[i]) && !overwritten.test(i))
        keep(i);
    while (!worklist.empty()) {
      const unsigned i = worklist.pop_back_val();
      visit(i);
    }
    sweep();
  }

private:
  unsigned piece(Reg reg, unsigned i) const { return firstPiece[reg.id] + reg.sub + i; }

  void indexDefinitions() {
    definitionsBegin.assign(pieceCount + 1, 0);
    auto each = [&](auto f) {
      for (unsigned i = 0; i < insts.size(); ++i)
        forEachReg(*insts[i], [&](Reg reg, bool isDef) {
          for (unsigned k = 0; isDef && k < reg.count; ++k)
            f(i, piece(reg, k));
        });
    };
    each([&](unsigned, unsigned p) { ++definitionsBegin[p + 1]; });
    for (unsigned p = 0; p < pieceCount; ++p)
      definitionsBegin[p + 1] += definitionsBegin[p];
    definitions.resize(definitionsBegin.back());
    std::vector<unsigned> next(definitionsBegin.begin(), definitionsBegin.end() - 1);
    each([&](unsigned i, unsigned p) { definitions[next[p]++] = i; });
  }

  /// For each read of SCC, VCC and so on the instruction of its block that wrote it last.
  void indexSpecialProducers() {
    producersBegin.reserve(insts.size() + 1);
    unsigned i = 0;
    for (const Block &block : function.blocks) {
      constexpr unsigned none = ~0u;
      unsigned last[16];
      std::fill(std::begin(last), std::end(last), none);
      for (const Inst &inst : block.insts) {
        producersBegin.push_back(producers.size());
        for (const Operand &operand : inst.operands)
          if (operand.kind == Operand::Kind::Special && !operand.isDef && last[unsigned(operand.special)] != none)
            producers.push_back(last[unsigned(operand.special)]);
        for (const Operand &operand : inst.operands)
          if (operand.kind == Operand::Kind::Special && operand.isDef)
            last[unsigned(operand.special)] = i;
        ++i;
      }
    }
    producersBegin.push_back(producers.size());
  }

  /// Comparisons that do nothing but write SCC, which is written again in the block before anything reads it.
  void indexOverwrittenScc() {
    overwritten.resize(insts.size());
    auto names = [](const Inst &inst, bool isDef) {
      return any_of(inst.operands, [&](const Operand &one) { return one.is(Special::Scc) && one.isDef == isDef; });
    };
    unsigned i = 0;
    for (const Block &block : function.blocks) {
      std::optional<unsigned> unread;
      for (const Inst &inst : block.insts) {
        // What has no description may become anything.
        if ((!inst.desc && !inst.isCopy()) || names(inst, false))
          unread.reset();
        if (names(inst, true)) {
          if (unread)
            overwritten.set(*unread);
          const bool onlyCompares = inst.desc && inst.desc->format == Format::Sopc && !inst.hasSideEffects;
          unread = onlyCompares ? std::optional(i) : std::nullopt;
        }
        ++i;
      }
    }
  }

  void keep(unsigned i) {
    if (kept.test(i))
      return;
    kept.set(i);
    worklist.push_back(i);
  }

  void need(unsigned first) {
    SmallVector<unsigned, 16> pending{first};
    while (!pending.empty()) {
      const unsigned p = pending.pop_back_val();
      if (needed.test(p))
        continue;
      needed.set(p);
      for (unsigned d = definitionsBegin[p]; d < definitionsBegin[p + 1]; ++d) {
        const unsigned i = definitions[d];
        keep(i);
        if (!isRegCopy(*insts[i]))
          continue;
        const Reg to = insts[i]->operands[0].reg, from = insts[i]->operands[1].reg;
        pending.push_back(piece(from, p - piece(to, 0)));
      }
    }
  }

  void visit(unsigned i) {
    for (unsigned k = producersBegin[i]; k < producersBegin[i + 1]; ++k)
      keep(producers[k]);
    const Inst &inst = *insts[i];
    if (isRegCopy(inst) && !mustStay(inst))
      return; // piece by piece
    forEachReg(inst, [&](Reg reg, bool isDef) {
      for (unsigned k = 0; !isDef && k < reg.count; ++k)
        need(piece(reg, k));
    });
  }

  /// The runs of a copy's pieces that are needed.
  void narrow(Inst &copy, std::vector<Inst> &out) {
    const Reg to = copy.operands[0].reg, from = copy.operands[1].reg;
    for (unsigned begin = 0; begin < to.count;) {
      unsigned end = begin;
      while (end < to.count && needed.test(piece(to, end)))
        ++end;
      if (end > begin) {
        Inst part = copy;
        part.operands[0].reg = to.piece(begin, end - begin);
        part.operands[1].reg = from.piece(begin, end - begin);
        out.push_back(std::move(part));
      }
      begin = std::max(end, begin + 1);
    }
  }

  bool isWhollyNeeded(const Inst &copy) const {
    const Reg to = copy.operands[0].reg;
    return all_of(seq(0u, unsigned(to.count)), [&](unsigned i) { return needed.test(piece(to, i)); });
  }

  void sweep() {
    unsigned i = 0;
    for (Block &block : function.blocks) {
      std::vector<Inst> out;
      out.reserve(block.insts.size());
      for (Inst &inst : block.insts) {
        if (!kept.test(i++))
          continue;
        if (isRegCopy(inst) && !mustStay(inst) && !isWhollyNeeded(inst))
          narrow(inst, out);
        else
          out.push_back(std::move(inst));
      }
      block.insts = std::move(out);
    }
  }

  Function &function;
  unsigned pieceCount = 0;
  std::vector<unsigned> firstPiece; ///< by RegId
  std::vector<Inst *> insts;
  std::vector<unsigned> definitionsBegin, definitions; ///< by piece
  std::vector<unsigned> producersBegin, producers;     ///< by instruction
  BitVector needed, kept, overwritten;
  SmallVector<unsigned, 64> worklist;
};

} // namespace

void eliminateDeadCode(Function &function) { DeadCode(function).run(); }

} // namespace inflight::lir
