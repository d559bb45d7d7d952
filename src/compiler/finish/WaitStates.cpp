// Wait states that software must provide (ISA manuals, "Manually Inserted Wait States").
#include "compiler/finish/Finish.h"

#include "compiler/emit/Encode.h"
#include "hazards/HazardTable.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

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
  // Where a branch goes is nothing to the rules.
  Encoder encoder(function, [](unsigned) { return MCOperand::createImm(0); });
  std::string unencodable;
  auto describe = [&](const Inst &inst) {
    if (std::optional<MCInst> encoded = encoder.encode(inst))
      return (*table)->accessOf(*function.isa, *encoded);
    raw_string_ostream os(unencodable);
    print(function, inst, os);
    return hazards::Access();
  };
  std::vector<std::vector<Issued>> exits(function.blocks.size());
  auto statesOf = [](const Inst &inst) -> unsigned {
    return inst.is(Mnemonic::s_nop) ? unsigned(inst.operands[0].imm) + 1 : 1;
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
            const unsigned states = std::min(left, maximumNop);
            Inst nop = makeInst(*function.isa, Mnemonic::s_nop, {Operand::imm64(states - 1)});
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
  return unencodable.empty() ? Error::success()
                             : makeError("kernel '" + function.name + "': no encoding of '" + unencodable + "'");
}

} // namespace inflight::lir
