#include "lsp/Documents.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lsp {

/// Documents of which the analyses are kept, if their texts together are no more than one may be; those of others are
/// made again when they are asked for.
static constexpr unsigned mostAnalyses = 8;

Documents::Documents(StringRef chip, Publish publish) : chip(chip), publish(std::move(publish)) {
  worker = std::thread([this] { work(); });
}

Documents::~Documents() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  wake.notify_one();
  worker.join();
  for (Asked &rest : asked)
    rest.question(nullptr);
}

void Documents::set(StringRef uri, std::string text, int64_t version) {
  {
    std::lock_guard lock(mutex);
    Document &document = documents[uri];
    text.resize(std::min(text.size(), mostBytes + 1)); // of one that is too large that suffices to see it
    document.text = std::move(text);
    document.version = version;
    document.edition = ++editions;
    document.isChanged = true;
    document.analysis = nullptr;
  }
  wake.notify_one();
}

void Documents::close(StringRef uri) {
  std::lock_guard lock(mutex);
  documents.erase(uri);
}

void Documents::ask(StringRef uri, Question question) {
  {
    std::lock_guard lock(mutex);
    const auto document = documents.find(uri);
    asked.push_back({uri.str(), document == documents.end() ? 0 : document->second.edition, std::move(question)});
  }
  wake.notify_one();
}

void Documents::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock, [&] {
      return isEnding || !asked.empty() || any_of(documents, [](const auto &entry) { return entry.second.isChanged; });
    });
    if (isEnding)
      return;
    if (!analyseOne(lock))
      answerOne(lock);
  }
}

/// What was changed last, as that is what somebody looks at. A text that has changed meanwhile is analysed again.
bool Documents::analyseOne(std::unique_lock<std::mutex> &lock) {
  StringRef uri;
  uint64_t edition = 0;
  for (const auto &entry : documents)
    if (entry.second.isChanged && entry.second.edition > edition) {
      uri = entry.first();
      edition = entry.second.edition;
    }
  if (!edition)
    return false;
  const std::string name = uri.str();
  documents[name].isChanged = false;
  const int64_t version = documents[name].version;
  if (const std::shared_ptr<const Analysis> analysis = analysisOf(name, lock)) {
    lock.unlock();
    publish(name, version, *analysis);
    lock.lock();
  }
  return true;
}

/// Null when the document has changed or was closed meanwhile.
std::shared_ptr<const Analysis> Documents::analysisOf(StringRef uri, std::unique_lock<std::mutex> &lock) {
  auto entry = documents.find(uri);
  if (entry == documents.end())
    return nullptr;
  entry->second.lastUse = ++uses;
  if (entry->second.analysis)
    return entry->second.analysis;
  const uint64_t edition = entry->second.edition;
  std::string text = entry->second.text;
  lock.unlock();
  auto analysis = std::make_shared<const Analysis>(std::move(text), chip);
  lock.lock();
  entry = documents.find(uri);
  if (entry == documents.end() || entry->second.edition != edition)
    return nullptr;
  entry->second.analysis = analysis;
  giveUpOldest();
  return analysis;
}

void Documents::giveUpOldest() {
  std::vector<Document *> analysed;
  for (auto &entry : documents)
    if (entry.second.analysis)
      analysed.push_back(&entry.second);
  llvm::sort(analysed, [](const Document *a, const Document *b) { return a->lastUse > b->lastUse; });
  size_t bytes = 0;
  for (const auto &[number, document] : enumerate(analysed)) {
    bytes += document->text.size();
    if (number && (number >= mostAnalyses || bytes > mostBytes))
      document->analysis = nullptr;
  }
}

bool Documents::answerOne(std::unique_lock<std::mutex> &lock) {
  if (asked.empty())
    return false;
  Asked next = std::move(asked.front());
  asked.pop_front();
  const auto document = documents.find(next.uri);
  const bool isSame = document != documents.end() && document->second.edition == next.edition;
  const std::shared_ptr<const Analysis> analysis = isSame ? analysisOf(next.uri, lock) : nullptr;
  lock.unlock();
  next.question(analysis.get());
  lock.lock();
  return true;
}

} // namespace inflight::lsp
