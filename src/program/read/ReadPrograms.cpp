// Which kind of file it is.
#include "object/FatBinary.h"
#include "program/Program.h"
#include "program/read/ReadObject.h"
#include "program/read/VisitPrograms.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

using Visitor = function_ref<Error(std::unique_ptr<Program>, StringRef)>;

static Error visitOne(Expected<std::unique_ptr<Program>> program, StringRef bytes, Visitor visit) {
  return program ? visit(std::move(*program), bytes) : program.takeError();
}

static Error visitEntries(StringRef bytes, StringRef name, StringRef chip, Visitor visit) {
  Expected<FatEntries> entries = readFatEntries(bytes, name, chip);
  if (!entries)
    return entries.takeError();
  for (uint32_t i : entries->chosen) {
    const FatEntry &entry = entries->all[i];
    auto isOfChip = [&](const FatEntry &other) { return other.chip == entry.chip; };
    std::string entryName = (name + "(" + entry.chip).str();
    if (count_if(entries->all, isOfChip) > 1)
      entryName += " #" + std::to_string(count_if(ArrayRef(entries->all).take_front(i), isOfChip) + 1);
    entryName += ")";
    if (Error error = rejectBitcode(entry.bytes, entryName))
      return error;
    if (Error error = visitOne(readObject(entry.bytes, entryName, entry.chip, i), entry.bytes, visit))
      return error;
  }
  return Error::success();
}

Error visitPrograms(StringRef bytes, StringRef name, StringRef chip, Visitor visit) {
  if (isFatBinary(bytes))
    return visitEntries(bytes, name, chip, visit);
  if (bytes.starts_with("\177ELF"))
    return visitOne(readObject(bytes, name, chip), bytes, visit);
  if (bytes.starts_with("!<arch>\n"))
    return errorAt({name.str()}, "an archive; extract its members first (ar x)");
  if (bytes.contains('\0'))
    return errorAt({name.str()}, "neither assembly, nor an object, code object or offload bundle");
  return visitOne(readAssembly(bytes, name, chip), bytes, visit);
}

Expected<std::vector<std::unique_ptr<Program>>> readPrograms(StringRef bytes, StringRef name, StringRef chip) {
  std::vector<std::unique_ptr<Program>> programs;
  if (Error error = visitPrograms(bytes, name, chip, [&](std::unique_ptr<Program> program, StringRef) {
        programs.push_back(std::move(program));
        return Error::success();
      }))
    return std::move(error);
  return programs;
}

} // namespace inflight
