// Thread traces of kernels that ran on hardware: what ROCprof Compute Viewer opens, or a table made from it.
//
// A directory has filenames.json, which names the files of waves, and code.json; occupancy.json and realtime.json, if
// there are any, tell how long the kernel took and at which clock. Its form: rocprofiler-sdk, source/lib/att-tool;
// rocprof-compute-viewer, src/data.
//
// A table (.csv) has a row for each instruction, means over all waves of a kernel:
//   line,addr,text,hits_per_wave,delta_min,delta_p50,delta_p90,delta_mean,stall_mean
// and a last row without line for the wave's end.
//
// Steps are cycles from one instruction's issue to the next one's, a wave's first from its begin. A thread trace dates
// s_waitcnt, s_nop and s_barrier at their end and counts their own issue as stall: the instruction after them follows
// 0 cycles later.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inflight::trace {

/// Sums over `hits`.
struct StepSums {
  double hits = 0, stall = 0, step = 0; ///< cycles
};

/// One instruction of the traced code. A listing may have lines that never ran.
struct SiliconLine {
  std::string text;
  std::string place; ///< "code.json: line 12", for errors
  StepSums sums;
};

/// All waves of one kernel.
struct SiliconKernel {
  std::string name; ///< mangled, as far as the trace has it
  uint64_t entry = 0;
  std::map<uint64_t, SiliconLine> lines; ///< by address
  double waves = 0;                      ///< 1 in a table: its sums are those of a mean wave
  bool isTable = false;
  double cycles = 0, endCycles = 0;      ///< sums over the waves: begin to end, s_endpgm to end
  std::vector<uint64_t> durations, ends; ///< of each wave, sorted; empty in a table
};

struct SiliconTrace {
  std::string path; ///< of the directory or table
  std::vector<SiliconKernel> kernels;
  std::optional<double> clockMHz;
  std::optional<uint64_t> span; ///< cycles from the first wave's begin to the last one's end, the longest engine's
  uint64_t foreignWaves = 0;    ///< that begin at no kernel of code.json: begun before the trace
  uint64_t cutStalls = 0;       ///< at the largest number that the viewer reads: they may have been longer

  /// The kernel called `name`, or the only one. Errors list what there is.
  llvm::Expected<const SiliconKernel *> kernel(llvm::StringRef name) const;
};

/// `path`: a table, the viewer's directory, or one that has a single such directory in it. Errors name the file, and
/// the place in it.
llvm::Expected<SiliconTrace> readSiliconTrace(llvm::StringRef path);

/// Part of the above.
llvm::Expected<SiliconTrace> readSiliconTable(llvm::StringRef path);

} // namespace inflight::trace
