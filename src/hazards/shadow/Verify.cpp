#include "hazards/shadow/Verify.h"

#include "isa/instr/MnemonicPatterns.h"
#include "program/Edit.h"
#include "program/Place.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace inflight::hazards::shadow {

/// The nearest instruction before `i` that writes one of the registers, by any path; `i` when there is none.
static uint32_t writerBefore(const Program &program, uint32_t i, ArrayRef<RegRange> registers) {
  auto writes = [&](uint32_t at) {
    return any_of(program.writes(program.instructions()[at]), [&](RegRange range) {
      return any_of(registers, [&](RegRange wanted) { return range.overlaps(wanted); });
    });
  };
  ArrayRef<Block> blocks = program.blocks();
  const uint32_t home =
      uint32_t(partition_point(blocks, [&](const Block &b) { return b.begin <= i; }) - blocks.begin()) - 1;
  for (uint32_t at = i; at-- > blocks[home].begin;)
    if (writes(at))
      return at;
  SmallVector<uint32_t, 16> work;
  std::vector<bool> seen(blocks.size());
  auto enter = [&](uint32_t block) {
    for (const Edge &edge : blocks[block].predecessors)
      if (!seen[edge.block]) {
        seen[edge.block] = true;
        work.push_back(edge.block);
      }
  };
  enter(home);
  for (size_t next = 0; next < work.size(); ++next) {
    const uint32_t block = work[next];
    for (uint32_t at = blocks[block].end; at-- > blocks[block].begin;)
      if (writes(at))
        return at;
    enter(block);
  }
  return i;
}

namespace {

class Verifier {
public:
  Verifier(const Program &program, const Table &table) : program(program), flow(program, table) {}

  std::vector<Finding> run(const Table &table, ArrayRef<uint32_t> gone) {
    for (uint32_t i : gone)
      flow.gone[i] = true;
    flow.solve();
    flow.visit([&](const Meeting &meeting) { add(meeting); });
    std::vector<Finding> findings;
    for (auto &[key, finding] : known)
      if (!isCovered(finding))
        findings.push_back(finding);
    addUnjudged(table, findings);
    stable_sort(findings, [](const Finding &a, const Finding &b) { return a.instruction < b.instruction; });
    return findings;
  }

private:
  void add(const Meeting &meeting) {
    Finding finding;
    finding.instruction = meeting.instruction;
    finding.rule = meeting.rule;
    finding.required = meeting.required;
    finding.waits = meeting.waits;
    if (meeting.shadow) {
      finding.producer = meeting.shadow->producer;
      finding.found = meeting.shadow->slots;
    } else {
      finding.producer = meeting.isLeft ? meeting.instruction : sgprWriter(meeting.instruction, meeting.waits);
    }
    const bool isEnough =
        meeting.shadow && meeting.rule->time != Time::None && meeting.shadow->elapsed >= meeting.enough;
    if (meeting.rule->isAdvice || isEnough)
      finding.what = Finding::What::Advice;
    if (meeting.isDisputed) {
      finding.what = Finding::What::Undecided;
      finding.reason = meeting.waits == aluwait::SaSdst
                           ? "the SALU has executed so many instructions since it wrote the SGPR that Mesa wants no "
                             "wait any more; LLVM does"
                           : "the SALU has read an SGPR since that the VALU has read on other paths: LLVM takes that "
                             "for a wait; Mesa doesn't";
    }
    if (meeting.isOpen || meeting.isLeft) {
      if (finding.what == Finding::What::Advice)
        return;
      finding.what = Finding::What::Undecided;
      finding.reason = meeting.isLeft ? "what control goes to from here isn't shown"
                                      : "which VGPRs are meant isn't known (s_set_vgpr_msb differs between the paths)";
    }
    auto [place, isNew] = known.try_emplace({finding.instruction, finding.rule, finding.producer}, finding);
    if (!isNew && std::pair(finding.what, finding.found) < std::pair(place->second.what, place->second.found))
      place->second = finding;
  }

  /// Whether another rule wants more of the same between the two.
  bool isCovered(const Finding &finding) const {
    for (auto entry = known.lower_bound({finding.instruction, nullptr, 0});
         entry != known.end() && entry->second.instruction == finding.instruction; ++entry) {
      const Finding &other = entry->second;
      if (other.producer == finding.producer && other.rule->mend == finding.rule->mend && other.what <= finding.what &&
          other.required > finding.required)
        return true;
    }
    return false;
  }

  /// Who wrote what the instruction reads too early.
  uint32_t sgprWriter(uint32_t i, AluWaits) const {
    SmallVector<RegRange, 4> registers;
    for (RegRange range : program.reads(program.instructions()[i]))
      if (range.first < regunit::Vgpr0 && !isLeftOut(range.first))
        registers.push_back(range);
    return writerBefore(program, i, registers);
  }

  /// The first instruction of each kind that no rule is there for.
  void addUnjudged(const Table &table, std::vector<Finding> &findings) const {
    for (const Unjudged &entry : table.unjudged()) {
      const MnemonicPatterns patterns(entry.names);
      const auto all = program.instructions();
      const auto *found = find_if(all, [&](const Instruction &i) { return i.desc && patterns.fit(i.desc->mnemonic); });
      if (found == all.end())
        continue;
      Finding finding;
      finding.what = Finding::What::Undecided;
      finding.instruction = finding.producer = uint32_t(found - all.begin());
      finding.reason = entry.text + ", which isn't judged (" + entry.name + ")";
      findings.push_back(std::move(finding));
    }
  }

  const Program &program;
  Flow flow;
  std::map<std::tuple<uint32_t, const Rule *, uint32_t>, Finding> known;
};

/// What a slot is, for messages.
std::string slotsText(const Rule &rule, unsigned count) {
  const char *one = rule.counts & kind::SNop           ? "s_nop"
                    : rule.counts & kind::WritesScalar ? "instruction that writes an SGPR"
                    : rule.counts & kind::Any          ? "instruction"
                    : rule.counts & kind::VNop         ? "v_nop"
                    : rule.counts & kind::ValuNotNop   ? "VALU instruction but v_nop"
                                                       : "VALU instruction";
  return formatv("{0} {1}{2}", count, one, count == 1 || StringRef(one).ends_with("nop") ? "" : "s");
}

} // namespace

std::vector<Finding> verify(const Program &program, const Table &table, ArrayRef<uint32_t> gone) {
  if (table.empty())
    return {};
  return Verifier(program, table).run(table, gone);
}

std::string waitText(const Isa &isa, AluWaits waits) { return (nameOf(aluWait(isa)) + " " + operandsOf(waits)).str(); }

static std::string mendText(const Program &program, const Finding &finding) {
  const unsigned missing = finding.required - std::min(finding.required, finding.found);
  switch (finding.rule->mend) {
  case Mend::VNop: return (Twine(missing) + " v_nop before it").str();
  case Mend::SNop: return "s_nop 0 before it";
  case Mend::VMov: return "v_mov_b32 of a register to itself before it";
  case Mend::Wait: return waitText(program.isa(), finding.waits) + " before it";
  }
  return "";
}

ReportItem describeFinding(const Program &program, const Finding &finding) {
  ReportItem item;
  item.place = placeOf(program, finding.instruction);
  if (!finding.rule) {
    item.rule = "undecided";
    item.message = finding.reason;
    return item;
  }
  const Rule &rule = *finding.rule;
  const StringRef producer = program.instructions()[finding.producer].desc->mnemonic;
  const bool isByCount = finding.required && rule.mend != Mend::Wait;
  const bool hasProducer = finding.producer != finding.instruction;
  if (finding.what == Finding::What::Undecided)
    item.message = formatv("{0}; {1} may still want {2} ({3})", finding.reason, producer,
                           isByCount ? slotsText(rule, finding.required - std::min(finding.required, finding.found))
                                     : waitText(program.isa(), finding.waits),
                           rule.text);
  else if (isByCount)
    item.message = formatv("{0} after {1}, which it must follow by {2} ({3})", slotsText(rule, finding.found), producer,
                           finding.required, rule.text);
  else
    item.message = formatv("no {0} after {1} ({2})", waitText(program.isa(), finding.waits), producer, rule.text);
  item.rule = finding.what == Finding::What::Undecided ? "undecided"
              : finding.what == Finding::What::Advice  ? "unresolved-hazard-advice"
                                                       : "unresolved-hazard";
  if (finding.what == Finding::What::Advice)
    item.message += "; " + rule.evidence;
  if (finding.what != Finding::What::Undecided)
    item.hint = mendText(program, finding);
  if (hasProducer)
    item.related.push_back({"the first of the two", placeOf(program, finding.producer)});
  item.facts.push_back({"hazard", rule.name});
  item.facts.push_back({"source", rule.source});
  return item;
}

} // namespace inflight::hazards::shadow
