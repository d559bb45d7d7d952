// Changes to the waits and wait states of a program, written back so that everything else stays as it was.
#pragma once

#include "program/Program.h"

namespace inflight {

/// One change. Edits of a list apply to the unchanged program; inserts at one place keep their order.
struct Edit {
  enum class Action : uint8_t {
    InsertBefore, ///< directly before `at`; jumps to `at` run it
    InsertAfter,  ///< directly after `at`, for who falls through; jumps to what follows don't run it
    Replace,
    Remove ///< `at` itself
  };
  enum class What : uint8_t {
    Waitcnt,
    Nop,     ///< s_nop
    VNop,    ///< v_nop
    AluWait, ///< s_wait_alu, s_waitcnt_depctr
    Move,    ///< v_mov_b32 of a VGPR to itself
  };
  uint32_t at = 0; ///< instruction
  Action action = Action::InsertBefore;
  What what = What::Waitcnt;
  uint16_t immediate = 0; ///< of s_nop and s_wait_alu; of a move the register's code
  WaitOperands wait = {};
  static Edit ofWait(uint32_t at, Action action, const WaitOperands &wait = {}) {
    return {at, action, What::Waitcnt, 0, wait};
  }
};

/// The instruction that waits for the ALUs' results: s_wait_alu, or s_waitcnt_depctr on gfx11.
Mnemonic aluWait(const Isa &isa);

/// The instructions: "s_waitcnt vmcnt(3) lgkmcnt(0)", "s_nop 4".
llvm::SmallVector<std::string, 2> editTexts(const Edit &edit, const Isa &isa);
/// All in a line, for messages.
std::string editText(const Edit &edit, const Isa &isa);

} // namespace inflight
