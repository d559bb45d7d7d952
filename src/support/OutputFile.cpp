#include "support/OutputFile.h"

#include "support/Diagnostics.h"
#include "support/OutputPath.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace llvm;

namespace inflight {

static constexpr size_t bufferBytes = size_t(1) << 20;

OutputFile::OutputFile(StringRef path) : path(path.str()), buffer(new char[bufferBytes]) {
  cursor = buffer.get();
  bufferEnd = cursor + bufferBytes;
}

/// Mode and owner of the file that the temporary one will replace. Where the owner can't be kept, the bits that lend it
/// go.
static void keepAccess(int descriptor, const struct stat &old) {
  mode_t mode = old.st_mode & 07777;
  if ((old.st_uid != ::geteuid() || old.st_gid != ::getegid()) && ::fchown(descriptor, old.st_uid, old.st_gid) != 0)
    mode &= ~mode_t(S_ISUID | S_ISGID);
  ::fchmod(descriptor, mode);
}

Expected<std::unique_ptr<OutputFile>> OutputFile::create(StringRef given, Compression compression) {
  const auto failed = [&](const Twine &reason) { return makeError("cannot write '" + given + "': " + reason); };
  const auto reasonOf = [](int number) { return std::error_code(number, std::generic_category()).message(); };
  const OutputPath place = OutputPath::find(given);
  std::unique_ptr<OutputFile> file(new OutputFile(place.path));
  file->givenPath = given.str();
  if (given == "-") {
    file->descriptor = STDOUT_FILENO;
  } else if (place.kind == OutputPath::Kind::Descriptor) {
    file->descriptor = ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, 0);
    if (file->descriptor < 0)
      return failed(reasonOf(errno));
    file->ownsDescriptor = true;
  } else if (place.kind == OutputPath::Kind::Device) {
    file->descriptor = ::open(file->path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file->descriptor < 0)
      return failed(reasonOf(errno));
    file->ownsDescriptor = true;
  } else {
    struct stat old;
    const bool replaces = ::stat(file->path.c_str(), &old) == 0;
    // A file that others may not read isn't shown to them while it is written.
    const unsigned mode =
        replaces ? sys::fs::owner_read | sys::fs::owner_write : sys::fs::all_read | sys::fs::all_write;
    Expected<sys::fs::TempFile> temporary = sys::fs::TempFile::create(file->path + ".%%%%%%.tmp", mode);
    if (!temporary)
      return failed(toString(temporary.takeError()));
    file->temporary = std::move(*temporary);
    file->descriptor = file->temporary->FD;
    if (replaces)
      keepAccess(file->descriptor, old);
  }
  if (!file->opens(compression))
    return makeError("cannot compress '" + given + "': out of memory");
  return file;
}

bool OutputFile::opens(Compression compression) {
  if (compression == Compression::None)
    return true;
  stream = std::make_unique<z_stream>();
  compressed.reset(new char[bufferBytes]);
  constexpr int gzipWrapper = 16; // of deflateInit2: added to the window's bits
  // Traces are so repetitive that the fastest level leaves little.
  return deflateInit2(stream.get(), Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + gzipWrapper, MAX_MEM_LEVEL,
                      Z_DEFAULT_STRATEGY) == Z_OK;
}

OutputFile::~OutputFile() {
  if (stream)
    deflateEnd(stream.get());
  if (temporary)
    consumeError(temporary->discard());
  if (ownsDescriptor)
    ::close(descriptor);
}

void OutputFile::writeBytes(const char *bytes, size_t count) {
  while (count && failure.empty()) {
    ssize_t written = ::write(descriptor, bytes, count);
    if (written < 0) {
      if (errno != EINTR)
        failure = std::error_code(errno, std::generic_category()).message();
      continue;
    }
    bytes += written;
    count -= size_t(written);
  }
}

void OutputFile::deflateBytes(const char *bytes, size_t count, bool last) {
  stream->next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes));
  stream->avail_in = uInt(count);
  do {
    stream->next_out = reinterpret_cast<Bytef *>(compressed.get());
    stream->avail_out = bufferBytes;
    deflate(stream.get(), last ? Z_FINISH : Z_NO_FLUSH);
    writeBytes(compressed.get(), bufferBytes - stream->avail_out);
  } while (stream->avail_out == 0 && failure.empty());
}

void OutputFile::flushBuffer() {
  const size_t count = size_t(cursor - buffer.get());
  if (stream)
    deflateBytes(buffer.get(), count, false);
  else
    writeBytes(buffer.get(), count);
  flushed += count;
  cursor = buffer.get();
}

void OutputFile::write(StringRef text) {
  while (!text.empty()) {
    const size_t count = std::min(text.size(), maxReserve);
    char *to = reserve(count);
    std::copy_n(text.data(), count, to);
    advanceTo(to + count);
    text = text.drop_front(count);
  }
}

Error OutputFile::commit() {
  flushBuffer();
  if (stream && failure.empty())
    deflateBytes(nullptr, 0, true);
  if (failure.empty() && temporary) {
    Error error = temporary->keep(path);
    temporary.reset();
    if (error)
      failure = toString(std::move(error));
  }
  if (failure.empty())
    return Error::success();
  return makeError("cannot write '" + givenPath + "': " + failure);
}

} // namespace inflight
