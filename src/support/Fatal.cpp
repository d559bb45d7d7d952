#include "support/Fatal.h"

#include "llvm/Support/ErrorHandling.h"
#include <atomic>
#include <new>
#include <string>
#include <unistd.h>

using namespace llvm;

namespace inflight {

static std::atomic<int> failureStatus = 1;

void setFailureStatus(int status) { failureStatus = status; }

void endProcess(StringRef message) {
  // Without allocation: memory may be what there is none of.
  for (StringRef part : {message, StringRef("\n")})
    while (!part.empty()) {
      const ssize_t written = ::write(STDERR_FILENO, part.data(), part.size());
      if (written <= 0)
        break;
      part = part.drop_front(size_t(written));
    }
  ::_exit(failureStatus);
}

void installOutOfMemoryHandler() {
  static constexpr StringLiteral message = "inflight: error: out of memory";
  std::set_new_handler([] { endProcess(message); });
  install_bad_alloc_error_handler([](void *, const char *, bool) { endProcess(message); });
}

void installFatalErrorHandler() {
  install_fatal_error_handler(
      [](void *, const char *reason, bool) { endProcess("inflight: error: LLVM: " + std::string(reason)); });
}

} // namespace inflight
