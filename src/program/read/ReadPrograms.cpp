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

/// Who owns the bytes of a file that outlives what is made of them; nobody, where it may not.
static std::shared_ptr<const MemoryBuffer> ownerOf(StringRef bytes, bool areKept) {
  return areKept ? MemoryBuffer::getMemBuffer(bytes, "", /*RequiresNullTerminator=*/false) : nullptr;
}

static Error visitEntries(StringRef bytes, StringRef name, StringRef chip, bool areKept, Visitor visit,
                          function_ref<void()> drop) {
  Expected<FatEntries> found = readFatEntries(bytes, name, chip, drop);
  if (!found)
    return found.takeError();
  const ArrayRef<FatEntry> entries = found->binary.entries();
  for (uint32_t i : found->chosen) {
    const FatEntry &entry = entries[i];
    auto isOfChip = [&](const FatEntry &other) { return other.chip == entry.chip; };
    std::string entryName = (name + "(" + entry.chip).str();
    if (count_if(entries, isOfChip) > 1)
      entryName += " #" + std::to_string(count_if(entries.take_front(i), isOfChip) + 1);
    entryName += ")";
    Expected<FatBinary::Bytes> own = found->binary.bytesOf(entry);
    if (!own)
      return own.takeError();
    if (Error error = rejectBitcode(own->bytes, entryName))
      return error;
    if (!own->owner)
      own->owner = ownerOf(own->bytes, areKept);
    if (Error error = visitOne(readObject(own->bytes, own->owner, entryName, entry.chip, i), own->bytes, visit))
      return error;
    if (drop)
      drop();
  }
  return Error::success();
}

static Error visitAll(StringRef bytes, StringRef name, StringRef chip, bool areKept, Visitor visit,
                      function_ref<void()> drop) {
  if (isFatBinary(bytes))
    return visitEntries(bytes, name, chip, areKept, visit, drop);
  if (bytes.starts_with("\177ELF"))
    return visitOne(readObject(bytes, ownerOf(bytes, areKept), name, chip), bytes, visit);
  if (bytes.starts_with("!<arch>\n"))
    return errorAt({name.str()}, "an archive; extract its members first (ar x)");
  if (bytes.contains('\0'))
    return errorAt({name.str()}, "neither assembly, nor an object, code object or offload bundle");
  return visitOne(readAssembly(bytes, name, chip), bytes, visit);
}

Error visitPrograms(StringRef bytes, StringRef name, StringRef chip, Visitor visit, function_ref<void()> drop) {
  return visitAll(bytes, name, chip, /*areKept=*/true, visit, drop);
}

Expected<std::vector<std::unique_ptr<Program>>> readPrograms(StringRef bytes, StringRef name, StringRef chip) {
  std::vector<std::unique_ptr<Program>> programs;
  auto keep = [&](std::unique_ptr<Program> program, StringRef) {
    programs.push_back(std::move(program));
    return Error::success();
  };
  if (Error error = visitAll(bytes, name, chip, /*areKept=*/false, keep, nullptr))
    return std::move(error);
  return programs;
}

} // namespace inflight
