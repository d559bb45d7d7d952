#include "trace/run/JsonText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::trace {

std::string jsonString(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << json::Value(json::isUTF8(text) ? text.str() : json::fixUTF8(text));
  return result;
}

} // namespace inflight::trace
