#include "program/Program.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

StringRef Program::problem(uint32_t block) const {
  auto it = partition_point(problems, [&](const auto &entry) { return entry.first < block; });
  return it != problems.end() && it->first == block ? StringRef(it->second) : StringRef();
}

} // namespace inflight
