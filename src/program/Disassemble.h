// A code object as an assembly file.
#pragma once

#include "object/CodeObject.h"

namespace inflight {

/// Assembly text whose .text section assembles to the same bytes: instructions that the assembler
/// would encode otherwise, and bytes that are none, stand as .long with the instruction as comment.
llvm::Expected<std::string> disassemble(const CodeObject &object);

} // namespace inflight
