#include "trace/SourceFiles.h"

#include "support/Diagnostics.h"
#include "support/SourceText.h"
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
  const auto found = find_if(places, [](const SourcePlace &place) { return !place.file.contains("/include/"); });
  const SourcePlace &place = found == places.end() ? places.front() : *found;
  return (sys::path::filename(place.file) + ":" + Twine(place.line)).str();
}

static bool isBelow(StringRef path, StringRef directory) {
  return path.consume_front(directory) && (path.starts_with("/") || directory.ends_with("/"));
}

/// Whether a file may be shown whatever it contains.
static bool isMeant(StringRef real, const SourcePolicy &policy) {
  SmallString<128> directory;
  return !policy.directory.empty() && !sys::fs::real_path(policy.directory, directory) && isBelow(real, directory);
}

SourceFiles::SourceFiles(const events::RunInfo &info, const SourcePolicy &policy) {
  if (policy.isOff)
    return;
  std::set<StringRef> names;
  for (const events::CodeLine &line : info.code)
    for (const SourcePlace &place : placesOf(line.source))
      names.insert(place.file);
  for (StringRef name : names) {
    const std::optional<std::string> real = pathOfSource(name);
    if (!real)
      continue;
    const auto checksum = info.checksums.find(name.str());
    std::optional<std::string> text;
    if (isMeant(*real, policy))
      text = expectedToOptional(readFile(*real));
    else if (checksum != info.checksums.end())
      text = readSource(*real, checksum->second);
    if (text)
      contents[name.str()] = std::move(*text);
    else
      ++leftOut;
  }
}

} // namespace inflight::trace
