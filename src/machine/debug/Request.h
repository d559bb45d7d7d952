// What of a run is to be shown: where waves stop to be looked at, and what is printed of them.
#pragma once

#include "isa/chip/RegUnit.h"
#include "object/SourceLines.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <vector>

namespace inflight::machine::debug {

struct Stop;
struct WatchReport;

/// Which waves are meant; all, where nothing is said.
struct Selection {
  std::optional<std::array<uint32_t, 3>> workgroup;
  std::optional<unsigned> wave; ///< within the workgroup
  bool has(const uint32_t (&id)[3]) const {
    return !workgroup || (id[0] == (*workgroup)[0] && id[1] == (*workgroup)[1] && id[2] == (*workgroup)[2]);
  }
};

/// `PLACE[,workgroup=X[,Y[,Z]]][,wave=N][,hit=N[-M]][,stops=N]`
struct BreakSpec {
  std::string place; ///< "0x1760", "gemm.hip:42", a label, or "end"
  Selection waves;
  /// Hits of a wave, counted from 1; without `hit=` the first one.
  uint64_t firstHit = 1, lastHit = 1;
  bool choosesHits = false;
  std::optional<unsigned> stops; ///< how many are shown
};

/// Bytes of LDS, of a buffer that the launch has, or at addresses.
struct MemoryRange {
  enum class Space : uint8_t { Lds, Buffer, Address } space = Space::Lds;
  std::string buffer;          ///< an argument's number or name, or "b0"
  uint64_t begin = 0, end = 0; ///< bytes; `end` isn't in it. Both 0: all of a buffer
  std::string text;            ///< as given
};

/// One of `v0-v5:f32`, `s[4:7]`, `vcc`, `lds:0x100-0x140`, `global:2+0x10-0x20`.
struct DumpItem {
  std::string text;                  ///< as given
  RegRange registers;                ///< count 0: `memory`
  std::optional<MemoryRange> memory; ///
  std::string type;                  ///< an element type of Npy.h; empty: hexadecimal
};

/// `RANGE[,workgroup=X[,Y[,Z]]]`: bytes whose writes are told. LDS is that of one workgroup, the first one if none is
/// named.
struct WatchSpec {
  MemoryRange range;
  Selection waves;
};

/// Gets what a run has to show, in its order, on the thread that runs.
class Listener {
public:
  virtual ~Listener() = default;
  virtual void stopped(const Stop &stop) = 0;
  /// All that is known of a watch, when the run is over.
  virtual void watched(const WatchReport &report) = 0;
  /// A sentence about what isn't shown.
  virtual void note(const std::string &text) = 0;
};

struct Request {
  std::vector<BreakSpec> breaks;
  std::vector<DumpItem> dumps;
  std::vector<WatchSpec> watches;
  Listener *listener = nullptr;
  const SourceLines *lines = nullptr; ///< of the code object
};

/// Stops that a break shows where nothing else is said.
inline constexpr unsigned usualStops = 4;

llvm::Expected<BreakSpec> parseBreak(llvm::StringRef text);
/// Items with commas between them.
llvm::Expected<std::vector<DumpItem>> parseDump(llvm::StringRef text);

/// `lds:0x100-0x140`, `global:ADDRESS-ADDRESS`, or an argument, `2`, `out+0x10-0x20`, with or without `global:`.
llvm::Expected<WatchSpec> parseWatch(llvm::StringRef text);

} // namespace inflight::machine::debug
