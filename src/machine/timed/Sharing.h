// Which lines of memory compute units share.
//
// Few of the device's compute units are simulated in time. Those beside them want some of the same lines, and what one
// of a slice of L2 has brought is there for the others. So before the timed run the first workgroups of all units run
// for some instructions each without time, in a child process whose writes nobody sees, and for each instruction it is
// counted how many units of a slice, and how many slices, want the lines it loads.
#pragma once

#include "machine/PreparedLaunch.h"
#include "machine/timed/CodeTiming.h"
#include "machine/timed/memory/MemoryPath.h"

namespace inflight::machine::timed {

/// What is found out of all lines together, and of the workgroups.
struct SharingSums {
  double unitsALine = 1; ///< of a slice, that want a line which any of them wants
  double slicesALine = 1;
  double loadedPart = 1;     ///< of the lines that are loaded or stored, those that are loaded
  double touchedPart = 1;    ///< of the launch's memory, if the plan wants to know: what it loads or stores
  uint64_t instructions = 0; ///< that were run to find that out
  uint64_t most = 0;         ///< of each wave
  unsigned users = 0;        ///< units whose workgroups don't all end at once; 0: not known
  /// Where each unit has one workgroup: the one with the most to do, and the mean one's part of that.
  uint32_t longest = 0;
  double meanWork = 1;
};

struct Sharing : SharingSums {
  std::vector<LineSharing> byLine; ///< of the code; empty if nothing is known
  double seconds = 0;              ///< of the host
};

struct SharingPlan {
  unsigned units = 1, slices = 1; ///< workgroup i runs on unit i % units, unit i on slice i % slices
  unsigned residentGroups = 1;    ///< of a unit
  unsigned threads = 1;           ///< of the host; the result doesn't depend on it
  bool wantsTouchedPart = false;
  uint64_t timedGroups = ~0u; ///< that will be simulated: what is found out beforehand shall cost no more
};

/// Runs the first `most` instructions of each wave of the first `groups` workgroups, without time.
void runAhead(const PreparedLaunch &launch, uint32_t groups, uint64_t most);

/// Doesn't change memory. Without child processes nothing is known.
Sharing observeSharing(const PreparedLaunch &launch, const CodeTiming &code, const TimingData &data,
                       const SharingPlan &plan);

} // namespace inflight::machine::timed
