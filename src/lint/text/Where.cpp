#include "lint/text/Where.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::lint {

using namespace waits;

uint32_t Where::blockOf(uint32_t instruction) const {
  ArrayRef<Block> blocks = program.blocks();
  auto after = partition_point(blocks, [&](const Block &b) { return b.begin <= instruction; });
  if (after == blocks.begin() || std::prev(after)->end <= instruction)
    return ~0u;
  return std::prev(after) - blocks.begin();
}

const Function *Where::functionOf(uint32_t instruction) const {
  const uint32_t block = blockOf(instruction);
  if (block == ~0u || program.blocks()[block].function == ~0u)
    return nullptr;
  return &program.functions()[program.blocks()[block].function];
}

std::string Where::brief(uint32_t instruction) const {
  if (program.isAssembly())
    return "l." + std::to_string(program.location(instruction).line);
  return formatv("0x{0:x-}", program.instructions()[instruction].address);
}

std::string Where::brief(uint32_t first, uint32_t last) const {
  if (first == last)
    return brief(first);
  if (program.isAssembly())
    return brief(first) + "-" + std::to_string(program.location(last).line);
  return brief(first) + "-" + brief(last);
}

std::string Where::full(uint32_t instruction) const {
  if (program.isAssembly()) {
    const SourceLocation location = program.location(instruction);
    return location.file + ":" + std::to_string(location.line);
  }
  return formatv("{0}:0x{1:x-}", program.name(), program.instructions()[instruction].address);
}

std::string Where::operation(const Graph &graph, uint32_t op) const {
  const Op &o = graph.ops[op];
  std::string text = program.instructions()[o.instruction].desc->mnemonic;
  if (o.kind == Kind::LdsDma)
    return text + "→lds";
  char between = ' ';
  for (RegRange range : o.writes(graph.ranges)) {
    text += between + regName(range);
    between = ',';
  }
  return text;
}

} // namespace inflight::lint
