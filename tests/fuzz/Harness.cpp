#include "Harness.h"

#include "isa/chip/TargetInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <sys/resource.h>

using namespace llvm;

namespace inflight::fuzz {

void limitResources(unsigned seconds) {
  // Sanitizers take address space for their own ends.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
  constexpr rlim_t memory = rlim_t(8) << 30;
  const rlimit bytes{memory, memory};
  setrlimit(RLIMIT_AS, &bytes);
#endif
  const rlimit time{seconds, seconds + 1};
  if (seconds)
    setrlimit(RLIMIT_CPU, &time);
}

StringRef chipOf(StringRef input) {
  auto chips = executedChips();
  return chips[uint8_t(input.front()) % chips.size()];
}

void require(Error error, StringRef what) {
  if (!error)
    return;
  errs() << what << ": " << toString(std::move(error)) << '\n';
  abort();
}

} // namespace inflight::fuzz
