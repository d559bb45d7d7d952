#include "machine/check/checks/UndefinedCheck.h"

#include "machine/memory/Unwritten.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

UndefinedCheck::UndefinedCheck(Context &context) : Check(context), flows(*context.code.flows) {
  if (!context.memory.unwritten().empty())
    memory.global = &context.memory.unwritten();
}

void UndefinedCheck::begin(MutableArrayRef<Wave> waves) {
  context.followsFlow = true;
  values.resize(waves.size());
  memory.lds.begin(context.ldsBegin(), context.group->lds.size());
  memory.loads.clear();
  for (Wave &wave : waves)
    values[wave.number].begin(wave, wave.definedScalars);
}

void UndefinedCheck::flow(Wave &wave, const Op &op, const Op &executed, const Flow &flow) {
  if (const UndefinedUse use = values[wave.number].before(wave, executed, flow); use.what)
    report(wave, op, use);
}

/// What a store or atomic writes to counts as written from before it does; the result of most atomics depends on it.
void UndefinedCheck::access(Wave &wave, const AccessRecord &record) {
  if (!memory.global || record.isLds || record.kind == AccessKind::Read ||
      !memory.global->mayBeIn(record.low, record.high))
    return;
  auto write = [&](uint64_t at, size_t bytes) { memory.global->write(at, bytes); };
  if (record.kind != AccessKind::Atomic)
    return record.forEachRun(write);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = record.at[lane];
    if (!at)
      continue;
    if (!context.facts.of(*context.op).exchanges && memory.global->at(at, record.bytes) &&
        context.isNew(Kind::Uninitialised, *context.op, nullptr))
      context.report(Kind::Uninitialised, wave.number, *context.op, nullptr, -1, int(lane),
                     "the atomic's result depends on memory that nothing was written to: " +
                         context.memory.describe(at));
    write(at, record.bytes);
  }
}

void UndefinedCheck::scalarLoad(Wave &, uint64_t address, unsigned bytes) {
  if (!memory.global || !bytes || !memory.global->mayBeIn(address, address + bytes))
    return;
  memory.scalarAddress = address;
  for (unsigned byte = 0; byte < bytes; byte += 4) {
    uint32_t bits = 0;
    const uint32_t unwritten = memory.global->at(address + byte, 4);
    for (unsigned i = 0; i < 4; ++i)
      bits |= unwritten >> i & 1 ? 0xffu << (8 * i) : 0;
    memory.scalarWords.push_back(bits);
  }
}

void UndefinedCheck::scalarStore(Wave &, uint64_t address, unsigned bytes) {
  if (memory.global && bytes)
    memory.global->write(address, bytes);
}

void UndefinedCheck::executed(Wave &wave, const Op &op, const OpFacts &f) {
  if (const Flow &flow = flows.of(op); flow.rule == Rule::Memory)
    if (const UndefinedUse use = values[wave.number].memory(wave, op, flow, context.accesses, memory, f.halves);
        use.what)
      report(wave, op, use);
}

void UndefinedCheck::report(const Wave &wave, const Op &op, const UndefinedUse &use) {
  if (!context.isNew(Kind::Uninitialised, op, nullptr))
    return;
  const auto &loads = memory.loads;
  const auto load = loads.find(use.source);
  std::string where = "registers, LDS or scratch that nothing was written to";
  if (load != loads.end())
    where = "memory that nothing was written to: " + context.memory.describe(load->second);
  else if (!loads.empty())
    where = "registers or memory that nothing was written to; what was loaded of it is at " +
            context.memory.describe(loads.front().second);
  context.report(Kind::Uninitialised, wave.number, op, nullptr, -1, use.lane,
                 formatv("the {0} depends on {1}", use.what, where), "", use.source);
}

} // namespace inflight::machine::check
