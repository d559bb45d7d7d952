#include "explain/InstructionPage.h"

#include "explain/Explain.h"
#include "hazards/HazardTable.h"
#include "isa/instr/Flops.h"
#include "isa/instr/OperationText.h"
#include "isa/timing/TimingSources.h"
#include "machine/wave/Handlers.h"
#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight::explain {

static StringRef formatName(Format format) {
  switch (format) {
  case Format::Other: return "other";
  case Format::Sop1: return "SOP1";
  case Format::Sop2: return "SOP2";
  case Format::Sopc: return "SOPC";
  case Format::Sopk: return "SOPK";
  case Format::Sopp: return "SOPP";
  case Format::Vop1: return "VOP1";
  case Format::Vop2: return "VOP2";
  case Format::Vopc: return "VOPC";
  case Format::Vop3: return "VOP3";
  case Format::Vop3p: return "VOP3P";
  case Format::Smem: return "SMEM";
  case Format::Ds: return "DS";
  case Format::Mubuf: return "MUBUF";
  case Format::Mtbuf: return "MTBUF";
  case Format::Flat: return "FLAT";
  }
  return "";
}

static StringRef pipeName(Pipe pipe) {
  switch (pipe) {
  case Pipe::None: return "";
  case Pipe::Valu: return "the vector ALU";
  case Pipe::Matrix: return "the matrix core";
  case Pipe::Salu: return "the scalar ALU";
  case Pipe::ScalarMemory: return "scalar memory";
  case Pipe::Memory: return "the memory pipe";
  case Pipe::Lds: return "LDS";
  }
  return "";
}

/// "VOP2 (4 bytes), VOP3 (8 bytes), SDWA (8 bytes)".
static std::string encodingsText(const Isa &isa, ArrayRef<const InstrDesc *> encodings) {
  std::vector<std::string> names;
  for (const InstrDesc *desc : encodings) {
    const StringRef name = desc->isMfma                                            ? "VOP3P-MAI"
                           : desc->isSdwa                                          ? "SDWA"
                           : desc->isDpp                                           ? "DPP"
                           : desc->isVop3Encoding && desc->format != Format::Vop3p ? "VOP3"
                                                                                   : formatName(desc->format);
    std::string text = formatv("{0} ({1} bytes)", name, isa.instrInfo().get(desc->opcode).getSize()).str();
    if (!is_contained(names, text))
      names.push_back(std::move(text));
  }
  return join(names, ", ");
}

static std::string registerNames(ArrayRef<RegRange> ranges) { return join(map_range(ranges, regName), ", "); }

std::string countersText(const Isa &isa, const InstrDesc &desc) {
  std::string text;
  for (Counter counter : isa.counters().all()) {
    const CounterInfo &info = isa.counters()[counter];
    if (!(isa.counters().raisedBy(desc) & setOf(counter)))
      continue;
    text += (text.empty() ? "" : "; ") + info.name;
    switch (info.of(desc.order)) {
    case Completion::NotCounted: break;
    case Completion::InOrder: text += ", in the order of issue"; break;
    case Completion::OutOfOrder: text += ", in no order: only a wait for 0 covers it"; break;
    case Completion::AfterOlder: text += ", after what was issued before it"; break;
    }
  }
  return text;
}

static Expected<Timing> timingOf(const Isa &isa, const InstrDesc &desc) {
  Expected<const LatencyTable *> table = LatencyTable::get(isa.target().chip);
  if (!table)
    return table.takeError();
  return (*table)->timing(desc);
}

/// Whether the instruction may write such registers, explicitly or not.
static bool mayWrite(const Isa &isa, const InstrDesc &desc, function_ref<bool(RegUnit)> isOfKind) {
  const MCInstrDesc &mc = isa.instrInfo().get(desc.opcode);
  auto hasKind = [&](const MCOperandInfo &operand) {
    const int id = isa.instrInfo().getOpRegClassID(operand, isa.subtarget().getHwMode(MCSubtargetInfo::HwMode_RegInfo));
    return id >= 0 && any_of(isa.registerInfo().getRegClass(unsigned(id)), [&](MCPhysReg reg) {
             const RegRange range = isa.regRange(reg);
             return range.count && isOfKind(range.first);
           });
  };
  return any_of(mc.operands().take_front(desc.definitions), hasKind) ||
         any_of(desc.implicitWrites, [&](RegRange range) { return isOfKind(range.first); });
}

static Results resultsOf(const Isa &isa, const InstrDesc &desc) {
  const bool areVector = mayWrite(isa, desc, [](RegUnit unit) { return isVgpr(unit) || isAgpr(unit); });
  return {areVector || desc.isLdsDma, mayWrite(isa, desc, isScalar)};
}

std::string timesText(const Isa &isa, const InstrDesc &desc) {
  Expected<Timing> timing = timingOf(isa, desc);
  if (!timing) { // compiled-in data
    consumeError(timing.takeError());
    return "";
  }
  if (timing->pipe == Pipe::None)
    return "";
  std::string text = formatv("{0} for {1}", pipeName(timing->pipe), counted(timing->issue, "cycle")).str();
  const Results results = resultsOf(isa, desc);
  if (results.areVector)
    text += formatv(", result after {0}", timing->latency).str();
  if (results.areScalar)
    text += formatv(", {0}result after {1}", results.areVector ? "scalar " : "", timing->scalarLatency).str();
  return text;
}

/// "xdl_use (18)", of the rules in `set`.
static std::string rulesText(const hazards::HazardTable &table, uint64_t set, unsigned passes) {
  std::string text;
  for (const auto &[number, rule] : enumerate(table.rules())) {
    const unsigned states = passes ? rule.statesFor(passes) : rule.states.most();
    if (set >> number & 1 && states)
      text += formatv("{0}{1} ({2})", text.empty() ? "" : ", ", rule.name, states).str();
  }
  return text;
}

/// The rules that the instruction may be the first of, going by the registers that it can write.
static uint64_t producedRules(const Isa &isa, const InstrDesc &desc, const hazards::Candidates &candidates) {
  using enum hazards::Candidates::Use;
  uint64_t rules = candidates.produces[Always] | candidates.produces[VectorRead] | candidates.produces[ScalarRead];
  const Results results = resultsOf(isa, desc);
  if (results.areScalar)
    rules |= candidates.produces[ScalarWrite];
  if (results.areVector)
    rules |= candidates.produces[VectorWrite];
  return rules;
}

static std::string machineText(StringRef mnemonic) {
  if (const char *reason = machine::refusedReason(mnemonic))
    return std::string("not executed: ") + reason;
  return machine::handlerTable().count(mnemonic) ? "executed" : "not executed";
}

static std::string chipText(StringRef mnemonic, const Isa &isa) {
  const ArrayRef<const InstrDesc *> encodings = isa.findMnemonic(mnemonic);
  if (encodings.empty())
    return "";
  const InstrDesc &desc = *encodings.front();
  std::string text;
  auto add = [&](StringRef name, const Twine &value) {
    if (const std::string shown = value.str(); !shown.empty())
      text += formatv("- {0}: {1}\n", name, shown).str();
  };
  add("encodings", encodingsText(isa, encodings));
  add("reads besides its operands", registerNames(desc.implicitReads));
  add("writes besides its operands", registerNames(desc.implicitWrites));
  if (const unsigned flops = desc.isMfma ? 0 : laneFlops(desc))
    add("floating-point operations", Twine(flops) + " a lane");
  add("counted on", countersText(isa, desc));
  add("takes", timesText(isa, desc));
  if (Expected<std::vector<TimingSource>> sources = timingSources(isa.target().chip, desc, resultsOf(isa, desc))) {
    for (const TimingSource &source : *sources)
      text += formatv("  - {0}: {1}\n", source.entry, source.source).str();
  } else {
    consumeError(sources.takeError());
  }
  if (Expected<const hazards::HazardTable *> table = hazards::HazardTable::get(isa)) {
    const hazards::Candidates &candidates = (*table)->candidates(isa, desc);
    uint64_t consumed = 0;
    for (uint64_t rules : candidates.consumes)
      consumed |= rules;
    add("may want wait states after it", rulesText(**table, producedRules(isa, desc, candidates), candidates.passes));
    add("may want wait states before it", rulesText(**table, consumed, 0));
  } else {
    consumeError(table.takeError());
  }
  add("by the machine model", machineText(mnemonic));
  return text;
}

/// "## gfx942, gfx950" and their text, for each text that `of` gives.
static std::string byChips(ArrayRef<const Isa *> chips, function_ref<std::string(const Isa &)> of) {
  std::vector<std::pair<std::string, std::string>> sections; // chips, text
  for (const Isa *isa : chips) {
    std::string text = of(*isa);
    if (text.empty())
      continue;
    auto *known = find_if(sections, [&](const auto &section) { return section.second == text; }).base();
    if (known != sections.data() + sections.size())
      known->first += ", " + isa->target().chip;
    else
      sections.push_back({isa->target().chip, std::move(text)});
  }
  std::string all;
  for (const auto &[names, text] : sections)
    all += formatv("\n## {0}\n{1}", names, text).str();
  return all;
}

std::string mnemonicPage(StringRef mnemonic, ArrayRef<const Isa *> chips) {
  const std::string sections = byChips(chips, [&](const Isa &isa) { return chipText(mnemonic, isa); });
  if (sections.empty())
    return "";
  return formatv("# {0}\n{1}\n\n({2})\n{3}", mnemonic, operationText(mnemonic), operationSource(), sections).str();
}

std::string instructionText(const Isa &isa, const InstrDesc &desc) {
  std::string text = formatv("**{0}**: {1}\n", desc.mnemonic, operationText(desc.mnemonic)).str();
  if (const std::string counters = countersText(isa, desc); !counters.empty())
    text += formatv("\n- counted on: {0}", counters).str();
  if (const std::string times = timesText(isa, desc); !times.empty())
    text += formatv("\n- takes: {0}", times).str();
  return text + "\n";
}

/// The classes of operations that complete on the counter in one way.
static std::string classesOf(const CounterInfo &info, Completion completion) {
  std::string names;
  for (unsigned order = 0; order < info.completion.size(); ++order)
    if (info.of(OrderClass(order)) == completion)
      names += (names.empty() ? "" : ", ") + orderClassName(OrderClass(order)).str();
  return names;
}

/// A counter of the ALUs' registers has a queue for each order.
static std::string queuesOfChip(StringRef counter, const CounterTable &table) {
  std::vector<std::string> queues;
  for (const CounterInfo &info : table.counters)
    if (info.name == counter)
      if (std::string names = classesOf(info, Completion::InOrder); !is_contained(queues, names))
        queues.push_back(std::move(names));
  return formatv("- in the order of issue, each by itself: {0}\n- waited for by the hardware but where DEP_MODE in "
                 "SCHED_MODE is {1}\n",
                 join(queues, "; "), table.uncheckedMode)
      .str();
}

static std::string counterOfChip(StringRef counter, const Isa &isa) {
  const CounterTable &table = isa.counters().withAlu ? *isa.counters().withAlu : isa.counters();
  const auto *info = find_if(table.counters, [&](const CounterInfo &c) { return c.name == counter; });
  if (info == table.counters.end())
    return "";
  std::string text = formatv("- largest value: {0}{1}\n", info->maximum,
                             info->stopsIssue ? "; when it is full, nothing that it counts is issued" : "")
                         .str();
  if (info->isOfAlu)
    text += queuesOfChip(counter, table);
  else
    for (auto [completion, name] : {std::pair(Completion::InOrder, "in the order of issue"),
                                    {Completion::OutOfOrder, "in no order"},
                                    {Completion::AfterOlder, "after what was issued before"}})
      if (const std::string names = classesOf(*info, completion); !names.empty())
        text += formatv("- {0}: {1}\n", name, names).str();
  const json::Value target = cantFail(parseData("targets/" + isa.target().chip + ".json"));
  for (const json::Value &row : *target.getAsObject()->getArray(info->isOfAlu ? "alu_counters" : "counters"))
    if (const json::Object &entry = *row.getAsObject(); entry.getString("name") == counter)
      text +=
          formatv("- source: {0}: {1}\n", entry.getString("source").value_or(""), entry.getString("ref").value_or(""))
              .str();
  return text;
}

std::string counterPage(StringRef counter, ArrayRef<const Isa *> chips) {
  const std::string sections = byChips(chips, [&](const Isa &isa) { return counterOfChip(counter, isa); });
  // Nothing waits for EXPCNT, so no chip's table has it.
  if (sections.empty() && counter != "expcnt")
    return "";
  return formatv("# {0}\n{1}\n\n({2})\n{3}", counter, counterText(counter), operationSource(), sections).str();
}

} // namespace inflight::explain
