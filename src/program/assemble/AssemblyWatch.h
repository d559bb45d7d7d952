// Looks after LLVM's parser while it reads a text whose macros and loops may never end.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <condition_variable>
#include <mutex>
#include <thread>

namespace inflight {

/// While it lives, the thread that made it may take a time and the process a memory that go with the size of the text.
/// Past that the process ends with a message: nothing else stops the parser.
class AssemblyWatch {
public:
  AssemblyWatch(llvm::StringRef text, llvm::StringRef name);
  ~AssemblyWatch();
  AssemblyWatch(const AssemblyWatch &) = delete;
  AssemblyWatch &operator=(const AssemblyWatch &) = delete;

private:
  std::mutex mutex;
  std::condition_variable wake;
  bool isDone = false;
  std::thread watcher;
};

} // namespace inflight
