#include "machine/memory/ByteBits.h"

#include "llvm/Support/ErrorHandling.h"
#include <sys/mman.h>

namespace inflight::machine {

ByteBits::ByteBits(uint64_t bytes) {
  mapped = (bytes / wordBytes + 2) * sizeof(uint64_t); // an access may straddle the last word
  void *place = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    llvm::report_bad_alloc_error("no address space for the check of bytes in memory");
  words = static_cast<std::atomic<uint64_t> *>(place);
}

ByteBits::~ByteBits() { munmap(static_cast<void *>(words), mapped); }

} // namespace inflight::machine
