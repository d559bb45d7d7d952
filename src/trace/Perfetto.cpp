#include "trace/Perfetto.h"

#include "support/OutputFile.h"
#include "trace/run/JsonText.h"
#include "trace/run/LiveWaves.h"
#include "trace/run/OpenOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <queue>
#include <set>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

namespace {

constexpr size_t maxEventBytes = 4096, maxTextBytes = 150;
constexpr uint64_t windowCycles = 1024; ///< that a pipe's utilisation is an average of

class Writer final : public PerfettoTrace {
public:
  explicit Writer(std::unique_ptr<OutputFile> file) : file(std::move(file)) {}

  void start(const RunInfo &info) override;
  void waveBegin(const WaveBegin &record) override;
  void instruction(const Instruction &record) override;
  void operation(const Operation &record) override;
  void wait(const Wait &record) override;
  void waveEnd(const WaveEnd &record) override;
  void finish(const Summary &summary) override;
  Error commit() override { return file->commit(); }
  uint64_t bytes() const override { return file->size(); }

private:
  struct Return {
    uint64_t time;
    uint8_t counters;
    bool operator>(const Return &other) const { return time > other.time; }
  };
  struct Cu {
    std::priority_queue<Return, std::vector<Return>, std::greater<>> returns;
    std::array<unsigned, events::maxCounters> inFlight = {};
    unsigned waves = 0;
    std::deque<std::array<uint64_t, size_t(Pipe::Count)>> windows;
    uint64_t firstWindow = 0;
    std::array<uint64_t, size_t(Pipe::Count)> last = {}; ///< busy cycles in the last window that was written
    std::vector<uint64_t> pipeEnd;                       ///< by SIMD and pipe; the shared pipes are SIMD 0's
    std::set<uint32_t> named;                            ///< tracks of wave slots
  };
  struct Wave {
    uint64_t done = 0;
    uint64_t waitSlice = 0; ///< where its last instruction waited for operations, or issued
    uint32_t process = 0, track = 0;
    uint16_t cu = 0;
    uint8_t simd = 0;
    OpenOperations operations;
  };

  // Track numbers; Perfetto sorts by them.
  static constexpr uint32_t slotsOfSimd = 64;
  static uint32_t waveProcess(unsigned cu) { return 2 * cu + 1; }
  static uint32_t pipeProcess(unsigned cu) { return 2 * cu + 2; }
  static uint32_t pipeTrack(Pipe pipe, unsigned simd) { return uint32_t(pipe) * slotsOfSimd + simd + 1; }
  static bool isOfSimd(Pipe pipe) { return pipe == Pipe::Valu || pipe == Pipe::Matrix; }

  char *event(char kind, uint32_t process, uint32_t track, uint64_t time);
  char *putTime(char *at, uint64_t cycles);
  void end(char *at) { file->advanceTo(put(at, "}")); }
  void slice(uint32_t process, uint32_t track, uint64_t begin, uint64_t cycles, StringRef nameAndArguments);
  void counter(unsigned cu, uint64_t time, StringRef name, StringRef unit, uint64_t value);
  void metadata(StringRef what, uint32_t process, uint32_t track, StringRef name);
  void order(uint32_t process, uint32_t track);
  void pipeBusy(Cu &cu, unsigned number, Pipe pipe, unsigned simd, uint64_t begin, uint64_t end, uint32_t line);
  void advance(Cu &cu, unsigned number, uint64_t time);
  void writeWindow(Cu &cu, unsigned number);
  Cu &cuOf(unsigned number);

  std::unique_ptr<OutputFile> file;
  RunInfo info;
  std::vector<std::string> lineTexts, pipeTexts; ///< by line: name, category and arguments
  std::array<std::string, size_t(Stall::Count)> stallTexts;
  LiveWaves<Wave> waves;
  std::deque<Cu> cus;
  uint64_t flows = 0;
  bool first = true;
};

/// A cycle is a thousandth of the format's microsecond.
char *Writer::putTime(char *at, uint64_t cycles) {
  at = put(at, cycles / 1000);
  const unsigned rest = unsigned(cycles % 1000);
  *at++ = '.';
  *at++ = char('0' + rest / 100);
  *at++ = char('0' + rest / 10 % 10);
  *at++ = char('0' + rest % 10);
  return at;
}

inline char *Writer::event(char kind, uint32_t process, uint32_t track, uint64_t time) {
  char *at = file->reserve(maxEventBytes);
  at = put(at, first ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
  first = false;
  *at++ = kind;
  at = put(at, "\",\"pid\":");
  at = put(at, process);
  at = put(at, ",\"tid\":");
  at = put(at, track);
  at = put(at, ",\"ts\":");
  return putTime(at, time);
}

inline void Writer::slice(uint32_t process, uint32_t track, uint64_t begin, uint64_t cycles,
                          StringRef nameAndArguments) {
  char *at = event('X', process, track, begin);
  at = put(at, ",\"dur\":");
  at = putTime(at, cycles);
  end(put(at, nameAndArguments));
}

void Writer::counter(unsigned cu, uint64_t time, StringRef name, StringRef unit, uint64_t value) {
  char *at = event('C', waveProcess(cu), 0, time);
  at = put(at, ",\"name\":\"");
  at = put(at, name);
  at = put(at, "\",\"args\":{\"");
  at = put(at, unit);
  at = put(at, "\":");
  at = put(at, value);
  end(put(at, "}"));
}

void Writer::metadata(StringRef what, uint32_t process, uint32_t track, StringRef name) {
  char *at = event('M', process, track, 0);
  at = put(at, ",\"name\":\"");
  at = put(at, what);
  at = put(at, "\",\"args\":{\"name\":");
  at = put(at, jsonString(name.take_front(maxTextBytes)));
  end(put(at, "}"));
}

void Writer::order(uint32_t process, uint32_t track) {
  char *at = event('M', process, track, 0);
  at = put(at, track ? ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":"
                     : ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":");
  at = put(at, uint64_t(track ? track : process));
  end(put(at, "}"));
}

void Writer::start(const RunInfo &given) {
  info = given;
  file->write(
      R"({"displayTimeUnit":"ns","otherData":{"producer":"inflight","time":"a cycle is shown as 1 ns","kernel":)" +
      jsonString(info.demangled.empty() ? info.kernel : info.demangled) + ",\"chip\":" + jsonString(info.chip) +
      ",\"device\":" + jsonString(info.device) + formatv(",\"clockMHz\":{0:f0}", info.clockMHz).str() +
      "},\"traceEvents\":[");
  for (const CodeLine &line : info.code) {
    std::string arguments = formatv(",\"args\":{{\"address\":\"{0:x}\"", line.address).str();
    if (!line.source.empty())
      arguments += ",\"source\":" + jsonString(StringRef(line.source).take_front(maxTextBytes));
    std::string text = jsonString(StringRef(line.text).take_front(maxTextBytes));
    lineTexts.push_back((",\"cat\":\"" + name(line.category) + "\",\"name\":" + text + arguments + "}").str());
    pipeTexts.push_back((",\"cat\":\"" + name(line.category) + "\",\"name\":" +
                         jsonString(StringRef(line.text).split(' ').first.take_front(maxTextBytes)) + arguments + "}")
                            .str());
  }
  for (size_t i = 0; i < stallTexts.size(); ++i)
    stallTexts[i] = (",\"cat\":\"stall\",\"name\":\"" + name(Stall(i)) + "\"").str();
}

Writer::Cu &Writer::cuOf(unsigned number) {
  while (number >= cus.size()) {
    const unsigned cu = unsigned(cus.size());
    cus.emplace_back();
    metadata("process_name", waveProcess(cu), 0, formatv("CU {0}: waves", cu).str());
    order(waveProcess(cu), 0);
    metadata("process_name", pipeProcess(cu), 0, formatv("CU {0}: pipes", cu).str());
    order(pipeProcess(cu), 0);
    for (unsigned i = 1; i < unsigned(Pipe::Count); ++i) {
      const Pipe pipe = Pipe(i);
      for (unsigned simd = 0; simd < (isOfSimd(pipe) ? std::min(info.simds, slotsOfSimd) : 1); ++simd) {
        metadata("thread_name", pipeProcess(cu), pipeTrack(pipe, simd),
                 isOfSimd(pipe) ? formatv("{0} of SIMD {1}", name(pipe), simd).str() : name(pipe).str());
        order(pipeProcess(cu), pipeTrack(pipe, simd));
      }
    }
  }
  return cus[number];
}

void Writer::waveBegin(const WaveBegin &record) {
  Cu &cu = cuOf(record.cu);
  Wave &wave = waves.begin(record.wave);
  wave.cu = record.cu;
  wave.simd = record.simd;
  wave.done = record.time;
  wave.process = waveProcess(record.cu);
  const unsigned place = record.simd * 256u + record.slot;
  wave.track = place + 1;
  if (cu.named.insert(place).second) {
    metadata("thread_name", wave.process, wave.track, formatv("SIMD {0}, slot {1}", record.simd, record.slot).str());
    order(wave.process, wave.track);
  }
  char *at = event('B', wave.process, wave.track, record.time);
  at = put(at, ",\"name\":\"wave ");
  at = put(at, uint64_t(record.wave));
  at = put(at, "\",\"args\":{\"workgroup\":");
  at = put(at, uint64_t(record.workgroup));
  at = put(at, ",\"number in it\":");
  at = put(at, uint64_t(record.numberInGroup));
  end(put(at, "}"));
  counter(record.cu, record.time, "waves", "resident", ++cu.waves);
}

void Writer::instruction(const Instruction &record) {
  Wave &wave = waves[record.wave];
  Cu &cu = cus[wave.cu];
  advance(cu, wave.cu, record.issued);
  uint64_t time = record.arrived;
  for (size_t i = 0; i < record.stalls.size(); ++i) {
    if (!record.stalls[i])
      continue;
    slice(wave.process, wave.track, time, record.stalls[i], stallTexts[i]);
    time += record.stalls[i];
  }
  slice(wave.process, wave.track, record.issued, record.issue, lineTexts[record.line]);
  wave.done = record.issued + record.issue;
  wave.waitSlice = record.stalls[size_t(Stall::Waitcnt)] ? beginOf(Stall::Waitcnt, record) : record.issued;
  if (record.busy && record.pipe != Pipe::None)
    pipeBusy(cu, wave.cu, record.pipe, wave.simd, record.issued, record.issued + record.busy, record.line);
}

void Writer::pipeBusy(Cu &cu, unsigned number, Pipe pipe, unsigned simd, uint64_t begin, uint64_t end, uint32_t line) {
  // Slices of a track mustn't overlap; where a pipe works on two at a time the second shows for what is left of it.
  const unsigned unit = isOfSimd(pipe) ? simd : 0;
  const size_t place = unit * size_t(Pipe::Count) + size_t(pipe);
  if (place >= cu.pipeEnd.size())
    cu.pipeEnd.resize(place + 1);
  uint64_t &last = cu.pipeEnd[place];
  begin = std::max(begin, last);
  if (end <= begin)
    return;
  last = end;
  slice(pipeProcess(number), pipeTrack(pipe, unit), begin, end - begin, pipeTexts[line]);
  // Work that lies very far ahead is damage of a file.
  constexpr uint64_t mostWindows = 1 << 16;
  end = std::min(end, (cu.firstWindow + mostWindows) * windowCycles);
  for (uint64_t window = std::max(begin / windowCycles, cu.firstWindow); begin < end; ++window) {
    const uint64_t until = std::min(end, (window + 1) * windowCycles);
    if (window - cu.firstWindow >= cu.windows.size())
      cu.windows.resize(window - cu.firstWindow + 1);
    cu.windows[window - cu.firstWindow][size_t(pipe)] += until - std::min(begin, until);
    begin = std::max(begin, until);
  }
}

/// Nothing of this CU will happen before `time`: what its counters were until then is known.
void Writer::advance(Cu &cu, unsigned number, uint64_t time) {
  while (!cu.returns.empty() && cu.returns.top().time <= time) {
    const uint64_t now = cu.returns.top().time;
    const auto before = cu.inFlight;
    for (; !cu.returns.empty() && cu.returns.top().time == now; cu.returns.pop())
      for (unsigned i = 0; i < info.counters.size(); ++i)
        cu.inFlight[i] -= cu.returns.top().counters >> i & 1;
    for (unsigned i = 0; i < info.counters.size(); ++i)
      if (cu.inFlight[i] != before[i])
        counter(number, now, info.counters[i], "in flight", cu.inFlight[i]);
  }
  while ((cu.firstWindow + 1) * windowCycles <= time) {
    if (cu.windows.empty() && cu.last == std::array<uint64_t, size_t(Pipe::Count)>()) {
      cu.firstWindow = time / windowCycles; // idle all the while
      break;
    }
    writeWindow(cu, number);
  }
}

void Writer::writeWindow(Cu &cu, unsigned number) {
  std::array<uint64_t, size_t(Pipe::Count)> busy = {};
  if (!cu.windows.empty()) {
    busy = cu.windows.front();
    cu.windows.pop_front();
  }
  for (unsigned i = 1; i < busy.size(); ++i) {
    if (busy[i] == cu.last[i])
      continue;
    const uint64_t units = isOfSimd(Pipe(i)) ? std::max(1u, info.simds) : 1;
    counter(number, cu.firstWindow * windowCycles, (name(Pipe(i)) + " busy").str(), "%",
            100 * busy[i] / (windowCycles * units));
  }
  cu.last = busy;
  ++cu.firstWindow;
}

void Writer::operation(const Operation &record) {
  Wave &wave = waves[record.wave];
  Cu &cu = cus[wave.cu];
  wave.operations.add(record);
  if (record.pipe != Pipe::None)
    pipeBusy(cu, wave.cu, record.pipe, wave.simd, record.begin, record.end, record.line);
  if (!record.counters)
    return;
  cu.returns.push({record.returned, record.counters});
  for (unsigned i = 0; i < info.counters.size(); ++i)
    if (record.counters >> i & 1)
      counter(wave.cu, record.issued, info.counters[i], "in flight", ++cu.inFlight[i]);
}

void Writer::wait(const Wait &record) {
  Wave &wave = waves[record.wave];
  for (uint32_t number : record.operations) {
    const OpenOperation *operation = wave.operations.find(number);
    if (!operation)
      continue;
    ++flows;
    for (bool isEnd : {false, true}) {
      char *at = event(isEnd ? 'f' : 's', wave.process, wave.track, isEnd ? wave.waitSlice : operation->issued);
      at = put(at, ",\"cat\":\"wait\",\"name\":\"waited for\",\"id\":");
      at = put(at, flows);
      end(isEnd ? put(at, ",\"bp\":\"e\"") : at);
    }
  }
}

void Writer::waveEnd(const WaveEnd &record) {
  Wave &wave = waves[record.wave];
  end(event('E', wave.process, wave.track, record.time));
  Cu &cu = cus[wave.cu];
  counter(wave.cu, record.time, "waves", "resident", --cu.waves);
  waves.end(record.wave);
}

void Writer::finish(const Summary &summary) {
  waves.forEach(
      [&](uint32_t, Wave &wave) { end(event('E', wave.process, wave.track, std::max(wave.done, summary.cycles))); });
  for (unsigned i = 0; i < cus.size(); ++i) {
    if (cus[i].waves)
      counter(i, summary.cycles, "waves", "resident", 0);
    advance(cus[i], i, summary.cycles);
    while (!cus[i].windows.empty())
      writeWindow(cus[i], i);
    writeWindow(cus[i], i); // back to nothing
  }
  file->write("\n]}\n");
}

} // namespace

Expected<std::unique_ptr<PerfettoTrace>> PerfettoTrace::create(StringRef path) {
  Expected<std::unique_ptr<OutputFile>> file =
      OutputFile::create(path, path.ends_with(".gz") ? OutputFile::Compression::Gzip : OutputFile::Compression::None);
  if (!file)
    return file.takeError();
  return std::make_unique<Writer>(std::move(*file));
}

} // namespace inflight::trace
