#include "trace/viewer/ViewerDirectory.h"

#include "support/Diagnostics.h"
#include "support/OutputFile.h"
#include "support/files/OutputDirectory.h"
#include "trace/run/InstructionText.h"
#include "trace/run/JsonText.h"
#include "trace/run/LiveWaves.h"
#include "trace/viewer/ViewerWave.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

namespace {

// The viewer's numbers of the only kernel and code object, and of the line that names the kernel.
constexpr unsigned kernelId = 1, codeObjectId = 1, kernelLine = 1, firstLine = 2;
/// Its columns of stall reasons: none, instruction fetch, ALU dependency, waitcnt, internal, barrier, arbiter, pipe,
/// other wait, sleep.
constexpr unsigned reasonCount = 10;

unsigned reasonOf(Stall stall) {
  switch (stall) {
  case Stall::Fetch: return 1;
  case Stall::Dependency: return 2;
  case Stall::Waitcnt: return 3;
  case Stall::Barrier: return 5;
  case Stall::Arbiter: return 6;
  case Stall::QueueFull:
  case Stall::PipeBusy:
  case Stall::LdsBusy: return 7;
  case Stall::Sleep: return 9;
  case Stall::Count: break;
  }
  return 8;
}

std::string csvText(StringRef text) {
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

class Writer final : public ViewerDirectory {
public:
  Writer(StringRef directory, const ViewerOptions &options, OutputDirectory output, std::unique_ptr<OutputFile> table)
      : directory(directory.str()), options(options), output(std::move(output)), table(std::move(table)) {}

  void start(const RunInfo &info) override;
  void waveBegin(const WaveBegin &record) override;
  void instruction(const Instruction &record) override;
  void operation(const Operation &record) override;
  void wait(const Wait &record) override;
  void waveEnd(const WaveEnd &record) override;
  void finish(const Summary &given) override;
  Error commit() override;
  StringRef folder() const override { return folderName; }
  uint64_t wavesLeftOut() const override { return leftOut; }
  unsigned sourcesLeftOut() const override { return sourcesLeft; }

  std::string folderName;

private:
  struct Line {
    uint64_t hits = 0, latency = 0, stall = 0, idle = 0;
    std::array<uint64_t, reasonCount> reasons = {};
  };
  struct Wave {
    WaveBegin begin;
    uint64_t done = 0;
    std::unique_ptr<ViewerWave> file;
  };
  struct WaveFile {
    std::string name;
    uint64_t begin, end;
  };
  struct Cu {
    Spool occupancy;
    bool any = false;
    std::map<std::pair<unsigned, unsigned>, unsigned> waves; ///< of a SIMD's slot, so far
  };

  std::string pathOf(const Twine &name) const { return (output.temporaryPath() + "/" + name).str(); }
  void occupancy(const WaveBegin &wave, uint64_t time, bool starts);
  void endWave(Wave &wave, uint64_t time);
  StringRef kernelName() const { return info.demangled.empty() ? info.kernel : info.demangled; }
  Error write(const Twine &name, StringRef text) { return writeFileAtomically(pathOf(name), text); }
  Error writeNames();
  Error writeCode();
  Error writeOccupancy();
  Error writeRealtime();
  Error writeSources();
  void writeTable();

  std::string directory;
  ViewerOptions options;
  OutputDirectory output;
  std::unique_ptr<OutputFile> table; ///< declared last of the two: it goes before its directory does
  RunInfo info;
  Summary summary;
  std::vector<Line> lines;
  LiveWaves<Wave> waves;
  std::map<unsigned, Cu> cus;
  /// Waves' files by CU, SIMD, slot and number in the slot.
  std::map<unsigned, std::map<unsigned, std::map<unsigned, std::map<unsigned, WaveFile>>>> files;
  unsigned fileCount = 0;
  uint64_t leftOut = 0;
  unsigned sourcesLeft = 0;
  int failure = 0;
};

void Writer::start(const RunInfo &given) {
  info = given;
  lines.assign(info.code.size(), {});
}

void Writer::occupancy(const WaveBegin &wave, uint64_t time, bool starts) {
  Cu &cu = cus[wave.cu];
  if (!cu.any)
    cu.occupancy.open(pathOf("occupancy" + Twine(wave.cu) + ".tmp"));
  // time, CU, SIMD, slot, starts, kernel, engine, pipe, external, workgroup, cluster
  cu.occupancy.append(formatv("{0}[{1},0,{2},{3},{4},{5},0,0,0,{6},0]", cu.any ? "," : "", time, wave.simd, wave.slot,
                              starts ? 1 : 0, kernelId, wave.workgroup)
                          .str());
  cu.any = true;
}

void Writer::waveBegin(const WaveBegin &record) {
  occupancy(record, record.time, true);
  Wave &wave = waves.begin(record.wave);
  wave.begin = record;
  wave.done = record.time;
  if (fileCount >= options.maxWaves) {
    ++leftOut;
    return;
  }
  ++fileCount;
  const unsigned number = cus[record.cu].waves[{record.simd, record.slot}]++;
  wave.file = std::make_unique<ViewerWave>();
  // The viewer finds the code beside the last "se" of the path.
  std::string name = formatv("se{0}_sm{1}_sl{2}_wv{3}.json", record.cu, record.simd, record.slot, number).str();
  files[record.cu][record.simd][record.slot][number] = {name, record.time, record.time};
  wave.file->number = number;
  wave.file->open(output.temporaryPath(), std::move(name), record, firstLine);
}

void Writer::instruction(const Instruction &record) {
  Wave &wave = waves[record.wave];
  Line &line = lines[record.line];
  ++line.hits;
  line.latency += record.issued - record.arrived + record.issue;
  line.stall += record.issued - record.arrived;
  line.reasons[0] += record.issue;
  for (size_t i = 0; i < record.stalls.size(); ++i)
    line.reasons[reasonOf(Stall(i))] += record.stalls[i];
  if (record.arrived > wave.done)
    line.idle += record.arrived - wave.done;
  wave.done = record.issued + record.issue;
  if (wave.file)
    wave.file->instruction(record, endsWave(info.code[record.line].text));
}

void Writer::operation(const Operation &record) {
  if (ViewerWave *file = waves[record.wave].file.get())
    file->operation(record);
}

void Writer::wait(const Wait &record) {
  if (ViewerWave *file = waves[record.wave].file.get())
    file->wait(record);
}

void Writer::endWave(Wave &wave, uint64_t time) {
  occupancy(wave.begin, time, false);
  if (!wave.file)
    return;
  wave.file->close(time);
  if (!failure)
    failure = wave.file->failure();
  files[wave.begin.cu][wave.begin.simd][wave.begin.slot][wave.file->number].end = wave.file->end;
  wave.file.reset();
}

void Writer::waveEnd(const WaveEnd &record) {
  endWave(waves[record.wave], record.time);
  waves.end(record.wave);
}

void Writer::finish(const Summary &given) {
  summary = given;
  waves.forEach([&](uint32_t, Wave &wave) { endWave(wave, std::max(wave.done, summary.cycles)); });
}

Error Writer::writeNames() {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream os(stream);
  os.object([&] {
    os.attribute("global_begin_time", 0);
    os.attribute("gfxv", "vega"); // the viewer's word for chips whose instructions take four cycles
    os.attribute("gfxip", 9);
    os.attribute("version", "3.1.0");
    os.attributeArray("counter_names", [] {});
    os.attribute("thread_trace", true);
    os.attribute("pc_sampling", true); // shows the stall reasons
    os.attributeObject("wave_filenames", [&] {
      for (auto &[cu, simds] : files)
        os.attributeObject(std::to_string(cu), [&, &simds = simds] {
          for (auto &[simd, slots] : simds)
            os.attributeObject(std::to_string(simd), [&, &slots = slots] {
              for (auto &[slot, numbers] : slots)
                os.attributeObject(std::to_string(slot), [&, &numbers = numbers] {
                  for (auto &[number, file] : numbers)
                    os.attributeArray(std::to_string(number), [&, &file = file] {
                      os.value(file.name);
                      os.value(int64_t(file.begin));
                      os.value(int64_t(file.end));
                    });
                });
            });
        });
    });
  });
  return write("filenames.json", text);
}

Error Writer::writeCode() {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream os(stream);
  const auto row = [&](StringRef instruction, unsigned number, StringRef source, uint64_t address, const Line &line) {
    os.array([&] {
      os.value(json::fixUTF8(instruction));
      os.value(0);
      os.value(number);
      os.value(json::fixUTF8(source));
      os.value(codeObjectId);
      os.value(int64_t(address));
      constexpr uint64_t largest = 0x7fffffff; // the viewer keeps 32 bits
      os.value(int64_t(std::min(line.hits, largest)));
      for (uint64_t value : {line.latency, line.stall, line.idle, line.latency - line.stall, line.stall})
        os.value(int64_t(value));
      os.array([&] {
        os.value(0);
        for (unsigned i = 1; i < reasonCount; ++i)
          os.value(int64_t(line.reasons[i]));
      });
    });
  };
  os.object([&] {
    os.attribute("version", "3.1.0");
    os.attributeArray("header", [&] {
      for (const char *column : {"ISA", "_", "LineNumber", "Source", "Codeobj", "Vaddr", "Hit", "Latency", "Stall",
                                 "Idle", "PC_Issued", "PC_Stalled", "Stall_Reasons"})
        os.value(column);
    });
    os.attributeArray("code", [&] {
      row("; " + info.kernel, kernelLine, kernelName(), info.entryAddress, {});
      for (size_t i = 0; i < lines.size(); ++i)
        row(info.code[i].text, unsigned(firstLine + i), info.code[i].source, info.code[i].address, lines[i]);
    });
  });
  return write("code.json", text);
}

Error Writer::writeOccupancy() {
  Spool all;
  const std::string path = pathOf("occupancy.json");
  all.open(path);
  all.append("{\"version\":\"3.1.0\",\"occupancy_fields\":[\"time\",\"cu\",\"simd\",\"wave_id\",\"start\",\"kernel_"
             "id\",\"me_id\",\"pipe_id\",\"is_ext\","
             "\"workgroup_id\",\"cluster_id\"],\"dispatches\":{\"" +
             std::to_string(kernelId) + "\":" + jsonString(kernelName()) + "}");
  std::string dispatches;
  for (auto &[number, cu] : cus) {
    all.append((",\"" + Twine(number) + "\":[").str());
    cu.occupancy.moveTo(all);
    all.append("]");
    dispatches +=
        formatv("{0}\"{1}\":[{{\"kind\":\"dispatch\",\"time\":0,\"kernel_id\":{2},\"kernel_name\":{3},\"entry_point\":{"
                "{\"address\":{4},"
                "\"code_object_id\":{5}},\"vgprs\":{6},\"sgprs\":{7},\"lds_size\":{8},\"thread_dim_x\":{9},\"thread_"
                "dim_y\":{10},"
                "\"thread_dim_z\":{11}}]",
                dispatches.empty() ? "" : ",", number, kernelId, jsonString(kernelName()), info.entryAddress,
                codeObjectId, info.vgprs, info.sgprs, info.ldsBytes, info.block[0], info.block[1], info.block[2])
            .str();
  }
  all.append(",\"events\":{" + dispatches + "}}\n");
  all.flush();
  return all.failed() ? makeError("cannot write '" + path +
                                  "': " + std::error_code(all.failure, std::generic_category()).message())
                      : Error::success();
}

Error Writer::writeRealtime() {
  constexpr double frequency = 100e6; // of the clock that the viewer aligns engines by
  if (info.clockMHz <= 0)
    return Error::success();
  std::string text = formatv("{{\"metadata\":{{\"frequency\":{0}}", uint64_t(frequency)).str();
  for (auto &[number, cu] : cus)
    text += formatv(",\"SE{0}\":[[0,0],[{1},{2}]]", number, summary.cycles,
                    uint64_t(double(summary.cycles) * frequency / (info.clockMHz * 1e6)))
                .str();
  return write("realtime.json", text + "}\n");
}

/// Copies of the sources that the lines name, as far as they may be shown, and the tree of their paths.
Error Writer::writeSources() {
  json::Object tree;
  const SourceFiles sources(info, options.sources);
  sourcesLeft = sources.leftOut;
  unsigned count = 0;
  for (const auto &[file, contents] : sources.contents) {
    const std::string name = ("source_" + Twine(count++) + "_" + sys::path::filename(file)).str();
    if (Error error = write(name, contents))
      return error;
    json::Object *node = &tree;
    std::vector<std::string> parts(sys::path::begin(file), sys::path::end(file));
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      json::Value &child = (*node)[json::fixUTF8(parts[i])];
      if (!child.getAsObject())
        child = json::Object();
      node = child.getAsObject();
    }
    (*node)[json::fixUTF8(parts.back())] = json::fixUTF8(name);
  }
  std::string text;
  raw_string_ostream(text) << json::Value(std::move(tree));
  return write("snapshots.json", text);
}

void Writer::writeTable() {
  table->write("CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n");
  table->write(formatv("{0},{1},{2},0,0,0,0,{3}\n", codeObjectId, info.entryAddress, csvText("; " + info.kernel),
                       csvText(kernelName()))
                   .str());
  for (size_t i = 0; i < lines.size(); ++i)
    table->write(formatv("{0},{1},{2},{3},{4},{5},{6},{7}\n", codeObjectId, info.code[i].address,
                         csvText(info.code[i].text), lines[i].hits, lines[i].latency, lines[i].stall, lines[i].idle,
                         csvText(info.code[i].source))
                     .str());
}

Error Writer::commit() {
  if (failure)
    return makeError("cannot write '" + directory +
                     "': " + std::error_code(failure, std::generic_category()).message());
  for (Error (Writer::*part)() : {&Writer::writeNames, &Writer::writeCode, &Writer::writeOccupancy,
                                  &Writer::writeRealtime, &Writer::writeSources})
    if (Error error = (this->*part)())
      return error;
  writeTable();
  if (Error error = table->commit())
    return error;
  return output.commit();
}

} // namespace

Expected<std::unique_ptr<ViewerDirectory>> ViewerDirectory::create(StringRef directory, const ViewerOptions &options) {
  const std::string suffix = formatv("ui_output_agent_{0}_dispatch_{1}", options.agent, options.dispatch).str();
  Expected<OutputDirectory> output = OutputDirectory::create((directory + "/" + suffix).str());
  if (!output)
    return output.takeError();
  const std::string tablePath = (directory + "/stats_" + suffix + ".csv").str();
  // The table is as much the profiler's own as the directory, and has no mark.
  if (sys::fs::is_regular_file(tablePath) && !sys::fs::exists(directory + "/" + suffix + "/" + OutputDirectory::marker))
    return makeError("cannot write '" + tablePath +
                     "': Inflight didn't write what is there: remove it, or write elsewhere");
  Expected<std::unique_ptr<OutputFile>> table = OutputFile::create(tablePath);
  if (!table)
    return table.takeError();
  auto result = std::make_unique<Writer>(directory, options, std::move(*output), std::move(*table));
  result->folderName = suffix;
  return std::move(result);
}

} // namespace inflight::trace
