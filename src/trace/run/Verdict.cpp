#include "trace/run/Verdict.h"

#include "support/Plural.h"
#include "trace/run/InstructionText.h"
#include "trace/run/RunStatistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

namespace {

/// A gain from which on it is worth a change; below, what the kernel is bound by is said.
constexpr double worthIt = 0.1;
/// A share of the time from which on a unit bounds a kernel; one from which on nothing else does.
constexpr double mostlyBusy = 0.6, nearlyFull = 0.8;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }
std::string percent(double share) {
  return formatv("{0:f0} %", share < 1 ? std::min(99.0, 100 * share) : 100 * share); // not all but a little
}

/// What one unit is busy for, of the time of all that the device has of it while the kernel runs.
struct Bound {
  StringRef cause, name, remedy;
  double busy;
};

class Judge {
public:
  explicit Judge(const RunStatistics &run) : run(run), info(run.info), stalls(run.stalls()) {
    for (size_t i = 0; i < pipes.size(); ++i)
      pipes[i] = ratio(double(run.pipes[i].busy), double(run.summary.cycles) * run.pipes[i].units);
    busiest = std::max({*max_element(pipes), memory(), l2()});
  }
  Verdict verdict();

private:
  double pipe(Pipe of) const { return pipes[size_t(of)]; }
  double memory() const { return std::min(1.0, run.summary.use.memory); }
  double l2() const { return std::min(1.0, run.summary.use.l2); }
  double ofWaves(double cycles) const { return ratio(cycles, double(run.waveCycles)); }
  double stalled(Stall cause) const { return ofWaves(double(stalls[size_t(cause)])); }
  /// Of the launch's time, the kernel's.
  double kernelPart() const { return 1 - ratio(run.summary.use.launchMicroseconds, run.summary.microseconds); }
  /// What waves wait for less, the launch is shorter by, as far as no unit is busy then.
  double withoutWaits(double share) const {
    return busiest < nearlyFull ? std::min(share, 1 - busiest) * kernelPart() : 0;
  }
  void add(StringRef cause, double gain, std::string finding, std::string remedy) {
    if (gain > best.gain)
      best = {cause, std::move(finding), std::move(remedy), gain};
  }

  void grid();
  void launch();
  void waves();
  void atomics();
  void accesses();
  void waits();
  Verdict bound() const;

  const RunStatistics &run;
  const RunInfo &info;
  const Stalls stalls;
  std::array<double, size_t(Pipe::Count)> pipes = {};
  double busiest = 0;
  Verdict best;
};

} // namespace

/// A unit gets every n-th workgroup: the launch takes as long as the most that one has.
void Judge::grid() {
  const uint64_t groups = uint64_t(info.grid[0]) * info.grid[1] * info.grid[2], units = info.deviceCus;
  if (!units || !groups || memory() >= mostlyBusy)
    return;
  const uint64_t rounds = divideCeil(groups, units);
  const double idle = 1 - double(groups) / double(rounds * units);
  if (groups < units) {
    add("grid", idle * kernelPart(), formatv("the grid has work for {0} of {1} compute units", groups, units),
        "smaller tiles, or a split of the summed dimension, so that there are more workgroups");
    return;
  }
  // Workgroups that a unit holds at the same time, and that leave its pipes room, cost no time by their number.
  if (rounds <= info.workgroupsPerCu && busiest < mostlyBusy)
    return;
  add("tail", idle * kernelPart(),
      formatv("the last of {0} rounds of workgroups has work for {1} of {2} compute units", rounds,
              groups - (rounds - 1) * units, units),
      "tiles of another size, or persistent workgroups that share what is left over");
}

void Judge::launch() {
  const double share = ratio(run.summary.use.launchMicroseconds, run.summary.microseconds);
  add("launch", share, formatv("the launch itself is {0} of the time", percent(share)),
      "fusion with the kernel before or after it, or a launch from a graph");
  // Workgroups that end sooner than others can begin leave a unit's places empty.
  const double resident = ratio(double(run.waveCycles), double(run.summary.cycles) * std::max(1u, info.cus));
  const uint64_t groups = uint64_t(info.grid[0]) * info.grid[1] * info.grid[2];
  const double places = double(info.workgroupsPerCu) * info.wavesPerWorkgroup;
  if (info.deviceCus && groups > uint64_t(info.deviceCus) * info.workgroupsPerCu * 4 && resident < places / 2 &&
      busiest < mostlyBusy)
    add("dispatch", (1 - ratio(resident, places)) * kernelPart(),
        formatv("workgroups are done sooner than others begin: {0:f1} waves on a compute unit that has room for {1:f0}",
                resident, places),
        "more work for each workgroup: a loop over several tiles");
}

void Judge::waves() {
  const uint64_t groups = uint64_t(info.grid[0]) * info.grid[1] * info.grid[2];
  const uint64_t here = std::min<uint64_t>(info.workgroupsPerCu, divideCeil(groups, std::max(1u, info.deviceCus)));
  const double waiting = stalled(Stall::Waitcnt) + stalled(Stall::Dependency) + stalled(Stall::Barrier);
  std::string needs;
  for (const OccupancyLimit &limit : info.limits)
    if (limit.most)
      needs += (needs.empty() ? "" : " and ") + limit.needed();
  // A workgroup more, where the grid has some, hides what one wave of a SIMD waits for; at most half of the time.
  if (needs.empty() || here < info.workgroupsPerCu || here * info.wavesPerWorkgroup > info.simds ||
      groups < uint64_t(here + 1) * info.deviceCus)
    return;
  add("one-wave", withoutWaits(std::min(0.5, waiting)) + 1e-9,
      formatv("a SIMD has one wave, which waits for {0} of its time", percent(waiting)), needs);
}

void Judge::atomics() {
  uint64_t cycles = run.atomicEnds;
  for (const LineStatistics &line : run.lines)
    if (line.isAtomic)
      cycles += line.waitedFor + line.stalls[size_t(Stall::QueueFull)];
  add("atomics", withoutWaits(ofWaves(double(cycles))),
      formatv("waves wait for atomic operations for {0} of their time", percent(ofWaves(double(cycles)))),
      "sums in registers and LDS before, so that fewer lanes and workgroups want one address");
}

/// Accesses that take longer than others of as many bytes.
void Judge::accesses() {
  const double conflicts = ratio(double(run.ldsConflicts), double(run.ldsBusy));
  const auto without = [&](Pipe of, double less) {
    double others = std::max({memory(), l2(), pipe(of) * (1 - less)});
    for (size_t i = 0; i < pipes.size(); ++i)
      if (Pipe(i) != of)
        others = std::max(others, pipes[i]);
    return pipe(of) >= mostlyBusy ? std::max(0.0, pipe(of) - others) * kernelPart() : 0;
  };
  add("bank-conflicts", without(Pipe::Lds, conflicts),
      formatv("LDS is busy {0} of the time, {1} of that for bank conflicts", percent(pipe(Pipe::Lds)),
              percent(conflicts)),
      "a swizzled layout or padded rows");
  // A line of L1 a cycle: what lanes ask for of each.
  uint64_t bytes = 0, lines = 0, scratch = 0;
  for (size_t i = 0; i < run.lines.size(); ++i) {
    const LineStatistics &line = run.lines[i];
    if (info.code[i].category == Category::Vmem || info.code[i].category == Category::Flat) {
      bytes += line.bytes;
      lines += line.requests;
    }
    if (isOfScratch(info.code[i].text))
      scratch += line.cycles() + line.waitedFor;
  }
  const double used = std::min(1.0, ratio(double(bytes), double(lines) * info.requestBytes));
  add("uncoalesced", without(Pipe::Texture, 1 - used),
      formatv("lanes use {0} of the lines that global accesses move, whose address unit is busy {1} of the time",
              percent(used), percent(pipe(Pipe::Texture))),
      "neighbouring lanes on neighbouring addresses, wider accesses, or a transposition in LDS");
  add("scratch", withoutWaits(ofWaves(double(scratch))),
      formatv("waves spend {0} of their time on spilled registers", percent(ofWaves(double(scratch)))),
      "fewer values alive at a time, or fewer waves a SIMD by __launch_bounds__");
}

void Judge::waits() {
  uint64_t global = 0, lds = 0, scalar = 0, gaps = 0;
  for (size_t i = 0; i < run.lines.size(); ++i) {
    gaps += run.lines[i].gap;
    const Category category = info.code[i].category;
    if (run.lines[i].isAtomic || isOfScratch(info.code[i].text))
      continue;
    (category == Category::Lds ? lds : category == Category::Smem ? scalar : global) += run.lines[i].waitedFor;
  }
  const auto wait = [&](StringRef cause, double share, StringRef what, StringRef remedy) {
    add(cause, withoutWaits(share), formatv("waves wait for {0} for {1} of their time", what, percent(share)),
        remedy.str());
  };
  wait("global-latency", ofWaves(double(global)), "global memory",
       "loads an iteration or more before their data are needed, or more waves a SIMD");
  wait("lds-latency", ofWaves(double(lds)), "LDS", "reads of the next operands while these are computed with");
  wait("scalar-latency", ofWaves(double(scalar)), "scalar memory", "scalars loaded once and early");
  wait("barrier", stalled(Stall::Barrier), "other waves at barriers",
       "as much work for each wave, fewer barriers, or a second workgroup on the unit");
  wait("fetch", stalled(Stall::Fetch), "instructions to be fetched",
       "less unrolling: a loop that fits the instruction cache");
  wait("dependency", stalled(Stall::Dependency) + ofWaves(double(gaps)),
       "results of their own ALU instructions on the way from pipe to pipe",
       "independent instructions between an instruction and what uses its result");
  wait("sleep", stalled(Stall::Sleep), "s_sleep and s_nop", "other instructions in their place");
}

/// Nothing that would gain much: what is used most.
Verdict Judge::bound() const {
  const double used = kernelPart();
  SmallVector<Bound, 8> bounds = {
      {"matrix", "the matrix cores are busy", "fewer or faster matrix instructions: narrower types, or sparsity",
       pipe(Pipe::Matrix)},
      {"memory", "memory is busy", "fewer bytes: narrower types, fusion, or tiles that are used more often", memory()},
      {"l2", "L2 is busy", "larger tiles, so that operands come from L2 less often", l2()},
      {"valu", "the vector ALUs are busy", "fewer instructions: packed ones, or the matrix cores", pipe(Pipe::Valu)},
      {"lds", "LDS is busy", "fewer or wider LDS instructions, or operands that stay in registers", pipe(Pipe::Lds)},
      {"texture", "the address unit of global accesses is busy", "fewer or wider accesses", pipe(Pipe::Texture)},
      {"issue", "waves issue instructions for",
       "fewer instructions: packed or wider ones, or fewer address computations", ofWaves(double(run.issue()))}};
  const Bound &most =
      *std::max_element(bounds.begin(), bounds.end(), [](const Bound &a, const Bound &b) { return a.busy < b.busy; });
  return {most.cause,
          formatv("{0} {1} of the time{2}", most.name, percent(most.busy * used),
                  most.busy >= mostlyBusy ? "" : ", and nothing else costs much"),
          most.remedy.str(), 0};
}

Verdict Judge::verdict() {
  if (!run.summary.instructions)
    return {"nothing", "no instruction was executed", "", 0};
  grid();
  launch();
  waves();
  atomics();
  accesses();
  if (best.cause != "one-wave" || best.gain < worthIt)
    waits();
  return best.gain >= worthIt ? best : bound();
}

Verdict verdictOf(const RunStatistics &run) { return Judge(run).verdict(); }

std::string Verdict::text() const {
  std::string text = finding;
  if (!text.empty())
    text[0] = char(std::toupper(text[0]));
  if (remedy.empty())
    return text + ".";
  if (gain <= 0)
    return text + ": less time takes " + remedy + ".";
  return text + ": " + formatv("up to {0} less time with ", percent(gain)).str() + remedy + ".";
}

json::Object object(const Verdict &verdict) {
  return json::Object{{"cause", verdict.cause},
                      {"finding", verdict.finding},
                      {"remedy", verdict.remedy},
                      {"gain", verdict.gain},
                      {"text", verdict.text()}};
}

} // namespace inflight::trace
