#include "support/report/SourceText.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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

static bool isBelow(StringRef path, StringRef directory) {
  return path.consume_front(directory) && (path.starts_with("/") || directory.ends_with("/"));
}

/// Whether a file may be shown whatever it contains.
static bool isMeant(StringRef real, const SourcePolicy &policy) {
  SmallString<128> directory;
  return !policy.directory.empty() && !sys::fs::real_path(policy.directory, directory) && isBelow(real, directory);
}

std::optional<std::string> readSource(StringRef file, const MD5::MD5Result *checksum, const SourcePolicy &policy) {
  const std::optional<std::string> real = policy.isOff ? std::nullopt : pathOfSource(file);
  if (!real)
    return std::nullopt;
  const bool meant = isMeant(*real, policy);
  if (!meant && !checksum)
    return std::nullopt;
  std::optional<std::string> contents = expectedToOptional(readFile(*real));
  if (contents && !meant && MD5::hash(arrayRefFromStringRef(*contents)) != *checksum)
    return std::nullopt;
  return contents;
}

bool isSystemSource(StringRef path) {
  return path.starts_with("/usr/") || path.starts_with("/opt/") || path.contains("/lib/clang/") ||
         path.contains("/include/hip/") || sys::path::filename(path).starts_with("__clang_");
}

void SourceText::split(File &file, StringRef text) {
  while (!text.empty()) {
    auto [line, after] = text.split('\n');
    file.lines.push_back(line.rtrim('\r'));
    text = after;
  }
}

void SourceText::add(StringRef file, StringRef text) { split(files[file], text); }

const SourceText::File &SourceText::read(StringRef name) {
  auto [entry, isNew] = files.try_emplace(name);
  File &file = entry->second;
  if (!isNew)
    return file;
  const auto checksum = checksums.find(name.str());
  file.contents = readSource(name, checksum == checksums.end() ? nullptr : &checksum->second, policy).value_or("");
  split(file, file.contents);
  return file;
}

std::optional<StringRef> SourceText::line(StringRef file, unsigned number) {
  const File &found = read(file);
  if (!number || number > found.lines.size())
    return std::nullopt;
  return found.lines[number - 1];
}

} // namespace inflight
