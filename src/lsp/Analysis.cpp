#include "lsp/Analysis.h"

#include "lint/text/Findings.h"
#include "lint/text/NopText.h"
#include "lsp/CompilerMessages.h"
#include "program/assemble/AssemblyTarget.h"
#include "support/InChild.h"
#include "waits/graph/BuildGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using llvm::lsp::Position;

namespace inflight::lsp {

/// In messages of the assembler and in places; the editor knows the document by its URI.
static constexpr StringLiteral documentName = "document.s";

/// Whether the parser may not come to an end: then the process that runs it ends.
static bool mayRepeat(StringRef text) {
  static constexpr StringLiteral words[] = {".rep", ".macro", ".irp", ".while"};
  return any_of(words, [&](StringRef word) { return text.contains_insensitive(word); });
}

static bool isReadInTime(StringRef text, StringRef chip) {
  const std::optional<std::string> said = inChild([&](raw_ostream &os) {
    consumeError(readAssembly(text, documentName, chip).takeError());
    os << "read";
  });
  return said == "read";
}

Analysis::Analysis(std::string text, StringRef chip) : theText(std::move(text)), chip(chip) { read(); }

const Isa *Analysis::isa() const {
  if (theProgram)
    return &theProgram->isa();
  Expected<const Isa *> isa = isaOf(chip, theText.str());
  if (isa)
    return *isa;
  consumeError(isa.takeError());
  return nullptr;
}

void Analysis::read() {
  if (theText.str().size() > mostBytes)
    return tell("a file of more than " + Twine(mostBytes >> 20) + " MiB is not analysed");
  StringRef asked = chip;
  if (theText.str().contains(".amdgcn_target")) {
    asked = "";
    chip = targetOf(theText.str()).chip;
  }
  if (mayRepeat(theText.str()) && !isReadInTime(theText.str(), asked))
    return tell("the assembler takes more time or memory than this text can need; a .rept or .macro that grows without "
                "end?");
  Expected<std::unique_ptr<Program>> program = readAssembly(theText.str(), documentName, asked);
  if (!program)
    return addAssemblerErrors(toString(program.takeError()));
  theProgram = std::move(*program);
  analyse();
}

void Analysis::tell(const Twine &message) {
  ReportItem item;
  item.message = message.str();
  theItems.push_back(std::move(item));
}

void Analysis::addAssemblerErrors(StringRef messages) {
  theItems = compilerMessages(messages, documentName);
  if (theItems.empty())
    tell(messages);
}

void Analysis::analyse() {
  static const RuleLevels &levels = *[] {
    std::vector<RuleSpec> rules = lint::waitRules().vec();
    append_range(rules, lint::hazardRules());
    return new RuleLevels(rules);
  }();
  const ArrayRef<Instruction> instructions = theProgram->instructions();
  lines.resize(instructions.size());
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    lines[i] = theProgram->location(i).line;
    if (instructions[i].desc)
      byLine.push_back(i);
  }
  stable_sort(byLine, [&](uint32_t a, uint32_t b) { return lines[a] < lines[b]; });
  theVerified = waits::verify(*theProgram, std::make_shared<waits::Graph>(waits::describe(*theProgram)));
  theItems = lint::findingItems(*theProgram, theVerified);
  append_range(theItems, lint::hazardItems(*theProgram, /*strictness=*/false));
  for (ReportItem &item : theItems)
    item.level = levels.of(item.rule);
  erase_if(theItems, [](const ReportItem &item) { return item.level == Level::Ignored; });
  lint::dropCovered(theItems);
}

std::vector<uint32_t> Analysis::instructionsOn(unsigned first, unsigned last) const {
  const auto begin = partition_point(byLine, [&](uint32_t i) { return lines[i] < first; });
  const auto end = partition_point(byLine, [&](uint32_t i) { return lines[i] <= last; });
  return begin < end ? std::vector<uint32_t>(begin, end) : std::vector<uint32_t>();
}

std::optional<uint32_t> Analysis::instructionAt(Position position) const {
  const unsigned line = unsigned(position.line) + 1;
  const std::vector<uint32_t> here = instructionsOn(line, line);
  const size_t offset = theText.offsetOf(position);
  for (uint32_t i : here)
    if (const Instruction &instruction = theProgram->instructions()[i];
        offset >= instruction.offset && offset < instruction.offset + instruction.length)
      return i;
  return std::nullopt;
}

Analysis::OpPlace Analysis::opOf(uint32_t instruction) const {
  if (opPlaces.empty()) {
    opPlaces.resize(theProgram->instructions().size());
    for (uint32_t b = 0; b < graph().blocks.size(); ++b)
      for (uint32_t i = graph().blocks[b].begin; i < graph().blocks[b].end; ++i)
        if (OpPlace &place = opPlaces[graph().ops[i].instruction]; place.op == ~0u)
          place = {b, i};
  }
  return opPlaces[instruction];
}

ArrayRef<waits::Outstanding> Analysis::outstanding() const {
  if (theOutstanding.empty())
    theOutstanding = waits::findOutstanding(graph());
  return theOutstanding;
}

const waits::Graph &Analysis::waitGraph() const {
  if (theWaitGraph)
    return *theWaitGraph;
  theWaitGraph = std::make_shared<waits::Graph>(waits::describe(*theProgram));
  waits::followLds(*theWaitGraph, *theProgram);
  waitOutstanding = waits::findOutstanding(*theWaitGraph);
  for (uint32_t b : theWaitGraph->order())
    for (uint32_t i = theWaitGraph->blocks[b].begin; i < theWaitGraph->blocks[b].end; ++i)
      if (theWaitGraph->ops[i].isWait)
        waitPlaces.insert({theWaitGraph->ops[i].instruction, OpPlace{b, i}});
  return *theWaitGraph;
}

const waits::WaitReport *Analysis::waitReport(uint32_t instruction) const {
  const waits::Graph &graph = waitGraph();
  auto [known, isNew] = waitReports.try_emplace(instruction);
  if (isNew)
    for (auto [place, end] = waitPlaces.equal_range(instruction); place != end; ++place) {
      if (!known->second)
        known->second = waits::WaitReport{instruction, {}};
      waits::addPlace(*known->second, graph, waitOutstanding, place->second.block, place->second.op);
    }
  return known->second ? &*known->second : nullptr;
}

std::optional<WaitOperands> Analysis::weakest(uint32_t wait) const {
  auto [known, isNew] = weakests.try_emplace(wait);
  if (isNew)
    known->second = findWeakest(wait);
  return known->second;
}

std::optional<WaitOperands> Analysis::findWeakest(uint32_t wait) const {
  const waits::WaitReport *report = theVerified.findings.empty() ? waitReport(wait) : nullptr;
  if (!report)
    return std::nullopt;
  WaitOperands operands = theProgram->waitAt(wait);
  const WaitOperands before = operands;
  for (const waits::CountReport &count : report->counts) {
    if (count.isPartial)
      return std::nullopt;
    if (!count.weakest || *count.weakest > count.value)
      operands.counts[count.counter] = count.weakest ? WaitCount(*count.weakest) : WaitCount::none();
  }
  if (operands == before)
    return std::nullopt;
  auto changed = std::make_shared<waits::Graph>(waitGraph());
  for (auto [place, end] = waitPlaces.equal_range(wait); place != end; ++place)
    changed->waitToEdit(changed->ops[place->second.op]) = operands.counts;
  return waits::verify(*theProgram, changed).findings.empty() ? std::optional(operands) : std::nullopt;
}

} // namespace inflight::lsp
