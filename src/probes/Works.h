// The kernels that probes and calibration run, with their parameters named. What is measured is in the kernels' own
// texts.
#pragma once

#include "probes/Bench.h"

namespace inflight::probes {

/// Operands in `op`: registers A (read) and D (written), "v_add_f32 v[D], v[A], v[A]".
Work valuWork(const std::string &op, bool chained, unsigned waves = 1);
Work saluWork(const std::string &op, bool chained);
Work slotsWork(const std::string &op);
Work valuToScalarWork();
/// `skipped`: instructions between a taken branch and its target.
Work branchWork(bool taken, unsigned skipped);
Work fetchWork(unsigned bytes);
Work barrierWork(unsigned waves);
/// Workgroups that start one after another, so that the last ones' code is in the instruction cache.
Work wavesWork(const Bench &bench, unsigned waves);
/// When the waves of a late workgroup started, in cycles after its first: of the workgroup that took the median time.
std::vector<double> waveStarts(const Bench &bench, const Samples &samples);

/// Address in v[A], result or data in v[D]. Lanes are `stride` bytes apart.
Work ldsWork(const std::string &op, bool chained, unsigned stride, unsigned waves = 1);
Work ldsStrideWork(const std::string &op, unsigned stride, unsigned waves = 1);
Work ldsQueueWork(unsigned stride);
Work ldsDmaWork(const std::string &op, bool chained, unsigned laneBytes);

/// `shift`: lanes are 1 << shift bytes apart.
Work vmemWork(const std::string &op, unsigned waves, unsigned shift, uint64_t dataBytes, uint64_t step, bool repeats);
/// One load after another, `stride` bytes apart, over `footprint` bytes. `warm`: after a pass over all of it.
Work chaseWork(uint64_t footprint, unsigned stride, bool warm);
enum class Pattern { Sequential, Random, Scattered };
Work vmemIssueWork(Pattern pattern, unsigned waves);
Work vmemArrivalWork(unsigned left);
Work smemWork(uint64_t footprint, unsigned stride, bool warm);
Work smemIssueWork(const std::string &op);

/// Whether the chip has an instruction of that name.
bool hasInstruction(const Bench &bench, llvm::StringRef mnemonic);

} // namespace inflight::probes
