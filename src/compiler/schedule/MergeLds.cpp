// Two LDS accesses of 4 or 8 bytes in one instruction. The offsets of ds_read2 and ds_write2 are
// 8 bits wide and count elements (or 64 elements, st64), so that accesses far from the base get a
// base of their own: base + constant, computed once where the base is.
#include "compiler/schedule/LdsAccess.h"
#include "compiler/schedule/Schedule.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <map>

using namespace llvm;

namespace inflight::lir {

namespace {

using enum Mnemonic;

// The widths of the instructions' fields (ISA manuals, DS format).
constexpr unsigned offsetFieldMax = 255, wideStride = 64;

struct Pairing {
  unsigned baseOffset = 0; ///< bytes to add to the base
  unsigned first = 0, second = 0;
  bool st64 = false;
};

class Merger {
public:
  Merger(Function &function, bool makesBases) : function(function), makesBases(makesBases) { countAccesses(); }

  bool run() {
    for (unsigned b = 0; b < function.blocks.size(); ++b)
      mergeBlock(b);
    placeBases();
    return !bases.empty();
  }

private:
  struct Candidate {
    unsigned index; ///< in the block
    LdsAccess access;
  };

  /// Of LDS, or of what isn't known.
  struct Write {
    unsigned index; ///< in the block
    std::optional<LdsAccess> access;
  };

  /// Where in a wider value a read's result goes: nowhere, one place, or several.
  struct TuplePlace {
    enum class Kind { None, One, Several } kind = Kind::None;
    RegId tuple = 0;
    unsigned sub = 0;
  };

  void countAccesses() {
    definitions.assign(function.regs.size(), 0);
    places.assign(function.regs.size(), {});
    for (const Block &block : function.blocks)
      for (const Inst &inst : block.insts) {
        forEachReg(inst, [&](Reg reg, bool isDef) { definitions[reg.id] += isDef; });
        if (!inst.isCopy() || !inst.operands[1].isReg())
          continue;
        const Reg to = inst.operands[0].reg, from = inst.operands[1].reg;
        if (function.regs[to.id].width <= function.regs[from.id].width)
          continue;
        TuplePlace &place = places[from.id];
        const bool isFirst = place.kind == TuplePlace::Kind::None && from.count == function.regs[from.id].width;
        place = {isFirst ? TuplePlace::Kind::One : TuplePlace::Kind::Several, to.id, to.sub};
      }
  }

  /// A piece of a wider value can be a piece of the pair's result only where the pair is a piece of that value.
  bool mayShareResult(const Inst &early, const Inst &late, unsigned words) const {
    if (!early.operands[0].isDef) // stores
      return true;
    const TuplePlace &a = places[early.operands[0].reg.id], &b = places[late.operands[0].reg.id];
    if (a.kind != TuplePlace::Kind::One || b.kind != TuplePlace::Kind::One)
      return a.kind == TuplePlace::Kind::None && b.kind == TuplePlace::Kind::None;
    return a.tuple == b.tuple && a.sub % 2 == 0 && a.sub + words == b.sub;
  }

  bool isCandidate(const Inst &inst, const LdsAccess &access) const {
    const bool reads = inst.is(ds_read_b32) || inst.is(ds_read_b64),
               writes = inst.is(ds_write_b32) || inst.is(ds_write_b64);
    if (!(reads || writes) || inst.hasSideEffects || !inst.operands[1].isReg())
      return false;
    if (definitions[access.base.id] != 1)
      return false;
    if (writes)
      return true;
    const Reg result = inst.operands[0].reg;
    return definitions[result.id] == 1 && result.count == function.regs[result.id].width;
  }

  static bool isPlainRead(const InstrDesc &desc) {
    return desc.mayLoad && !desc.mayStore && !desc.isLdsCrossbar && !desc.isLdsDma;
  }

  static bool isBarrier(const Inst &inst) { return inst.isTerminator || inst.hasSideEffects || writesExec(inst); }

  /// How one instruction reaches both offsets.
  static std::optional<Pairing> pairUp(unsigned a, unsigned b, unsigned size) {
    Pairing pair;
    unsigned low = std::min(a, b);
    for (unsigned stride : {size, size * wideStride}) {
      if ((std::max(a, b) - low) % stride || (std::max(a, b) - low) / stride > offsetFieldMax)
        continue;
      pair.st64 = stride != size;
      unsigned reach = offsetFieldMax * stride;
      if (low % stride || std::max(a, b) > reach) {
        // Bases at multiples of half the reach are shared by many pairs.
        unsigned window = (offsetFieldMax + 1) * stride;
        pair.baseOffset = low % stride ? low : low / window * window;
        if (std::max(a, b) - pair.baseOffset > reach)
          pair.baseOffset = low;
      }
      pair.first = (a - pair.baseOffset) / stride;
      pair.second = (b - pair.baseOffset) / stride;
      return pair;
    }
    return std::nullopt;
  }

  /// Whether the data of the store at `early` changes before `late`.
  static bool redefinedBetween(ArrayRef<Inst> insts, unsigned early, unsigned late) {
    const RegId data = insts[early].operands[1].reg.id;
    return any_of(insts.slice(early + 1, late - early - 1), [&](const Inst &inst) {
      return any_of(inst.operands,
                    [&](const Operand &operand) { return operand.isReg() && operand.isDef && operand.reg.id == data; });
    });
  }

  static bool isRead(Mnemonic mnemonic) { return mnemonic == ds_read_b32 || mnemonic == ds_read_b64; }

  /// Whether what is read may have been written behind the instruction at `index`.
  static bool isWrittenSince(ArrayRef<Write> writes, unsigned index, const LdsAccess &read) {
    for (const Write &write : reverse(writes)) {
      if (write.index < index)
        return false;
      if (!write.access || write.access->overlaps(read))
        return true;
    }
    return false;
  }

  void mergeBlock(unsigned b) {
    // Open accesses that a later one may join, by what they do and their base.
    struct Key {
      Mnemonic mnemonic;
      RegId base;
      uint8_t sub;
      auto operator<=>(const Key &) const = default;
    };
    std::vector<Inst> &insts = function.blocks[b].insts;
    std::map<Key, std::vector<Candidate>> open;
    std::vector<Write> writes;
    std::vector<char> erased(insts.size(), 0);
    std::map<unsigned, SmallVector<Inst, 2>> after;
    bool changed = false;
    for (unsigned i = 0; i < insts.size(); ++i) {
      Inst &inst = insts[i];
      if (isBarrier(inst)) {
        open.clear();
        writes.clear();
        continue;
      }
      // A generic pointer may be to LDS. LDS DMA brings nothing before a fence.
      if (inst.memory != MemoryKind::Lds && !(inst.desc && inst.desc->isGenericFlat()))
        continue;
      std::optional<LdsAccess> access = ldsAccess(inst);
      // A read goes to the place of an earlier one, so no write of its bytes may lie between; a write goes to a later
      // place, so neither may another access to its bytes.
      for (auto &[key, candidates] : open)
        if (!isRead(key.mnemonic))
          erase_if(candidates, [&](const Candidate &c) { return !access || c.access.overlaps(*access); });
      if (!isPlainRead(*inst.desc))
        writes.push_back({i, access});
      if (!access || !isCandidate(inst, *access))
        continue;
      std::vector<Candidate> &candidates = open[{inst.mnemonic(), access->base.id, access->base.sub}];
      const unsigned size = access->ranges[0].size;
      bool merged = false;
      for (unsigned c = 0; c < candidates.size() && !merged; ++c) {
        std::optional<Pairing> pair = pairUp(candidates[c].access.ranges[0].offset, access->ranges[0].offset, size);
        if (!pair || (pair->baseOffset && !makesBases) || !mayShareResult(insts[candidates[c].index], inst, size / 4) ||
            (inst.mayStore ? redefinedBetween(insts, candidates[c].index, i)
                           : isWrittenSince(writes, candidates[c].index, *access)))
          continue;
        join(insts, candidates[c].index, i, *pair, access->base, size, erased, after);
        candidates.erase(candidates.begin() + c);
        merged = changed = true;
      }
      if (!merged)
        candidates.push_back({i, *access});
    }
    if (!changed)
      return;
    std::vector<Inst> out;
    out.reserve(insts.size());
    for (unsigned i = 0; i < insts.size(); ++i) {
      if (!erased[i])
        out.push_back(std::move(insts[i]));
      if (auto it = after.find(i); it != after.end())
        for (Inst &inst : it->second)
          out.push_back(std::move(inst));
    }
    insts = std::move(out);
  }

  void join(std::vector<Inst> &insts, unsigned early, unsigned late, const Pairing &pair, Reg base, unsigned size,
            std::vector<char> &erased, std::map<unsigned, SmallVector<Inst, 2>> &after) {
    const bool reads = insts[early].operands[0].isDef;
    Operand address = Operand::use(pair.baseOffset ? baseAt(base, pair.baseOffset) : base);
    Inst joined = insts[reads ? early : late];
    constexpr Mnemonic pairs[2][2][2] = {{{ds_write2_b32, ds_write2_b64}, {ds_write2st64_b32, ds_write2st64_b64}},
                                         {{ds_read2_b32, ds_read2_b64}, {ds_read2st64_b32, ds_read2st64_b64}}};
    joined.modifiers = {};
    joined.modifiers.offset0 = pair.first;
    joined.modifiers.offset1 = pair.second;
    setMnemonic(*function.isa, joined, pairs[reads][pair.st64][size == 8]);
    const Inst &other = insts[reads ? late : early];
    joined.lds = {std::min(joined.lds.begin, other.lds.begin), std::max(joined.lds.end, other.lds.end)};
    if (!reads) {
      joined.operands[0] = address;
      joined.operands.insert(joined.operands.begin() + 1, insts[early].operands[1]);
      insts[late] = std::move(joined);
      erased[early] = 1;
      return;
    }
    const unsigned words = size / 4;
    Reg both = function.whole(newRegister(RegFile::Vgpr, 2 * words));
    for (unsigned half = 0; half < 2; ++half) {
      Inst copy = makePseudo(Pseudo::Copy,
                             {insts[half ? late : early].operands[0], Operand::use(both.piece(half * words, words))});
      copy.place = insts[half ? late : early].place;
      after[early].push_back(std::move(copy));
    }
    joined.operands[0] = Operand::def(both);
    joined.operands[1] = address;
    insts[early] = std::move(joined);
    erased[late] = 1;
  }

  RegId newRegister(RegFile file, unsigned width) {
    RegId id = function.newReg(file, width);
    definitions.push_back(1);
    places.emplace_back();
    return id;
  }

  Reg baseAt(Reg base, unsigned offset) {
    auto [it, inserted] = bases.insert({{base.id, base.sub, offset}, Reg()});
    if (inserted)
      it->second = function.whole(newRegister(RegFile::Vgpr, 1));
    return it->second;
  }

  /// Computes each base that was asked for right after the one it comes from.
  void placeBases() {
    if (bases.empty())
      return;
    for (Block &block : function.blocks) {
      std::vector<Inst> out;
      for (Inst &inst : block.insts) {
        SmallVector<Inst, 4> adds;
        for (const auto &[key, reg] : bases) {
          auto [id, sub, offset] = key;
          bool defines = any_of(inst.operands, [&](const Operand &operand) {
            return operand.isReg() && operand.isDef && operand.reg.id == id;
          });
          if (!defines)
            continue;
          Inst add = makeInst(*function.isa, v_add_u32,
                              {Operand::def(reg), Operand::imm64(offset), Operand::use({id, sub, 1})});
          add.place = inst.place;
          adds.push_back(std::move(add));
        }
        out.push_back(std::move(inst));
        for (Inst &add : adds)
          out.push_back(std::move(add));
      }
      block.insts = std::move(out);
    }
  }

  Function &function;
  const bool makesBases;
  std::vector<unsigned> definitions; ///< by RegId
  std::vector<TuplePlace> places;    ///< by RegId
  std::map<std::tuple<RegId, uint8_t, unsigned>, Reg> bases;
};

} // namespace

bool mergeLdsAccesses(Function &function, bool makesBases) { return Merger(function, makesBases).run(); }

} // namespace inflight::lir
