#include "program/Edit.h"

#include "llvm/ADT/StringExtras.h"

namespace inflight {

llvm::SmallVector<std::string, 2> editTexts(const Edit &edit, const Isa &isa) {
  const std::string number = std::to_string(edit.immediate);
  switch (edit.what) {
  case Edit::What::Nop: return {"s_nop " + number};
  case Edit::What::VNop: return {"v_nop"};
  case Edit::What::AluWait:
    return {(nameOf(aluWait(isa)) + " 0x" + llvm::utohexstr(edit.immediate, /*LowerCase=*/true)).str()};
  case Edit::What::Move: return {"v_mov_b32_e32 v" + number + ", v" + number};
  case Edit::What::Waitcnt: break;
  }
  return isa.counters().encoding.texts(edit.wait);
}

Mnemonic aluWait(const Isa &isa) {
  return isa.encodings(Mnemonic::s_wait_alu).empty() ? Mnemonic::s_waitcnt_depctr : Mnemonic::s_wait_alu;
}

std::string editText(const Edit &edit, const Isa &isa) { return llvm::join(editTexts(edit, isa), ", "); }

} // namespace inflight
