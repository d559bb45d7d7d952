// Several waves may write one value to one place by one instruction: values that all of them hold, flags that say that
// anything happened. That is no race.
#pragma once

#include "machine/check/context/Context.h"
#include "machine/check/races/LdsRaces.h"

namespace inflight::machine::check {

class SameValues {
public:
  /// An instruction begins.
  void clear() {
    overwritten.clear();
    bytes.clear();
  }
  /// Keeps what the context's last access, a write, will overwrite if another wave may have written the same there.
  void keep(const Context &context, const LdsRaces &lds, const Wave &wave);
  /// Once it is done: says of the context's accesses whether they wrote what was there.
  void find(Context &context, const LdsRaces &lds, const Wave &wave) const;

private:
  struct Overwritten {
    size_t access, first; ///< indices into the context's accesses and into `bytes`
  };
  llvm::SmallVector<Overwritten, 2> overwritten;
  std::vector<uint8_t> bytes; ///< in order of lanes
};

} // namespace inflight::machine::check
