#include "program/SourceLines.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;

namespace inflight {

struct SourceLines::Contents {
  std::unique_ptr<object::ObjectFile> file;
  std::unique_ptr<DWARFContext> dwarf;
};

SourceLines::SourceLines(StringRef bytes) : contents(std::make_unique<Contents>()) {
  Expected<std::unique_ptr<object::ObjectFile>> file = object::ObjectFile::createObjectFile(MemoryBufferRef(bytes, "code object"));
  if (!file) {
    consumeError(file.takeError());
    return;
  }
  contents->file = std::move(*file);
  // Broken debug info is as good as none.
  contents->dwarf = DWARFContext::create(
      *contents->file, DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
      [](Error error) { consumeError(std::move(error)); }, [](Error warning) { consumeError(std::move(warning)); });
}

SourceLines::~SourceLines() = default;

SourceLocation SourceLines::of(uint64_t address) const {
  if (!contents->dwarf)
    return {};
  std::optional<DILineInfo> line = contents->dwarf->getLineInfoForAddress(
      {address, object::SectionedAddress::UndefSection},
      DILineInfoSpecifier(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, DILineInfoSpecifier::FunctionNameKind::None));
  if (!line || line->FileName == DILineInfo::BadString)
    return {};
  return {line->FileName, line->Line, line->Column};
}

} // namespace inflight
