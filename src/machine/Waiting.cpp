#include "machine/Waiting.h"

#include <algorithm>

namespace inflight::machine {

bool Watched::hasChanged() const {
  return !std::all_of(places.begin(), places.end(), [](const Place &place) { return place.isSame(); });
}

namespace {

/// Longest iteration that is looked at, in instructions, and most places that one may read.
constexpr unsigned longestIteration = 1024, mostPlaces = 4096;

/// Registers of a wave, and whatever else decides what it does next.
struct Snapshot {
  const Op *pc;
  uint32_t scalars[nowhereScalar], scc, mode;
  std::vector<uint32_t> vectors; ///< empty: not compared
  size_t inFlight;

  Snapshot(const Wave &wave, bool withVectors, size_t inFlight)
      : pc(wave.pc), scc(wave.scc), mode(wave.mode), inFlight(inFlight) {
    std::copy_n(wave.s, nowhereScalar, scalars);
    if (withVectors)
      vectors.assign(wave.v, wave.v + size_t(hiddenRegister) * Lanes);
  }
  bool isSame(const Wave &wave, size_t inFlightNow) const {
    return std::equal(scalars, scalars + nowhereScalar, wave.s) && scc == wave.scc && mode == wave.mode &&
           inFlight == inFlightNow && (vectors.empty() || std::equal(vectors.begin(), vectors.end(), wave.v));
  }
};

/// Writes down what a wave reads. The values are those before a load, so a change while it executes isn't missed;
/// atomics are reported after they have executed.
class Recorder final : public AccessObserver {
public:
  Recorder(Wave &wave, Watched &watched) : wave(wave), next(wave.observer), watched(watched) {
    wave.observer = this;
    watched.places.clear();
  }
  ~Recorder() { wave.observer = next; }
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  void lanes(Wave &w, const uint64_t *addresses, unsigned bytes, Kind kind) override {
    if (next)
      next->lanes(w, addresses, bytes, kind);
    // What an iteration writes to its own scratch must be what the last one has written there.
    uint64_t last = 0;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (addresses[lane] && addresses[lane] != last) {
        last = addresses[lane];
        hasWritten |= kind == Kind::Write &&
                      last - reinterpret_cast<uint64_t>(wave.scratch) >= uint64_t(wave.scratchBytes) * Lanes;
        add(hostMemory(last), bytes);
      }
  }
  void scalar(Wave &w, uint64_t address, unsigned bytes) override {
    if (next)
      next->scalar(w, address, bytes);
    if (bytes && w.memory->contains(address, bytes))
      add(w.memory->pointer(address), bytes);
  }
  void scalarStore(Wave &w, uint64_t address, unsigned bytes) override {
    if (next)
      next->scalarStore(w, address, bytes);
  }
  void outOfLds(Wave &w, uint64_t lanes) override {
    if (next)
      next->outOfLds(w, lanes);
  }
  void outOfBuffer(Wave &w, const OutOfBuffer &dropped) override {
    if (next)
      next->outOfBuffer(w, dropped);
  }
  bool hasWritten = false; ///< or read more than is watched

private:
  void add(const uint8_t *at, unsigned bytes) {
    for (; bytes && watched.places.size() < mostPlaces; at += std::min(bytes, 16u), bytes -= std::min(bytes, 16u)) {
      Watched::Place &place = watched.places.emplace_back();
      place.at = at;
      place.bytes = std::min(bytes, 16u);
      copyKernelBytes(place.value, at, place.bytes);
    }
    hasWritten |= bytes != 0;
  }
  Wave &wave;
  AccessObserver *next;
  Watched &watched;
};

bool isSleep(const Op &op) { return op.word[0] >> 16 == 0xbf8e; }

/// Scalar memory instructions that aren't reported: all but loads, cache control and clocks.
bool isUnreported(const Op &op) {
  if (op.instrClass != unsigned(InstrClass::Smem))
    return false;
  const unsigned code = op.word[0] >> 18 & 0xff;
  const bool isLoad = code <= 4 || (code >= 8 && code <= 12), isControl = code >= 32 && code < 40;
  return !isLoad && !isControl;
}

} // namespace

Repetition findRepetition(Wave &wave, Watched &watched, llvm::function_ref<void()> step,
                          llvm::function_ref<size_t()> inFlight) {
  bool sleeps = false, isUnknown = false;
  /// Executes one iteration, back to the same instruction.
  auto iterate = [&](const Op *to) {
    for (unsigned i = 0; i < longestIteration && wave.status == Status::Running; ++i) {
      sleeps |= isSleep(*wave.pc);
      isUnknown |= isUnreported(*wave.pc);
      step();
      if (wave.pc == to)
        return wave.status == Status::Running && !isUnknown;
    }
    return false;
  };
  const Repetition otherwise = Repetition::GoesOn;
  auto notRepeated = [&] { return wave.status == Status::Running && sleeps ? Repetition::Sleeps : otherwise; };
  {
    // Most loops count in scalars.
    const Snapshot before(wave, false, inFlight());
    if (!iterate(before.pc) || !before.isSame(wave, inFlight()))
      return notRepeated();
  }
  // Twice: what an atomic has left in the first iteration must be what it finds in the second one.
  const Snapshot before(wave, true, inFlight());
  Watched first;
  for (Watched *reads : {&first, &watched}) {
    Recorder recorder(wave, *reads);
    if (!iterate(before.pc) || recorder.hasWritten || !before.isSame(wave, inFlight()))
      return notRepeated();
  }
  const bool same =
      std::equal(first.places.begin(), first.places.end(), watched.places.begin(), watched.places.end(),
                 [](const auto &a, const auto &b) {
                   return a.at == b.at && a.bytes == b.bytes && std::memcmp(a.value, b.value, a.bytes) == 0;
                 });
  if (!same)
    return notRepeated();
  // Lanes and iterations read the same places again.
  auto &places = watched.places;
  std::sort(places.begin(), places.end(),
            [](const auto &a, const auto &b) { return std::pair(a.at, a.bytes) < std::pair(b.at, b.bytes); });
  places.erase(std::unique(places.begin(), places.end(),
                           [](const auto &a, const auto &b) {
                             return a.at == b.at && a.bytes == b.bytes && std::memcmp(a.value, b.value, a.bytes) == 0;
                           }),
               places.end());
  watched.isActive = true;
  return Repetition::Repeats;
}

} // namespace inflight::machine
