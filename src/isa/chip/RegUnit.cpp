#include "isa/chip/RegUnit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight {

namespace {
struct File {
  const char *prefix;
  RegUnit first;
  unsigned count;
};
constexpr File files[] = {{"ttmp", regunit::Ttmp0, 16},
                          {"v", regunit::Vgpr0, 256},
                          {"a", regunit::Agpr0, 256},
                          {"s", 0, regunit::FlatScratchLo}};
constexpr RegRange special[] = {{regunit::FlatScratchLo, 2}, {regunit::XnackMaskLo, 2}, {regunit::VccLo, 2},
                                {regunit::VccLo, 1},         {regunit::VccHi, 1},       {regunit::ExecLo, 2},
                                {regunit::ExecLo, 1},        {regunit::ExecHi, 1},      {regunit::M0, 1},
                                {regunit::Scc, 1},           {regunit::Mode, 1}};
} // namespace

std::optional<RegRange> registerNamed(StringRef name) {
  if (const RegRange *found = find_if(special, [&](RegRange range) { return regName(range) == name; });
      found != std::end(special))
    return *found;
  for (const File &file : files) {
    StringRef digits = name;
    unsigned number;
    if (digits.consume_front(file.prefix) && all_of(digits, isDigit) && !digits.getAsInteger(10, number))
      return number < file.count ? std::optional(RegRange{RegUnit(file.first + number), 1}) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace inflight
