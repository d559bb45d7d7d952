#include "trace/silicon/SiliconTrace.h"

#include "support/Diagnostics.h"
#include "support/Printable.h"
#include "support/files/JsonFile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inflight::trace {

namespace {

/// The viewer's category of s_waitcnt, s_nop and s_barrier.
constexpr int64_t immediate = 9;
/// The longest stall that it reads.
constexpr int64_t longestStall = 32767;
/// Sums of times stay exact.
constexpr int64_t latestTime = int64_t(1) << 48;

class Reader {
public:
  explicit Reader(StringRef directory) : directory(directory.str()) { trace.path = this->directory; }
  Expected<SiliconTrace> read();

private:
  struct Row {
    uint64_t object = 0, address = 0;
  };
  using Place = std::pair<uint64_t, uint64_t>; ///< code object, address

  std::string pathOf(StringRef name) const {
    SmallString<128> path(directory);
    sys::path::append(path, name);
    return std::string(path);
  }
  Expected<json::Value> parse(StringRef name);
  Expected<json::Value> parseOptional(StringRef name, bool &isThere);
  Error error(StringRef name, const Twine &what) const { return makeError("'" + pathOf(name) + "': " + what); }

  Error readCode();
  Error readRow(const json::Array &row, size_t number);
  Error readWaves(const json::Object &names);
  Error readWaves(const json::Value &level, unsigned depth);
  Error readWave(StringRef name);
  struct Wave {
    uint64_t begin = 0, end = 0;
    uint64_t issued = 0; ///< of its last instruction so far
    uint64_t object = 0; ///< the kernel's
    SiliconKernel *kernel = nullptr;
  };
  Error readInstruction(StringRef name, const json::Value &value, size_t number, Wave &wave);
  Error readOccupancy();
  Error readEngine(StringRef engine, const json::Array &rows);
  Error readRealtime();

  std::string directory;
  SiliconTrace trace;
  DenseMap<int64_t, Row> rows; ///< by the number that waves refer to
  std::map<Place, SiliconLine> code;
  std::map<Place, std::string> kernelNames; ///< by entry
  std::map<Place, SiliconKernel> kernels;   ///< likewise
};

/// A whole number from 0 up, or none.
std::optional<uint64_t> natural(const json::Value &value) {
  std::optional<int64_t> number = value.getAsInteger();
  return number && *number >= 0 && *number <= latestTime ? std::optional<uint64_t>(*number) : std::nullopt;
}

Error checkIsFile(const Twine &path) {
  if (!sys::fs::exists(path))
    return makeError("'" + path + "' is missing");
  return sys::fs::is_regular_file(path) ? Error::success() : makeError("'" + path + "' is no file");
}

} // namespace

Expected<json::Value> Reader::parse(StringRef name) {
  const std::string path = pathOf(name);
  if (Error error = checkIsFile(path))
    return std::move(error);
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  return parseJson(*text, path);
}

Expected<json::Value> Reader::parseOptional(StringRef name, bool &isThere) {
  isThere = sys::fs::exists(pathOf(name));
  return isThere ? parse(name) : Expected<json::Value>(nullptr);
}

/// ["text", 0, number, "source", code object, address, hits, ...]
Error Reader::readRow(const json::Array &row, size_t number) {
  const auto wrong = [&](const Twine &what) { return error("code.json", "row " + Twine(number) + " " + what); };
  constexpr size_t leastColumns = 6;
  if (row.size() < leastColumns)
    return wrong("has " + Twine(row.size()) + " columns instead of " + Twine(leastColumns) + " or more");
  const std::optional<StringRef> text = row[0].getAsString();
  const std::optional<int64_t> line = row[2].getAsInteger();
  const std::optional<uint64_t> object = natural(row[4]), address = natural(row[5]);
  if (!text || !line || !object || !address)
    return wrong("has no text, line number, code object and address");
  const Place place(*object, *address);
  if (text->starts_with(";")) {
    kernelNames.try_emplace(place, text->drop_front().trim().str());
    return Error::success();
  }
  // The map keeps two keys for itself.
  if (*line < 0 || *line > latestTime)
    return wrong("has the line number " + Twine(*line));
  if (!rows.try_emplace(*line, Row{*object, *address}).second)
    return wrong("has the line number " + Twine(*line) + " of another row");
  code[place] = {text->str(), ("code.json: line " + Twine(*line)).str(), {}};
  return Error::success();
}

Error Reader::readCode() {
  Expected<json::Value> document = parse("code.json");
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  const json::Array *list = object ? object->getArray("code") : nullptr;
  if (!list)
    return error("code.json", "has no list \"code\"");
  for (size_t i = 0; i < list->size(); ++i) {
    const json::Array *row = (*list)[i].getAsArray();
    if (!row)
      return error("code.json", "row " + Twine(i) + " is no list");
    if (Error error = readRow(*row, i))
      return error;
  }
  return Error::success();
}

/// [time, category, stall, duration, line]
Error Reader::readInstruction(StringRef name, const json::Value &value, size_t number, Wave &wave) {
  const auto wrong = [&](const Twine &what) { return error(name, "instruction " + Twine(number) + " " + what); };
  enum { Time, Category, Stall, Duration, Line, Count };
  const json::Array *list = value.getAsArray();
  if (!list || list->size() < Count)
    return wrong("isn't a list of " + Twine(int(Count)) + " numbers");
  std::array<int64_t, Count> field;
  for (size_t i = 0; i < Count; ++i) {
    const std::optional<uint64_t> one = natural((*list)[i]);
    if (!one)
      return wrong("has no whole number from 0 up as its field " + Twine(i));
    field[i] = int64_t(*one);
  }
  const auto row = rows.find(field[Line]);
  if (row == rows.end())
    return wrong("refers to line " + Twine(field[Line]) + ", which code.json doesn't have");
  const Place place(row->second.object, row->second.address);
  if (number == 0) {
    if (!kernelNames.count(place)) {
      ++trace.foreignWaves;
      return Error::success();
    }
    wave.kernel = &kernels[place];
    wave.object = place.first;
  }
  if (place.first != wave.object)
    return wrong("is of another code object than its kernel");
  trace.cutStalls += field[Stall] == longestStall;
  const uint64_t stall = field[Category] == immediate ? std::max(field[Stall], field[Duration]) : field[Stall];
  const uint64_t issued = field[Time] + stall;
  if (issued < wave.issued)
    return wrong("issues at " + Twine(issued) + ", before the one ahead of it, at " + Twine(wave.issued));
  if (issued > wave.end)
    return wrong("issues at " + Twine(issued) + ", after its wave's end at " + Twine(wave.end));
  SiliconLine &line = wave.kernel->lines[place.second];
  ++line.sums.hits;
  line.sums.stall += double(stall);
  line.sums.step += double(issued - wave.issued);
  wave.issued = issued;
  return Error::success();
}

Error Reader::readWave(StringRef name) {
  if (sys::path::filename(name) != name)
    return error("filenames.json", "names '" + printable(name) + "', which is no file beside it");
  Expected<json::Value> document = parse(name);
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  const json::Object *wave = object ? object->getObject("wave") : nullptr;
  const json::Array *list = wave ? wave->getArray("instructions") : nullptr;
  if (!list)
    return error(name, "has no list \"instructions\" in an object \"wave\"");
  const json::Value *begin = wave->get("begin"), *end = wave->get("end");
  const std::optional<uint64_t> beginTime = begin ? natural(*begin) : std::nullopt,
                                endTime = end ? natural(*end) : std::nullopt;
  if (!beginTime || !endTime || *endTime < *beginTime)
    return error(name, "has no \"begin\" and, after it, \"end\"");
  Wave read = {*beginTime, *endTime, *beginTime};
  for (size_t i = 0; i < list->size() && (i == 0 || read.kernel); ++i)
    if (Error error = readInstruction(name, (*list)[i], i, read))
      return error;
  if (!read.kernel)
    return Error::success();
  SiliconKernel &kernel = *read.kernel;
  ++kernel.waves;
  kernel.durations.push_back(read.end - read.begin);
  kernel.ends.push_back(read.end - read.issued);
  kernel.cycles += double(read.end - read.begin);
  kernel.endCycles += double(read.end - read.issued);
  return Error::success();
}

/// Objects by engine, SIMD, slot and number, then ["file", begin, end].
Error Reader::readWaves(const json::Value &level, unsigned depth) {
  constexpr unsigned levels = 4;
  if (depth == levels) {
    const json::Array *entry = level.getAsArray();
    const std::optional<StringRef> name = entry && !entry->empty() ? (*entry)[0].getAsString() : std::nullopt;
    return name ? readWave(*name)
                : error("filenames.json", "has an entry in \"wave_filenames\" that isn't [\"file\", begin, end]");
  }
  const json::Object *object = level.getAsObject();
  if (!object)
    return error("filenames.json", "\"wave_filenames\" isn't nested by engine, SIMD, slot and wave");
  for (const auto &entry : *object)
    if (Error error = readWaves(entry.second, depth + 1))
      return error;
  return Error::success();
}

Error Reader::readWaves(const json::Object &names) {
  const json::Value *waves = names.get("wave_filenames");
  if (!waves)
    return error("filenames.json", "has no \"wave_filenames\"");
  if (Error error = readWaves(*waves, 0))
    return error;
  if (kernels.empty())
    return error("filenames.json", "names no wave that begins at a kernel of code.json");
  return Error::success();
}

/// [[time, CU, SIMD, slot, starts, kernel], ...]
Error Reader::readEngine(StringRef engine, const json::Array &list) {
  uint64_t first = ~uint64_t(0), last = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const json::Array *row = list[i].getAsArray();
    constexpr size_t columns = 6, starts = 4;
    if (row && row->size() < columns)
      continue; // as the viewer does
    const std::optional<uint64_t> time = row ? natural((*row)[0]) : std::nullopt,
                                  isStart = row ? natural((*row)[starts]) : std::nullopt;
    if (!time || !isStart)
      return error("occupancy.json", "row " + Twine(i) + " of \"" + printable(engine) + "\" isn't a list of numbers");
    if (*isStart)
      first = std::min(first, *time);
    else
      last = std::max(last, *time);
  }
  if (last > first)
    trace.span = std::max(trace.span.value_or(0), last - first);
  return Error::success();
}

Error Reader::readOccupancy() {
  bool isThere = false;
  Expected<json::Value> document = parseOptional("occupancy.json", isThere);
  if (!document)
    return document.takeError();
  if (!isThere)
    return Error::success();
  const json::Object *object = document->getAsObject();
  if (!object)
    return error("occupancy.json", "is no object");
  unsigned number;
  for (const auto &[key, value] : *object)
    if (const json::Array *rows = value.getAsArray(); rows && !StringRef(key).getAsInteger(10, number))
      if (Error error = readEngine(key, *rows))
        return error;
  return Error::success();
}

/// {"SE0": [[shader clock, realtime clock], ...], "metadata": {"frequency": of the latter}}
Error Reader::readRealtime() {
  bool isThere = false;
  Expected<json::Value> document = parseOptional("realtime.json", isThere);
  if (!document)
    return document.takeError();
  if (!isThere)
    return Error::success();
  const json::Object *object = document->getAsObject();
  const json::Object *metadata = object ? object->getObject("metadata") : nullptr;
  const std::optional<double> frequency = metadata ? metadata->getNumber("frequency") : std::nullopt;
  if (!frequency || !(*frequency > 0))
    return error("realtime.json", "has no \"frequency\" in an object \"metadata\"");
  for (const auto &[key, value] : *object) {
    const json::Array *pairs = value.getAsArray();
    if (!pairs || pairs->size() < 2)
      continue;
    const json::Array *from = pairs->front().getAsArray(), *to = pairs->back().getAsArray();
    if (!from || !to || from->size() < 2 || to->size() < 2)
      return error("realtime.json", "\"" + printable(key) + "\" isn't a list of pairs of clocks");
    const std::optional<double> cycles0 = (*from)[0].getAsNumber(), cycles1 = (*to)[0].getAsNumber();
    const std::optional<double> ticks0 = (*from)[1].getAsNumber(), ticks1 = (*to)[1].getAsNumber();
    if (!cycles0 || !cycles1 || !ticks0 || !ticks1)
      return error("realtime.json", "\"" + printable(key) + "\" isn't a list of pairs of clocks");
    const double clock = (*cycles1 - *cycles0) / (*ticks1 - *ticks0) * *frequency * 1e-6;
    constexpr double slowest = 1, fastest = 1e5; // of what may be a clock in MHz
    if (clock >= slowest && clock <= fastest && !trace.clockMHz)
      trace.clockMHz = clock;
  }
  return Error::success();
}

Expected<SiliconTrace> Reader::read() {
  Expected<json::Value> document = parse("filenames.json");
  if (!document)
    return document.takeError();
  const json::Object *names = document->getAsObject();
  if (!names)
    return error("filenames.json", "is no object");
  const std::optional<int64_t> generation = names->getInteger("gfxip");
  const std::optional<StringRef> family = names->getString("gfxv");
  if ((generation && *generation != 9) || family == StringRef("navi"))
    return error("filenames.json", "is a trace of gfx" + (generation ? Twine(*generation) : Twine("10 or later")) +
                                       ", not of gfx90a, gfx942 or gfx950");
  if (Error error = readCode())
    return std::move(error);
  if (Error error = readWaves(*names))
    return std::move(error);
  if (Error error = readOccupancy())
    return std::move(error);
  if (Error error = readRealtime())
    return std::move(error);
  for (auto &[entry, kernel] : kernels) {
    kernel.name = kernelNames[entry];
    kernel.entry = entry.second;
    llvm::sort(kernel.durations);
    llvm::sort(kernel.ends);
    // All lines of its code object: functions that it calls may stand before it.
    for (auto line = code.lower_bound({entry.first, 0}); line != code.end() && line->first.first == entry.first;
         ++line) {
      SiliconLine &to = kernel.lines[line->first.second];
      to.text = line->second.text;
      to.place = line->second.place;
    }
    trace.kernels.push_back(std::move(kernel));
  }
  return std::move(trace);
}

Expected<const SiliconKernel *> SiliconTrace::kernel(StringRef name) const {
  for (const SiliconKernel &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  if (kernels.size() == 1)
    return &kernels.front();
  std::string known;
  for (const SiliconKernel &kernel : kernels)
    known += (known.empty() ? "" : ", ") + printable(kernel.name);
  return makeError("'" + path + "' has no kernel '" + printable(name) + "'; it has " + known);
}

Expected<SiliconTrace> readSiliconTrace(StringRef path) {
  if (!sys::fs::exists(path))
    return makeError("'" + path + "' is missing");
  if (!sys::fs::is_directory(path))
    return readSiliconTable(path);
  SmallString<128> names(path);
  sys::path::append(names, "filenames.json");
  if (sys::fs::exists(names))
    return Reader(path).read();
  std::vector<std::string> inner;
  std::error_code failure;
  for (sys::fs::directory_iterator entry(path, failure), end; !failure && entry != end; entry.increment(failure)) {
    names = entry->path();
    sys::path::append(names, "filenames.json");
    if (sys::fs::exists(names))
      inner.push_back(entry->path());
  }
  if (failure)
    return makeError("cannot read '" + path + "': " + failure.message());
  llvm::sort(inner);
  if (inner.size() == 1)
    return Reader(inner.front()).read();
  if (inner.empty())
    return makeError("'" + path + "' has no filenames.json: it isn't a directory of ROCprof Compute Viewer");
  return makeError("'" + path + "' has several traces, give one of them: " + join(inner, ", "));
}

} // namespace inflight::trace
