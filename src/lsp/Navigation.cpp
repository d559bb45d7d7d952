// Registers' producers, labels and loops.
#include "lsp/Answers.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using llvm::lsp::Position;
using llvm::lsp::Range;

namespace inflight::lsp {

/// "v4", "v[4:7]", "vcc": the offset may be anywhere in it.
static std::optional<RegRange> registerAt(const Analysis &analysis, size_t offset) {
  const StringRef text = analysis.text().str();
  const size_t open = text.take_front(offset).find_last_of("[] ,\n");
  if (open != StringRef::npos && text[open] == '[')
    offset = open;
  const StringRef word = analysis.text().wordAt(offset).second;
  if (StringRef rest = text.drop_front(std::min(text.size(), size_t(word.end() - text.begin())));
      rest.consume_front("[")) {
    unsigned first = 0, last = 0;
    const bool isRange = !rest.consumeInteger(10, first) &&
                         (!rest.consume_front(":") ? (last = first, true) : !rest.consumeInteger(10, last)) &&
                         rest.starts_with("]") && last >= first && last - first < 64;
    const std::optional<RegRange> one = isRange ? registerNamed((word + Twine(first)).str()) : std::nullopt;
    return one ? std::optional(RegRange{one->first, uint16_t(last - first + 1)}) : std::nullopt;
  }
  return registerNamed(word);
}

/// The instructions that wrote any of the registers last before `at`, on each path.
static std::vector<uint32_t> lastWriters(const Program &program, uint32_t at, RegRange registers) {
  const ArrayRef<Block> blocks = program.blocks();
  const auto holding = find_if(blocks, [&](const Block &block) { return block.begin <= at && at < block.end; });
  std::vector<uint32_t> found;
  if (holding == blocks.end())
    return found;
  BitVector isSeen(unsigned(blocks.size()));
  // Blocks, and where to go back from in them.
  std::vector<std::pair<uint32_t, uint32_t>> rest{{uint32_t(holding - blocks.begin()), at}};
  while (!rest.empty()) {
    const auto [number, end] = rest.back();
    rest.pop_back();
    uint32_t i = end;
    auto writes = [&](uint32_t instruction) {
      const Instruction &candidate = program.instructions()[instruction];
      return candidate.desc &&
             any_of(program.writes(candidate), [&](RegRange range) { return range.overlaps(registers); });
    };
    while (i > blocks[number].begin && !writes(i - 1))
      --i;
    if (i > blocks[number].begin) {
      if (!is_contained(found, i - 1))
        found.push_back(i - 1);
      continue;
    }
    for (const Edge &edge : blocks[number].predecessors)
      if (!isSeen[edge.block]) {
        isSeen[edge.block] = true;
        rest.push_back({edge.block, blocks[edge.block].end});
      }
  }
  llvm::sort(found);
  return found;
}

/// Places of a name that is a word by itself, comments left out.
static std::vector<size_t> placesOf(StringRef text, StringRef name) {
  std::vector<size_t> places;
  for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + name.size())) {
    const size_t end = at + name.size();
    const bool isWord = (!at || !isNamePart(text[at - 1])) && (end == text.size() || !isNamePart(text[end]));
    const StringRef before = text.take_front(at).rsplit('\n').second;
    if (isWord && !before.contains("//") && !before.contains(';'))
      places.push_back(at);
  }
  return places;
}

static std::optional<size_t> labelDefinition(StringRef text, StringRef name) {
  for (size_t at : placesOf(text, name))
    if (text.drop_front(at + name.size()).ltrim(" \t").starts_with(":"))
      return at;
  return std::nullopt;
}

static Range rangeOf(const Analysis &analysis, size_t at, size_t length) {
  return {analysis.text().positionOf(at), analysis.text().positionOf(at + length)};
}

std::optional<Range> labelNamed(const Analysis &analysis, StringRef name) {
  const std::optional<size_t> at = labelDefinition(analysis.text().str(), name);
  return at ? std::optional(rangeOf(analysis, *at, name.size())) : std::nullopt;
}

static bool waitsFor(const waits::WaitReport &report, const waits::Graph &graph, uint32_t instruction) {
  return any_of(report.counts, [&](const waits::CountReport &count) {
    return any_of(count.waitsFor,
                  [&](const waits::InFlight &operation) { return graph.ops[operation.op].instruction == instruction; });
  });
}

/// On each path the first wait that finishes the operation.
static std::vector<uint32_t> coveringWaits(const Analysis &analysis, uint32_t instruction) {
  const waits::Graph &graph = analysis.waitGraph();
  std::vector<uint32_t> found;
  BitVector isSeen(unsigned(graph.blocks.size()));
  std::vector<std::pair<uint32_t, uint32_t>> rest; // blocks, and where to go on in them
  for (uint32_t b = 0; b < graph.blocks.size(); ++b)
    for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i)
      if (graph.ops[i].instruction == instruction)
        rest.push_back({b, i + 1});
  while (!rest.empty()) {
    auto [block, i] = rest.back();
    rest.pop_back();
    for (; i < graph.blocks[block].end; ++i) {
      const waits::WaitReport *report = graph.ops[i].isWait ? analysis.waitReport(graph.ops[i].instruction) : nullptr;
      if (report && waitsFor(*report, graph, instruction))
        break;
    }
    if (i < graph.blocks[block].end) {
      if (!is_contained(found, graph.ops[i].instruction))
        found.push_back(graph.ops[i].instruction);
      continue;
    }
    for (uint32_t next : graph.blocks[block].successors)
      if (!isSeen[next]) {
        isSeen[next] = true;
        rest.push_back({next, graph.blocks[next].begin});
      }
  }
  llvm::sort(found);
  return found;
}

/// Of a wait what it waits for, of a memory operation what waits for it.
static std::vector<uint32_t> waitPartners(const Analysis &analysis, uint32_t instruction) {
  const InstrDesc &desc = *analysis.program()->instructions()[instruction].desc;
  if (!desc.isWaitcnt)
    return desc.order == OrderClass::None ? std::vector<uint32_t>() : coveringWaits(analysis, instruction);
  std::set<uint32_t> found;
  if (const waits::WaitReport *report = analysis.waitReport(instruction))
    for (const waits::CountReport &count : report->counts)
      for (const waits::InFlight &operation : count.waitsFor)
        found.insert(analysis.waitGraph().ops[operation.op].instruction);
  return {found.begin(), found.end()};
}

bool isLabelName(StringRef name) {
  return !name.empty() && !isDigit(name.front()) && all_of(name, isNamePart) && !registerNamed(name);
}

std::vector<Range> labelPlaces(const Analysis &analysis, Position position) {
  const StringRef text = analysis.text().str();
  const StringRef name = analysis.text().wordAt(analysis.text().offsetOf(position)).second;
  std::vector<Range> ranges;
  if (isLabelName(name) && labelDefinition(text, name))
    for (size_t at : placesOf(text, name))
      ranges.push_back(rangeOf(analysis, at, name.size()));
  return ranges;
}

std::vector<Range> definitions(const Analysis &analysis, Position position) {
  const size_t offset = analysis.text().offsetOf(position);
  std::vector<Range> ranges;
  const std::optional<uint32_t> instruction = analysis.program() ? analysis.instructionAt(position) : std::nullopt;
  const std::optional<RegRange> registers = registerAt(analysis, offset);
  const auto [begin, word] = analysis.text().wordAt(offset);
  std::vector<uint32_t> places;
  if (instruction && begin == analysis.program()->instructions()[*instruction].offset)
    places = waitPartners(analysis, *instruction);
  else if (instruction && registers)
    places = lastWriters(*analysis.program(), *instruction, *registers);
  else if (std::optional<Range> label = word.empty() ? std::nullopt : labelNamed(analysis, word))
    ranges.push_back(*label);
  for (uint32_t place : places)
    ranges.push_back(analysis.text().statementAt(analysis.program()->location(place)));
  return ranges;
}

std::vector<std::pair<int, int>> loopLines(const Analysis &analysis) {
  std::vector<std::pair<int, int>> loops;
  if (!analysis.program())
    return loops;
  const ArrayRef<Block> blocks = analysis.program()->blocks();
  for (const Block &block : blocks)
    for (const Edge &edge : block.successors)
      if (const Block &head = blocks[edge.block];
          edge.kind == EdgeKind::Branch && head.begin <= block.begin && head.begin < head.end) {
        const std::pair lines(int(analysis.lineOf(head.begin)) - 1, int(analysis.lineOf(block.end - 1)) - 1);
        if (lines.first < lines.second && !is_contained(loops, lines))
          loops.push_back(lines);
      }
  return loops;
}

} // namespace inflight::lsp
