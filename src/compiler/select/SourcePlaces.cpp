#include "compiler/select/SourcePlaces.h"

using namespace mlir;

namespace inflight::select {

lir::Place SourcePlaces::of(Location location) {
  lir::Place place;
  location->walk([&](Location inner) {
    auto range = dyn_cast<FileLineColRange>(inner);
    if (!range || !range.getStartLine() || range.getFilename().empty())
      return WalkResult::advance();
    place = {range.getStartLine(), range.getStartColumn(), numberOf(range.getFilename())};
    return WalkResult::interrupt();
  });
  return place;
}

unsigned SourcePlaces::numberOf(StringAttr file) {
  auto [entry, isNew] = numbers.try_emplace(file, numbers.size());
  if (isNew) {
    function.sourceFiles.resize(numbers.size());
    function.sourceFiles[entry->second] = file.str();
  }
  return entry->second;
}

} // namespace inflight::select
