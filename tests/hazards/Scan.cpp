// Missing wait states on any path through the text sections of relocatable objects and code objects.
//
//   hazard-scan [--spare] [--known=RULE[:FOUND]]... CHIP FILE...
//
// --spare: instead, each s_nop that no rule wants, with the instructions before and after it.
// --known: findings of the rule (with so many wait states) that don't count.
#include "hazards/HazardTable.h"
#include "program/Decoder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace llvm;
using namespace inflight;

namespace {

struct Instruction {
  hazards::Access access;
  uint64_t address = 0;
  std::string text;
  std::vector<uint32_t> predecessors;
};

class Scan {
public:
  Scan(const Isa &isa, const hazards::HazardTable &table) : isa(isa), table(table), decoder(isa) {}

  unsigned section(ArrayRef<uint8_t> bytes, uint64_t address) {
    code.clear();
    decode(bytes, address);
    unsigned findings = 0;
    if (spare) {
      for (uint32_t i = 1; i + 1 < code.size(); ++i)
        if (code[i].access.mnemonic == "s_nop")
          findings += isSpare(i);
      return findings;
    }
    for (uint32_t i = 0; i < code.size(); ++i)
      findings += instruction(i);
    return findings;
  }
  uint64_t scanned = 0;
  uint64_t nops = 0;
  bool spare = false;
  std::set<std::string> known;

private:
  /// Whether no instruction behind it comes too early without it.
  bool isSpare(uint32_t nop) {
    ++nops;
    unsigned &states = code[nop].access.waitStates;
    const unsigned kept = states;
    states = 0;
    bool isNeeded = false;
    for (uint32_t i = nop + 1; i < std::min<size_t>(nop + table.maximumDistance() + 1, code.size()); ++i)
      isNeeded |= instruction(i, false) != 0;
    states = kept;
    if (!isNeeded)
      outs() << formatv("{0:x-}: {1} | {2} | {3}\n", code[nop].address, code[nop - 1].text, code[nop].text, code[nop + 1].text);
    return !isNeeded;
  }

  void decode(ArrayRef<uint8_t> bytes, uint64_t begin) {
    std::map<uint64_t, uint32_t> byAddress;
    std::vector<std::pair<uint32_t, uint64_t>> jumps;
    bool fallsThrough = false;
    MCInst inst;
    for (uint64_t at = 0; at + 4 <= bytes.size();) {
      unsigned size = decoder.decode(bytes.drop_front(at), begin + at, inst);
      if (!size) {
        fallsThrough = false;
        at += 4;
        continue;
      }
      const uint32_t index = code.size();
      Instruction &instruction = code.emplace_back();
      instruction.access = table.accessOf(isa, inst);
      instruction.address = begin + at;
      instruction.text = isa.print(inst, begin + at);
      byAddress[begin + at] = index;
      if (fallsThrough)
        instruction.predecessors.push_back(index - 1);
      const InstrDesc &desc = isa.desc(inst.getOpcode());
      if (desc.isBranch && inst.getNumOperands() && inst.getOperand(inst.getNumOperands() - 1).isImm())
        jumps.push_back({index, begin + at + 4 + 4 * int64_t(int16_t(inst.getOperand(inst.getNumOperands() - 1).getImm()))});
      fallsThrough = !desc.isEndOfProgram && !(desc.isBranch && !desc.isConditionalBranch && !desc.isCall);
      at += size;
    }
    for (auto [from, to] : jumps)
      if (auto it = byAddress.find(to); it != byAddress.end())
        code[it->second].predecessors.push_back(from);
    scanned += code.size();
  }

  unsigned instruction(uint32_t consumer, bool print = true) {
    if (!code[consumer].access.consumerRules)
      return 0;
    std::map<uint32_t, unsigned> nearest;
    unsigned findings = 0;
    struct Step {
      uint32_t at;
      unsigned found;
      hazards::Between between;
    };
    std::vector<Step> steps;
    for (uint32_t p : code[consumer].predecessors)
      steps.push_back({p, 0, {}});
    while (!steps.empty()) {
      Step step = steps.back();
      steps.pop_back();
      auto [it, isNew] = nearest.try_emplace(step.at, step.found);
      if ((!isNew && it->second <= step.found) || step.found >= table.maximumDistance())
        continue;
      it->second = step.found;
      const Instruction &producer = code[step.at];
      hazards::HazardTable::Requirement need = table.required(producer.access, code[consumer].access, step.between);
      if (need.states > step.found && !known.count(need.rule->name) && !known.count(need.rule->name + ":" + std::to_string(step.found))) {
        if (print)
          outs() << formatv("{0:x-}: {1}\n  {2} after {3:x-}: {4}\n  {5} needed: {6} ({7})\n", code[consumer].address, code[consumer].text, step.found,
                          producer.address, producer.text, need.states, need.rule->text, need.rule->name);
        ++findings;
      }
      step.between.add(producer.access);
      for (uint32_t p : producer.predecessors)
        steps.push_back({p, step.found + producer.access.waitStates, step.between});
    }
    return findings;
  }

  const Isa &isa;
  const hazards::HazardTable &table;
  Decoder decoder;
  std::vector<Instruction> code;
};

} // namespace

int main(int argc, char **argv) {
  ExitOnError check("hazard-scan: ");
  std::set<std::string> known;
  int first = 1;
  bool spare = false;
  for (; first < argc && StringRef(argv[first]).starts_with("--"); ++first) {
    StringRef argument = argv[first];
    spare |= argument == "--spare";
    if (argument.consume_front("--known="))
      known.insert(argument.str());
  }
  if (argc < first + 2) {
    errs() << "usage: hazard-scan [--spare] [--known=RULE[:FOUND]]... CHIP FILE...\n";
    return 2;
  }
  const Isa *isa = check(Isa::get(argv[first]));
  Scan scan(*isa, *check(hazards::HazardTable::get(*isa)));
  scan.known = known;
  scan.spare = spare;
  unsigned findings = 0;
  for (int i = first + 1; i < argc; ++i) {
    auto buffer = check(errorOrToExpected(MemoryBuffer::getFile(argv[i])));
    auto file = check(object::ObjectFile::createObjectFile(buffer->getMemBufferRef()));
    for (const object::SectionRef &section : file->sections())
      if (section.isText()) {
        unsigned here = scan.section(arrayRefFromStringRef(check(section.getContents())), section.getAddress());
        if (here)
          outs() << argv[i] << ": " << here << " findings\n";
        findings += here;
      }
  }
  outs() << scan.scanned << " instructions, ";
  if (spare) {
    outs() << scan.nops << " s_nop, " << findings << " that no rule wants\n";
    return 0;
  }
  outs() << findings << " findings\n";
  return findings != 0;
}
