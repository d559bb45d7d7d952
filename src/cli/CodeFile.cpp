#include "cli/CodeFile.h"

#include "cli/CommandLine.h"
#include "object/FatBinary.h"
#include "program/assemble/Assembler.h"
#include "program/assemble/AssemblyTarget.h"
#include "support/Diagnostics.h"
#include "support/files/InputFile.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inflight::cli {

/// Text, as far as a code object can't be it.
static bool isText(StringRef bytes) {
  return !bytes.contains('\0') && !bytes.starts_with("\177ELF") && !isFatBinary(bytes);
}

Expected<std::string> readCodeFile(StringRef path, StringRef chip) {
  Expected<std::string> bytes = readProgramFile(path);
  if (!bytes)
    return bytes.takeError();
  if (bytes->empty())
    return errorAt({path.str()}, "the file is empty");
  if (!isText(*bytes))
    return bytes;
  const std::string extension = sys::path::extension(path).lower(), named = targetOf(*bytes).chip;
  if (extension == ".mlir")
    return errorAt({path.str()}, "MLIR, not a code object: `inflight compile` makes one of it");
  if (named.empty() && extension != ".s" && extension != ".asm" && extension != ".amdgcn")
    return bytes; // who loads it says what it lacks
  const std::string wanted = chip.empty() ? named : chip.str();
  if (wanted.empty())
    return errorAt({path.str()},
                   "assembly without .amdgcn_target: `inflight asm -mcpu=CHIP` makes a code object of it");
  Expected<const Isa *> isa = isaOf(wanted, *bytes);
  if (!isa)
    return isa.takeError();
  return assembleCodeObject(**isa, *bytes, path, LineTable::OfText);
}

} // namespace inflight::cli
