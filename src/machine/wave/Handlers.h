// The table of instruction handlers, one a mnemonic.
#pragma once

#include "isa/instr/FloatRules.h"
#include "machine/wave/Wave.h"
#include "llvm/ADT/StringMap.h"

namespace inflight::machine {

/// Stands for a width in `sourceBits`: inline constants are bfloats.
inline constexpr uint8_t bfloatSource = 17;

/// How an instruction's sources are read, for decoding.
struct HandlerInfo {
  Handler handler = nullptr;
  /// Width in bits of the elements of each source: chooses inline float constants (16, 32, 64, bfloats);
  /// 0 for sources that aren't there.
  uint8_t sourceBits[3] = {32, 32, 32};
  uint8_t aux = 0;
  const void *extra = nullptr;
  const char *refused = nullptr; ///< why the machine doesn't execute it, though the chip does
  bool exchanges = false;        ///< swaps a dword of memory if it is what the instruction says
};

/// In the `extra` of a float instruction in code that may change MODE: what the plain handler is, and what MODE means
/// to it.
struct ModeOp {
  Handler handler;
  FloatRules rules;
  bool high = false; ///< the result is the upper half
};

using HandlerTable = llvm::StringMap<HandlerInfo>;

/// Names under which the table has the handlers of operations that DPP, SDWA and MODE wrap.
inline constexpr char dppHandler[] = "#dpp", sdwaHandler[] = "#sdwa", modeHandler[] = "#mode";
/// And that of vector instructions in the copy of the code that heeds MODE.VSKIP and MODE.GPR_IDX_EN.
inline constexpr char indexedHandler[] = "#indexed";

/// Handlers compiled for the best vector extensions of this host.
const HandlerTable &handlerTable();

/// Instructions that need what no compute kernel has, such as images: the reason, or null.
const char *refusedReason(llvm::StringRef mnemonic);

/// Says why; `extra` is the reason.
void refusedInstruction(Wave &wave, const Op &op);

/// Decodes to this where the bytes are no instruction or have no handler.
void illegalInstruction(Wave &wave, const Op &op);

} // namespace inflight::machine
