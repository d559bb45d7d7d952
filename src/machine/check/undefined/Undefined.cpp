#include "machine/check/undefined/Undefined.h"

#include "machine/check/undefined/UndefinedBits.h"

using namespace llvm;

namespace inflight::machine::check {

void Undefined::begin(const Wave &wave, unsigned definedScalars) {
  std::fill(std::begin(full), std::end(full), ~uint64_t(0));
  std::fill(std::begin(any), std::end(any), ~uint64_t(0));
  std::fill(std::begin(source), std::end(source), nullptr);
  std::fill(std::begin(scalarSource), std::end(scalarSource), nullptr);
  any[0] = full[0] = 0;
  if (!bits)
    bits.reset(new uint32_t[size_t(registers) * Lanes]);
  std::fill(std::begin(scalars), std::end(scalars), ~0u);
  std::fill_n(scalars, definedScalars, 0);
  // FLAT_SCRATCH and the trap temporaries are set up before the kernel starts.
  std::fill(scalars + regunit::FlatScratchLo, scalars + regunit::XnackMaskLo, 0);
  std::fill(scalars + regunit::Ttmp0, scalars + regunit::M0, 0);
  scalars[regunit::M0] = 0; // what isn't defined is found where it is written there
  std::fill(scalars + regunit::ExecLo, scalars + regunit::ExecHi + 1, 0);
  scratch.begin(reinterpret_cast<uint64_t>(wave.scratch), uint64_t(wave.scratchBytes) * Lanes);
}

void Undefined::beginDefined(const Wave &wave) {
  begin(wave, 0);
  std::fill(std::begin(full), std::end(full), 0);
  std::fill(std::begin(any), std::end(any), 0);
  std::fill(std::begin(scalars), std::end(scalars), 0);
  scratch.begin(reinterpret_cast<uint64_t>(wave.scratch), uint64_t(wave.scratchBytes) * Lanes, true);
  isStrict = true;
}

void Undefined::setBits(unsigned reg, unsigned lane, uint32_t value) {
  const uint64_t bit = uint64_t(1) << lane;
  full[reg] = value == ~0u ? full[reg] | bit : full[reg] & ~bit;
  any[reg] = value ? any[reg] | bit : any[reg] & ~bit;
  bits[reg * Lanes + lane] = value;
}

uint64_t Undefined::dirtyLanes(ArrayRef<Flow::Run> runs) const {
  uint64_t lanes = 0;
  for (Flow::Run run : runs)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < registers; ++i)
      lanes |= any[i];
  return lanes;
}

bool Undefined::dirtyScalars(Flow::Run run) const {
  uint32_t any = 0;
  for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < scalarCount; ++i)
    any |= scalars[i];
  return any;
}

bool Undefined::dirtyScalars(const Flow &flow) const {
  for (Flow::Run run : flow.scalarReads)
    if (dirtyScalars(run))
      return true;
  return false;
}

void Undefined::define(ArrayRef<Flow::Run> runs, uint64_t lanes) {
  for (Flow::Run run : runs)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < registers; ++i) {
      any[i] &= ~lanes;
      full[i] &= ~lanes;
    }
}

void Undefined::undefine(ArrayRef<Flow::Run> runs, uint64_t lanes) {
  for (Flow::Run run : runs)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < registers; ++i) {
      any[i] |= lanes;
      full[i] |= lanes;
    }
}

void Undefined::setScalars(ArrayRef<Flow::Run> runs, uint64_t value) {
  for (Flow::Run run : runs)
    for (unsigned i = 0; i < run.count && run.first + i < scalarCount; ++i)
      scalars[run.first + i] = i < 2 ? uint32_t(value >> (32 * i)) : value ? ~0u : 0;
}

Undefined::Operand Undefined::scalarOperand(const Wave &wave, const Op &op, unsigned i, unsigned half) const {
  const Source &s = op.source[i];
  if (s.kind == Source::Constant)
    return {uint32_t(s.value >> (32 * half)), 0};
  if (s.kind == Source::Scalar && s.index + half < scalarCount - 1)
    return {wave.s[s.index + half], scalars[s.index + half]};
  return {};
}

/// A 32-bit source of one lane, of SDWA the part that is selected.
Undefined::Operand Undefined::operand(Wave &wave, const Op &op, const Flow &flow, unsigned i, unsigned lane) const {
  unsigned reg = op.source[i].index;
  unsigned from = lane;
  if (flow.isDpp && op.extra && i == 0) {
    const WrappedOp &wrapped = *static_cast<const WrappedOp *>(op.extra);
    if (!(wrapped.exists >> lane & 1))
      return {};
    reg = op.word[1] & 0xff;
    from = wrapped.from[lane];
  } else if (op.source[i].kind != Source::Vector) {
    return scalarOperand(wave, op, i, 0);
  }
  if (reg >= registers)
    return {};
  Operand result{wave.vgpr(reg)[from], bitsOf(reg, from)};
  if (flow.isSdwa && i < 2) {
    const SdwaPart part = sdwaPart(op.word[1] >> (i ? 24 : 16) & 7);
    result.value = result.value >> part.shift & part.mask;
    result.undefined = result.undefined >> part.shift & part.mask;
  }
  return result;
}

const Op *Undefined::sourceOf(ArrayRef<Flow::Run> vectors, ArrayRef<Flow::Run> scalarRuns) const {
  for (Flow::Run run : vectors)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < registers; ++i)
      if (any[i] && source[i])
        return source[i];
  for (Flow::Run run : scalarRuns)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < scalarCount; ++i)
      if (scalars[i] && scalarSource[i])
        return scalarSource[i];
  return nullptr;
}

void Undefined::setSource(const Flow &flow, const Op *from) {
  for (Flow::Run run : flow.vectorWrites)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < registers; ++i)
      source[i] = from;
  for (Flow::Run run : flow.scalarWrites)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < scalarCount; ++i)
      scalarSource[i] = from;
}

UndefinedUse Undefined::before(Wave &wave, const Op &op, const Flow &flow) {
  const Op *from = flow.rule == Rule::Memory ? sourceOf(flow.address, flow.scalarAddress)
                                             : sourceOf(flow.vectorReads, flow.scalarReads);
  UndefinedUse use = follow(wave, op, flow);
  use.source = from;
  if (flow.rule != Rule::Memory)
    setSource(flow, from);
  return use;
}

UndefinedUse Undefined::follow(Wave &wave, const Op &op, const Flow &flow) {
  if (isStrict && flow.escapes && (dirtyScalars(flow) || dirtyLanes(flow.vectorReads)))
    return {"state of the wave or a scalar store"};
  switch (flow.rule) {
  case Rule::None: return {};
  case Rule::Branch: {
    const UndefinedUse use = branch(wave, flow);
    setScalars(flow.scalarWrites, 0);
    return use;
  }
  case Rule::Memory: {
    const uint64_t lanes = dirtyLanes(flow.address) & wave.exec();
    if (lanes)
      return {"address", countr_zero(lanes)};
    for (Flow::Run run : flow.scalarAddress)
      if (dirtyScalars(run))
        return {"address"};
    return {};
  }
  default: return flow.isScalar ? scalarFlow(wave, op, flow) : vectorFlow(wave, op, flow);
  }
}

UndefinedUse Undefined::branch(const Wave &wave, const Flow &flow) const {
  for (Flow::Run run : flow.scalarReads) {
    if (!dirtyScalars(run))
      continue;
    // A bit that is known to be set decides that VCC is not zero.
    if (run.first == regunit::VccLo &&
        ((wave.s[regunit::VccLo] & ~scalars[regunit::VccLo]) | (wave.s[regunit::VccHi] & ~scalars[regunit::VccHi])))
      continue;
    return {"branch"};
  }
  return {};
}

UndefinedUse Undefined::scalarFlow(const Wave &wave, const Op &op, const Flow &flow) {
  if (!dirtyScalars(flow)) {
    setScalars(flow.scalarWrites, 0);
    return {};
  }
  const unsigned halves = flow.is64Bit ? 2 : 1;
  uint64_t result = 0;
  bool definedOne = false;
  for (unsigned half = 0; half < halves; ++half) {
    const Operand a = scalarOperand(wave, op, 0, half),
                  b = flow.savesExec ? Operand{wave.s[regunit::ExecLo + half], 0} : scalarOperand(wave, op, 1, half);
    uint32_t undefined = ~0u;
    switch (flow.rule) {
    case Rule::Mov: undefined = a.undefined; break;
    case Rule::And: undefined = undefinedAnd(a.value, a.undefined, b.value, b.undefined); break;
    case Rule::Or: undefined = undefinedOr(a.value, a.undefined, b.value, b.undefined); break;
    case Rule::Xor: undefined = a.undefined | b.undefined; break;
    case Rule::AndNot: undefined = undefinedAnd(a.value, a.undefined, ~b.value, b.undefined); break;
    case Rule::OrNot: undefined = undefinedOr(a.value, a.undefined, ~b.value, b.undefined); break;
    case Rule::Select: undefined = scalars[sccScalar] ? ~0u : wave.scc ? a.undefined : b.undefined; break;
    case Rule::Pack:
      undefined = (flow.packsHigh & 1 ? a.undefined >> 16 : a.undefined & 0xffff) |
                  (flow.packsHigh & 2 ? b.undefined & 0xffff0000u : b.undefined << 16);
      break;
    default: break;
    }
    result |= uint64_t(undefined) << (32 * half);
    const uint32_t value = flow.rule == Rule::And ? a.value & b.value : flow.rule == Rule::Or ? a.value | b.value : 0;
    definedOne |= value & ~undefined;
  }
  for (Flow::Run run : flow.scalarWrites)
    if (run.first == sccScalar)
      scalars[sccScalar] = result && !definedOne ? ~0u : 0;
    else if (flow.savesExec)
      setScalars(run, 0);
    else
      setScalars(run, flow.is64Bit || run.count == 1 ? result : result ? ~uint64_t(0) : 0);
  if (flow.writesExec && result)
    return {"EXEC"};
  return {};
}

/// The lanes that DPP writes.
static uint64_t dppLanes(const Wave &wave, const Op &op) {
  const WrappedOp &wrapped = *static_cast<const WrappedOp *>(op.extra);
  const uint64_t exec = wave.exec();
  const bool zeroes = op.word[1] >> 19 & 1; // BOUND_CTRL: zero from lanes that don't exist
  uint64_t valid = zeroes ? ~uint64_t(0) : wrapped.exists;
  for (unsigned lane = 0; lane < Lanes && !zeroes; ++lane)
    if (!(exec >> wrapped.from[lane] & 1))
      valid &= ~(uint64_t(1) << lane);
  return exec & wrapped.unmasked & valid;
}

/// Comparisons and carries: a bit of the result for each lane.
UndefinedUse Undefined::lanesToBits(Wave &wave, const Op &op, const Flow &flow, uint64_t exec) {
  uint64_t lanes = usedLanes(wave, op, flow);
  // The carry in has a bit for each lane; other scalars go to all.
  for (Flow::Run run : flow.scalarReads) {
    const bool isCarry =
        op.source[2].kind == Source::Scalar && run.first == op.source[2].index && flow.rule == Rule::Carry;
    if (isCarry)
      lanes |= scalars[run.first] | uint64_t(scalars[run.first + 1]) << 32;
    else if (dirtyScalars(run))
      lanes = ~uint64_t(0);
  }
  lanes &= exec;
  define(flow.vectorWrites, exec);
  undefine(flow.vectorWrites, lanes);
  setScalars(flow.scalarWrites, lanes);
  if (flow.writesExec && lanes)
    return {"EXEC", countr_zero(lanes)};
  return {};
}

/// One lane's value becomes a scalar.
void Undefined::readLane(const Wave &wave, const Op &op, const Flow &flow, uint64_t exec) {
  const unsigned reg = op.source[0].index;
  const Operand select = scalarOperand(wave, op, 1, 0);
  const bool isFirst = flow.rule == Rule::ReadFirstLane;
  const unsigned lane = isFirst ? (exec ? countr_zero(exec) : 0) : select.value % Lanes;
  uint32_t undefined = !isFirst && (select.undefined & (Lanes - 1)) ? ~0u : 0;
  if (op.source[0].kind == Source::Vector && reg < registers)
    undefined |= bitsOf(reg, lane);
  setScalars(flow.scalarWrites, undefined);
}

/// A scalar becomes one lane's value.
void Undefined::writeLane(const Wave &wave, const Op &op, const Flow &flow) {
  const Operand value = scalarOperand(wave, op, 0, 0), select = scalarOperand(wave, op, 1, 0);
  for (Flow::Run run : flow.vectorWrites)
    if (run.first < registers)
      setBits(run.first, select.value % Lanes, select.undefined & (Lanes - 1) ? ~0u : value.undefined);
}

/// All lanes are undefined when those of a source are.
void Undefined::crossLanes(const Flow &flow, uint64_t exec) {
  bool whole = false;
  for (Flow::Run run : flow.vectorReads)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < registers; ++i)
      whole |= isStrict ? any[i] != 0 : (any[i] & exec) == exec;
  define(flow.vectorWrites, exec);
  if (whole)
    undefine(flow.vectorWrites, exec);
}

/// A whole source that is undefined makes the result so; otherwise undefined sums stay.
void Undefined::matrixFlow(const Op &op, const Flow &flow) {
  bool whole = false;
  for (Flow::Run run : flow.vectorReads)
    for (unsigned i = run.first; i < unsigned(run.first + run.count) && i < registers; ++i)
      if (!(op.source[2].kind == Source::Vector && i >= op.source[2].index && run.first == op.source[2].index))
        whole |= isStrict ? any[i] != 0 : any[i] == ~uint64_t(0);
  const bool sumIsRegister = op.source[2].kind == Source::Vector;
  for (Flow::Run run : flow.vectorWrites)
    for (unsigned i = 0; i < run.count; ++i) {
      const unsigned sum = op.source[2].index + i;
      const uint64_t lanes = whole ? ~uint64_t(0) : sumIsRegister && sum < registers ? any[sum] : 0;
      any[run.first + i] = full[run.first + i] = lanes;
    }
}

/// 64 bits as they are, or shifted.
void Undefined::wideShift(Wave &wave, const Op &op, const Flow &flow, uint64_t exec) {
  const unsigned from = flow.rule == Rule::WideMov ? 0 : 1, to = flow.vectorWrites[0].first;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    const Source &s = op.source[from];
    uint64_t bits = s.kind == Source::Vector && s.index + 1u < registers
                        ? bitsOf(s.index, lane) | uint64_t(bitsOf(s.index + 1, lane)) << 32
                    : s.kind == Source::Scalar && s.index + 1u < scalarCount
                        ? scalars[s.index] | uint64_t(scalars[s.index + 1]) << 32
                        : 0;
    if (from) {
      const Operand amount = operand(wave, op, flow, 0, lane);
      const unsigned shift = amount.value & 63;
      bits = amount.undefined & 63         ? ~uint64_t(0)
             : flow.rule == Rule::WideLshl ? bits << shift
             : flow.rule == Rule::WideLshr ? bits >> shift
                                           : uint64_t(int64_t(bits) >> shift);
    }
    setBits(to, lane, uint32_t(bits));
    setBits(to + 1, lane, uint32_t(bits >> 32));
  }
}

/// A sum of 64 bits: undefined from the lowest undefined bit on.
void Undefined::wideSum(Wave &wave, const Op &op, const Flow &flow, uint64_t exec, bool scalarsDirty) {
  uint64_t changed = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    uint32_t low = 0, high = 0;
    for (unsigned i = 0; i < 3; ++i) {
      low |= operand(wave, op, flow, i, lane).undefined;
      // Only 64-bit sources have a second register.
      const Source &s = op.source[i];
      const bool isWide = s.kind == Source::Vector &&
                          any_of(flow.vectorReads, [&](Flow::Run r) { return r.first == s.index && r.count == 2; });
      if (isWide && s.index + 1u < registers)
        high |= bitsOf(s.index + 1, lane);
    }
    if (scalarsDirty)
      low = ~0u;
    const unsigned to = flow.vectorWrites[0].first;
    setBits(to, lane, low ? ~0u << countr_zero(low) : 0);
    setBits(to + 1, lane, low ? ~0u : high ? ~0u << countr_zero(high) : 0);
    changed |= uint64_t((low | high) != 0) << lane;
  }
  setScalars(flow.scalarWrites, changed);
}

/// Two registers, each from those that OP_SEL names.
void Undefined::packedPairs(const Op &op, const Flow &flow, uint64_t exec) {
  uint64_t lanes[2] = {};
  for (unsigned half = 0; half < 2; ++half)
    for (unsigned i = 0; i < 3; ++i) {
      const Source &s = op.source[i];
      if (flow.rule == Rule::MovePair && i != half)
        continue;
      const unsigned high = (half && flow.rule == Rule::PackedPairs ? op.opSelHigh : op.opSel) >> i & 1;
      if (s.kind == Source::Vector)
        lanes[half] |= dirtyLanes(Flow::Run{uint16_t(s.index + high), 1});
      else if (s.kind == Source::Scalar && s.index + high < scalarCount && scalars[s.index + high])
        lanes[half] = ~uint64_t(0);
    }
  for (Flow::Run run : flow.vectorWrites)
    for (unsigned half = 0; half < 2 && half < run.count; ++half) {
      const Flow::Run one{uint16_t(run.first + half), 1};
      define(one, exec);
      undefine(one, lanes[half] & exec);
    }
}

UndefinedUse Undefined::vectorFlow(Wave &wave, const Op &op, const Flow &flow) {
  const uint64_t exec = flow.isDpp && op.extra ? dppLanes(wave, op) : wave.exec();
  const bool crosses = flow.isDpp || flow.rule == Rule::CrossLane || flow.rule == Rule::Matrix ||
                       flow.rule == Rule::ReadLane || flow.rule == Rule::ReadFirstLane;
  const uint64_t dirty = dirtyLanes(flow.vectorReads) & (crosses ? ~uint64_t(0) : exec);
  const uint64_t writes = flow.rule == Rule::Matrix ? ~uint64_t(0) : exec;
  const bool scalarsDirty = dirtyScalars(flow);
  if (!dirty && !scalarsDirty && flow.written == ~0u && flow.rule != Rule::WriteLane) {
    define(flow.vectorWrites, writes);
    setScalars(flow.scalarWrites, 0);
    return {};
  }
  switch (flow.rule) {
  case Rule::Compare:
  case Rule::Carry: return lanesToBits(wave, op, flow, exec);
  case Rule::ReadFirstLane:
  case Rule::ReadLane: readLane(wave, op, flow, exec); return {};
  case Rule::WriteLane: writeLane(wave, op, flow); return {};
  case Rule::CrossLane: crossLanes(flow, exec); return {};
  case Rule::Matrix: matrixFlow(op, flow); return {};
  case Rule::WideMov:
  case Rule::WideLshl:
  case Rule::WideLshr:
  case Rule::WideAshr: wideShift(wave, op, flow, exec); return {};
  case Rule::WideSum: wideSum(wave, op, flow, exec, scalarsDirty); return {};
  case Rule::PackedPairs:
  case Rule::MovePair: packedPairs(op, flow, exec); return {};
  default: laneFlow(wave, op, flow, exec); return {};
  }
}

/// Lanes of which some bit that counts is undefined in a vector source.
uint64_t Undefined::usedLanes(Wave &wave, const Op &op, const Flow &flow) const {
  if (any_of(flow.vectorReads, [](Flow::Run r) { return r.count > 1; }))
    return dirtyLanes(flow.vectorReads);
  uint64_t lanes = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    uint32_t any = 0;
    for (unsigned i = 0; i < 3; ++i)
      if (op.source[i].kind == Source::Vector)
        any |= operand(wave, op, flow, i, lane).undefined & flow.used[i];
    lanes |= uint64_t(any != 0) << lane;
  }
  return lanes;
}

/// The undefined bits of the sources that count.
std::array<Undefined::Operand, 3> Undefined::laneSources(Wave &wave, const Op &op, const Flow &flow,
                                                         unsigned lane) const {
  std::array<Operand, 3> in;
  for (unsigned i = 0; i < 3; ++i) {
    in[i] = operand(wave, op, flow, i, lane);
    in[i].undefined &= flow.used[i];
  }
  const bool isShift = flow.rule == Rule::Lshl || flow.rule == Rule::Lshr || flow.rule == Rule::Ashr;
  if (isShift)
    in[0].value &= flow.used[0];
  if (flow.rule == Rule::Ashr && flow.computed != ~0u) // the sign of 16 bits
    in[1].undefined = uint32_t(int32_t(int16_t(in[1].undefined)));
  return in;
}

/// Of SDWA: where the result's bits go in the destination, and what becomes of the others.
static void placeInPart(const Op &op, Rule rule, uint32_t &result, uint32_t &written, uint32_t &kept) {
  const SdwaPart part = sdwaPart(op.word[1] >> 8 & 7);
  const auto unused = DstUnused(op.word[1] >> 11 & 3);
  written = part.mask << part.shift;
  kept = unused == DstUnused::Preserve ? ~written : 0;
  result = ((result && rule == Rule::All ? ~0u : result) << part.shift) & written;
  const uint32_t sign = written & ~(written >> 1);
  if (unused == DstUnused::SignExtend && result & sign) {
    result |= ~(sign - 1);
    written |= ~(sign - 1);
  }
}

void Undefined::laneFlow(Wave &wave, const Op &op, const Flow &flow, uint64_t lanes) {
  // One register each: lane by lane and bit by bit. Wider operands: by lanes.
  const bool narrow = all_of(flow.vectorReads, [](Flow::Run r) { return r.count == 1; }) &&
                      all_of(flow.vectorWrites, [](Flow::Run r) { return r.count == 1; }) &&
                      flow.vectorWrites.size() == 1;
  uint64_t conditionUndefined = 0, condition = 0;
  if (flow.rule == Rule::Select && op.source[2].kind == Source::Scalar && op.source[2].index + 1u < sccScalar) {
    condition = wave.s64(op.source[2].index);
    conditionUndefined = scalars[op.source[2].index] | uint64_t(scalars[op.source[2].index + 1]) << 32;
  }
  if (!narrow) {
    uint64_t undefinedLanes = usedLanes(wave, op, flow) | (dirtyScalars(flow) ? ~uint64_t(0) : 0);
    define(flow.vectorWrites, lanes);
    undefine(flow.vectorWrites, undefinedLanes & lanes);
    setScalars(flow.scalarWrites, undefinedLanes & lanes);
    return;
  }
  const unsigned to = flow.vectorWrites[0].first;
  if (to >= registers)
    return;
  const bool readsDestination =
      flow.written == ~0u && !flow.isSdwa && any_of(flow.vectorReads, [&](Flow::Run r) { return r.first == to; }) &&
      none_of(op.source, [&](const Source &s) { return s.kind == Source::Vector && s.index == to; });
  const bool scalarsDirty = dirtyScalars(flow);
  uint64_t dirty = 0;
  uint32_t results[Lanes]; // DPP reads other lanes of what may be the same register
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    std::array<Operand, 3> in = laneSources(wave, op, flow, lane);
    // An accumulator isn't among the sources.
    if (flow.rule == Rule::All && readsDestination)
      in[2].undefined |= bitsOf(to, lane);
    // Nor are registers that the instruction implies.
    if (flow.rule == Rule::All && isStrict && scalarsDirty)
      in[2].undefined = ~0u;
    uint32_t result;
    if (flow.rule == Rule::Select)
      result = conditionUndefined >> lane & 1 ? ~0u : condition >> lane & 1 ? in[1].undefined : in[0].undefined;
    else
      result = undefinedResult(flow.rule, op, {in[0].value, in[1].value, in[2].value},
                               {in[0].undefined, in[1].undefined, in[2].undefined});
    result &= flow.computed;
    uint32_t written = flow.written, kept = ~written;
    if (flow.isSdwa)
      placeInPart(op, flow.rule, result, written, kept);
    if (written != ~0u && !flow.isSdwa && result)
      result = written;
    results[lane] = (result & written) | (bitsOf(to, lane) & kept);
    dirty |= uint64_t(result != 0) << lane;
  }
  for (uint64_t rest = lanes; rest; rest &= rest - 1)
    setBits(to, countr_zero(rest), results[countr_zero(rest)]);
  setScalars(flow.scalarWrites, dirty);
}

} // namespace inflight::machine::check
