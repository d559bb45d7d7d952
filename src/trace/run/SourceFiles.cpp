#include "trace/run/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace inflight::trace {

std::vector<SourcePlace> placesOf(StringRef source) {
  std::vector<SourcePlace> places;
  SmallVector<StringRef> frames;
  source.split(frames, " -> ", -1, /*KeepEmpty=*/false);
  for (StringRef frame : frames) {
    const auto [file, number] = frame.rsplit(':');
    SourcePlace place{file, 0};
    if (number.getAsInteger(10, place.line))
      place.file = frame;
    places.push_back(place);
  }
  return places;
}

std::string ownPlace(StringRef source) {
  const std::vector<SourcePlace> places = placesOf(source);
  if (places.empty())
    return "";
  const auto found = find_if(places, [](const SourcePlace &place) { return !isSystemSource(place.file); });
  const SourcePlace &place = found == places.end() ? places.front() : *found;
  return (sys::path::filename(place.file) + ":" + Twine(place.line)).str();
}

SourceFiles::SourceFiles(const events::RunInfo &info, const SourcePolicy &policy) {
  if (policy.isOff)
    return;
  std::set<StringRef> names;
  for (const events::CodeLine &line : info.code)
    for (const SourcePlace &place : placesOf(line.source))
      names.insert(place.file);
  for (StringRef name : names) {
    if (name.empty() || name == "-" || !sys::fs::is_regular_file(name))
      continue;
    const auto checksum = info.checksums.find(name.str());
    std::optional<std::string> text =
        readSource(name, checksum == info.checksums.end() ? nullptr : &checksum->second, policy);
    if (text)
      contents[name.str()] = std::move(*text);
    else
      ++leftOut;
  }
}

} // namespace inflight::trace
