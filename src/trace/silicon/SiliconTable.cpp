#include "support/Diagnostics.h"
#include "support/Printable.h"
#include "trace/silicon/SiliconTrace.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>

using namespace llvm;

namespace inflight::trace {

namespace {

constexpr StringLiteral heading = "line,addr,text,hits_per_wave,delta_min,delta_p50,delta_p90,delta_mean,stall_mean";
enum Field { Line, Address, Text, Hits, DeltaMin, DeltaP50, DeltaP90, DeltaMean, StallMean, Fields };

/// A row's fields; none where a quote isn't closed.
std::optional<SmallVector<std::string, Fields>> split(StringRef row) {
  SmallVector<std::string, Fields> fields(1);
  bool isQuoted = false;
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '"' && isQuoted && i + 1 < row.size() && row[i + 1] == '"')
      fields.back() += row[++i];
    else if (row[i] == '"')
      isQuoted = !isQuoted;
    else if (row[i] == ',' && !isQuoted)
      fields.emplace_back();
    else
      fields.back() += row[i];
  }
  return isQuoted ? std::nullopt : std::optional(std::move(fields));
}

/// Reads a number that isn't negative.
Expected<double> numberOf(StringRef text, StringRef column, const SourceLocation &place) {
  constexpr double most = 1e12;
  double value;
  if (text.empty() || text.getAsDouble(value) || !(value >= 0 && value <= most))
    return errorAt(place, "'" + printable(text) + "' is no number for " + column);
  return value;
}

class Table {
public:
  Table(StringRef path) : path(path.str()) { kernel.isTable = true; }
  Error row(StringRef text, unsigned number);
  Error end(const SourceLocation &place, ArrayRef<std::string> fields);
  Expected<SiliconTrace> finish();

private:
  std::string path;
  SiliconKernel kernel;
  bool hasEnd = false;
};

} // namespace

Error Table::end(const SourceLocation &place, ArrayRef<std::string> fields) {
  Expected<double> cycles = numberOf(fields[DeltaMean], "delta_mean", place);
  if (!cycles)
    return cycles.takeError();
  kernel.endCycles = *cycles;
  kernel.cycles += *cycles;
  hasEnd = true;
  return Error::success();
}

Error Table::row(StringRef text, unsigned number) {
  const SourceLocation place{path, number};
  const std::optional<SmallVector<std::string, Fields>> fields = split(text);
  if (!fields || fields->size() != Fields)
    return errorAt(place, fields ? Twine(fields->size()) + " columns instead of " + Twine(int(Fields))
                                 : Twine("a quote isn't closed"));
  if (hasEnd)
    return errorAt(place, "a row after that of the wave's end, which has no line");
  if ((*fields)[Line].empty())
    return end(place, *fields);
  uint64_t address;
  if (StringRef((*fields)[Address]).getAsInteger(0, address))
    return errorAt(place, "'" + printable((*fields)[Address]) + "' is no address");
  Expected<double> hits = numberOf((*fields)[Hits], "hits_per_wave", place);
  if (!hits)
    return hits.takeError();
  Expected<double> step = numberOf((*fields)[DeltaMean], "delta_mean", place);
  if (!step)
    return step.takeError();
  Expected<double> stall = numberOf((*fields)[StallMean], "stall_mean", place);
  if (!stall)
    return stall.takeError();
  if (kernel.lines.empty())
    kernel.entry = address;
  SiliconLine line{(*fields)[Text], "line " + (*fields)[Line], {*hits, *hits * *stall, *hits * *step}};
  if (!kernel.lines.try_emplace(address, std::move(line)).second)
    return errorAt(place, "the address " + (*fields)[Address] + " has a row already");
  kernel.cycles += *hits * *step;
  return Error::success();
}

Expected<SiliconTrace> Table::finish() {
  if (kernel.lines.empty())
    return makeError("'" + path + "' has no row of an instruction");
  if (!hasEnd)
    return makeError("'" + path + "' ends without the row of the wave's end, which has no line: it isn't whole");
  kernel.waves = 1;
  SiliconTrace trace;
  trace.path = path;
  trace.kernels.push_back(std::move(kernel));
  return trace;
}

Expected<SiliconTrace> readSiliconTable(StringRef path) {
  if (!sys::fs::is_regular_file(path))
    return makeError("'" + path + "' is neither a directory nor a file");
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  auto [first, rest] = StringRef(*text).split('\n');
  if (first.trim() != heading)
    return errorAt({path.str(), 1},
                   "not a table of a thread trace, nor the directory of one; a table begins with " + heading);
  Table table(path);
  for (unsigned number = 2; !rest.empty(); ++number) {
    StringRef row;
    std::tie(row, rest) = rest.split('\n');
    row = row.trim();
    if (row.empty())
      continue;
    if (Error error = table.row(row, number))
      return std::move(error);
  }
  return table.finish();
}

} // namespace inflight::trace
