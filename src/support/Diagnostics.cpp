#include "support/Diagnostics.h"

#include "llvm/Support/FileSystem.h"
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
  // A device such as /dev/null can't be renamed over.
  if (sys::fs::exists(path) && !sys::fs::is_regular_file(path)) {
    std::error_code ec;
    raw_fd_ostream os(path, ec);
    if (ec)
      return makeError("cannot write '" + path + "': " + ec.message());
    os << contents;
    return Error::success();
  }
  Expected<sys::fs::TempFile> temp =
      sys::fs::TempFile::create(path + ".%%%%%%.tmp", sys::fs::all_read | sys::fs::all_write);
  if (!temp)
    return makeError("cannot write '" + path + "': " + toString(temp.takeError()));
  raw_fd_ostream os(temp->FD, /*shouldClose=*/false);
  os << contents;
  os.flush();
  if (os.has_error()) {
    std::string reason = os.error().message();
    os.clear_error();
    consumeError(temp->discard());
    return makeError("cannot write '" + path + "': " + reason);
  }
  if (Error error = temp->keep(path))
    return makeError("cannot write '" + path + "': " + toString(std::move(error)));
  return Error::success();
}

Expected<std::string> readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

} // namespace inflight
