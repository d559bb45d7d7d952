#include "compiler/regalloc/Liveness.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

static bool isEarlier(const Segment &a, const Segment &b) { return a.from < b.from; }

void LiveRange::normalize() {
  if (!llvm::is_sorted(segments, isEarlier))
    llvm::sort(segments, isEarlier);
  size_t kept = 0;
  for (const Segment &segment : segments) {
    if (kept && segment.from <= segments[kept - 1].to && segment.value == segments[kept - 1].value)
      segments[kept - 1].to = std::max(segments[kept - 1].to, segment.to);
    else
      segments[kept++] = segment;
  }
  segments.resize(kept);
}

/// Whether two segments that overlap are what is looked for.
static bool findOverlap(ArrayRef<Segment> first, ArrayRef<Segment> second,
                        function_ref<bool(const Segment &, const Segment &)> matters) {
  auto a = first.begin(), b = second.begin();
  while (a != first.end() && b != second.end()) {
    if (a->from < b->to && b->from < a->to && matters(*a, *b))
      return true;
    if (a->to <= b->to)
      ++a;
    else
      ++b;
  }
  return false;
}

bool LiveRange::overlaps(const LiveRange &other) const {
  return findOverlap(segments, other.segments, [](const Segment &, const Segment &) { return true; });
}

bool LiveRange::conflicts(const LiveRange &other) const {
  return findOverlap(segments, other.segments, [](const Segment &a, const Segment &b) { return a.value != b.value; });
}

void LiveRange::merge(const LiveRange &other) {
  if (other.empty())
    return;
  const size_t middle = segments.size();
  segments.insert(segments.end(), other.segments.begin(), other.segments.end());
  // What begins before all of the other stays where it is.
  const auto begin = segments.begin();
  std::inplace_merge(std::upper_bound(begin, begin + middle, segments[middle], isEarlier), begin + middle,
                     segments.end(), isEarlier);
  normalize();
}

Liveness::Liveness(const Function &function) {
  firstPiece.resize(function.regs.size() + 1);
  unsigned pieces = 0;
  for (size_t reg = 0; reg < function.regs.size(); ++reg) {
    firstPiece[reg] = pieces;
    pieces += function.regs[reg].width;
  }
  firstPiece.back() = pieces;

  findLiveOuts(function);

  const size_t blockCount = function.blocks.size();
  ranges.resize(pieces);
  starts.resize(blockCount + 1);
  Slot slot = 0;
  for (size_t b = 0; b < blockCount; ++b) {
    starts[b] = slot;
    slot += 2 * function.blocks[b].insts.size();
  }
  starts[blockCount] = slot;
  std::vector<Slot> openUntil(pieces, 0);
  for (size_t b = 0; b < blockCount; ++b)
    addRanges(function, b, openUntil);
  for (LiveRange &range : ranges)
    range.normalize();
}

void Liveness::findLiveOuts(const Function &function) {
  const unsigned pieces = pieceCount();
  const size_t blockCount = function.blocks.size();
  std::vector<BitVector> uses(blockCount, BitVector(pieces)), defs(blockCount, BitVector(pieces));
  std::vector<BitVector> liveIns(blockCount, BitVector(pieces));
  liveOuts.assign(blockCount, BitVector(pieces));
  for (size_t b = 0; b < blockCount; ++b) {
    for (const Inst &inst : function.blocks[b].insts) {
      auto markUse = [&](Reg reg) {
        for (unsigned i = 0; i < reg.count; ++i)
          if (unsigned index = piece(reg.id, reg.sub + i); !defs[b].test(index))
            uses[b].set(index);
      };
      forEachReg(inst, [&](Reg reg, bool isDef) {
        if (!isDef || inst.keepsInactiveLanes)
          markUse(reg);
      });
      forEachReg(inst, [&](Reg reg, bool isDef) {
        if (isDef)
          for (unsigned i = 0; i < reg.count; ++i)
            defs[b].set(piece(reg.id, reg.sub + i));
      });
    }
    liveIns[b] = uses[b];
  }
  std::vector<SmallVector<unsigned, 2>> predecessors(blockCount);
  for (size_t b = 0; b < blockCount; ++b)
    for (unsigned successor : function.blocks[b].successors)
      predecessors[successor].push_back(b);
  BitVector out(pieces), isOutdated(blockCount, true); // what lives into a successor has changed
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blockCount; b-- > 0;) {
      if (!isOutdated.test(b))
        continue;
      isOutdated.reset(b);
      out.reset();
      for (unsigned successor : function.blocks[b].successors)
        out |= liveIns[successor];
      if (out == liveOuts[b])
        continue;
      liveOuts[b] = out;
      out.reset(defs[b]);
      out |= uses[b];
      if (out == liveIns[b])
        continue;
      liveIns[b] = out;
      for (unsigned predecessor : predecessors[b])
        isOutdated.set(predecessor);
      changed = true;
    }
  }
}

void Liveness::addRanges(const Function &function, unsigned block, std::vector<Slot> &openUntil) {
  SmallVector<unsigned, 64> open;
  auto openPiece = [&](unsigned index, Slot until) {
    if (!openUntil[index]) {
      openUntil[index] = until;
      open.push_back(index);
    }
  };
  for (unsigned index : liveOuts[block].set_bits())
    openPiece(index, starts[block + 1]);
  // By register: the first read in this block of what is defined above; another block's slots are before its start.
  DenseMap<RegId, Slot> firstRead;
  // Words that a load brings and nobody reads are taken until a wait for the load is needed anyway: whoever wrote to
  // them before would wait for it earlier.
  auto endOfDead = [&](const Inst &inst, Reg reg, Slot written) {
    if (!inst.mayLoad)
      return written;
    if (auto at = firstRead.find(reg.id); at != firstRead.end())
      return std::max(written, at->second + 1);
    for (unsigned k = 0; k < reg.count; ++k)
      if (openUntil[piece(reg.id, reg.sub + k)])
        return starts[block + 1];
    return written;
  };
  const std::vector<Inst> &insts = function.blocks[block].insts;
  for (size_t i = insts.size(); i-- > 0;) {
    const Slot read = starts[block] + 2 * i, write = read + 1;
    forEachReg(insts[i], [&](Reg reg, bool isDef) {
      if (!isDef)
        return;
      const Slot deadUntil = endOfDead(insts[i], reg, write + 1);
      firstRead.erase(reg.id);
      for (unsigned k = 0; k < reg.count; ++k) {
        unsigned index = piece(reg.id, reg.sub + k);
        if (insts[i].keepsInactiveLanes) {
          // Stays open upwards; a dead result still occupies its register while written.
          openPiece(index, write + 1);
          continue;
        }
        // What the kernel starts with has been there since the first slot.
        const bool isIncoming = function.regs[reg.id].fixed != regunit::None && insts[i].is(Pseudo::ImplicitDef);
        const Slot from = isIncoming ? starts[block] : insts[i].earlyClobber ? read : write;
        ranges[index].add(from, openUntil[index] ? openUntil[index] : deadUntil);
        openUntil[index] = 0;
      }
    });
    forEachReg(insts[i], [&](Reg reg, bool isDef) {
      if (isDef)
        return;
      firstRead[reg.id] = read;
      for (unsigned k = 0; k < reg.count; ++k)
        openPiece(piece(reg.id, reg.sub + k), read + 1);
    });
  }
  for (unsigned index : open)
    if (openUntil[index]) {
      ranges[index].add(starts[block], openUntil[index]);
      openUntil[index] = 0;
    }
}

unsigned peakPressure(const Function &function, const Liveness &liveness, const BitVector &regs) {
  std::vector<int> change(liveness.blockStart(function.blocks.size()) + 2, 0);
  for (RegId reg : regs.set_bits())
    for (unsigned i = 0; i < function.regs[reg].width; ++i)
      for (const Segment &segment : liveness.range(reg, i).segments) {
        ++change[segment.from];
        --change[segment.to];
      }
  int live = 0, most = 0;
  for (int step : change)
    most = std::max(most, live += step);
  return most;
}

} // namespace inflight::lir
