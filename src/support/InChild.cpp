#include "support/InChild.h"

#if __has_include(<unistd.h>)
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace llvm;

namespace inflight {

std::optional<std::string> inChild(function_ref<void(raw_ostream &)> work) {
#if __has_include(<unistd.h>)
  int ends[2];
  if (pipe(ends))
    return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    raw_fd_ostream os(ends[1], /*shouldClose=*/false);
    work(os);
    os.flush();
    _exit(os.has_error());
  }
  close(ends[1]);
  std::string written;
  char buffer[1 << 14];
  for (ssize_t count; child > 0 && (count = read(ends[0], buffer, sizeof(buffer)));)
    if (count > 0)
      written.append(buffer, size_t(count));
    else if (errno != EINTR)
      break;
  close(ends[0]);
  int status = 1;
  if (child > 0)
    waitpid(child, &status, 0);
  if (status == 0)
    return written;
#endif
  return std::nullopt;
}

} // namespace inflight
