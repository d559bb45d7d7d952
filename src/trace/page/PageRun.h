// A run's data in a page: collected from its events, then written as elements of the file, in two parts (HtmlPage.h).
#pragma once

#include "support/OutputFile.h"
#include "trace/page/PageBins.h"
#include "trace/page/PageChunk.h"
#include "trace/page/PageSpill.h"
#include "trace/page/PageTotals.h"
#include "trace/run/RunStatistics.h"
#include "trace/run/SourceFiles.h"
#include "trace/silicon/Against.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace inflight::trace {

class PageRun final : public events::Sink {
public:
  /// Pieces wait in a temporary file beside `path`. `prefix` begins the names of all its elements.
  static llvm::Expected<std::unique_ptr<PageRun>> create(llvm::StringRef path, std::string prefix,
                                                         SourcePolicy sources);

  void start(const events::RunInfo &runInfo) override {
    info = runInfo;
    rows = {std::clamp(info.simds, 1u, 64u), std::clamp(info.slotsPerSimd, 1u, 64u), unsigned(info.counters.size())};
    totals.start(info.code.size());
    statistics.start(info);
  }
  void waveBegin(const events::WaveBegin &record) override;
  void waveEnd(const events::WaveEnd &record) override;
  void instruction(const events::Instruction &record) override;
  void operation(const events::Operation &record) override;
  void wait(const events::Wait &record) override;
  void finish(const events::Summary &ofRun) override {
    summary = ofRun;
    statistics.finish(ofRun);
    isFinished = true;
  }
  /// Beside the model's numbers, in the listing.
  void setSilicon(const Comparison &comparison) { silicon = comparison; }
  bool failed() const { return spill->failed(); }
  /// Files that are there and weren't put into the page; after writeBegin().
  unsigned sourcesLeftOut() const { return sourcesLeft; }

  /// After the last event, and before the others.
  llvm::Error close();
  /// What the page's first picture needs.
  llvm::Error writeBegin(OutputFile &out);
  llvm::Error writeRest(OutputFile &out);

private:
  PageRun(std::string prefix, SourcePolicy sources, std::unique_ptr<PageSpill> spill)
      : prefix(std::move(prefix)), sources(std::move(sources)), spill(std::move(spill)) {}

  struct TileInfo {
    uint16_t cu;
    uint8_t level;
    uint64_t number;
    size_t piece;
  };
  struct Cu {
    PageChunk chunk;
    std::unique_ptr<PageBins> bins;
  };
  Cu &cu(uint32_t number);
  PageWave &wave(uint32_t number);
  void takeChunk(Cu &of, uint16_t number);
  std::string head();
  void runAttributes(llvm::json::OStream &json) const;
  void limitsAttribute(llvm::json::OStream &json) const;
  void codeAttribute(llvm::json::OStream &json) const;
  void sourcesAttribute(llvm::json::OStream &json);
  void siliconAttribute(llvm::json::OStream &json) const;
  void tilesAttribute(llvm::json::OStream &json) const;
  void chunksAttribute(llvm::json::OStream &json) const;
  std::vector<uint8_t> waveTable() const;
  llvm::Error element(OutputFile &out, const std::string &name, size_t piece);

  std::string prefix;
  SourcePolicy sources;
  std::unique_ptr<PageSpill> spill;
  events::RunInfo info;
  BinRows rows;
  PageTotals totals;
  RunStatistics statistics; ///< for the verdict
  events::Summary summary;
  std::optional<Comparison> silicon;
  bool isFinished = false;
  unsigned sourcesLeft = 0;

  std::vector<Cu> cus;
  llvm::DenseMap<uint64_t, std::unique_ptr<PageWave>> live; ///< of 64 bits, as two keys of the type are the map's own
  PageWave *lastWave = nullptr;
  struct WaveEntry {
    events::WaveBegin begin;
    uint64_t end;
  };
  std::vector<WaveEntry> waves;
  std::vector<ChunkInfo> chunks;
  std::vector<size_t> chunkPieces;
  std::vector<TileInfo> tiles;
  unsigned overview = PageBins::finest;
  uint32_t nextSerial = 0;
  uint64_t lastTime = 0;
};

} // namespace inflight::trace
