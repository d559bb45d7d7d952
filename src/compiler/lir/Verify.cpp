#include "compiler/lir/Verify.h"

#include "compiler/lir/Encode.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {

class Verifier {
public:
  explicit Verifier(const Function &function) : function(function) {
    unsigned pieces = 0;
    for (const VirtualReg &reg : function.regs) {
      firstPiece.push_back(pieces);
      pieces += reg.width;
    }
    pieceCount = pieces;
    // Encodings ask for files and alignment: before allocation any register of the file will do.
    shell.name = function.name;
    shell.isa = function.isa;
    shell.regs = function.regs;
    shell.assignment = function.assignment;
    shell.assignment.resize(function.regs.size(), regunit::None);
    for (auto [place, reg] : zip(shell.assignment, function.regs))
      if (place == regunit::None)
        place = reg.file == RegFile::Sgpr ? RegUnit(0) : reg.file == RegFile::Vgpr ? regunit::Vgpr0 : regunit::Agpr0;
  }

  Error run() {
    Encoder encoder(shell, [](const Operand &) { return MCOperand::createImm(0); });
    for (unsigned b = 0; b < function.blocks.size(); ++b) {
      checkBlock(b);
      for (const Inst &inst : function.blocks[b].insts) {
        checkOperands(b, inst);
        if (problem.empty() && inst.desc && !encoder.encode(inst))
          fail(b, inst, "no encoding takes these operands");
      }
    }
    if (problem.empty() && function.assignment.empty())
      checkDefinitions();
    return problem.empty() ? Error::success() : makeError(problem);
  }

private:
  void fail(unsigned block, const Inst &inst, const Twine &why) {
    if (!problem.empty())
      return;
    raw_string_ostream os(problem);
    os << "kernel '" << function.name << "', block " << block << ": ";
    print(function, inst, os);
    os << ": " << why;
  }

  void checkBlock(unsigned b) {
    const Block &block = function.blocks[b];
    const unsigned count = function.blocks.size();
    static const Inst nothing;
    for (unsigned successor : block.successors)
      if (successor >= count)
        fail(b, block.insts.empty() ? nothing : block.insts.back(),
             "leads to block " + Twine(successor) + ", which isn't there");
    for (const Inst &inst : block.insts) {
      if (inst.isTerminator && &inst != &block.insts.back())
        fail(b, inst, "ends a block but isn't its last instruction");
      for (const Operand &operand : inst.operands)
        if (operand.kind == Operand::Kind::Block && !is_contained(block.successors, unsigned(operand.imm)))
          fail(b, inst, "branches to what isn't a successor of its block");
    }
  }

  void checkOperands(unsigned b, const Inst &inst) {
    if (!inst.desc && (inst.pseudo == Pseudo::None || inst.pseudo == Pseudo::Erased))
      return fail(b, inst, "is no instruction");
    forEachReg(inst, [&](Reg reg, bool) {
      if (reg.id >= function.regs.size() || !reg.count || reg.sub + reg.count > function.regs[reg.id].width)
        fail(b, inst, "names pieces that its register hasn't got");
    });
    if (!problem.empty() || !inst.isCopy())
      return;
    if (inst.operands.size() != 2 || !inst.operands[0].isReg() || !inst.operands[1].isReg() ||
        inst.operands[0].reg.count != inst.operands[1].reg.count)
      fail(b, inst, "copies between different widths");
  }

  /// Calls f(piece) for each piece that is read, or written.
  template <typename F> void forEachPiece(const Inst &inst, bool definitions, F f) {
    forEachReg(inst, [&](Reg reg, bool isDef) {
      for (unsigned i = 0; isDef == definitions && i < reg.count; ++i)
        f(firstPiece[reg.id] + reg.sub + i);
    });
  }

  void checkDefinitions() {
    std::vector<BitVector> maybeDefined(function.blocks.size(), BitVector(pieceCount)); // at the end of a block
    BitVector incoming(pieceCount);
    for (RegId id = 0; id < function.regs.size(); ++id)
      if (const VirtualReg &reg = function.regs[id]; reg.fixed != regunit::None)
        incoming.set(firstPiece[id], firstPiece[id] + reg.width);
    auto entryOf = [&](unsigned b) {
      BitVector entry = b == 0 ? incoming : BitVector(pieceCount);
      for (unsigned p = 0; p < function.blocks.size(); ++p)
        if (is_contained(function.blocks[p].successors, b))
          entry |= maybeDefined[p];
      return entry;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned b = 0; b < function.blocks.size(); ++b) {
        BitVector now = entryOf(b);
        for (const Inst &inst : function.blocks[b].insts)
          forEachPiece(inst, true, [&](unsigned piece) { now.set(piece); });
        if (now != maybeDefined[b]) {
          maybeDefined[b] = std::move(now);
          changed = true;
        }
      }
    }
    for (unsigned b = 0; b < function.blocks.size(); ++b) {
      BitVector now = entryOf(b);
      for (const Inst &inst : function.blocks[b].insts) {
        forEachPiece(inst, false, [&](unsigned piece) {
          if (!now.test(piece))
            fail(b, inst, "reads what nothing has defined");
        });
        forEachPiece(inst, true, [&](unsigned piece) { now.set(piece); });
      }
    }
  }

  const Function &function;
  Function shell;                   ///< without code; each register has a place
  std::vector<unsigned> firstPiece; ///< by RegId
  unsigned pieceCount = 0;
  std::string problem;
};

} // namespace

Error verify(const Function &function) { return Verifier(function).run(); }

} // namespace inflight::lir
