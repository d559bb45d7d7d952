// The documents that a client has open, analysed by a thread that answers what is asked about them.
#pragma once

#include "lsp/Analysis.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringMap.h"
#include <condition_variable>
#include <deque>
#include <thread>

namespace inflight::lsp {

class Documents {
public:
  /// Called by the thread when a version is analysed that is still the latest.
  using Publish = llvm::unique_function<void(llvm::StringRef uri, int64_t version, const Analysis &)>;
  /// Called by the thread with the latest version's analysis; null when the document isn't open, or has changed since.
  using Question = llvm::unique_function<void(const Analysis *)>;

  Documents(llvm::StringRef chip, Publish publish);
  ~Documents();

  void set(llvm::StringRef uri, std::string text, int64_t version);
  void close(llvm::StringRef uri);
  void ask(llvm::StringRef uri, Question question);

private:
  struct Document {
    std::string text;
    int64_t version = 0;
    uint64_t edition = 0; ///< counts the changes of all documents
    bool isChanged = false;
    std::shared_ptr<const Analysis> analysis; ///< of `edition`; null: not yet, or given up for others'
    uint64_t lastUse = 0;
  };
  struct Asked {
    std::string uri;
    uint64_t edition;
    Question question;
  };
  void work();
  bool answerOne(std::unique_lock<std::mutex> &lock);
  bool analyseOne(std::unique_lock<std::mutex> &lock);
  std::shared_ptr<const Analysis> analysisOf(llvm::StringRef uri, std::unique_lock<std::mutex> &lock);
  void giveUpOldest();

  std::string chip;
  Publish publish;
  std::mutex mutex;
  std::condition_variable wake;
  llvm::StringMap<Document> documents;
  std::deque<Asked> asked;
  uint64_t editions = 0, uses = 0;
  bool isEnding = false;
  std::thread worker;
};

} // namespace inflight::lsp
