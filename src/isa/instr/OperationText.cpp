#include "isa/instr/OperationText.h"

#include "isa/chip/TargetInfo.h"
#include "isa/instr/MnemonicPatterns.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include <vector>

using namespace llvm;

namespace inflight {

namespace {
struct Texts {
  json::Value document = nullptr; ///< whose text the patterns refer to
  std::vector<std::pair<MnemonicPatterns, std::string>> operations;
  StringMap<std::string> counters;
  std::string source;
};
} // namespace

/// Compiled in, so it is as the tests have seen it.
static const Texts &texts() {
  static const Texts &made = *[] {
    auto *texts = new Texts;
    texts->document = cantFail(parseData("explain.json"));
    const json::Object &object = *texts->document.getAsObject();
    for (const json::Value &row : *object.getArray("operations")) {
      const json::Array &fields = *row.getAsArray();
      texts->operations.push_back({MnemonicPatterns(*fields[0].getAsString()), fields[1].getAsString()->str()});
    }
    for (const auto &[name, text] : *object.getObject("counters"))
      texts->counters[name] = text.getAsString()->str();
    texts->source = (*object.getString("source") + ": " + *object.getString("ref")).str();
    return texts;
  }();
  return made;
}

StringRef operationText(StringRef mnemonic) {
  for (const auto &[patterns, text] : texts().operations)
    if (patterns.fit(mnemonic))
      return text;
  return {};
}

StringRef counterText(StringRef counter) {
  const auto found = texts().counters.find(counter);
  return found == texts().counters.end() ? StringRef() : StringRef(found->second);
}

std::vector<StringRef> counterNames() {
  std::vector<StringRef> names;
  for (const auto &counter : texts().counters)
    names.push_back(counter.first());
  llvm::sort(names);
  return names;
}

StringRef operationSource() { return texts().source; }

} // namespace inflight
