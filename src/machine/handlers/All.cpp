#include "machine/handlers/Register.h"

namespace inflight::machine::SIMD_LEVEL {

void refuse(HandlerTable &table, llvm::StringRef mnemonic, const char *reason) {
  add(table, mnemonic, refusedInstruction, {32, 32, 32}, 0, reason);
  table[mnemonic].refused = reason;
}

void registerAll(HandlerTable &table);
void registerAll(HandlerTable &table) {
  registerControl(table);
  registerScalarMemory(table);
  registerLdsSpecial(table);
  registerSalu(table);
  registerValu(table);
  registerValuFloat(table);
  registerMode(table);
  registerConversions(table);
  registerDivision(table);
  registerValuSpecial(table);
  registerCompare(table);
  registerMemory(table);
  registerTypedBuffer(table);
  registerLds(table);
  registerWrapped(table);
  registerMatrix(table);
  registerMatrixScaled(table);
  registerMatrixSparse(table);
  registerValuNarrow(table);
  registerValuScaled(table);
  registerValuSaturate(table);
  registerValuLegacy(table); // some take the handlers of others
}

} // namespace inflight::machine::SIMD_LEVEL
