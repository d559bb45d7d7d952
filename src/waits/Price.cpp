#include "waits/Price.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

const WaitPrice *Prices::find(uint32_t instruction) const {
  auto wait = partition_point(waits, [&](const WaitPrice &w) { return w.instruction < instruction; });
  return wait != waits.end() && wait->instruction == instruction ? &*wait : nullptr;
}

} // namespace inflight::waits
