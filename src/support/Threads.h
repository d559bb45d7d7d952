// The same work on several host threads.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include <thread>
#include <vector>

namespace inflight {

/// Calls `work` with 0 to `count` - 1, each on a thread of its own but 0, which is the caller's; returns when all have.
inline void onThreads(unsigned count, llvm::function_ref<void(unsigned)> work) {
  std::vector<std::thread> pool;
  for (unsigned thread = 1; thread < count; ++thread)
    pool.emplace_back(work, thread);
  work(0);
  for (std::thread &thread : pool)
    thread.join();
}

} // namespace inflight
