// Bank conflicts, swizzles and layouts of tiles against their definitions, byte by byte.
#include "compiler/driver/Session.h"
#include "compiler/lanes/BankConflicts.h"
#include "compiler/loops/copies/layout/TileLayout.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace inflight;
using namespace inflight::lanes;
using namespace inflight::loops;

namespace {
constexpr const char *chips[] = {"gfx90a", "gfx942", "gfx950"};
constexpr unsigned dword = 4;

/// Cycles beyond one for each group of lanes: the most dwords that one bank is asked for.
unsigned conflictsOf(const LaneTable &addresses, unsigned lanes, unsigned bytes, const LdsRule &rule) {
  unsigned sum = 0;
  for (unsigned wave = 0; wave < lanes; wave += waveLanes)
    for (unsigned group = 0; group < rule.groups; ++group) {
      std::map<uint64_t, std::set<uint64_t>> wordsOf; // by bank
      for (unsigned lane = 0; lane < waveLanes; ++lane)
        for (unsigned byte = 0; byte < bytes && rule.groupOf[lane] == group; ++byte) {
          const uint64_t word = (addresses[wave + lane] + byte) / dword;
          wordsOf[word % rule.banks].insert(word);
        }
      size_t most = 1;
      for (const auto &[bank, words] : wordsOf)
        most = std::max(most, words.size());
      sum += most - 1;
    }
  return sum;
}

LaneTable tableOf(unsigned lanes, llvm::function_ref<int64_t(unsigned)> of) {
  std::vector<int64_t> values;
  for (unsigned lane = 0; lane < lanes; ++lane)
    values.push_back(of(lane));
  return LaneTable(std::move(values));
}
} // namespace

TEST(AccessPatterns, CountWordsOfOneBank) {
  std::mt19937 random(7);
  for (const char *chip : chips) {
    const LdsRules &rules = *cantFail(LdsRules::get(chip));
    for (unsigned lanes : {64u, 256u}) {
      auto conflicts = [&](const LaneTable &addresses, unsigned bytes, bool isWrite) {
        AccessPatterns patterns(lanes, rules);
        patterns.add(addresses, bytes, isWrite);
        return patterns.conflictsWith({});
      };
      for (unsigned round = 0; round < 300; ++round) {
        const unsigned widths[] = {1, 2, 4, 8, 12, 16}, bytes = widths[random() % std::size(widths)];
        const unsigned unit = std::min(bytes == 12 ? 4 : bytes, 16u), stride = unit * (1 + random() % 40);
        const unsigned rows = 1 + random() % 16, span = 1 + random() % 2048, start = unit * (random() % 64);
        const bool isRandom = random() % 2, isWrite = random() % 2;
        const LaneTable addresses = tableOf(lanes, [&](unsigned lane) {
          return start + (isRandom ? random() % span * unit : lane % rows * stride + lane / rows * bytes);
        });
        ASSERT_EQ(conflicts(addresses, bytes, isWrite), conflictsOf(addresses, lanes, bytes, rules.of(isWrite, bytes)))
            << chip << ", round " << round;
      }
      EXPECT_EQ(conflicts(tableOf(lanes, [](unsigned lane) { return lane * dword; }), dword, false), 0u);
      EXPECT_EQ(conflicts(LaneTable(64), dword, false), 0u) << "one word for all";
    }
  }
}

/// Accesses that are alike are counted once, and swizzles that do the same once: the sums stay those of each access.
TEST(AccessPatterns, CountAsEachAccessDoes) {
  std::mt19937 random(11);
  constexpr unsigned lanes = 256, tile = 8192, mostBits = 4;
  for (const char *chip : chips) {
    const LdsRules &rules = *cantFail(LdsRules::get(chip));
    for (unsigned round = 0; round < 12; ++round) {
      struct Access {
        LaneTable addresses;
        unsigned bytes;
        bool isWrite;
      };
      std::vector<Access> accesses;
      AccessPatterns patterns(lanes, rules);
      for (unsigned i = 0, count = 1 + random() % 6; i < count; ++i) {
        // Powers of two whose addresses are multiples of them, and others.
        const unsigned widths[] = {2, 4, 8, 12, 16}, bytes = widths[random() % std::size(widths)];
        const unsigned start = random() % 3 ? bytes * (random() % 32) : 2 * (random() % 8), stride = 2 << random() % 8;
        const unsigned pitch = random() % 2 ? 64 << random() % 3 : 16 * (1 + random() % 20),
                       columns = 1 << random() % 5;
        accesses.push_back({tableOf(lanes,
                                    [&](unsigned lane) {
                                      return (start + lane % columns * stride + lane / columns * pitch) % (tile - 16);
                                    }),
                            bytes, bool(random() % 2)});
        patterns.add(accesses.back().addresses, bytes, accesses.back().isWrite);
      }
      std::vector<Swizzle> swizzles;
      for (bool addsTwice : {false, true})
        llvm::append_range(swizzles, swizzlesOf(tile, 4, mostBits, [](unsigned) { return true; }, addsTwice));
      for (const Swizzle &swizzle : swizzles) {
        unsigned wanted = 0;
        for (const Access &access : accesses)
          wanted +=
              conflictsOf(access.addresses.map(swizzle), lanes, access.bytes, rules.of(access.isWrite, access.bytes));
        ASSERT_EQ(patterns.conflictsWith(swizzle), wanted) << chip << ", round " << round;
        const unsigned enough = random() % (wanted + 2);
        const unsigned counted = patterns.conflictsWith(swizzle, enough);
        EXPECT_TRUE(counted == wanted || (counted >= enough && counted < wanted));
      }
    }
  }
}

TEST(Swizzle, IsItsOwnInverseOnTheTile) {
  constexpr unsigned mostBits = 4, leastTo = 2;
  for (unsigned bytes : {64u, 96u, 1024u, 1536u, 8192u, 5120u}) {
    std::set<std::tuple<unsigned, unsigned, uint64_t>> listed;
    auto keeps = [](unsigned piece) { return piece >= 16; };
    std::vector<Swizzle> all = swizzlesOf(bytes, leastTo, mostBits, keeps);
    EXPECT_EQ(all.front().mask, 0u);
    const size_t once = all.size();
    llvm::append_range(all, swizzlesOf(bytes, leastTo, mostBits, keeps, /*addsTwice=*/true));
    EXPECT_EQ(all.size() > once, bytes > 64) << "bits above the first ones";
    for (const Swizzle &swizzle : all) {
      for (uint64_t byte = 0; byte < bytes; ++byte) {
        const uint64_t to = swizzle(byte);
        ASSERT_LT(to, bytes) << "of a tile of " << bytes;
        ASSERT_EQ(swizzle(to), byte);
        ASSERT_EQ(to % 16, byte % 16) << "in a piece that is kept";
      }
      if (swizzle.againMask)
        continue;
      listed.insert({swizzle.from, swizzle.to, swizzle.mask});
    }
    // None is missing that stays on the tile and moves no more than a kilobyte apart.
    for (unsigned bits = 1; bits <= mostBits; ++bits)
      for (unsigned to = 4; to + bits <= 10; ++to)
        for (unsigned from = to + bits; (1u << from) < bytes; ++from) {
          const Swizzle swizzle{from, to, (uint64_t(1) << bits) - 1};
          bool stays = true;
          for (uint64_t byte = 0; byte < bytes; ++byte)
            stays &= swizzle(byte) < bytes;
          EXPECT_TRUE(!stays || bytes % (1u << (to + bits)) || listed.count({from, to, swizzle.mask}));
        }
  }
}

namespace {
/// What a byte of LDS is: of which memory, and which byte of it.
using Origin = std::pair<const void *, int64_t>;

class Tiles {
public:
  /// A tile of rows of `row` bytes, `stride` bytes apart in LDS and `pitch` in global memory, which starts at a uniform
  /// value; each lane stores `bytes` at once.
  Tiles(unsigned lanes, unsigned rows, unsigned row, unsigned stride, unsigned pitch, unsigned bytes) : lanes(lanes) {
    const std::string text = "func.func @k(%a: memref<?x" + std::to_string(pitch / size) + "xf16>, %start: index) {\n" +
                             "%t = memref.alloc() : memref<" + std::to_string(rows * stride / size) + "xf16>\nreturn }";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &session->context());
    mlir::Operation &function = module->getBody()->front();
    source = function.getRegion(0).getArgument(0);
    start = function.getRegion(0).getArgument(1);
    tile.alloc = &function.getRegion(0).front().front();
    tile.element = mlir::cast<mlir::MemRefType>(source.getType()).getElementType();
    tile.elementBytes = size;
    const unsigned parts = rows * row / bytes;
    for (unsigned first = 0; first < parts; first += lanes) {
      auto place = [&](unsigned lane) { return (first + lane) * bytes; };
      TileStore store;
      store.bytes = bytes;
      store.source = source;
      store.address = tableOf(lanes, [&](unsigned l) { return place(l) / row * stride + place(l) % row; });
      LaneForm rowForm(tableOf(lanes, [&](unsigned l) { return place(l) / row; }));
      rowForm.add(start, LaneTable(1));
      store.indices.push_back(std::move(rowForm));
      store.indices.push_back(LaneForm(tableOf(lanes, [&](unsigned l) { return place(l) % row / size; })));
      store.beyondDword = LaneTable(0);
      tile.stores.push_back(std::move(store));
    }
  }
  void read(unsigned bytes, llvm::function_ref<int64_t(unsigned)> address) {
    TileAccess access;
    access.address = tableOf(lanes, address);
    access.bytes = bytes;
    tile.reads.push_back(std::move(access));
  }

  /// Where an element of the source is.
  int64_t byteOf(llvm::ArrayRef<LaneForm> indices, unsigned lane) const {
    constexpr int64_t given = 1000; // what `start` holds
    int64_t byte = 0;
    const auto type = mlir::cast<mlir::MemRefType>(source.getType());
    for (auto [dim, form] : llvm::enumerate(indices)) {
      int64_t index = form.constant[lane];
      for (const LaneForm::Term &term : form.terms)
        index += term.factor[lane] * given;
      byte = (dim ? byte * type.getDimSize(dim) : 0) + index;
    }
    return byte * size;
  }
  std::map<int64_t, Origin> asWritten() const {
    std::map<int64_t, Origin> lds;
    for (const TileStore &store : tile.stores)
      for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned i = 0; i < store.bytes; ++i)
          lds[store.address[lane] + i] = {store.source.getAsOpaquePointer(), byteOf(store.indices, lane) + i};
    return lds;
  }
  /// LDS DMA writes lane after lane.
  std::map<int64_t, Origin> copied(const TileLayout &layout) const {
    std::map<int64_t, Origin> lds;
    for (const TileCopy &copy : layout.copies)
      for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned i = 0; i < layout.dmaBytes; ++i)
          lds[copy.wavePlace[lane] + lane % waveLanes * layout.dmaBytes + i] = {copy.source.getAsOpaquePointer(),
                                                                                byteOf(copy.indices, lane) + i};
    return lds;
  }

  static constexpr unsigned size = 2;
  const unsigned lanes;
  Session::Handle session = Session::take();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::Value source, start;
  Tile tile;
};

void expectSameReads(const Tiles &tiles, const TileLayout &layout, const LdsRules &rules, const std::string &what) {
  const std::map<int64_t, Origin> before = tiles.asWritten(), after = tiles.copied(layout);
  EXPECT_EQ(after.size(), layout.bytes) << what << ": copies fill the tile, once each byte";
  unsigned conflicts = 0, conflictsBefore = 0;
  for (auto [i, read] : llvm::enumerate(tiles.tile.reads)) {
    for (unsigned lane = 0; lane < tiles.lanes; ++lane)
      for (unsigned byte = 0; byte < read.bytes; ++byte) {
        const auto wanted = before.find(read.address[lane] + byte);
        const auto found = after.find(layout.reads[i][lane] + byte);
        ASSERT_TRUE(wanted != before.end() && found != after.end()) << what;
        ASSERT_EQ(found->second, wanted->second) << what << ": read " << i << ", lane " << lane << ", byte " << byte;
      }
    conflicts += conflictsOf(layout.reads[i], tiles.lanes, read.bytes, rules.of(false, read.bytes));
    conflictsBefore += conflictsOf(read.address, tiles.lanes, read.bytes, rules.of(false, read.bytes));
  }
  EXPECT_EQ(layout.conflicts, conflicts) << what;
  EXPECT_EQ(layout.conflictsBefore, conflictsBefore) << what;
}
} // namespace

/// Rows of matrix instructions' factors: 16 lanes read rows, the others further columns.
TEST(TileLayout, BringsWhatReadsFoundBefore) {
  unsigned laidOut = 0, better = 0;
  for (const char *chip : chips) {
    const LdsRules &rules = *cantFail(LdsRules::get(chip));
    const unsigned mostDmaBytes = std::string(chip) == "gfx950" ? 16 : 4;
    for (unsigned lanes : {64u, 256u})
      for (unsigned row : {32u, 64u, 128u, 96u})
        for (unsigned padding : {0u, 8u, 16u})
          for (unsigned bytes : {4u, 8u, 16u}) {
            const unsigned rows = 64, stride = row + padding;
            if (rows * row % (bytes * lanes) || row % bytes || stride % bytes)
              continue;
            Tiles tiles(lanes, rows, row, stride, 512, bytes);
            ASSERT_TRUE(tiles.module);
            for (unsigned part = 0; part < row / 32; ++part)
              tiles.read(8, [&](unsigned lane) { return lane % 16 * stride + lane / 16 % 4 * 8 + part * 32; });
            std::string why;
            const std::optional<TileLayout> layout = chooseLayout(tiles.tile, {lanes, mostDmaBytes, &rules}, why);
            const std::string what = std::string(chip) + ", " + std::to_string(lanes) + " lanes, rows of " +
                                     std::to_string(row) + " + " + std::to_string(padding) + " bytes by " +
                                     std::to_string(bytes);
            ASSERT_TRUE(layout) << what << ": " << why;
            expectSameReads(tiles, *layout, rules, what);
            ++laidOut;
            better += layout->conflicts < layout->conflictsBefore;
          }
  }
  EXPECT_GT(laidOut, 100u);
  EXPECT_GT(better, 30u);
}

namespace {
/// What lanes store themselves, in parts: each byte of the tile once, and reads find what they did before.
void expectSameStores(const Tiles &tiles, const TileLayout &layout, const LdsRules &rules, const std::string &what) {
  std::map<int64_t, int64_t> before, after; // which byte of which lane's store
  unsigned conflicts = 0, whole = 0, apart = 0;
  for (auto [i, store] : llvm::enumerate(tiles.tile.stores)) {
    const unsigned bytes = store.bytes / layout.stores[i].size();
    for (unsigned lane = 0; lane < tiles.lanes; ++lane)
      for (unsigned byte = 0; byte < store.bytes; ++byte) {
        const int64_t name = (int64_t(i) * tiles.lanes + lane) * store.bytes + byte;
        before[store.address[lane] + byte] = name;
        EXPECT_TRUE(after.insert({layout.stores[i][byte / bytes][lane] + byte % bytes, name}).second) << what;
      }
    for (const LaneTable &part : layout.stores[i]) {
      conflicts += conflictsOf(part, tiles.lanes, bytes, rules.of(true, bytes));
      apart += rules.of(true, bytes).groups;
    }
    whole += rules.of(true, store.bytes).groups;
  }
  EXPECT_EQ(apart, whole) << what << ": banks serve as much of parts together";
  for (auto [i, read] : llvm::enumerate(tiles.tile.reads)) {
    for (unsigned lane = 0; lane < tiles.lanes; ++lane)
      for (unsigned byte = 0; byte < read.bytes; ++byte)
        ASSERT_EQ(after.at(layout.reads[i][lane] + byte), before.at(read.address[lane] + byte)) << what;
    conflicts += conflictsOf(layout.reads[i], tiles.lanes, read.bytes, rules.of(false, read.bytes));
  }
  EXPECT_EQ(layout.conflicts, conflicts) << what;
}

/// 16 lanes read rows, 8 bytes each.
void readRows(Tiles &tiles, unsigned row, unsigned bytes = 8) {
  for (unsigned part = 0; part < row / (4 * bytes); ++part)
    tiles.read(bytes, [&](unsigned lane) { return lane % 16 * row + lane / 16 % 4 * bytes + part * 4 * bytes; });
}
} // namespace

/// Lanes that read 8 bytes and store 16 would want one bank twice, whatever the order of 16 bytes.
TEST(TileLayout, SplitsStoresAgainstConflicts) {
  const LdsRules &rules = *cantFail(LdsRules::get("gfx942"));
  for (unsigned row : {64u, 128u}) {
    Tiles tiles(256, 64, row, row, 512, 16);
    readRows(tiles, row);
    std::string why;
    const std::optional<TileLayout> layout = layoutOfStores(tiles.tile, {256, 4, &rules, /*conflictsCount=*/true}, why);
    ASSERT_TRUE(layout) << why;
    EXPECT_EQ(layout->conflicts, 0u);
    EXPECT_GT(layout->conflictsBefore, 0u);
    EXPECT_EQ(layout->stores.front().size(), 2u);
    expectSameStores(tiles, *layout, rules, "rows of " + std::to_string(row));
    const std::optional<TileLayout> whole = layoutOfStores(tiles.tile, {256, 4, &rules}, why);
    ASSERT_TRUE(whole) << why;
    EXPECT_EQ(whole->stores.front().size(), 1u) << "unless they may be split";
    EXPECT_GT(whole->conflicts, 0u);
    expectSameStores(tiles, *whole, rules, "whole");
  }
}

TEST(TileLayout, LeavesStoresWholeThatHaveNoConflicts) {
  const LdsRules &rules = *cantFail(LdsRules::get("gfx942"));
  // Of reads as wide as the stores, and of stores that are no wider than half.
  for (unsigned bytes : {16u, 8u}) {
    Tiles tiles(256, 64, 128, 128, 512, bytes);
    readRows(tiles, 128, bytes);
    std::string why;
    const std::optional<TileLayout> layout = layoutOfStores(tiles.tile, {256, 4, &rules, /*conflictsCount=*/true}, why);
    ASSERT_TRUE(layout) << why;
    EXPECT_EQ(layout->stores.front().size(), 1u);
    expectSameStores(tiles, *layout, rules, "by " + std::to_string(bytes));
  }
}

/// What is transposed on its way is stored to every fourth row and read from neighbouring ones: bits of the row's
/// number are added from two places.
TEST(TileLayout, SpreadsAccessesWithTwoStrides) {
  const LdsRules &rules = *cantFail(LdsRules::get("gfx942"));
  constexpr unsigned row = 128, rows = 64, bytes = 8;
  Tiles tiles(256, rows, row, row, 512, bytes);
  for (auto [i, store] : llvm::enumerate(tiles.tile.stores))
    store.address = tableOf(256, [&, i = i](unsigned lane) { return (lane % 16 * 4 + i) * row + lane / 16 * bytes; });
  readRows(tiles, row);
  std::string why;
  const std::optional<TileLayout> layout = layoutOfStores(tiles.tile, {256, 4, &rules, /*conflictsCount=*/true}, why);
  ASSERT_TRUE(layout) << why;
  EXPECT_EQ(layout->conflicts, 0u);
  EXPECT_NE(layout->swizzle.againMask, 0u);
  expectSameStores(tiles, *layout, rules, "transposed");
}

/// Rows that are padded lie together again, if nothing reads the padding and no access is less aligned then.
TEST(TileLayout, LeavesOutWhatNothingIsStoredTo) {
  const LdsRules &rules = *cantFail(LdsRules::get("gfx942"));
  for (unsigned lanes : {64u, 128u, 256u})
    for (unsigned row : {32u, 64u, 96u, 128u})
      for (unsigned padding : {8u, 16u, 48u})
        for (unsigned bytes : {4u, 8u, 16u})
          for (const bool conflictsCount : {false, true}) {
            constexpr unsigned rows = 64;
            const unsigned stride = row + padding;
            if (rows * row % (bytes * lanes) || row % bytes || stride % bytes)
              continue;
            const std::string what = std::to_string(lanes) + " lanes, rows of " + std::to_string(row) + " + " +
                                     std::to_string(padding) + " bytes by " + std::to_string(bytes);
            Tiles tiles(lanes, rows, row, stride, 512, bytes);
            for (unsigned part = 0; part < row / 32; ++part)
              tiles.read(8, [&](unsigned lane) { return lane % 16 * stride + lane / 16 % 4 * 8 + part * 32; });
            std::string why;
            const LayoutOptions options{lanes, 4, &rules, conflictsCount};
            const std::optional<TileLayout> layout = layoutOfStores(tiles.tile, options, why);
            ASSERT_TRUE(layout) << what << ": " << why;
            expectSameStores(tiles, *layout, rules, what);
            if (!layout->conflicts)
              EXPECT_EQ(layout->bytes, rows * row) << what;
            // The padding of the first row.
            tiles.read(8, [&](unsigned) { return row; });
            const std::optional<TileLayout> asWritten = layoutOfStores(tiles.tile, options, why);
            ASSERT_TRUE(asWritten) << what << ": " << why;
            EXPECT_EQ(asWritten->bytes, rows * stride) << what;
          }
}

TEST(TileLayout, KeepsGapsThatAlign) {
  const LdsRules &rules = *cantFail(LdsRules::get("gfx942"));
  // 24 bytes of each 32: without the gaps every second piece of 16 bytes would begin at 8 more than a multiple of 16.
  Tiles tiles(64, 64, 24, 32, 512, 8);
  tiles.read(16, [](unsigned lane) { return lane * 32; });
  std::string why;
  const std::optional<TileLayout> layout = layoutOfStores(tiles.tile, {64, 4, &rules}, why);
  ASSERT_TRUE(layout) << why;
  EXPECT_EQ(layout->bytes, 64u * 32);
}

TEST(TileLayout, SaysWhyNot) {
  Tiles tiles(64, 64, 32, 32, 512, 2);
  tiles.read(2, [](unsigned lane) { return lane * 2; });
  tiles.tile.stores[0].beyondDword.reset();
  std::string why;
  EXPECT_FALSE(chooseLayout(tiles.tile, {64, 4, cantFail(LdsRules::get("gfx942"))}, why));
  EXPECT_EQ(why, "the lanes' pieces of the tile aren't whole dwords");
}
