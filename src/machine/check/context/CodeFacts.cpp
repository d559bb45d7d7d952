#include "machine/check/context/CodeFacts.h"

#include "machine/check/races/Acquires.h"

using namespace llvm;

namespace inflight::machine::check {

Expected<CodeFacts> CodeFacts::find(const CodeObject &object, const Code &code, const Options &options) {
  Expected<const Isa *> isa = Isa::get(object.chip());
  if (!isa)
    return isa.takeError();
  CodeFacts result{Facts(code), std::nullopt, std::nullopt, object.textAddress()};
  if (options.has(Kind::Uninitialised) || options.has(Kind::Race))
    result.flows.emplace(code);
  const hazards::HazardTable *table = nullptr;
  if (options.has(Kind::Hazard) || options.has(Kind::HazardAdvice)) {
    if (Error error = hazards::HazardTable::get(**isa).moveInto(table))
      return std::move(error);
    result.hazards.emplace(*table, code);
  }
  Acquires acquires(code);
  const bool findsRaces = options.has(Kind::Race) || options.has(Kind::WriteAfterRead);
  code.forEachInstruction([&](const Op &op, const Isa &isa, const MCInst &inst) {
    const InstrDesc &desc = isa.desc(inst.getOpcode());
    const RegAccess access = isa.regAccess(inst);
    result.facts.add(op, desc, access);
    if (findsRaces)
      acquires.add(op, desc, access);
    if (result.flows)
      result.flows->add(op, desc, access);
    if (result.hazards)
      result.hazards->place(&op - code.begin(), op.slots, table->accessOf(isa, inst));
  });
  result.facts.setAcquires(acquires.find());
  return result;
}

} // namespace inflight::machine::check
