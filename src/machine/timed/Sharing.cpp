#include "machine/timed/Sharing.h"

#include "support/InChild.h"
#include "support/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <cstring>
#include <numeric>

using namespace llvm;

namespace inflight::machine::timed {

namespace {

/// A line that an instruction of some unit loads or changes atomically.
struct Touch {
  uint64_t line;
  uint32_t unit, instruction;
  auto operator<=>(const Touch &) const = default;
};

/// Instructions of all waves together, and the least of each: enough to come to most kernels' main loop.
constexpr uint64_t budget = 3'000'000, leastOfWave = 1000;
/// What a workgroup costs in a timed run, in those of this one, and an instruction likewise.
constexpr uint64_t timedGroupCost = 8, timedInstructionCost = 2;
/// Of so many lines one is looked at.
constexpr uint64_t sampled = 4;

uint32_t hashOf(uint64_t line) { return uint32_t(line * 0x9e3779b97f4a7c15u >> 32); }

/// Notes the lines that one workgroup after another loads.
class Observer final : public AccessObserver {
public:
  Observer(const Memory &memory, unsigned lineBytes)
      : memory(&memory), begin(memory.usedBegin()), shift(Log2_32(lineBytes)) {}
  uint32_t unit = 0, instruction = 0;
  bool isCutOff = false; ///< a workgroup had more to do
  std::vector<Touch> touches;

  std::vector<uint64_t> stored; ///< lines

  void lanes(Wave &, const uint64_t *addresses, unsigned bytes, Kind kind) override {
    // Most lanes want the line of the one before.
    uint64_t last = ~uint64_t(0);
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      const uint64_t from = addresses[lane] - begin;
      if (from >> shift != last || (from + bytes - 1) >> shift != last)
        note(addresses[lane], bytes, last, kind == Kind::Write);
    }
  }
  void scalar(Wave &, uint64_t address, unsigned bytes) override {
    uint64_t last = ~uint64_t(0);
    if (bytes)
      note(address, bytes, last, false);
  }
  void outOfLds(Wave &, uint64_t) override {}
  void outOfBuffer(Wave &, const OutOfBuffer &) override {}
  /// Of what was noted since the last time.
  void forgetRepeats() {
    const auto begin = touches.begin() + kept;
    std::sort(begin, touches.end());
    touches.erase(std::unique(begin, touches.end()), touches.end());
    kept = touches.size();
    const auto storedBegin = stored.begin() + storedKept;
    std::sort(storedBegin, stored.end());
    stored.erase(std::unique(storedBegin, stored.end()), stored.end());
    storedKept = stored.size();
  }

private:
  void note(uint64_t address, unsigned bytes, uint64_t &last, bool isStored) {
    if (!address)
      return;
    for (uint64_t line = (address - begin) >> shift; line <= (address - begin + bytes - 1) >> shift; ++line) {
      if (line == last)
        continue;
      if (hashOf(line) % sampled == 0) {
        if (!memory->contains(address, 1))
          return;
        if (isStored)
          stored.push_back(line);
        else
          touches.push_back({line, unit, instruction});
      }
      last = line;
    }
  }
  const Memory *memory;
  const uint64_t begin;
  const unsigned shift; ///< of an address to its line
  size_t kept = 0, storedKept = 0;
};

bool hasEnded(const WorkgroupRun &run) {
  return all_of(run.waves, [](const Wave &wave) { return wave.status == Status::Ended; });
}

/// Runs each wave for at most `most` instructions from its first one, or until it waits for one that has had these; how
/// many all have had.
template <typename Memory> uint64_t runSome(WorkgroupRun &run, uint64_t most, Memory memoryInstruction) {
  while (true) {
    unsigned atBarrier = 0, live = 0;
    for (Wave &wave : run.waves) {
      while (wave.status == Status::Running && wave.instructions() < most) {
        const Op &op = *wave.pc;
        wave.pc = &op + op.slots;
        ++wave.executed[op.instrClass];
        // No address comes from a matrix product.
        if (op.instrClass == uint8_t(InstrClass::Matrix))
          continue;
        if (op.instrClass != uint8_t(InstrClass::Vmem) && op.instrClass != uint8_t(InstrClass::Smem)) {
          op.handler(wave, op);
          continue;
        }
        memoryInstruction(wave, op);
      }
      atBarrier += wave.status == Status::AtBarrier;
      live += wave.status != Status::Ended;
    }
    if (!atBarrier || atBarrier < live)
      break;
    for (Wave &wave : run.waves)
      if (wave.status == Status::AtBarrier)
        wave.status = Status::Running;
  }
  uint64_t sum = 0;
  for (Wave &wave : run.waves)
    sum += wave.instructions();
  return sum;
}

uint64_t runSome(WorkgroupRun &run, uint64_t most) {
  return runSome(run, most, [](Wave &wave, const Op &op) { op.handler(wave, op); });
}

uint64_t runSome(WorkgroupRun &run, Observer &observer, const CodeTiming &code, uint64_t most) {
  const uint64_t sum = runSome(run, most, [&](Wave &wave, const Op &op) {
    observer.instruction = code.of(*wave.plain(op)).line;
    wave.observer = &observer;
    op.handler(wave, op);
    wave.observer = nullptr;
  });
  observer.isCutOff |= !hasEnded(run);
  return sum;
}

/// Distinct lines, and how many slices and units want them, added up.
struct Extent {
  double byUnit = 0, bySlice = 0, distinct = 0;
};

/// Of sorted touches; `line` gets the touches of each and how many units of each slice want it.
template <typename Line> Extent extentOf(ArrayRef<Touch> touches, unsigned slices, Line line) {
  Extent extent;
  std::vector<unsigned> unitsOf(slices);
  for (size_t first = 0, last; first < touches.size(); first = last) {
    std::fill(unitsOf.begin(), unitsOf.end(), 0);
    for (last = first; last < touches.size() && touches[last].line == touches[first].line; ++last)
      if (last == first || touches[last].unit != touches[last - 1].unit)
        ++unitsOf[touches[last].unit % slices];
    unsigned wanting = 0;
    for (unsigned units : unitsOf) {
      extent.byUnit += units;
      wanting += units != 0;
    }
    extent.bySlice += wanting;
    ++extent.distinct;
    line(touches.slice(first, last - first), ArrayRef<unsigned>(unitsOf), wanting);
  }
  return extent;
}

struct Observed {
  std::vector<Touch> touches; ///< sorted
  Extent first;               ///< of the first round
  unsigned rounds = 0, allRounds = 0;
  uint32_t groups = 0;         ///< that ran
  bool isCutOff = false;       ///< whether there was more to run
  double loadedPart = 1;       ///< of the lines that were loaded or stored
  uint64_t most = 0;           ///< instructions of a wave, but of the first workgroup's
  std::vector<uint64_t> whole; ///< instructions by workgroup; 0: it was cut off, or didn't run
};

std::vector<Touch> sorted(ArrayRef<Observer> observers) {
  std::vector<Touch> touches;
  for (const Observer &observer : observers)
    append_range(touches, observer.touches);
  llvm::sort(touches);
  touches.erase(std::unique(touches.begin(), touches.end()), touches.end());
  return touches;
}

struct Lines {
  size_t loaded = 0, storedOnly = 0;
};

/// `touches` sorted.
Lines linesOf(ArrayRef<Touch> touches, ArrayRef<Observer> observers) {
  std::vector<uint64_t> stored;
  for (const Observer &observer : observers)
    append_range(stored, observer.stored);
  llvm::sort(stored);
  stored.erase(std::unique(stored.begin(), stored.end()), stored.end());
  Lines lines;
  for (size_t i = 0; i < touches.size(); ++i)
    lines.loaded += !i || touches[i].line != touches[i - 1].line;
  for (size_t at = 0; uint64_t line : stored) {
    while (at < touches.size() && touches[at].line < line)
      ++at;
    lines.storedOnly += at == touches.size() || touches[at].line != line;
  }
  return lines;
}

/// Runs the first workgroup, noting what it touches in its first `most` instructions a wave. How many of each wave the
/// `others` may run so that all of them cost no more than the timed run: at most `most`. `whole`: of the workgroup.
uint64_t runFirst(const PreparedLaunch &launch, const CodeTiming &code, const SharingPlan &plan, uint64_t most,
                  uint64_t others, Observer &observer, uint64_t &instructions, uint64_t &whole) {
  WorkgroupRun run;
  launch.begin(run, 0);
  observer.unit = 0;
  instructions += runSome(run, observer, code, most);
  observer.forgetRepeats();
  // How long it is tells what the timed run will cost, as far as that matters.
  const uint64_t timed = timedInstructionCost * plan.timedGroups, waves = std::max<uint64_t>(1, run.waves.size());
  const uint64_t length = runSome(run, most * divideCeil(others, std::max<uint64_t>(1, timed)));
  whole = hasEnded(run) ? length : 0;
  return std::clamp(timed * length / std::max<uint64_t>(1, others * waves), std::min(leastOfWave, most), most);
}

Observed observe(const PreparedLaunch &launch, const CodeTiming &code, const TimingData &data, const SharingPlan &plan,
                 uint64_t &instructions) {
  const uint32_t groups = std::min<uint64_t>(launch.workgroups(), uint64_t(plan.units) * plan.residentGroups);
  const auto &block = launch.config->block;
  const uint64_t wavesOfGroup = std::max<uint64_t>(1, (uint64_t(block[0]) * block[1] * block[2] + Lanes - 1) / Lanes);
  const unsigned threads = std::clamp<unsigned>(plan.threads, 1, groups);
  std::vector<Observer> observers(threads, Observer(*launch.memory, data.l2Line));
  std::vector<uint64_t> counts(threads);
  Observed observed;
  observed.allRounds = divideCeil(groups, plan.units);
  observed.whole.resize(groups);
  observed.most =
      runFirst(launch, code, plan, std::max(leastOfWave, budget / std::max<uint64_t>(1, groups * wavesOfGroup)),
               std::min<uint64_t>(groups, 2 * uint64_t(plan.units)), observers[0], counts[0], observed.whole[0]);
  // Round by round, a workgroup on each unit, until that was as much work as the timed run will be. Two tell how lines
  // grow with their number: what all share doesn't, what each has of its own does.
  for (uint32_t first = 0, end; first < groups; first = end) {
    end = std::min<uint64_t>(groups, uint64_t(first) + plan.units);
    observed.groups = end;
    onThreads(threads, [&](unsigned thread) {
      WorkgroupRun run;
      for (uint32_t group = std::max(first, 1u) + thread; group < end; group += threads) {
        launch.begin(run, group);
        observers[thread].unit = group % plan.units;
        const uint64_t some = runSome(run, observers[thread], code, observed.most);
        counts[thread] += some;
        observed.whole[group] = hasEnded(run) ? some : 0;
        observers[thread].forgetRepeats();
      }
    });
    if (++observed.rounds == 1)
      observed.first = extentOf(sorted(observers), plan.slices, [](auto &&...) {});
    else if (end > timedGroupCost * plan.timedGroups)
      break;
  }
  instructions = std::accumulate(counts.begin(), counts.end(), uint64_t(0));
  observed.isCutOff = any_of(observers, [](const Observer &observer) { return observer.isCutOff; });
  observed.touches = sorted(observers);
  const Lines lines = linesOf(observed.touches, observers);
  observed.loadedPart = lines.loaded ? double(lines.loaded) / double(lines.loaded + lines.storedOnly) : 1;
  return observed;
}

/// Less than so many more of the longest are no difference; with fewer than one in so many a workgroup ends at once.
constexpr uint64_t isAlike = 16;

/// Where each unit has one workgroup, the device is done when the longest is: of a product whose terms are split, say,
/// that with what is left over.
void findLongest(Sharing &sharing, const PreparedLaunch &launch, const SharingPlan &plan, Observed &observed) {
  constexpr uint64_t tried = 16, mostTimes = 8;
  const uint64_t first = observed.whole[0], groups = observed.whole.size();
  if (launch.workgroups() != plan.units || groups != plan.units || groups < 2 || !first)
    return;
  // Some of those that were cut off; the last one is often another than the first.
  for (uint64_t i = 1; i < tried; ++i) {
    const uint64_t group = i * (groups - 1) / (tried - 1);
    if (observed.whole[group])
      continue;
    WorkgroupRun run;
    launch.begin(run, uint32_t(group));
    const uint64_t length = runSome(run, mostTimes * first / run.waves.size());
    observed.whole[group] = hasEnded(run) ? length : 0;
  }
  const auto longest = std::max_element(observed.whole.begin(), observed.whole.end());
  if (*longest * isAlike <= first * (isAlike + 1))
    return;
  sharing.longest = uint32_t(longest - observed.whole.begin());
  double sum = 0, known = 0;
  for (uint64_t i = 0; i < tried; ++i)
    if (const uint64_t length = observed.whole[i * (groups - 1) / (tried - 1)]) {
      sum += double(length);
      ++known;
    }
  sharing.meanWork = std::min(1.0, sum / known / double(*longest));
}

/// What some workgroups, spread over the grid and run to their ends, load and store says what all do. `wanting`: units
/// that want a line.
double touchedPart(const PreparedLaunch &launch, const CodeTiming &code, const TimingData &data, double wanting) {
  constexpr uint64_t tried = 16, most = 100'000; // instructions of a wave
  const uint64_t groups = launch.workgroups(), runs = std::min(tried, groups);
  size_t sum = 0;
  for (uint64_t i = 0; i < runs; ++i) {
    std::vector<Observer> observers(1, Observer(*launch.memory, data.l2Line));
    WorkgroupRun run;
    launch.begin(run, uint32_t(i * (groups - 1) / std::max<uint64_t>(1, runs - 1)));
    runSome(run, observers[0], code, most);
    if (observers[0].isCutOff)
      return 1;
    const Lines lines = linesOf(sorted(observers), observers);
    sum += lines.loaded + lines.storedOnly;
  }
  const double bytes = double(sum * sampled * data.l2Line) * double(groups) / double(runs) / wanting;
  return std::min(1.0, bytes / double(std::max<uint64_t>(1, launch.memory->totalBytes())));
}

/// Units with a workgroup that doesn't end at once, where all of the grid was looked at.
unsigned usersOf(const PreparedLaunch &launch, const SharingPlan &plan, const Observed &observed) {
  if (observed.groups != launch.workgroups())
    return 0;
  const uint64_t longest = *std::max_element(observed.whole.begin(), observed.whole.end()),
                 least = is_contained(observed.whole, uint64_t(0)) ? std::max(longest, observed.most) : longest;
  std::vector<bool> isUser(plan.units);
  for (size_t group = 0; group < observed.whole.size(); ++group)
    if (!observed.whole[group] || observed.whole[group] * isAlike >= least)
      isUser[group % plan.units] = true;
  return unsigned(llvm::count(isUser, true));
}

uint32_t fraction(double part, double whole) {
  return whole > 0 ? uint32_t(std::min(1.0, part / whole) * 0xffffffff) : ~0u;
}

/// Of all rounds: the others are as those after the first.
Extent ofAllRounds(const Observed &observed, const Extent &seen) {
  if (observed.rounds >= observed.allRounds || observed.rounds < 2)
    return seen;
  const double more = double(observed.allRounds - observed.rounds) / (observed.rounds - 1);
  const auto all = [&](double first, double last) { return last + more * (last - first); };
  const Extent &first = observed.first;
  return {all(first.byUnit, seen.byUnit), all(first.bySlice, seen.bySlice), all(first.distinct, seen.distinct)};
}

void summarise(Sharing &sharing, const Observed &observed, unsigned units, unsigned slices, size_t lines) {
  // Of each instruction: lines, those of them that its unit brings to L2, and those of these that come from memory.
  struct Sum {
    double wanted = 0, toL2 = 0, fromMemory = 0;
  };
  std::vector<Sum> sums(lines);
  std::vector<std::vector<bool>> cameTo(lines, std::vector<bool>(units));
  const Extent seen =
      extentOf(observed.touches, slices, [&](ArrayRef<Touch> touches, ArrayRef<unsigned> unitsOf, unsigned wanting) {
        for (const Touch &touch : touches) {
          Sum &sum = sums[touch.instruction];
          cameTo[touch.instruction][touch.unit] = true;
          const double part = 1.0 / unitsOf[touch.unit % slices];
          sum.wanted += 1;
          sum.toL2 += part;
          sum.fromMemory += part / wanting;
        }
      });
  if (!seen.distinct)
    return;
  const Extent all = ofAllRounds(observed, seen);
  sharing.unitsALine = all.byUnit / all.bySlice;
  sharing.slicesALine = all.bySlice / all.distinct;
  sharing.loadedPart = observed.loadedPart;
  Sum average;
  for (const Sum &sum : sums) {
    average.wanted += sum.wanted;
    average.toL2 += sum.toL2;
    average.fromMemory += sum.fromMemory;
  }
  // Waves stop after a number of instructions. What only the fastest of them came to looks as if nobody else wanted it.
  constexpr unsigned fewest = 4; // units come to it: a quarter
  const unsigned running = std::min<unsigned>(units, observed.groups);
  for (const auto &[sum, seenBy] : zip(sums, cameTo)) {
    const bool isSeen = llvm::count(seenBy, true) * fewest >= running;
    // Those that weren't seen to load count as the average one.
    const Sum &known = sum.wanted && (isSeen || !observed.isCutOff) ? sum : average;
    sharing.byLine.push_back({fraction(known.toL2, known.wanted), fraction(known.fromMemory, known.toL2)});
  }
}

} // namespace

void runAhead(const PreparedLaunch &launch, uint32_t groups, uint64_t most) {
  WorkgroupRun run;
  for (uint32_t group = 0; group < groups; ++group) {
    launch.begin(run, group);
    runSome(run, most);
  }
}

Sharing observeSharing(const PreparedLaunch &launch, const CodeTiming &code, const TimingData &data,
                       const SharingPlan &plan) {
  const auto begin = std::chrono::steady_clock::now();
  Sharing sharing;
  SharingSums &sums = sharing;
  const std::optional<std::string> seen = inChild([&](raw_ostream &os) {
    Sharing all;
    Observed observed = observe(launch, code, data, plan, all.instructions);
    summarise(all, observed, plan.units, plan.slices, code.lines({}).size());
    all.most = observed.most;
    all.users = usersOf(launch, plan, observed);
    findLongest(all, launch, plan, observed);
    if (plan.wantsTouchedPart)
      all.touchedPart = touchedPart(launch, code, data, all.unitsALine * all.slicesALine);
    os.write(reinterpret_cast<const char *>(static_cast<const SharingSums *>(&all)), sizeof(sums));
    os.write(reinterpret_cast<const char *>(all.byLine.data()), all.byLine.size() * sizeof(LineSharing));
  });
  if (seen && seen->size() >= sizeof(sums)) {
    std::memcpy(&sums, seen->data(), sizeof(sums));
    sharing.byLine.resize((seen->size() - sizeof(sums)) / sizeof(LineSharing));
    std::memcpy(sharing.byLine.data(), seen->data() + sizeof(sums), sharing.byLine.size() * sizeof(LineSharing));
  }
  sharing.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return sharing;
}

} // namespace inflight::machine::timed
