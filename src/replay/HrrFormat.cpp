#include "replay/HrrFormat.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::replay {

namespace {
struct Row {
  HrrApi api;
  uint16_t old, now;
  bool isLaunch, isLost, isCompiler;
  const char *name;
  std::initializer_list<uint32_t> lengths;
};
} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): enumerators
static const Row rows[] = {
#define HRR_API(name, old, now, ...) {HrrApi::name, old, now, false, false, false, #name, {__VA_ARGS__}},
#define HRR_LAUNCH(name, old, now) {HrrApi::name, old, now, true, false, false, #name, {}},
#define HRR_LOST(name, old, now) {HrrApi::name, old, now, false, true, false, #name, {}},
#define HRR_COMPILER(name, old, now, ...) {HrrApi::name, old, now, false, false, true, #name, {__VA_ARGS__}},
#include "replay/HrrApis.def"
};
// NOLINTEND(bugprone-macro-parentheses)

HrrFunction hrrFunction(uint16_t version, uint16_t number, uint16_t compilerBase) {
  for (const Row &row : rows) {
    const uint16_t its = version < 5 ? row.old : uint16_t(row.now + (row.isCompiler ? compilerBase : 0));
    if (its == number)
      return {row.api, row.isLaunch, row.isLost, ArrayRef<uint32_t>(row.lengths.begin(), row.lengths.size()), row.name};
  }
  return {};
}

uint16_t hrrNumber(HrrApi api) {
  const Row &row = rows[unsigned(api)];
  return uint16_t(row.now + (row.isCompiler ? hrrRuntimeFunctions : 0));
}

std::string HrrHash::text() const { return formatv("{0:x-16}{1:x-16}", low, high); }

HrrHash HrrHash::of(ArrayRef<uint8_t> bytes) {
  constexpr uint64_t offset = 0xcbf29ce484222325, prime = 0x100000001b3;
  HrrHash hash = {offset, prime};
  for (const uint8_t byte : bytes) {
    hash.low = (hash.low ^ byte) * prime;
    hash.high = (hash.high ^ byte) * offset;
  }
  return hash;
}

} // namespace inflight::replay
