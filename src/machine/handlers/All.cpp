#include "machine/handlers/Register.h"

namespace inflight::machine::SIMD_LEVEL {

void registerAll(HandlerTable &table);
void registerAll(HandlerTable &table) {
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
}

} // namespace inflight::machine::SIMD_LEVEL
