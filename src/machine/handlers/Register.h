// Registration of handlers.
#pragma once

#include "machine/handlers/Lanes.h"
#include <array>

namespace inflight::machine::SIMD_LEVEL {

inline void add(HandlerTable &table, llvm::StringRef mnemonic, Handler handler,
                std::array<uint8_t, 3> bits = {32, 32, 32}, uint8_t aux = 0, const void *extra = nullptr) {
  HandlerInfo info;
  info.handler = handler;
  for (unsigned i = 0; i < 3; ++i)
    info.sourceBits[i] = bits[i];
  info.aux = aux;
  info.extra = extra;
  table[mnemonic] = info;
}

/// An instruction that the machine knows and doesn't execute.
void refuse(HandlerTable &table, llvm::StringRef mnemonic, const char *reason);

void registerControl(HandlerTable &table);
void registerScalarMemory(HandlerTable &table);
void registerLdsSpecial(HandlerTable &table);
void registerValuLegacy(HandlerTable &table);
void registerValuSaturate(HandlerTable &table);
void registerSalu(HandlerTable &table);
void registerValu(HandlerTable &table);
void registerValuFloat(HandlerTable &table);
void registerMode(HandlerTable &table);
void registerConversions(HandlerTable &table);
void registerDivision(HandlerTable &table);
void registerValuSpecial(HandlerTable &table);
void registerCompare(HandlerTable &table);
void registerMemory(HandlerTable &table);
void registerTypedBuffer(HandlerTable &table);
void registerLds(HandlerTable &table);
void registerWrapped(HandlerTable &table);
void registerMatrix(HandlerTable &table);
void registerMatrixScaled(HandlerTable &table);
void registerMatrixSparse(HandlerTable &table);
void registerValuNarrow(HandlerTable &table);
void registerValuScaled(HandlerTable &table);

} // namespace inflight::machine::SIMD_LEVEL
