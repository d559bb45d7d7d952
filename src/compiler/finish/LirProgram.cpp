#include "compiler/finish/LirProgram.h"

#include "compiler/lir/Encode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

Expected<LirProgram> LirProgram::make(const Function &function) {
  LirProgram program(function);
  program.theIsa = function.isa;
  program.fileName = function.name;
  if (Error error = program.addInstructions())
    return std::move(error);
  program.addEdges();
  return std::move(program);
}

Error LirProgram::addInstructions() {
  size_t count = 0;
  for (const lir::Block &block : function->blocks)
    count += block.insts.size();
  theInstructions.reserve(count);
  insts.reserve(count);
  lirInsts.reserve(count);
  // Where a branch goes is in the blocks' edges; what a symbol stands for is nobody's question.
  Encoder encoder(*function, [](const Operand &) { return MCOperand::createImm(0); });
  const Inst noWait = makeWait(isa(), {});
  for (const lir::Block &block : function->blocks) {
    blockNumbers.push_back(theBlocks.size());
    const uint32_t begin = theInstructions.size();
    for (const Inst &inst : block.insts) {
      if (!holds(inst))
        continue;
      Expected<MCInst> encoded = encoder.require(inst.desc ? inst : noWait);
      if (!encoded)
        return encoded.takeError();
      describe(theInstructions.emplace_back(), *encoded);
      addTuple(theInstructions.back(), inst);
      insts.push_back(std::move(*encoded));
      lirInsts.push_back(&inst);
    }
    if (theInstructions.size() == begin)
      continue;
    inflight::Block &added = theBlocks.emplace_back();
    added.begin = begin;
    added.end = theInstructions.size();
    added.function = 0;
    if (theInstructions.back().desc->isEndOfProgram)
      added.ending = BlockEnd::Program;
  }
  inflight::Function &kernel = theFunctions.emplace_back();
  kernel.name = function->name;
  kernel.isKernel = true;
  return Error::success();
}

/// The registers that a move by an index may touch.
void LirProgram::addTuple(Instruction &instruction, const Inst &inst) {
  if (!inst.is(Mnemonic::v_mov_b32))
    return;
  for (const Operand &operand : inst.operands) {
    if (!operand.isReg() || !operand.isImplicit)
      continue;
    const RegRange range = physicalRange(*function, operand);
    const size_t reads = instruction.firstRange + instruction.readCount;
    if (operand.isDef)
      ranges.push_back(range);
    else
      ranges.insert(ranges.begin() + reads, range);
    ++(operand.isDef ? instruction.writeCount : instruction.readCount);
    instruction.namesFewer = true;
  }
}

void LirProgram::addEdges() {
  for (const auto &[number, block] : enumerate(function->blocks)) {
    const uint32_t from = blockNumbers[number];
    if (none_of(block.insts, holds))
      continue;
    auto add = [&](unsigned successor, EdgeKind kind) {
      const uint32_t to = blockNumbers[successor];
      theBlocks[from].successors.push_back({to, kind});
      theBlocks[to].predecessors.push_back({from, kind});
    };
    // A block that ends with a branch to the next one has two edges to it.
    const Inst &last = block.insts.back();
    for (const Operand &operand : last.operands)
      if (operand.kind == Operand::Kind::Block)
        add(operand.imm, EdgeKind::Branch);
    if (is_contained(block.successors, number + 1) && !last.is(Mnemonic::s_branch))
      add(number + 1, EdgeKind::Next);
  }
}

std::string LirProgram::text(uint32_t index) const {
  std::string text;
  raw_string_ostream os(text);
  print(*function, *lirInsts[index], os);
  return text;
}

SourceLocation LirProgram::location(uint32_t index) const {
  const Place place = lirInsts[index]->place;
  return {function->fileOf(place).str(), place.line, place.column};
}

} // namespace inflight::lir
