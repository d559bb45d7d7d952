#include "program/ProgramParts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

namespace {

/// Some blocks of a program. Its texts and places are those of the whole.
class PartProgram final : public Program {
public:
  PartProgram(const Program &program, ArrayRef<uint32_t> blocks) {
    whole = &program;
    theIsa = &program.isa();
    fileName = program.name().str();
    assembly = program.isAssembly();
    theFatEntry = program.fatEntry();
    addInstructions(blocks);
    addBlocks(blocks);
  }

  std::string text(uint32_t index) const override { return whole->text(wholeIndex(index)); }
  SourceLocation location(uint32_t index) const override { return whole->location(wholeIndex(index)); }
  const SourceLines *sourceLines() const override { return whole->sourceLines(); }
  std::string comments(uint32_t index) const override { return whole->comments(wholeIndex(index)); }
  ArrayRef<std::pair<unsigned, std::string>> assertions() const override { return whole->assertions(); }

private:
  void addInstructions(ArrayRef<uint32_t> blocks) {
    size_t most = blocks.size(); // of what stands for data
    for (uint32_t b : blocks)
      most += whole->blocks()[b].end - whole->blocks()[b].begin;
    theBlocks.reserve(blocks.size());
    theInstructions.reserve(most);
    inWhole.reserve(most);
    uint32_t last = ~0u;
    for (uint32_t b : blocks) {
      const Block &from = whole->blocks()[b];
      Block &to = theBlocks.emplace_back(from);
      // What doesn't lie after each other there doesn't here: data stands for what is left out.
      if (last != ~0u && last != from.begin) {
        theInstructions.emplace_back().address = whole->instructions()[last].address;
        inWhole.push_back(last);
      }
      last = from.end;
      to.begin = theInstructions.size();
      for (uint32_t i = from.begin; i < from.end; ++i) {
        Instruction &instruction = theInstructions.emplace_back(whole->instructions()[i]);
        const ArrayRef<RegRange> accessed =
            whole->registerRanges().slice(instruction.firstRange, instruction.readCount + instruction.writeCount);
        instruction.firstRange = ranges.size();
        append_range(ranges, accessed);
        inWhole.push_back(i);
      }
      to.end = theInstructions.size();
    }
  }

  void addBlocks(ArrayRef<uint32_t> blocks) {
    auto here = [&](uint32_t block) { return uint32_t(lower_bound(blocks, block) - blocks.begin()); };
    DenseMap<uint32_t, uint32_t> functions;
    for (const auto &[number, function] : enumerate(whole->functions()))
      if (const uint32_t entry = here(function.entry); entry < blocks.size() && blocks[entry] == function.entry) {
        functions[number] = theFunctions.size();
        theFunctions.push_back(function);
        theFunctions.back().entry = entry;
      }
    for (const auto &[number, block] : enumerate(theBlocks)) {
      if (block.function != ~0u)
        block.function = functions.lookup(block.function);
      for (auto *edges : {&block.successors, &block.predecessors})
        for (Edge &edge : *edges)
          edge.block = here(edge.block);
      if (const StringRef problem = whole->problem(blocks[number]); !problem.empty())
        problems.push_back({uint32_t(number), problem.str()});
    }
  }
};

} // namespace

ProgramParts::ProgramParts(const Program &program) : program(program) {
  const ArrayRef<Block> blocks = program.blocks();
  IntEqClasses classes(blocks.size());
  for (const auto &[b, block] : enumerate(blocks)) {
    for (const Edge &edge : block.successors)
      classes.join(b, edge.block);
    if (block.function != ~0u)
      classes.join(b, program.functions()[block.function].entry);
  }
  classes.compress();
  std::vector<bool> hasKernel(classes.getNumClasses());
  for (const Function &function : program.functions())
    if (function.isKernel)
      hasKernel[classes[function.entry]] = true;
  DenseMap<uint32_t, uint32_t> parts;
  constexpr uint32_t reachedByNone = ~0u - 2;
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    const uint32_t of = hasKernel[classes[b]] ? classes[b] : reachedByNone;
    const auto [part, isNew] = parts.try_emplace(of, blocksOf.size());
    if (isNew)
      blocksOf.emplace_back();
    blocksOf[part->second].push_back(b);
  }
}

std::unique_ptr<Program> ProgramParts::extract(size_t part) const {
  return std::make_unique<PartProgram>(program, blocksOf[part]);
}

} // namespace inflight
