// Sources that a client has open: checked by a thread when they are opened and saved, as compiling takes its time.
#pragma once

#include "lsp/SourceCheck.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringMap.h"
#include <condition_variable>
#include <mutex>
#include <thread>

namespace inflight::lsp {

class Sources {
public:
  /// Called by the thread for a check whose document is still open.
  using Publish = llvm::unique_function<void(llvm::StringRef uri, int64_t version, const SourceCheck &)>;

  Sources(SourceTools tools, Publish publish);
  ~Sources();

  bool has(llvm::StringRef uri);
  void open(llvm::StringRef uri, SourceKind kind, llvm::StringRef folder, std::string text, int64_t version);
  /// Kept until it is saved.
  void change(llvm::StringRef uri, std::string text, int64_t version);
  void save(llvm::StringRef uri);
  void close(llvm::StringRef uri);
  /// Of the last check, for lines [first, last], counted from 1.
  std::vector<std::pair<unsigned, std::string>> hints(llvm::StringRef uri, unsigned first, unsigned last);

private:
  struct Document {
    SourceKind kind = SourceKind::None;
    std::string folder, text;
    int64_t version = 0;
    bool isPending = false;
    std::vector<std::pair<unsigned, std::string>> hints;
  };
  void work();
  void checkOne(std::unique_lock<std::mutex> &lock);

  SourceTools tools;
  Publish publish;
  std::mutex mutex;
  std::condition_variable wake;
  llvm::StringMap<Document> documents;
  bool isEnding = false;
  std::thread worker;
};

} // namespace inflight::lsp
