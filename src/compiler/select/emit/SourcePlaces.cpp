#include "compiler/select/emit/SourcePlaces.h"

using namespace mlir;

namespace inflight::select {

lir::Place SourcePlaces::of(Location location) {
  if (auto range = dyn_cast<FileLineColRange>(location))
    return range.getStartLine() && !range.getFilename().empty()
               ? lir::Place{range.getStartLine(), range.getStartColumn(), numberOf(range.getFilename())}
               : lir::Place();
  if (auto name = dyn_cast<NameLoc>(location))
    return of(name.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(location))
    return of(opaque.getFallbackLocation());
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    const lir::Place callee = of(call.getCallee()), caller = of(call.getCaller());
    return callee.known() && caller.known() ? inside(callee, caller) : callee.known() ? callee : caller;
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (const lir::Place place = of(part); place.known())
        return place;
  return {};
}

/// What the place is in already is in the call, too.
lir::Place SourcePlaces::inside(lir::Place place, lir::Place call) {
  if (place.call)
    call = inside(function.calls[place.call], call);
  auto [entry, isNew] = callNumbers.try_emplace({call, call.call}, function.calls.size());
  if (isNew)
    function.calls.push_back(call);
  place.call = entry->second;
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
