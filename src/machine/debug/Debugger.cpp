#include "machine/debug/Debugger.h"

#include "machine/debug/Places.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "support/files/Npy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::debug {

Debugger::Debugger(const PreparedLaunch &launch)
    : launch(launch),
      request(*launch.config->debug),
      codeBegin(launch.code.begin()),
      breaksAt(launch.code.end() - launch.code.begin() + 1) {}

Expected<std::unique_ptr<Debugger>> Debugger::make(const PreparedLaunch &launch) {
  std::unique_ptr<Debugger> debugger(new Debugger(launch));
  const Request &request = debugger->request;
  for (const BreakSpec &spec : request.breaks)
    if (Error error = debugger->addBreak(spec))
      return makeError("--break " + spec.place + ": " + toString(std::move(error)));
  for (const DumpItem &item : request.dumps)
    if (Error error = debugger->addDump(item))
      return makeError("--dump " + item.text + ": " + toString(std::move(error)));
  for (const WatchSpec &spec : request.watches)
    if (Error error = debugger->addWatch(spec))
      return makeError("--watch " + spec.range.text + ": " + toString(std::move(error)));
  // Values without a place are those that the first wave ends with.
  if (request.breaks.empty() && !request.dumps.empty()) {
    BreakSpec end;
    end.place = "end";
    end.waves = {std::array<uint32_t, 3>{0, 0, 0}, 0u};
    if (Error error = debugger->addBreak(end))
      return std::move(error);
  }
  return debugger;
}

Error Debugger::addBreak(const BreakSpec &spec) {
  Expected<std::vector<uint64_t>> places = findPlaces(spec.place, launch, request.lines);
  if (!places)
    return places.takeError();
  if (Error error = checkSelection(spec.waves, launch))
    return error;
  for (uint64_t address : *places) {
    const Op *op = launch.code.at(address);
    breaksAt[op - codeBegin] = 1;
    breaksOf[op].push_back(breaks.size());
  }
  Break &added = breaks.emplace_back();
  added.spec = spec;
  // Who says which hits wants all of them.
  added.most = spec.stops ? *spec.stops : spec.choosesHits ? ~0u : usualStops;
  added.isEnd = spec.place == "end";
  return Error::success();
}

static Error checkRegisters(RegRange range, const PreparedLaunch &launch) {
  const RegisterLimits &limits = launch.limits;
  const unsigned first = isAgpr(range.first)   ? regunit::Agpr0
                         : isVgpr(range.first) ? regunit::Vgpr0
                                               : 0,
                 there = isAgpr(range.first)   ? limits.agprs
                         : isVgpr(range.first) ? limits.vgprs
                                               : limits.sgprs;
  const char *kind = isAgpr(range.first) ? "AccVGPR" : isVgpr(range.first) ? "VGPR" : "SGPR";
  const bool isSpecial = !first && range.first >= regunit::FlatScratchLo;
  if (isSpecial || range.first + range.count <= first + there)
    return Error::success();
  if (!there)
    return makeError("kernel '" + launch.kernel->name + "' has no " + kind + "s");
  return makeError("kernel '" + launch.kernel->name + "' has " + counted(there, kind) + ": the last one is " +
                   regName({RegUnit(first + there - 1), 1}));
}

Error Debugger::addDump(const DumpItem &item) {
  Dump dump{item, std::nullopt};
  if (!item.memory) {
    if (Error error = checkRegisters(item.registers, launch))
      return error;
  } else {
    Expected<PlacedRange> placed = placeRange(*item.memory, launch);
    if (!placed)
      return placed.takeError();
    const unsigned unit = std::max(1u, elementBytes(item.type));
    if (placed->bytes() % unit)
      return makeError(Twine(placed->bytes()) + " bytes are no whole number of " + item.type);
    dump.memory = std::move(*placed);
  }
  dumps.push_back(std::move(dump));
  return Error::success();
}

Error Debugger::addWatch(const WatchSpec &spec) {
  Expected<PlacedRange> placed = placeRange(spec.range, launch);
  if (!placed)
    return placed.takeError();
  if (Error error = checkSelection(spec.waves, launch))
    return error;
  if (placed->bytes() > mostWatchedBytes)
    return makeError(Twine(placed->bytes()) + " bytes are too many to watch; " + Twine(mostWatchedBytes) + " can be");
  watches.emplace_back(std::move(*placed), spec);
  return Error::success();
}

uint64_t Debugger::numberOf(const Workgroup &group) const {
  const auto &grid = launch.config->grid;
  return group.id[0] + uint64_t(grid[0]) * (group.id[1] + uint64_t(grid[1]) * group.id[2]);
}

bool Debugger::wants(const Workgroup &group) const {
  return any_of(breaks, [&](const Break &b) { return b.spec.waves.has(group.id); }) ||
         any_of(watches, [&](const Watch &watch) { return watch.has(group); });
}

void Debugger::begin(MutableArrayRef<Wave> waves) {
  if (watches.empty())
    return;
  // Workgroups that have begun may take turns, each with a checker of its own.
  for (Wave &wave : waves) {
    next[&wave] = wave.observer;
    wave.observer = this;
  }
}

void Debugger::lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) {
  if (AccessObserver *checks = next.lookup(&wave))
    checks->lanes(wave, addresses, bytes, kind);
  if (kind == Kind::Read)
    return;
  for (Watch &watch : watches)
    if (watch.has(*wave.group))
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (addresses[lane])
          watch.touch(wave, addresses[lane], bytes, lane, kind == Kind::Atomic);
}

void Debugger::scalar(Wave &wave, uint64_t address, unsigned bytes) {
  if (AccessObserver *checks = next.lookup(&wave))
    checks->scalar(wave, address, bytes);
}

void Debugger::scalarStore(Wave &wave, uint64_t address, unsigned bytes) {
  if (AccessObserver *checks = next.lookup(&wave))
    checks->scalarStore(wave, address, bytes);
  for (Watch &watch : watches)
    watch.touch(wave, address, bytes, -1, /*isAtomicAccess=*/false);
}

void Debugger::outOfLds(Wave &wave, uint64_t lanes) {
  if (AccessObserver *checks = next.lookup(&wave))
    checks->outOfLds(wave, lanes);
}

void Debugger::outOfBuffer(Wave &wave, const OutOfBuffer &dropped) {
  if (AccessObserver *checks = next.lookup(&wave))
    checks->outOfBuffer(wave, dropped);
}

void Debugger::hit(const Wave &wave, const Op &op) {
  std::optional<Stop> stop;
  for (unsigned number : breaksOf.find(&op)->second) {
    Break &at = breaks[number];
    const BreakSpec &spec = at.spec;
    if (!spec.waves.has(wave.group->id) || (spec.waves.wave && *spec.waves.wave != wave.number))
      continue;
    const uint64_t hit = ++at.hitsOf[{numberOf(*wave.group), wave.number}];
    if (hit < spec.firstHit || hit > spec.lastHit || at.shown == at.most) {
      ++at.leftOut;
      continue;
    }
    ++at.shown;
    // Several breaks may be at one instruction: it is shown once.
    if (stop)
      continue;
    stop = stopAt(launch.code, wave, op, request.lines);
    stop->reason = at.isEnd ? StopReason::End : StopReason::Break;
    stop->place = spec.place;
    stop->hit = hit;
  }
  if (stop)
    show(std::move(*stop), wave);
}

void Debugger::show(Stop stop, const Wave &wave) const {
  for (const Dump &dump : dumps) {
    Value value;
    if (dump.memory) {
      value.kind = Value::Kind::Memory;
      value.name = dump.memory->name;
      value.begin = dump.memory->begin;
      const uint8_t *from = dump.memory->at(wave);
      value.bytes.assign(from, from + dump.memory->bytes());
    } else {
      value = valueOf(wave, dump.item.registers);
    }
    value.type = dump.item.type;
    stop.dumped.push_back(std::move(value));
  }
  for (const Watch &watch : watches)
    if (watch.has(*wave.group))
      stop.watches.push_back(watch.report(launch.code, request.lines, /*withWrites=*/false));
  request.listener->stopped(stop);
}

void Debugger::faulted(const Wave &wave) {
  const Op *op = wave.group->faultOp;
  if (dumps.empty() || !op)
    return;
  Stop stop = stopAt(launch.code, wave, *op, request.lines);
  stop.reason = StopReason::Fault;
  show(std::move(stop), wave);
}

void Debugger::end() {
  for (const Watch &watch : watches)
    request.listener->watched(watch.report(launch.code, request.lines, /*withWrites=*/true));
  for (const Break &at : breaks) {
    const std::string place = at.isEnd ? "the end" : at.spec.place;
    if (at.hitsOf.empty())
      request.listener->note("break at " + place + ": no wave that is meant comes there");
    else if (!at.shown)
      request.listener->note(
          formatv("break at {0}: {1}, none of them the one that is meant", place, counted(at.leftOut, "hit")));
    else if (at.leftOut && (at.shown == at.most || !at.spec.choosesHits))
      request.listener->note(
          formatv("break at {0}: {1} of {2} by {3} shown; workgroup=, wave=, hit= and stops= choose others", place,
                  at.shown, counted(at.shown + at.leftOut, "hit"), counted(at.hitsOf.size(), "wave")));
  }
}

} // namespace inflight::machine::debug
