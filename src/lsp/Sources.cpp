#include "lsp/Sources.h"

#include "lsp/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lsp {

Sources::Sources(SourceTools tools, Publish publish) : tools(std::move(tools)), publish(std::move(publish)) {
  worker = std::thread([this] { work(); });
}

Sources::~Sources() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  wake.notify_one();
  worker.join();
}

bool Sources::has(StringRef uri) {
  std::lock_guard lock(mutex);
  return documents.count(uri);
}

void Sources::open(StringRef uri, SourceKind kind, StringRef folder, std::string text, int64_t version) {
  {
    std::lock_guard lock(mutex);
    Document &document = documents[uri];
    document.kind = kind;
    document.folder = folder.str();
  }
  change(uri, std::move(text), version);
  save(uri);
}

void Sources::change(StringRef uri, std::string text, int64_t version) {
  std::lock_guard lock(mutex);
  Document &document = documents[uri];
  document.text = std::move(text);
  document.version = version;
}

void Sources::save(StringRef uri) {
  {
    std::lock_guard lock(mutex);
    documents[uri].isPending = true;
  }
  wake.notify_one();
}

void Sources::close(StringRef uri) {
  std::lock_guard lock(mutex);
  documents.erase(uri);
}

std::vector<std::pair<unsigned, std::string>> Sources::hints(StringRef uri, unsigned first, unsigned last) {
  std::lock_guard lock(mutex);
  const auto document = documents.find(uri);
  auto found = document == documents.end() ? decltype(Document::hints)() : document->second.hints;
  erase_if(found, [&](const auto &hint) { return hint.first < first || hint.first > last; });
  return found;
}

void Sources::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock,
              [&] { return isEnding || any_of(documents, [](const auto &entry) { return entry.second.isPending; }); });
    if (isEnding)
      return;
    checkOne(lock);
  }
}

void Sources::checkOne(std::unique_lock<std::mutex> &lock) {
  const auto entry = find_if(documents, [](const auto &one) { return one.second.isPending; });
  const std::string uri = entry->first().str();
  entry->second.isPending = false;
  const Document document = entry->second;
  lock.unlock();
  SourceCheck check;
  if (document.text.size() > mostBytes)
    check.items.emplace_back().message =
        "a file of more than " + std::to_string(mostBytes >> 20) + " MiB is not checked";
  else
    check = checkSource(document.kind, document.text, document.folder, tools);
  lock.lock();
  const auto now = documents.find(uri);
  if (now == documents.end() || now->second.isPending) // closed, or saved again
    return;
  now->second.hints = check.hints;
  lock.unlock();
  publish(uri, document.version, check);
  lock.lock();
}

} // namespace inflight::lsp
