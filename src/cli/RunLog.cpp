#include "cli/RunLog.h"

#include "cli/CommandLine.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace inflight::cli {

static double microsecondsOf(const json::Object &launch) {
  const json::Object *time = launch.getObject("time");
  return time ? time->getNumber("microseconds").value_or(0) : 0;
}

static bool isLaunch(const json::Object &object) { return object.getString("kernel").has_value(); }

void RunLog::add(json::Object object) {
  if (const json::Array *found = object.getArray("findings"))
    findings += found->size();
  faultCount += object.getString("fault").has_value();
  if (!object.getString("call")) // that failed: nothing ran
    objects.push_back(std::move(object));
}

void RunLog::addLines(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    Expected<json::Value> value = json::parse(line);
    if (value && value->getAsObject())
      add(std::move(*value->getAsObject()));
    else
      consumeError(value.takeError());
  }
}

bool RunLog::isTimed() const {
  return any_of(objects, [](const json::Object &object) { return object.getObject("time") != nullptr; });
}

double RunLog::Total::deviation() const {
  return calls < 2 ? 0 : std::sqrt(std::max(0.0, (squares - sum * sum / double(calls)) / double(calls - 1)));
}

std::map<std::string, RunLog::Total> RunLog::totals() const {
  std::map<std::string, Total> kernels;
  const bool timed = isTimed();
  for (const json::Object &object : objects) {
    if (!isLaunch(object))
      continue;
    const double cost = timed ? microsecondsOf(object) : double(object.getInteger("instructions").value_or(0));
    Total &total = kernels[object.getString("kernel")->str()];
    total.least = total.calls ? std::min(total.least, cost) : cost;
    total.most = std::max(total.most, cost);
    ++total.calls;
    total.sum += cost;
    total.squares += cost * cost;
  }
  return kernels;
}

RunLog::Costs RunLog::byCost() const {
  Costs costs;
  for (const auto &[name, total] : totals()) {
    costs.rows.emplace_back(name, total);
    costs.all += total.sum;
  }
  llvm::stable_sort(costs.rows, [](const auto &a, const auto &b) { return a.second.sum > b.second.sum; });
  return costs;
}

/// The share of the time from the first kernel's beginning to the last one's end in which none ran.
static double idleShare(ArrayRef<json::Object> objects, double &whole) {
  std::vector<std::pair<double, double>> runs;
  for (const json::Object &object : objects)
    if (isLaunch(object)) {
      const double begin = object.getNumber("begin_us").value_or(0);
      runs.push_back({begin, begin + microsecondsOf(object)});
    }
  llvm::sort(runs);
  double busy = 0, end = runs.empty() ? 0 : runs.front().first;
  const double first = end;
  for (const auto &[begin, until] : runs) {
    busy += std::max(0.0, until - std::max(begin, end));
    end = std::max(end, until);
  }
  whole = end - first;
  return whole > 0 ? 1 - busy / whole : 0;
}

void RunLog::printTable(raw_ostream &os) const {
  const auto [rows, all] = byCost();
  const bool timed = isTimed();
  os << formatv("{0,8}  {1,14}  {2,12}  {3,12}  {4,12}  {5,7}  {6}\n", "calls", timed ? "total us" : "instructions",
                timed ? "mean us" : "mean", timed ? "min us" : "min", timed ? "max us" : "max", "share", "kernel");
  auto number = [&](double value) { return timed ? formatv("{0:F2}", value).str() : formatv("{0:F0}", value).str(); };
  for (const auto &[name, total] : rows) {
    os << formatv("{0,8}  {1,14}  {2,12}  {3,12}  {4,12}  {5,5:F1} %  {6}\n", total.calls, number(total.sum),
                  number(total.mean()), number(total.least), number(total.most), all > 0 ? total.sum / all * 100 : 0,
                  name);
  }
  double whole = 0;
  const double idle = timed ? idleShare(objects, whole) : 0;
  if (whole > 0)
    os << formatv("{0:F2} us from the first kernel to the end of the last, {1:F1} % of them without a kernel\n", whole,
                  idle * 100);
}

Error RunLog::writeCsv(StringRef path) const {
  if (!isTimed())
    return makeError(path + ": durations need --timed");
  std::string text =
      "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"\n";
  const auto [rows, all] = byCost();
  for (const auto &[name, total] : rows) {
    std::string quoted;
    for (char c : name)
      quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += formatv("\"{0}\",{1},{2:F0},{3:F6},{4:F2},{5:F0},{6:F0},{7:F6}\n", quoted, total.calls, total.sum * 1e3,
                    total.mean() * 1e3, all > 0 ? total.sum / all * 100 : 0, total.least * 1e3, total.most * 1e3,
                    total.deviation() * 1e3);
  }
  return writeFileAtomically(path, text);
}

Error RunLog::writeTimeline(StringRef path) const {
  if (!isTimed())
    return makeError(path + ": a timeline needs --timed");
  json::Array events;
  std::map<std::pair<int64_t, std::string>, int64_t> tracks;
  auto trackOf = [&](const json::Object &object, int64_t process) {
    const std::string stream = object.getString("stream").value_or("0").str();
    const auto [found, isNew] = tracks.try_emplace({process, stream}, int64_t(tracks.size() + 1));
    if (isNew)
      events.push_back(json::Object{{"ph", "M"},
                                    {"name", "thread_name"},
                                    {"pid", process},
                                    {"tid", found->second},
                                    {"args", json::Object{{"name", "stream " + stream}}}});
    return found->second;
  };
  for (const json::Object &object : objects) {
    const int64_t process = object.getInteger("process").value_or(1);
    json::Object event{
        {"pid", process}, {"tid", trackOf(object, process)}, {"ts", object.getNumber("begin_us").value_or(0)}};
    json::Object details;
    for (const char *key : {"launch", "grid", "block", "instructions", "waves", "bytes"})
      if (const json::Value *value = object.get(key))
        details[key] = *value;
    if (isLaunch(object)) {
      event["ph"] = "X";
      event["name"] = *object.getString("kernel");
      event["dur"] = microsecondsOf(object);
      if (const json::Object *time = object.getObject("time"))
        for (const auto &[key, value] : *time)
          details[key] = value;
    } else {
      event["ph"] = "i";
      event["s"] = "t";
      event["name"] = object.getString("copy").value_or("copy").str();
    }
    event["args"] = std::move(details);
    events.push_back(std::move(event));
  }
  std::string text;
  raw_string_ostream(text) << json::Value(json::Object{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}})
                           << '\n';
  return writeFileAtomically(path, text);
}

Error concludeLog(const Arguments &arguments, const RunLog &log) {
  if (arguments.has("stats"))
    log.printTable(errs());
  if (arguments.has("csv"))
    if (Error error = log.writeCsv(arguments.get("csv")))
      return error;
  return arguments.has("timeline") ? log.writeTimeline(arguments.get("timeline")) : Error::success();
}

} // namespace inflight::cli
