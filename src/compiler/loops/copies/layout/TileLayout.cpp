#include "compiler/loops/copies/layout/TileLayout.h"

#include "compiler/lanes/BankConflicts.h"
#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/MemorySpaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <set>

using namespace mlir;

namespace inflight::loops {

namespace {
/// Bytes that the stores write, in order and without gaps, but for `regionBytes`: what comes from one memory fills
/// multiples of those, beyond its end with its first bytes again.
class Packing {
public:
  Packing(const Tile &tile, unsigned lanes, unsigned regionBytes);
  /// Bytes whose places in the tile follow each other and come from consecutive global memory: a power of two up to 16.
  unsigned pieceBytes() const { return piece; }
  unsigned bytes() const { return writers.size() * unit; }
  uint64_t packed(uint64_t byte) const { return rank[byte / unit] * unit + byte % unit; }
  struct Writer {
    const TileStore *store = nullptr;
    unsigned lane = 0;
    unsigned offset = 0; ///< in what the lane stores, bytes
  };
  Writer writerOf(uint64_t packedByte) const {
    Writer writer = writers[packedByte / unit];
    writer.offset += packedByte % unit;
    return writer;
  }

private:
  void endRegion(unsigned regionBytes);
  bool areConsecutive(const Writer &first, const Writer &second, unsigned bytes) const;
  bool areConsecutive(unsigned bytes) const;

  const Tile &tile;
  unsigned unit = 16; ///< bytes: divides all addresses and sizes of the stores
  unsigned piece = 0;
  std::vector<uint64_t> rank; ///< of each unit of the tile's memory among those written
  std::vector<Writer> writers;
  size_t region = 0; ///< where the last one begins among the writers
};

class Chooser {
public:
  Chooser(const Tile &tile, const LayoutOptions &options, std::string &why) : tile(tile), options(options), why(why) {}
  std::optional<TileLayout> choose();

private:
  bool tryWidths(ArrayRef<unsigned> widths, unsigned regionBytes);
  bool tryPlaces(const Swizzle &swizzle, unsigned conflicts);
  bool choosePlaces();
  bool keepsReadsTogether(unsigned pieceBytes) const;
  std::vector<LaneTable> readsWith(const Swizzle &swizzle) const;
  bool canEmitAll(const TileLayout &candidate) const;
  bool makeCopies(TileLayout &candidate) const;
  std::optional<TileCopy> copyOf(const TileLayout &candidate, unsigned round) const;
  AccessPatterns patternsOf(const std::vector<LaneTable> &reads) const;

  const Tile &tile;
  const LayoutOptions &options;
  std::string &why;
  std::optional<Packing> packing;
  TileLayout layout;
  std::vector<LaneTable> packedReads;
};
} // namespace

Packing::Packing(const Tile &tile, unsigned lanes, unsigned regionBytes) : tile(tile) {
  uint64_t end = 0;
  auto meet = [&](uint64_t number) {
    if (number)
      unit = std::gcd<uint64_t>(unit, number);
  };
  for (const TileStore &store : tile.stores) {
    meet(store.bytes);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      meet(store.address[lane]);
      end = std::max<uint64_t>(end, store.address[lane] + store.bytes);
    }
  }
  std::vector<Writer> all(llvm::divideCeil(end, unit));
  for (const TileStore &store : tile.stores)
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned offset = 0; offset < store.bytes; offset += unit)
        all[(store.address[lane] + offset) / unit] = {&store, lane, offset};
  for (const Writer &writer : all) {
    if (writer.store && !writers.empty() && writers.back().store->source != writer.store->source)
      endRegion(regionBytes);
    rank.push_back(writers.size());
    if (writer.store)
      writers.push_back(writer);
  }
  endRegion(regionBytes);
  for (piece = 16; piece > unit && !areConsecutive(piece);)
    piece /= 2;
}

void Packing::endRegion(unsigned regionBytes) {
  for (size_t i = region; regionBytes && writers.size() * unit % regionBytes; ++i)
    writers.push_back(Writer(writers[i]));
  region = writers.size();
}

/// The global memory that `second` loads from starts `bytes` after that of `first`, in all iterations.
bool Packing::areConsecutive(const Writer &first, const Writer &second, unsigned bytes) const {
  const int64_t apart = int64_t(bytes) + first.offset - second.offset;
  if (first.store == second.store && first.lane == second.lane)
    return apart == 0;
  // One lane's guards say nothing of another's elements. Whether the first index is within the memory does, but for
  // memory of one dimension.
  const bool isOfAll = first.store->clamps.empty() || first.store->indices.size() > 1;
  if (!first.store->guards.empty() || !second.store->guards.empty() || !isOfAll)
    return false;
  // Loads of less than a dword promise no alignment of dwords.
  constexpr unsigned dword = 4;
  const bool isWhole =
      first.store->beyondDword && ((*first.store->beyondDword)[first.lane] + first.offset) % dword == 0;
  if ((!isWhole && std::min(first.store->bytes, second.store->bytes) < dword) ||
      first.store->source != second.store->source || first.store->clamps != second.store->clamps ||
      !cast<MemRefType>(first.store->source.getType()).isLastDimUnitStride())
    return false;
  for (unsigned dim = 0, rank = first.store->indices.size(); dim < rank; ++dim) {
    const LaneForm &a = first.store->indices[dim], &b = second.store->indices[dim];
    const int64_t size = tile.elementBytes, wanted = dim + 1 == rank ? apart : 0;
    if (!a.haveSameTerms(first.lane, b, second.lane) || wanted % size ||
        uint64_t(b.constant[second.lane]) - uint64_t(a.constant[first.lane]) != uint64_t(wanted / size))
      return false;
  }
  return true;
}

bool Packing::areConsecutive(unsigned bytes) const {
  const unsigned units = bytes / unit;
  if (writers.size() % units)
    return false;
  for (unsigned first = 0; first < writers.size(); first += units)
    for (unsigned i = 1; i < units; ++i)
      if (!areConsecutive(writers[first], writers[first + i], i * unit))
        return false;
  return true;
}

bool Chooser::keepsReadsTogether(unsigned pieceBytes) const {
  for (auto [table, read] : llvm::zip(packedReads, tile.reads))
    for (unsigned lane = 0; lane < options.lanes; ++lane)
      if (table[lane] % pieceBytes + read.bytes > pieceBytes)
        return false;
  return true;
}

std::vector<LaneTable> Chooser::readsWith(const Swizzle &swizzle) const {
  std::vector<LaneTable> reads;
  for (const LaneTable &table : packedReads)
    reads.push_back(table.map(swizzle));
  return reads;
}

/// For the bank conflicts of all waves' reads.
AccessPatterns Chooser::patternsOf(const std::vector<LaneTable> &reads) const {
  AccessPatterns patterns(options.lanes, *options.rules);
  for (auto [table, read] : llvm::zip(reads, tile.reads))
    patterns.add(table, read.bytes, /*isWrite=*/false);
  return patterns;
}

std::optional<TileCopy> Chooser::copyOf(const TileLayout &candidate, unsigned round) const {
  const unsigned lanes = options.lanes, width = candidate.dmaBytes;
  TileCopy copy;
  std::vector<int64_t> wavePlaces;
  std::vector<Packing::Writer> writers;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const uint64_t wave = uint64_t(round) * (lanes / waveLanes) + lane / waveLanes;
    wavePlaces.push_back(wave * waveLanes * width);
    const uint64_t byte = wavePlaces.back() + lane % waveLanes * width;
    writers.push_back(packing->writerOf(candidate.swizzle(byte)));
    if (copy.source && copy.source != writers.back().store->source)
      return std::nullopt;
    copy.source = writers.back().store->source;
  }
  copy.wavePlace = LaneTable(std::move(wavePlaces));
  std::vector<int64_t> sourceLanes;
  for (const Packing::Writer &writer : writers) {
    sourceLanes.push_back(writer.lane);
    // Guards are of one store.
    if (writer.store != writers[0].store && (!writer.store->guards.empty() || !writers[0].store->guards.empty()))
      return std::nullopt;
    if (writer.store->clamps != writers[0].store->clamps)
      return std::nullopt;
  }
  copy.sourceLane = LaneTable(std::move(sourceLanes));
  copy.guards = writers[0].store->guards;
  copy.clamps = writers[0].store->clamps;
  for (unsigned dim = 0; dim < writers[0].store->indices.size(); ++dim) {
    const bool isLast = dim + 1 == writers[0].store->indices.size();
    llvm::MapVector<Value, std::vector<int64_t>> factors;
    llvm::DenseSet<Value> varying;
    std::vector<int64_t> constants;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const LaneForm &form = writers[lane].store->indices[dim];
      for (const LaneForm::Term &term : form.terms) {
        std::vector<int64_t> &factor = factors[term.value];
        factor.resize(lanes);
        factor[lane] = term.factor[writers[lane].lane];
        if (term.varies)
          varying.insert(term.value);
      }
      constants.push_back(form.constant[writers[lane].lane] + (isLast ? writers[lane].offset / tile.elementBytes : 0));
    }
    LaneForm index(LaneTable(std::move(constants)));
    for (auto &[value, factor] : factors)
      index.add(value, LaneTable(std::move(factor)), varying.contains(value));
    copy.indices.push_back(std::move(index));
  }
  return copy;
}

bool Chooser::makeCopies(TileLayout &candidate) const {
  candidate.copies.clear();
  const unsigned rounds = candidate.bytes / (candidate.dmaBytes * options.lanes);
  for (unsigned round = 0; round < rounds; ++round) {
    std::optional<TileCopy> copy = copyOf(candidate, round);
    if (!copy)
      return false;
    candidate.copies.push_back(std::move(*copy));
  }
  return true;
}

bool Chooser::canEmitAll(const TileLayout &candidate) const {
  auto canEmit = [&](const LaneTable &table) { return LaneExpressions::canEmit(table, options.lanes); };
  const int64_t size = tile.elementBytes;
  for (const LaneTable &read : candidate.reads)
    if (!canEmit(read.map([&](int64_t byte) { return byte / size; })))
      return false;
  for (const TileCopy &copy : candidate.copies) {
    if (copy.asksSourceLane() && !canEmit(copy.sourceLane))
      return false;
    for (const LaneForm &index : copy.indices)
      if (!canEmit(index.constant) ||
          !llvm::all_of(index.terms, [&](const LaneForm::Term &term) { return canEmit(term.factor); }))
        return false;
  }
  return true;
}

/// Whether all that the layout needs can be computed; then it is filled in.
bool Chooser::tryPlaces(const Swizzle &swizzle, unsigned conflicts) {
  layout.swizzle = swizzle;
  layout.reads = readsWith(swizzle);
  layout.conflicts = conflicts;
  return makeCopies(layout) && canEmitAll(layout);
}

/// Looks for the swizzle with the fewest conflicts.
bool Chooser::choosePlaces() {
  constexpr unsigned mostBits = 4;
  auto keeps = [&](unsigned pieceBytes) { return keepsReadsTogether(pieceBytes); };
  const std::vector<Swizzle> candidates = swizzlesOf(layout.bytes, llvm::Log2_32(layout.dmaBytes), mostBits, keeps);
  AccessPatterns patterns = patternsOf(packedReads);
  const Swizzle *best = nullptr;
  unsigned fewest = ~0u;
  for (const Swizzle &candidate : candidates)
    if (const unsigned conflicts = fewest ? patterns.conflictsWith(candidate, fewest) : 0; conflicts < fewest) {
      fewest = conflicts;
      best = &candidate;
    }
  if (best && tryPlaces(*best, fewest))
    return true;
  // Seldom: one after the other.
  std::vector<std::pair<unsigned, const Swizzle *>> sorted;
  for (const Swizzle &candidate : candidates)
    sorted.push_back({patterns.conflictsWith(candidate), &candidate});
  llvm::stable_sort(sorted, llvm::less_first());
  return llvm::any_of(sorted, [&](const auto &entry) { return tryPlaces(*entry.second, entry.first); });
}

/// The first that the chip has, that what lanes store can be split into, and that gives all waves as many.
bool Chooser::tryWidths(ArrayRef<unsigned> widths, unsigned regionBytes) {
  packing.emplace(tile, options.lanes, regionBytes);
  packedReads.clear();
  for (const TileAccess &read : tile.reads)
    packedReads.push_back(read.address.map([&](int64_t byte) { return packing->packed(byte); }));
  layout.bytes = packing->bytes();
  return llvm::any_of(widths, [&](unsigned width) {
    layout.dmaBytes = width;
    return width <= options.maxDmaBytes && width % tile.elementBytes == 0 && packing->pieceBytes() % width == 0 &&
           packing->bytes() % (width * options.lanes) == 0 && choosePlaces();
  });
}

std::optional<TileLayout> Chooser::choose() {
  std::vector<LaneTable> asWritten;
  for (const TileAccess &read : tile.reads)
    asWritten.push_back(read.address);
  constexpr unsigned dword = 4, widest = 16;
  layout.conflictsBefore = patternsOf(asWritten).conflictsWith({});
  if (tryWidths({widest, dword}, 0) || tryWidths(dword, dword * options.lanes))
    return layout;
  why = packing->pieceBytes() % dword ? "the lanes' pieces of the tile aren't whole dwords"
                                      : "no simple arithmetic on the lane's id says which lane copies what";
  return std::nullopt;
}

bool TileCopy::asksSourceLane() const {
  return !guards.empty() || llvm::any_of(indices, [](const LaneForm &index) {
    return llvm::any_of(index.terms, [](const LaneForm::Term &term) { return term.varies; });
  });
}

std::optional<TileLayout> chooseLayout(const Tile &tile, const LayoutOptions &options, std::string &why) {
  return Chooser(tile, options, why).choose();
}

} // namespace inflight::loops
