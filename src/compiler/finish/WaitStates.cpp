// Wait states that software must provide (ISA manuals, "Manually Inserted Wait States").
#include "compiler/finish/Finish.h"

#include "hazards/HazardTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace inflight::lir {

llvm::Error insertWaitStates(Function &function) {
  Expected<const hazards::HazardTable *> table = hazards::HazardTable::get(*function.isa);
  if (!table)
    return table.takeError();
  // What was issued before each block, over all paths, and is near enough to matter.
  struct Issued {
    hazards::Access access;
    unsigned age;               ///< wait states since it was issued
    hazards::Between followers; ///< issued after it
  };
  BumpPtrAllocator allocator;
  UniqueStringSaver names(allocator);
  auto describe = [&](const Inst &inst) {
    SmallVector<hazards::PlainOperand, 8> operands;
    for (const Operand &operand : inst.operands) {
      hazards::PlainOperand plain;
      plain.range = physicalRange(function, operand);
      plain.isDef = operand.isDef;
      plain.isImplicit = operand.isImplicit;
      operands.push_back(plain);
    }
    return (*table)->accessOf(*function.isa, inst.mnemonic, inst.modifiers, operands);
  };
  std::vector<std::vector<Issued>> exits(function.blocks.size());
  auto statesOf = [](const Inst &inst) -> unsigned {
    if (inst.isPseudo())
      return 0;
    if (inst.mnemonic == "s_nop")
      return inst.operands.empty() ? 1 : unsigned(inst.operands[0].imm) + 1;
    return 1;
  };
  // Two rounds: the first finds what leaves each block, the second places s_nop with the exits of
  // all predecessors, back edges included. Exits of the first round are without s_nop, so ages are
  // lower bounds and the placement is safe.
  for (int round = 0; round < 2; ++round) {
    std::vector<std::vector<Issued>> entries(function.blocks.size());
    for (size_t b = 0; b < function.blocks.size(); ++b)
      for (unsigned successor : function.blocks[b].successors)
        entries[successor].insert(entries[successor].end(), exits[b].begin(), exits[b].end());
    for (size_t b = 0; b < function.blocks.size(); ++b) {
      std::vector<Issued> recent = entries[b];
      std::vector<Inst> out;
      for (Inst &inst : function.blocks[b].insts) {
        hazards::Access access = describe(inst);
        unsigned missing = 0;
        for (const Issued &issued : recent) {
          unsigned wanted = (*table)->required(issued.access, access, issued.followers).states;
          if (wanted > issued.age)
            missing = std::max(missing, wanted - issued.age);
        }
        if (round == 1) {
          for (unsigned left = missing; left;) {
            constexpr unsigned most = 8; // s_nop 7
            unsigned states = std::min(left, most);
            Inst nop;
            nop.mnemonic = "s_nop";
            nop.operands = {Operand::imm64(states - 1)};
            nop.hasSideEffects = true;
            out.push_back(std::move(nop));
            left -= states;
          }
        }
        unsigned passed = statesOf(inst) + (round == 1 ? missing : 0);
        for (Issued &issued : recent) {
          issued.age += passed;
          issued.followers.add(access);
        }
        llvm::erase_if(recent, [](const Issued &issued) { return issued.age >= issued.access.reach; });
        if (access.producerRules)
          recent.push_back({std::move(access), 0, {}});
        if (round == 1)
          out.push_back(std::move(inst));
      }
      if (round == 1)
        function.blocks[b].insts = std::move(out);
      // What is still young from before a short block passes through it.
      exits[b] = std::move(recent);
    }
  }
  return Error::success();
}

} // namespace inflight::lir
