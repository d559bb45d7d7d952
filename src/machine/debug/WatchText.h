// Writes to watched bytes as people read them.
#pragma once

#include "machine/debug/Writes.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::machine::debug {

/// "watch lds:0x100-0x140 of workgroup (0, 0, 0)".
std::string watchHeading(const WatchReport &watch);
/// What follows the heading: the writes that are kept, and the last writers.
void writeWrites(llvm::raw_ostream &os, const WatchReport &watch);
/// A line or two for each run of bytes that one wave's instruction wrote last.
void writeLastWritten(llvm::raw_ostream &os, const WatchReport &watch);

} // namespace inflight::machine::debug
