#include "trace/page/PageRun.h"

#include "trace/page/JsonColumn.h"
#include "trace/run/Verdict.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace inflight::trace {

/// Bins of the coarse timeline that the page begins with, over all CUs.
static constexpr uint64_t overviewBins = 8192;

Expected<std::unique_ptr<PageRun>> PageRun::create(StringRef path, std::string prefix, SourcePolicy sources) {
  Expected<std::unique_ptr<PageSpill>> spill = PageSpill::create(path);
  if (!spill)
    return spill.takeError();
  return std::unique_ptr<PageRun>(new PageRun(std::move(prefix), std::move(sources), std::move(*spill)));
}

PageRun::Cu &PageRun::cu(uint32_t number) {
  while (cus.size() <= number) {
    const uint16_t added = uint16_t(cus.size());
    cus.push_back(
        {PageChunk(nextSerial++), std::make_unique<PageBins>(rows, [this, added](unsigned level, uint64_t tile,
                                                                                 const std::vector<uint8_t> &bytes) {
           tiles.push_back({added, uint8_t(level), tile, spill->add(bytes)});
         })});
  }
  return cus[number];
}

PageWave &PageRun::wave(uint32_t number) {
  if (lastWave && lastWave->number == number)
    return *lastWave;
  std::unique_ptr<PageWave> &found = live[number];
  if (!found) {
    found = std::make_unique<PageWave>();
    found->number = number;
    found->entry = ~0u;
  }
  lastWave = found.get();
  return *found;
}

void PageRun::waveBegin(const events::WaveBegin &record) {
  statistics.waveBegin(record);
  PageWave &begun = wave(record.wave);
  begun.cu = record.cu;
  begun.row = (record.simd % rows.simds) * rows.slots + record.slot % rows.slots;
  begun.entry = uint32_t(waves.size());
  waves.push_back({record, ~uint64_t(0)});
  lastTime = std::max(lastTime, record.time);
}

void PageRun::waveEnd(const events::WaveEnd &record) {
  statistics.waveEnd(record);
  if (PageWave &ended = wave(record.wave); ended.entry != ~0u)
    waves[ended.entry].end = record.time;
  lastWave = nullptr;
  live.erase(record.wave);
  lastTime = std::max(lastTime, record.time);
}

void PageRun::takeChunk(Cu &of, uint16_t number) {
  if (of.chunk.isEmpty())
    return;
  std::vector<uint8_t> bytes;
  chunks.push_back(of.chunk.take(nextSerial++, bytes));
  chunks.back().cu = number;
  chunkPieces.push_back(spill->add(std::move(bytes)));
}

void PageRun::instruction(const events::Instruction &record) {
  statistics.instruction(record);
  PageWave &of = wave(record.wave);
  Cu &at = cu(of.cu);
  if (at.chunk.isFull())
    takeChunk(at, of.cu);
  at.chunk.instruction(record, of);
  totals.instruction(record);

  uint64_t time = record.arrived;
  for (unsigned i = 0; i < record.stalls.size(); ++i)
    if (record.stalls[i]) {
      at.bins->add(rows.key(of.row, BinRows::categories + i), time, time + record.stalls[i]);
      time += record.stalls[i];
    }
  at.bins->add(rows.key(of.row, unsigned(record.category)), record.issued, record.issued + record.issue);
  if (record.busy)
    if (const unsigned key = rows.pipeKey(record.pipe, of.row / rows.slots); key != rows.keys())
      at.bins->add(key, record.issued, record.issued + record.busy);
  lastTime = std::max(lastTime, record.issued + record.issue);
}

void PageRun::operation(const events::Operation &record) {
  statistics.operation(record);
  PageWave &of = wave(record.wave);
  Cu &at = cu(of.cu);
  of.known[record.number % PageWave::remembered] = {record.number, record.line, record.issued, record.returned};
  at.chunk.operation(record, of);
  totals.operation(record);
  if (const unsigned key = rows.pipeKey(record.pipe, of.row / rows.slots); key != rows.keys())
    at.bins->add(key, record.begin, record.end);
  for (unsigned i = 0; i < rows.counters; ++i)
    if (record.counters >> i & 1)
      at.bins->add(rows.key(of.row, BinRows::firstCounter + i), record.issued, record.returned);
  const uint64_t lines = std::accumulate(record.hits.begin(), record.hits.end(), uint64_t(0));
  for (unsigned i = 0; i < BinRows::traffic.size(); ++i)
    if (const uint64_t hits = record.hits[size_t(BinRows::traffic[i])])
      at.bins->addBytes(rows.trafficKeys() + i, record.begin, record.returned, record.bytes * hits / lines);
}

void PageRun::wait(const events::Wait &record) {
  statistics.wait(record);
  PageWave &of = wave(record.wave);
  cu(of.cu).chunk.wait(record, of);
  totals.wait(record, of);
}

std::vector<uint8_t> PageRun::waveTable() const {
  enum { Number, Cu, Simd, Slot, Begin, Length, Workgroup, InGroup, Count };
  std::array<Column, Count> columns;
  uint32_t number = 0;
  uint64_t time = 0;
  for (const WaveEntry &entry : waves) {
    columns[Number].putSigned(int32_t(entry.begin.wave - number));
    columns[Cu].put(entry.begin.cu);
    columns[Simd].put(entry.begin.simd);
    columns[Slot].put(entry.begin.slot);
    columns[Begin].putSigned(int64_t(entry.begin.time - time));
    // A wave that never ended lasts as long as the run.
    columns[Length].put(entry.end == ~uint64_t(0) ? 0 : entry.end - entry.begin.time + 1);
    columns[Workgroup].put(entry.begin.workgroup);
    columns[InGroup].put(entry.begin.numberInGroup);
    number = entry.begin.wave + 1;
    time = entry.begin.time;
  }
  Column head;
  head.put(waves.size());
  std::vector<uint8_t> bytes = head.data();
  appendColumns(columns, bytes);
  return bytes;
}

void PageRun::runAttributes(json::OStream &json) const {
  json.attribute("chip", json::fixUTF8(info.chip));
  json.attribute("device", json::fixUTF8(info.device));
  json.attribute("kernel", json::fixUTF8(info.kernel));
  json.attribute("demangled", json::fixUTF8(info.demangled));
  json.attribute("clockMHz", info.clockMHz);
  json.attribute("grid", json::Array(info.grid));
  json.attribute("block", json::Array(info.block));
  json.attribute("vgprs", info.vgprs);
  json.attribute("agprs", info.agprs);
  json.attribute("sgprs", info.sgprs);
  json.attribute("ldsBytes", info.ldsBytes);
  json.attribute("scratchBytes", info.scratchBytes);
  json.attributeArray("counters", [&] {
    for (const std::string &counter : info.counters)
      json.value(json::fixUTF8(counter));
  });
  json.attribute("simds", rows.simds);
  json.attribute("slots", rows.slots);
  json.attribute("cus", uint64_t(cus.size()));
  json.attribute("deviceCus", info.deviceCus);
  json.attribute("wavesPerWorkgroup", info.wavesPerWorkgroup);
  json.attribute("workgroupsPerCu", info.workgroupsPerCu);
  json.attribute("cycles", std::max(summary.cycles, lastTime));
  json.attribute("instructions", summary.instructions);
  json.attribute("waves", summary.waves);
  json.attribute("workgroups", summary.workgroups);
  json.attribute("whole", summary.whole && isFinished);
  json.attribute("verdict", verdictOf(statistics).text());
  if (summary.microseconds > 0) {
    json.attribute("microseconds", summary.microseconds);
    json.attribute("accuracy", events::object(summary.accuracy));
  }
}

void PageRun::limitsAttribute(json::OStream &json) const {
  json.attributeArray("limits", [&] {
    for (const events::OccupancyLimit &limit : info.limits)
      json.object([&] {
        json.attribute("resource", json::fixUTF8(limit.resource));
        json.attribute("has", limit.has);
        json.attribute("most", limit.most);
      });
  });
}

/// Large files are left out, the largest first: a page is sent by mail.
void PageRun::sourcesAttribute(json::OStream &json) {
  constexpr size_t mostBytes = size_t(4) << 20;
  const SourceFiles files(info, sources);
  sourcesLeft = files.leftOut;
  std::vector<const std::pair<const std::string, std::string> *> order;
  for (const auto &file : files.contents)
    order.push_back(&file);
  stable_sort(order, [](auto *a, auto *b) { return a->second.size() < b->second.size(); });
  size_t bytes = 0;
  json.attributeArray("sources", [&] {
    for (const auto *file : order)
      if ((bytes += file->second.size()) <= mostBytes)
        json.object([&] {
          json.attribute("file", json::fixUTF8(file->first));
          json.attribute("text", json::fixUTF8(file->second));
        });
  });
}

void PageRun::codeAttribute(json::OStream &json) const {
  auto code = [&](StringRef name, auto get) { writeColumn(json, name, info.code, get); };
  json.attributeObject("code", [&] {
    code("address", [](const events::CodeLine &l) { return l.address; });
    code("text", [](const events::CodeLine &l) { return json::fixUTF8(l.text); });
    code("source", [](const events::CodeLine &l) { return json::fixUTF8(l.source); });
    code("category", [](const events::CodeLine &l) { return unsigned(l.category); });
    code("target", [](const events::CodeLine &l) { return l.target == ~0u ? int64_t(-1) : int64_t(l.target); });
  });
}

/// Columns of the lines that ran on either side; the other number of each pair is the model's.
void PageRun::siliconAttribute(json::OStream &json) const {
  const auto column = [&](StringRef name, auto get) { writeColumn(json, name, silicon->lines, get); };
  const auto pair = [&](StringRef name, Pair AgainstLine::*of) {
    column(name, [of](const AgainstLine &line) { return (line.*of).silicon; });
    column((name + "Model").str(), [of](const AgainstLine &line) { return (line.*of).model; });
  };
  json.attributeObject("silicon", [&] {
    column("line", [](const AgainstLine &line) { return line.line; });
    pair("hits", &AgainstLine::hits);
    pair("stall", &AgainstLine::stall);
    pair("step", &AgainstLine::step);
    column("within", [](const AgainstLine &line) { return line.isComparable() && line.isWithin(); });
    json.attribute("wave", silicon->waves.mean.silicon);
    json.attribute("waveModel", silicon->waves.mean.model);
  });
}

void PageRun::tilesAttribute(json::OStream &json) const {
  json.attributeArray("tiles", [&] {
    for (const TileInfo &tile : tiles)
      json.array([&] {
        json.value(tile.cu);
        json.value(tile.level);
        json.value(tile.number);
      });
  });
}

void PageRun::chunksAttribute(json::OStream &json) const {
  auto ofChunks = [&](StringRef name, auto get) { writeColumn(json, name, chunks, get); };
  json.attributeObject("chunks", [&] {
    ofChunks("cu", [](const ChunkInfo &c) { return c.cu; });
    ofChunks("from", [](const ChunkInfo &c) { return c.from; });
    ofChunks("to", [](const ChunkInfo &c) { return c.to; });
    ofChunks("instructions", [](const ChunkInfo &c) { return c.instructions; });
    ofChunks("operations", [](const ChunkInfo &c) { return c.operations; });
    ofChunks("waits", [](const ChunkInfo &c) { return c.waits; });
    ofChunks("firstLine", [](const ChunkInfo &c) { return c.instructions ? int64_t(c.firstLine) : -1; });
    ofChunks("lastLine", [](const ChunkInfo &c) { return c.instructions ? int64_t(c.lastLine) : -1; });
  });
}

std::string PageRun::head() {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os);
  auto names = [&](StringRef name, auto count) {
    json.attributeArray(name, [&] {
      for (unsigned i = 0; i < unsigned(count); ++i)
        json.value(events::name(decltype(count)(i)));
    });
  };
  json.object([&] {
    runAttributes(json);
    names("categories", events::Category::Count);
    names("stalls", events::Stall::Count);
    names("pipes", events::Pipe::Count);
    names("levels", events::Level::Count);
    limitsAttribute(json);
    codeAttribute(json);
    sourcesAttribute(json);
    json.attributeObject("totals", [&] { totals.write(json); });
    if (silicon)
      siliconAttribute(json);
    json.attribute("finest", PageBins::finest);
    json.attribute("step", PageBins::step);
    json.attribute("overview", overview);
    tilesAttribute(json);
    chunksAttribute(json);
  });
  return text;
}

static void writeElement(OutputFile &out, const std::string &name, StringRef base64) {
  out.write("<script type=\"text/plain\" id=\"");
  out.write(name);
  out.write("\">");
  out.write(base64);
  out.write("</script>\n");
}

Error PageRun::element(OutputFile &out, const std::string &name, size_t piece) {
  std::string base64;
  if (Error error = spill->read(piece, base64))
    return error;
  writeElement(out, prefix + name, base64);
  return Error::success();
}

Error PageRun::close() {
  for (size_t i = 0; i < cus.size(); ++i) {
    takeChunk(cus[i], uint16_t(i));
    cus[i].bins->finish();
  }
  if (Error error = spill->finish())
    return error;
  const uint64_t cycles = std::max(summary.cycles, lastTime);
  unsigned coarsest = PageBins::finest;
  for (const TileInfo &tile : tiles)
    coarsest = std::max(coarsest, unsigned(tile.level));
  while (overview < coarsest && (cycles >> overview) * cus.size() > overviewBins)
    overview += PageBins::step;
  std::erase_if(tiles, [&](const TileInfo &tile) { return tile.level > overview; });
  // The coarse ones first: they are asked for first.
  std::stable_sort(tiles.begin(), tiles.end(), [](const TileInfo &a, const TileInfo &b) {
    return std::tuple(-int(a.level), a.number, a.cu) < std::tuple(-int(b.level), b.number, b.cu);
  });
  return Error::success();
}

Error PageRun::writeBegin(OutputFile &out) {
  const std::string json = head();
  writeElement(out, prefix + "head", packed(std::vector<uint8_t>(json.begin(), json.end())));
  writeElement(out, prefix + "waves", packed(waveTable()));
  for (size_t i = 0; i < tiles.size() && tiles[i].level == overview; ++i)
    if (Error error = element(out, "t" + std::to_string(i), tiles[i].piece))
      return error;
  return Error::success();
}

Error PageRun::writeRest(OutputFile &out) {
  for (size_t i = 0; i < tiles.size(); ++i)
    if (tiles[i].level != overview)
      if (Error error = element(out, "t" + std::to_string(i), tiles[i].piece))
        return error;
  for (size_t i = 0; i < chunks.size(); ++i)
    if (Error error = element(out, "c" + std::to_string(i), chunkPieces[i]))
      return error;
  return Error::success();
}

} // namespace inflight::trace
