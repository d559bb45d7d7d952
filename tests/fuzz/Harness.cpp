#include "Harness.h"

#include "isa/TargetInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace inflight::fuzz {

StringRef chipOf(StringRef input) {
  auto chips = supportedChips();
  return chips[uint8_t(input.front()) % chips.size()];
}

void require(Error error, StringRef what) {
  if (!error)
    return;
  errs() << what << ": " << toString(std::move(error)) << '\n';
  abort();
}

} // namespace inflight::fuzz
