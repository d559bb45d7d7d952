// Values of registers and memory as people read them.
#pragma once

#include "machine/debug/Stop.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::machine::debug {

/// `bits` as an element of `type`; without type as hexadecimal digits, two a byte. Numbers are the shortest that read
/// back as the same value.
std::string elementText(llvm::StringRef type, uint64_t bits, unsigned bytes);

/// "s[0:1] = 0x00007f0000010000", "v2 = 0x40000000" as a lane has it. One or two registers are one number, as addresses
/// are; more are dwords, the lowest first.
std::string registerText(const Value &value, unsigned lane = 0);

/// How wide, and whether lanes that are off may be told by colour.
struct TableStyle {
  unsigned columns = 80;
  bool hasColour = false;
};

/// A vector register's lanes in rows, a memory range's bytes behind their offsets. One row says it where all lanes have
/// the same value, or an integer that rises by the same from lane to lane.
void writeTable(llvm::raw_ostream &os, const Value &value, uint64_t exec, const TableStyle &style);

} // namespace inflight::machine::debug
