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
  PartProgram(const Program &program, ArrayRef<uint32_t> blocks, ArrayRef<uint32_t> functions, bool hasUnknownTargets) {
    whole = &program;
    theIsa = &program.isa();
    fileName = program.name().str();
    assembly = program.isAssembly();
    theFatEntry = program.fatEntry();
    goesAnywhere = hasUnknownTargets;
    addInstructions(blocks);
    addBlocks(blocks, functions);
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
        theInstructions.push_back(whole->instructions()[i]);
        inWhole.push_back(i);
      }
      to.end = theInstructions.size();
    }
  }

  void addBlocks(ArrayRef<uint32_t> blocks, ArrayRef<uint32_t> functions) {
    auto here = [&](uint32_t block) { return uint32_t(lower_bound(blocks, block) - blocks.begin()); };
    for (uint32_t number : functions) {
      theFunctions.push_back(whole->functions()[number]);
      theFunctions.back().entry = here(theFunctions.back().entry);
    }
    for (const auto &[number, block] : enumerate(theBlocks)) {
      if (block.function != ~0u)
        block.function = lower_bound(functions, block.function) - functions.begin();
      for (auto *edges : {&block.successors, &block.predecessors})
        for (Edge &edge : *edges)
          edge.block = here(edge.block);
      if (const StringRef problem = whole->problem(blocks[number]); !problem.empty())
        problems.push_back({uint32_t(number), problem.str()});
    }
  }
};

} // namespace

ProgramParts::ProgramParts(const Program &program) : program(program), hasUnknownTargets(program.hasUnknownTargets()) {
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
  auto partOf = [&](uint32_t block) {
    return parts.try_emplace(hasKernel[classes[block]] ? classes[block] : reachedByNone, parts.size()).first->second;
  };
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    const uint32_t part = partOf(b);
    blocksOf.resize(parts.size());
    blocksOf[part].push_back(b);
  }
  functionsOf.resize(blocksOf.size());
  for (const auto &[number, function] : enumerate(program.functions()))
    functionsOf[partOf(function.entry)].push_back(number);
}

std::unique_ptr<Program> ProgramParts::extract(size_t part) const {
  return std::make_unique<PartProgram>(program, blocksOf[part], functionsOf[part], hasUnknownTargets);
}

} // namespace inflight
