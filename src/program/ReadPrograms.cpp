// Which kind of file it is.
#include "program/Program.h"
#include "program/ReadObject.h"

using namespace llvm;

namespace inflight {

Expected<std::vector<std::unique_ptr<Program>>> readPrograms(StringRef bytes, StringRef name, StringRef chip) {
  std::vector<std::unique_ptr<Program>> programs;
  auto add = [&](Expected<std::unique_ptr<Program>> program) -> Error {
    if (!program)
      return program.takeError();
    programs.push_back(std::move(*program));
    return Error::success();
  };
  Error error = bytes.starts_with("\177ELF") ? add(readObject(bytes, name, chip)) : add(readAssembly(bytes, name, chip));
  if (error)
    return std::move(error);
  return programs;
}

} // namespace inflight
