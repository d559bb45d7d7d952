// Any file through the program readers. What is read must be consistent, and edits of assembly that change nothing must
// give the same bytes.
#include "Harness.h"
#include "rewrite/Rewrite.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::fuzz {

const bool inputIsText = false;

static void requireThat(bool holds, StringRef what) {
  if (!holds)
    require(makeError("doesn't hold"), what);
}

static void check(const Program &program, StringRef input) {
  uint32_t end = 0;
  for (uint32_t index = 0; index < program.blocks().size(); ++index) {
    const Block &block = program.blocks()[index];
    requireThat(block.begin >= end && block.begin < block.end && block.end <= program.instructions().size(),
                "blocks are in order");
    end = block.end;
    requireThat(block.function == ~0u || block.function < program.functions().size(), "a block's function");
    requireThat((block.ending == BlockEnd::Invalid) != program.problem(index).empty(),
                "an invalid ending has a reason");
    for (Edge edge : block.successors)
      requireThat(edge.block < program.blocks().size() &&
                      is_contained(program.blocks()[edge.block].predecessors, Edge{index, edge.kind}),
                  "an edge has two ends");
    for (uint32_t i = block.begin; i < block.end; ++i)
      requireThat(program.instructions()[i].desc, "blocks have no data");
  }
  for (const Function &function : program.functions())
    requireThat(function.entry < program.blocks().size(), "a function's entry");
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    const Instruction &instruction = program.instructions()[i];
    (void)program.text(i);
    (void)program.comments(i);
    (void)program.location(i);
    if (program.isAssembly())
      requireThat(uint64_t(instruction.offset) + instruction.length <= input.size(), "a place in the text");
  }
  if (!program.isAssembly())
    return;
  Expected<std::string> same = editAssembly(program, input, {});
  require(same.takeError(), "no edits");
  requireThat(*same == input, "no edits change nothing");
}

void fuzzOne(StringRef input) {
  if (input.empty())
    return;
  // Binary files say their chip; of text the first byte chooses it, as for the assembler.
  const bool isText = !input.contains('\0');
  StringRef bytes = isText ? input.drop_front() : input;
  Expected<std::vector<std::unique_ptr<Program>>> programs = readPrograms(bytes, "fuzz", isText ? chipOf(input) : "");
  if (!programs) {
    consumeError(programs.takeError());
    return;
  }
  for (const auto &program : *programs)
    check(*program, bytes);
}

} // namespace inflight::fuzz
