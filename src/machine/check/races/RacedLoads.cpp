#include "machine/check/races/RacedLoads.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::machine::check {

void RacedLoads::begin(unsigned waveCount, uint64_t address, uint64_t bytes) {
  if (waves.size() < waveCount)
    waves.resize(waveCount);
  ldsAddress = address;
  ldsBytes = bytes;
  isActive = false;
  begun = 0;
  untold.clear();
}

bool RacedLoads::follows(const Op &op) const {
  if (!code)
    return false;
  const Flow &flow = code->of(op);
  return flow.rule == Rule::Memory && flow.isLoad && !flow.isStore && flow.vectorWrites.size() == 1;
}

Undefined &RacedLoads::of(const Wave &wave) {
  Undefined &values = waves[wave.number];
  if (!(begun >> wave.number & 1)) {
    begun |= 1u << wave.number;
    values.beginDefined(wave);
  }
  return values;
}

bool RacedLoads::before(Wave &wave, const Op &op) {
  return !of(wave).passes(wave.exec(), code->plainAt(&op - codeBegin)) && before(wave, op, code->of(op));
}

bool RacedLoads::memory(Wave &wave, const Op &op, ArrayRef<AccessRecord> accesses, uint8_t halves) {
  const Flow &flow = code->of(op);
  return flow.rule == Rule::Memory && of(wave).memory(wave, op, flow, accesses, undefinedMemory, halves).what;
}

void RacedLoads::add(Wave &wave, const Op &op, uint8_t halves, const Conflict &conflict) {
  if (!std::exchange(isActive, true))
    undefinedMemory.lds.begin(ldsAddress, ldsBytes, true);
  of(wave).undefineLoaded(code->of(op), conflict.lanes, halves);
  const uint32_t index = &op - codeBegin;
  if (none_of(untold,
              [&](const Race &race) { return race.op == index && race.conflict.other.op == conflict.other.op; }))
    untold.push_back({wave.number, index, conflict});
}

} // namespace inflight::machine::check
