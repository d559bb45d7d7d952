#include "support/PeakMemory.h"

#include <cstdio>

namespace inflight {

void restartPeakMemory() {
  // proc(5): 5 resets the peak resident set size.
  if (FILE *file = fopen("/proc/self/clear_refs", "w")) {
    fputs("5", file);
    fclose(file);
  }
}

uint64_t peakMemory() {
  unsigned long kilobytes = 0;
  if (FILE *file = fopen("/proc/self/status", "r")) {
    char line[256];
    while (fgets(line, sizeof line, file) && sscanf(line, "VmHWM: %lu", &kilobytes) != 1)
      ;
    fclose(file);
  }
  return uint64_t(kilobytes) * 1024;
}

} // namespace inflight
