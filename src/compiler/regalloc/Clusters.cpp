#include "compiler/regalloc/Clusters.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace inflight::lir {

// The widest tuple an instruction takes: a 32x32 matrix accumulator has 32 registers. Joining
// beyond that only makes placement harder.
static constexpr unsigned maximumClusterWidth = 32;

Slot Cluster::begin() const {
  Slot first = ~0u;
  for (const LiveRange &slot : slots)
    if (!slot.empty())
      first = std::min(first, slot.begin());
  return first;
}

namespace {

/// Which pieces of registers hold the same value wherever both are live: a piece whose only definition is a copy of
/// another's holds what that one holds, as long as that one isn't written while the piece is live. Lanes that the copy
/// leaves alone are undefined in the piece.
class Names {
public:
  Names(const Function &function, const Liveness &liveness) : liveness(liveness), pieces(liveness.pieceCount()) {
    for (auto [b, block] : enumerate(function.blocks))
      for (auto [i, inst] : enumerate(block.insts))
        forEachReg(inst, [&, at = Slot(liveness.blockStart(b) + 2 * i), &inst = inst](Reg reg, bool isDef) {
          for (unsigned k = 0; isDef && k < reg.count; ++k)
            define(function, inst, reg, k, at);
        });
  }

  /// The piece that has the value first.
  unsigned of(RegId reg, unsigned sub) const {
    constexpr size_t longest = 16;
    SmallVector<std::pair<RegId, unsigned>, longest> chain{{reg, sub}};
    const Piece *root = &pieces[liveness.piece(reg, sub)];
    for (; root->isCopy && root->definitions == 1 && chain.size() < longest; root = &pieces[piece(chain.back())])
      chain.push_back(root->source);
    // Each copy on the way has the last value that was written.
    const bool isSame = root->definitions == 1 && !root->isCopy && all_of(drop_end(chain), [&](auto link) {
                          return none_of(liveness.range(link.first, link.second).segments, [&](const Segment &segment) {
                            return segment.from < root->at + 2 && root->at < segment.to;
                          });
                        });
    return piece(isSame ? chain.back() : chain.front());
  }

private:
  struct Piece {
    unsigned definitions = 0;
    bool isCopy = false;
    std::pair<RegId, unsigned> source;
    Slot at = 0; ///< where the definition reads
  };

  unsigned piece(std::pair<RegId, unsigned> which) const { return liveness.piece(which.first, which.second); }

  void define(const Function &function, const Inst &inst, Reg reg, unsigned k, Slot at) {
    // What is undefined may be anything, but what a kernel starts with isn't undefined.
    const bool isFixed = function.regs[reg.id].fixed != regunit::None;
    if (inst.is(Pseudo::ImplicitDef) && !isFixed)
      return;
    Piece &piece = pieces[liveness.piece(reg.id, reg.sub + k)];
    piece.definitions += isFixed || inst.keepsInactiveLanes ? 2 : 1;
    piece.at = at;
    piece.isCopy = inst.isCopy() && inst.operands[1].isReg();
    if (!piece.isCopy)
      return;
    const Reg source = inst.operands[1].reg;
    piece.isCopy = function.regs[source.id].file == function.regs[reg.id].file;
    piece.source = {source.id, source.sub + k};
  }

  const Liveness &liveness;
  std::vector<Piece> pieces;
};

} // namespace

Clusters::Clusters(const Function &function, const Liveness &liveness, bool joinsFixed, const BitVector &apart) {
  const size_t regCount = function.regs.size();
  const Names names(function, liveness);
  clusters.resize(regCount);
  clusterOf.resize(regCount);
  offsetOf.assign(regCount, 0);
  std::iota(clusterOf.begin(), clusterOf.end(), 0u);
  for (RegId reg = 0; reg < regCount; ++reg) {
    Cluster &cluster = clusters[reg];
    const VirtualReg &info = function.regs[reg];
    cluster.file = info.file;
    cluster.fixed = info.fixed;
    cluster.alignment = info.alignment;
    cluster.members = {reg};
    for (unsigned i = 0; i < info.width; ++i) {
      cluster.slots.push_back(liveness.range(reg, i));
      for (Segment &segment : cluster.slots.back().segments)
        segment.value = names.of(reg, i);
    }
    if (info.fixed != regunit::None)
      fixedRegs.push_back(reg);
  }

  struct Candidate {
    Reg destination, source;
    unsigned depth;
  };
  std::vector<Candidate> candidates;
  for (const Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      if (inst.isCopy() && inst.operands[1].isReg() &&
          function.regs[inst.operands[0].reg.id].file == function.regs[inst.operands[1].reg.id].file)
        candidates.push_back({inst.operands[0].reg, inst.operands[1].reg, block.loopDepth});
  stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    if (a.depth != b.depth)
      return a.depth > b.depth;
    return a.destination.count > b.destination.count;
  });
  for (const Candidate &candidate : candidates)
    if ((joinsFixed || function.regs[candidate.source.id].fixed == regunit::None) && !apart[candidate.source.id] &&
        !apart[candidate.destination.id])
      tryJoin(candidate.destination, candidate.source);
}

/// Whether cluster b can be put `shift` above a, and that to `place`: in no register of both is another fixed one live.
bool Clusters::isFree(RegUnit place, unsigned a, unsigned b, unsigned shift) const {
  auto collides = [&](const Cluster &mine, RegUnit first, const Cluster &other) {
    for (unsigned i = 0; i < mine.slots.size(); ++i)
      if (const unsigned at = first + i - other.fixed;
          first + i >= other.fixed && at < other.slots.size() && mine.slots[i].overlaps(other.slots[at]))
        return true;
    return false;
  };
  return none_of(fixedRegs, [&](RegId reg) {
    const unsigned c = clusterOf[reg];
    return c != a && c != b &&
           (collides(clusters[a], place, clusters[c]) || collides(clusters[b], place + shift, clusters[c]));
  });
}

bool Clusters::tryJoin(Reg destination, Reg source) {
  unsigned a = clusterOf[destination.id], b = clusterOf[source.id];
  // Where piece 0 of b's tuple lies within a's.
  int shift = int(offsetOf[destination.id] + destination.sub) - int(offsetOf[source.id] + source.sub);
  if (a == b)
    return shift == 0;
  if (shift < 0) {
    std::swap(a, b);
    shift = -shift;
  }
  Cluster &into = clusters[a], &from = clusters[b];
  unsigned width = std::max<unsigned>(into.slots.size(), shift + from.slots.size());
  if (width > maximumClusterWidth)
    return false;
  // Growing a scalar tuple beyond what its users need wastes the small file.
  if (into.fixed != regunit::None && from.fixed != regunit::None && into.fixed + shift != from.fixed)
    return false;
  // A base that satisfies both alignments: from's base is into's base + shift.
  unsigned alignment = std::max(into.alignment, from.alignment);
  unsigned residue = 0;
  for (; residue < alignment; ++residue)
    if (residue % into.alignment == into.residue && (residue + shift) % from.alignment == from.residue)
      break;
  if (residue == alignment)
    return false;
  if (into.fixed != regunit::None && into.fixed % alignment != residue)
    return false;
  if (into.fixed == regunit::None && from.fixed != regunit::None &&
      (from.fixed < shift || (from.fixed - shift) % alignment != residue || unsigned(shift) != 0))
    return false;
  for (unsigned i = 0; i < from.slots.size(); ++i)
    if (shift + i < into.slots.size() && into.slots[shift + i].conflicts(from.slots[i]))
      return false;
  const RegUnit place = into.fixed != regunit::None ? into.fixed : from.fixed;
  if (place != regunit::None && !isFree(place, a, b, shift))
    return false;

  into.fixed = place;
  into.alignment = alignment;
  into.residue = residue;
  into.slots.resize(width);
  for (unsigned i = 0; i < from.slots.size(); ++i)
    into.slots[shift + i].merge(from.slots[i]);
  for (RegId member : from.members) {
    clusterOf[member] = a;
    offsetOf[member] += shift;
    into.members.push_back(member);
  }
  from = Cluster();
  return true;
}

} // namespace inflight::lir
