// The layouts of tiles that lanes store themselves.
#include "compiler/lanes/BankConflicts.h"
#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/loops/copies/layout/TileLayout.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace inflight::loops {

namespace {
/// Where each of Tile::stores and Tile::reads begins, bytes.
struct Places {
  unsigned bytes = 0; ///< of the tile
  std::vector<LaneTable> stores, reads;
};

/// Places without the bytes between that nothing is stored to, such as padding of rows.
class GapRemover {
public:
  GapRemover(const Tile &tile, unsigned lanes) : tile(tile), lanes(lanes) {}
  /// None if there are no such bytes, if one is read, or if an access would be less aligned.
  std::optional<Places> remove(const Places &places);

private:
  void findUnit(const LaneTable &table, unsigned bytes);
  std::optional<LaneTable> moved(const LaneTable &table, unsigned bytes) const;

  const Tile &tile;
  unsigned lanes;
  unsigned unit = 16;         ///< bytes: divides all addresses and sizes
  llvm::BitVector written;    ///< units
  std::vector<unsigned> rank; ///< of each unit among those written
};
} // namespace

void GapRemover::findUnit(const LaneTable &table, unsigned bytes) {
  unit = std::gcd(unit, bytes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    unit = std::gcd<uint64_t>(unit, table[lane]);
}

/// Lanes' pieces stay whole: all of their units are written.
std::optional<LaneTable> GapRemover::moved(const LaneTable &table, unsigned bytes) const {
  uint64_t aligned = bytes, alignedThen = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned at = table[lane] / unit, end = at + bytes / unit; at < end; ++at)
      if (at >= written.size() || !written[at])
        return std::nullopt;
    aligned |= table[lane];
    alignedThen |= uint64_t(rank[table[lane] / unit]) * unit;
  }
  if (alignedThen && llvm::countr_zero(alignedThen) < llvm::countr_zero(aligned))
    return std::nullopt;
  return table.map([&](int64_t at) { return int64_t(rank[at / unit]) * unit; });
}

std::optional<Places> GapRemover::remove(const Places &places) {
  for (auto [table, store] : llvm::zip(places.stores, tile.stores))
    findUnit(table, store.bytes);
  for (auto [table, read] : llvm::zip(places.reads, tile.reads))
    findUnit(table, read.bytes);
  written.resize(places.bytes / unit);
  for (auto [table, store] : llvm::zip(places.stores, tile.stores))
    for (unsigned lane = 0; lane < lanes; ++lane)
      written.set(table[lane] / unit, (table[lane] + store.bytes) / unit);
  if (written.all())
    return std::nullopt;
  rank.resize(written.size());
  Places result;
  for (unsigned at = 0, next = 0; at < written.size(); ++at) {
    rank[at] = next;
    next += written[at];
    result.bytes = next * unit;
  }
  auto moveAll = [&](const std::vector<LaneTable> &tables, const auto &accesses, std::vector<LaneTable> &then) {
    for (auto [table, access] : llvm::zip(tables, accesses)) {
      std::optional<LaneTable> place = moved(table, access.bytes);
      if (!place)
        return false;
      then.push_back(std::move(*place));
    }
    return true;
  };
  if (!moveAll(places.stores, tile.stores, result.stores) || !moveAll(places.reads, tile.reads, result.reads))
    return std::nullopt;
  return result;
}

namespace {
/// Chooses the layout of a tile that lanes store themselves.
class StoreChooser {
public:
  StoreChooser(const Tile &tile, const Places &places, const LayoutOptions &options)
      : tile(tile), places(places), options(options) {}
  std::optional<TileLayout> choose();

private:
  using Parts = std::vector<LaneTable>; ///< of a store: where each begins, without a swizzle
  Parts partsOf(const TileStore &store, const LaneTable &place) const;
  unsigned bytesOfPart(const TileStore &store) const { return store.bytes > mostBytes ? mostBytes : store.bytes; }
  bool keep(unsigned piece) const;
  bool canEmit(const Swizzle &swizzle) const;
  bool split(unsigned most);
  void trySwizzles(bool addTwice);

  const Tile &tile;
  const Places &places;
  const LayoutOptions &options;
  unsigned mostBytes = 0; ///< that a lane stores with one instruction
  std::vector<Parts> stores;
  TileLayout best;
  bool isFound = false;
};
} // namespace

StoreChooser::Parts StoreChooser::partsOf(const TileStore &store, const LaneTable &place) const {
  Parts parts;
  for (unsigned offset = 0; offset < store.bytes; offset += bytesOfPart(store))
    parts.push_back(place.map([&](int64_t at) { return at + offset; }));
  return parts;
}

/// Whether each access is within one of the pieces of so many bytes that are exchanged.
bool StoreChooser::keep(unsigned piece) const {
  auto keeps = [&](const LaneTable &address, unsigned bytes) {
    for (unsigned lane = 0; lane < options.lanes; ++lane)
      if (address[lane] % piece + bytes > piece)
        return false;
    return true;
  };
  for (auto [store, parts] : llvm::zip(tile.stores, stores))
    for (const LaneTable &part : parts)
      if (!keeps(part, bytesOfPart(store)))
        return false;
  return llvm::all_of(llvm::zip(tile.reads, places.reads), [&](const auto &each) {
    const auto &[read, place] = each;
    return keeps(place, read.bytes);
  });
}

bool StoreChooser::canEmit(const Swizzle &swizzle) const {
  auto canEmit = [&](const LaneTable &address) {
    return LaneExpressions::canEmit(address.map([&](int64_t at) { return swizzle(at) / tile.elementBytes; }),
                                    options.lanes);
  };
  return llvm::all_of(places.reads, canEmit) &&
         llvm::all_of(stores, [&](const Parts &parts) { return llvm::all_of(parts, canEmit); });
}

/// Stores into parts of so many bytes. False if that changes none, or if one can't be split.
bool StoreChooser::split(unsigned most) {
  mostBytes = most;
  stores.clear();
  for (auto [store, place] : llvm::zip(tile.stores, places.stores)) {
    if (store.bytes > most && (store.bytes % most || most % tile.elementBytes))
      return false;
    stores.push_back(partsOf(store, place));
  }
  return llvm::any_of(tile.stores, [&](const TileStore &store) { return store.bytes > most; });
}

/// Parts take more cycles only where they are narrower than what banks serve together.
void StoreChooser::trySwizzles(bool addTwice) {
  constexpr unsigned leastTo = 2, mostBits = 4; // dwords
  AccessPatterns patterns(options.lanes, *options.rules);
  for (auto [read, place] : llvm::zip(tile.reads, places.reads))
    patterns.add(place, read.bytes, /*isWrite=*/false);
  unsigned splitting = 0;
  for (auto [store, parts] : llvm::zip(tile.stores, stores)) {
    for (const LaneTable &part : parts)
      patterns.add(part, bytesOfPart(store), /*isWrite=*/true);
    const unsigned whole = options.rules->of(true, store.bytes).groups;
    const unsigned apart = parts.size() * options.rules->of(true, bytesOfPart(store)).groups;
    splitting += (apart - std::min(apart, whole)) * (options.lanes / waveLanes);
  }
  auto keeps = [&](unsigned piece) { return keep(piece); };
  for (const Swizzle &swizzle : swizzlesOf(best.bytes, leastTo, mostBits, keeps, addTwice)) {
    if (isFound && best.conflicts <= splitting)
      return;
    const unsigned count = splitting + patterns.conflictsWith(swizzle, isFound ? best.conflicts - splitting : ~0u);
    if ((isFound && count >= best.conflicts) || !canEmit(swizzle))
      continue;
    isFound = true;
    best.swizzle = swizzle;
    best.conflicts = count;
    best.stores.clear();
    for (const Parts &parts : stores)
      best.stores.push_back(llvm::map_to_vector(parts, [&](const LaneTable &part) { return part.map(swizzle); }));
  }
}

/// Lanes that read less at once than others store, as of halves for 16 rows of a matrix instruction, have as many
/// conflicts with pieces of what is stored as banks serve pieces of what is read together. So stores are split, where
/// that spares some: no piece is smaller than what is read.
std::optional<TileLayout> StoreChooser::choose() {
  best.bytes = places.bytes;
  constexpr unsigned whole = ~0u, half = 8;
  for (unsigned bytes : {whole, half})
    for (bool twice : {false, true}) {
      const bool areSplit = split(bytes), isFirst = bytes == whole && !twice;
      if (isFirst || (options.conflictsCount && (!isFound || best.conflicts) && (areSplit || bytes == whole)))
        trySwizzles(twice);
    }
  if (!isFound)
    return std::nullopt;
  for (const LaneTable &place : places.reads)
    best.reads.push_back(place.map(best.swizzle));
  return std::move(best);
}

static unsigned conflictsOf(const Tile &tile, const LayoutOptions &options) {
  AccessPatterns patterns(options.lanes, *options.rules);
  for (const TileAccess &read : tile.reads)
    patterns.add(read.address, read.bytes, /*isWrite=*/false);
  for (const TileStore &store : tile.stores)
    patterns.add(store.address, store.bytes, /*isWrite=*/true);
  return patterns.conflictsWith({});
}

std::optional<TileLayout> layoutOfStores(const Tile &tile, const LayoutOptions &options, std::string &why) {
  Places written;
  written.bytes = *staticByteExtent(cast<MemRefType>(tile.alloc->getResult(0).getType()));
  for (const TileStore &store : tile.stores)
    written.stores.push_back(store.address);
  for (const TileAccess &read : tile.reads)
    written.reads.push_back(read.address);
  std::optional<TileLayout> layout = StoreChooser(tile, written, options).choose();
  if (const std::optional<Places> packed = GapRemover(tile, options.lanes).remove(written)) {
    std::optional<TileLayout> other = StoreChooser(tile, *packed, options).choose();
    if (other && (!layout || other->conflicts <= layout->conflicts))
      layout = std::move(other);
  }
  if (layout)
    layout->conflictsBefore = conflictsOf(tile, options);
  else
    why = "no simple arithmetic on the lane's id says which lane stores what";
  return layout;
}

} // namespace inflight::loops
