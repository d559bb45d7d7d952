#include "support/Diagnostics.h"

#include "support/OutputFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight {

char LocatedError::ID = 0;

void LocatedError::log(raw_ostream &os) const {
  if (!location.file.empty()) {
    os << location.file;
    if (location.line) {
      os << ':' << location.line;
      if (location.column)
        os << ':' << location.column;
    }
    os << ": ";
  }
  os << "error: " << message;
}

Error errorAt(SourceLocation location, const Twine &message) {
  return make_error<LocatedError>(std::move(location), message.str());
}

Error makeError(const Twine &message) { return createStringError(inconvertibleErrorCode(), message); }

Error writeFileAtomically(StringRef path, StringRef contents) {
  if (path == "-") {
    outs() << contents;
    outs().flush();
    return Error::success();
  }
  Expected<std::unique_ptr<OutputFile>> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  (*file)->write(contents);
  return (*file)->commit();
}

Expected<std::string> readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

} // namespace inflight
