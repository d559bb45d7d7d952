#include "support/SourceText.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace inflight {

std::optional<std::string> pathOfSource(StringRef file) {
  SmallString<128> path;
  if (file.empty() || file == "-" || !sys::fs::is_regular_file(file) || sys::fs::real_path(file, path))
    return std::nullopt;
  if (any_of(ArrayRef<StringRef>{"/proc/", "/sys/", "/dev/"}, [&](StringRef own) { return path.starts_with(own); }))
    return std::nullopt;
  return path.str().str();
}

std::optional<std::string> readSource(StringRef file, const MD5::MD5Result &checksum) {
  const std::optional<std::string> path = pathOfSource(file);
  if (!path)
    return std::nullopt;
  Expected<std::string> contents = readFile(*path);
  if (!contents) {
    consumeError(contents.takeError());
    return std::nullopt;
  }
  if (MD5::hash(arrayRefFromStringRef(*contents)) != checksum)
    return std::nullopt;
  return std::move(*contents);
}

const SourceText::File &SourceText::read(StringRef name) {
  auto [entry, isNew] = files.try_emplace(name);
  File &file = entry->second;
  const auto checksum = checksums.find(name.str());
  if (!isNew || checksum == checksums.end())
    return file;
  file.contents = readSource(name, checksum->second).value_or("");
  for (StringRef rest = file.contents; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    file.lines.push_back(line.rtrim('\r'));
    rest = after;
  }
  return file;
}

std::optional<StringRef> SourceText::line(StringRef file, unsigned number) {
  const File &found = read(file);
  if (!number || number > found.lines.size())
    return std::nullopt;
  return found.lines[number - 1];
}

} // namespace inflight
