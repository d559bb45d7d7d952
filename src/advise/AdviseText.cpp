#include "advise/Advise.h"

#include "support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::advise {

static StringRef nameOf(Kind kind) {
  switch (kind) {
  case Kind::Waits: return "waits";
  case Kind::Conflicts: return "bank-conflicts";
  case Kind::Occupancy: return "occupancy";
  case Kind::Wait: return "wait";
  case Kind::AllWaits: return "all-waits";
  }
  return "";
}

void print(raw_ostream &os, const Advisory &advisory, double least) {
  os << formatv("{0}  on {1}: {2:f0} cycles, {3:f2} us", printable(advisory.kernel), advisory.device, advisory.cycles,
                advisory.microseconds);
  os << " (" << range(advisory.accuracy) << ')';
  for (const PipeShare &pipe : ArrayRef(advisory.pipes).take_front(3))
    os << formatv("{0}{1} {2:f0} %", &pipe == advisory.pipes.data() ? "; busy: " : ", ", pipe.name, 100 * pipe.busy);
  os << "\n";
  os << printable(advisory.verdict.text()) << "\n\n";
  size_t shown = 0;
  std::string without;
  for (const Advice &advice : advisory.advice) {
    if (advice.gain < least) {
      without += formatv("  {0,6:f1} %  {1}\n", 100 * advice.gain, printable(advice.change)).str();
      continue;
    }
    os << formatv("{0,3}. {1,5:f1} % less time{2}: {3}\n", ++shown, 100 * advice.gain,
                  advice.isApplied ? "" : " at best", printable(advice.change));
    for (const std::string &detail : advice.details)
      os << "     " << printable(detail) << '\n';
  }
  if (!shown)
    os << "nothing that was tried gains " << formatv("{0:f1} %", 100 * least) << '\n';
  if (!without.empty())
    os << "\ntried, and not worth it:\n" << without;
}

json::Object object(const Advisory &advisory) {
  json::Array pipes, list;
  for (const PipeShare &pipe : advisory.pipes)
    pipes.push_back(json::Object{{"pipe", pipe.name}, {"busy", pipe.busy}});
  for (const Advice &advice : advisory.advice) {
    json::Object item{{"kind", nameOf(advice.kind)},
                      {"gain", advice.gain},
                      {"applied", advice.isApplied},
                      {"change", json::fixUTF8(advice.change)}};
    json::Array details;
    for (const std::string &detail : advice.details)
      details.push_back(json::fixUTF8(detail));
    item["details"] = std::move(details);
    if (advice.address) {
      item["address"] = int64_t(*advice.address);
      item["instruction"] = json::fixUTF8(advice.instruction);
      if (!advice.source.empty())
        item["source"] = json::fixUTF8(advice.source);
    }
    list.push_back(std::move(item));
  }
  return json::Object{{"kernel", json::fixUTF8(advisory.kernel)},
                      {"chip", advisory.chip},
                      {"device", advisory.device},
                      {"cycles", advisory.cycles},
                      {"microseconds", advisory.microseconds},
                      {"accuracy", events::object(advisory.accuracy)},
                      {"verdict", trace::object(advisory.verdict)},
                      {"pipes", std::move(pipes)},
                      {"advice", std::move(list)}};
}

} // namespace inflight::advise
