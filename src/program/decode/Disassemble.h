// A code object as an assembly file.
#pragma once

#include "object/CodeObject.h"
#include <functional>

namespace inflight {

/// What comments say beside the code.
struct DisassemblyNotes {
  bool addresses = false; ///< of each instruction, as findings and reports name them
  bool bytes = false;     ///< its encoding, as words
  /// The line of the source to print before the instruction at an address, or nothing.
  std::function<std::string(uint64_t address)> source;
};

/// Assembly text whose .text section assembles to the same bytes: instructions that the assembler
/// would encode otherwise, and bytes that are none, stand as .long with the instruction as comment.
llvm::Expected<std::string> disassemble(const CodeObject &object, const DisassemblyNotes &notes = {});

/// Addresses of instructions that add a constant to s_getpc_b64's result and so take an address outside of .text: of
/// data, which the assembly doesn't have, at a distance that another object hasn't.
llvm::Expected<std::vector<uint64_t>> findDataReferences(const CodeObject &object);

} // namespace inflight
