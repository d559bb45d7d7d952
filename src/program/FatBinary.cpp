#include "program/FatBinary.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace llvm::object;

namespace inflight {

static constexpr StringLiteral plainMagic = "__CLANG_OFFLOAD_BUNDLE__", compressedMagic = "CCOB", elfMagic = "\177ELF";
// A corrupt header must not make us allocate the size it claims.
static constexpr uint64_t maximumBundleBytes = uint64_t(1) << 30;

static bool isHostElf(StringRef bytes) {
  return bytes.starts_with(elfMagic) && bytes.size() >= sizeof(ELF64LE::Ehdr) && bytes[ELF::EI_CLASS] == ELF::ELFCLASS64 &&
         bytes[ELF::EI_DATA] == ELF::ELFDATA2LSB &&
         support::endian::read16le(bytes.data() + offsetof(ELF64LE::Ehdr, e_machine)) != ELF::EM_AMDGPU;
}

bool isFatBinary(StringRef bytes) {
  return bytes.starts_with(plainMagic) || bytes.starts_with(compressedMagic) || isHostElf(bytes);
}

namespace {

class Reader {
public:
  explicit Reader(StringRef name) : name(name) {}
  /// Any number of bundles with padding between them.
  Error readBundles(StringRef bytes);
  Error readHost(StringRef bytes);
  std::vector<FatEntry> entries;

private:
  Error fail(const Twine &message) const { return errorAt({name.str()}, message); }
  /// Returns how many bytes the bundle takes.
  Expected<uint64_t> readPlain(StringRef bytes);
  Expected<uint64_t> readCompressed(StringRef bytes);
  StringRef name;
};

Expected<uint64_t> Reader::readPlain(StringRef bytes) {
  // The number of entries; for each its offset from the magic, its size and its identifier (clang-offload-bundler,
  // "Bundled Binary File Layout").
  uint64_t at = plainMagic.size();
  auto number = [&]() -> std::optional<uint64_t> {
    if (bytes.size() < 8 || at > bytes.size() - 8)
      return std::nullopt;
    at += 8;
    return support::endian::read64le(bytes.data() + at - 8);
  };
  std::optional<uint64_t> count = number();
  if (!count)
    return fail("truncated offload bundle");
  uint64_t end = 0;
  for (uint64_t i = 0; i < *count; ++i) {
    std::optional<uint64_t> offset = number(), size = number(), idLength = number();
    if (!offset || !size || !idLength || *idLength > bytes.size() - at)
      return fail("truncated offload bundle");
    StringRef id = bytes.substr(at, *idLength);
    at += *idLength;
    if (*offset > bytes.size() || *size > bytes.size() - *offset)
      return fail("truncated offload bundle: entry '" + id + "' lies outside");
    end = std::max(end, *offset + *size);
    // "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-"
    if (id.starts_with("host") || *size == 0)
      continue;
    entries.push_back({id.split(':').first.rsplit('-').second.str(), bytes.substr(*offset, *size).str()});
  }
  return std::max(end, at);
}

Expected<uint64_t> Reader::readCompressed(StringRef bytes) {
  Expected<CompressedOffloadBundle::CompressedBundleHeader> header = CompressedOffloadBundle::CompressedBundleHeader::tryParse(bytes);
  if (!header)
    return fail("corrupt compressed offload bundle: " + toString(header.takeError()));
  const uint64_t size = header->FileSize.value_or(bytes.size());
  if (size > bytes.size() || size < compressedMagic.size())
    return fail("truncated compressed offload bundle");
  if (header->UncompressedFileSize > maximumBundleBytes)
    return fail("an implausible size of an offload bundle: " + Twine(header->UncompressedFileSize) + " bytes");
  Expected<std::unique_ptr<MemoryBuffer>> plain =
      CompressedOffloadBundle::decompress(*MemoryBuffer::getMemBuffer(bytes.take_front(size), name, /*RequiresNullTerminator=*/false));
  if (!plain)
    return fail("corrupt compressed offload bundle: " + toString(plain.takeError()));
  if (!(*plain)->getBuffer().starts_with(plainMagic))
    return fail("corrupt compressed offload bundle: no bundle in it");
  if (Expected<uint64_t> read = readPlain((*plain)->getBuffer()); !read)
    return read.takeError();
  return size;
}

Error Reader::readBundles(StringRef bytes) {
  while (true) {
    size_t next = std::min(bytes.find(plainMagic), bytes.find(compressedMagic));
    if (next == StringRef::npos)
      return Error::success();
    bytes = bytes.drop_front(next);
    Expected<uint64_t> size = bytes.starts_with(plainMagic) ? readPlain(bytes) : readCompressed(bytes);
    if (!size)
      return size.takeError();
    bytes = bytes.drop_front(*size);
  }
}

Error Reader::readHost(StringRef bytes) {
  Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(bytes);
  if (!elf)
    return fail(toString(elf.takeError()));
  Expected<ELF64LE::ShdrRange> sections = elf->sections();
  if (!sections)
    return fail(toString(sections.takeError()));
  for (const ELF64LE::Shdr &section : *sections) {
    Expected<StringRef> sectionName = elf->getSectionName(section);
    if (!sectionName)
      return fail(toString(sectionName.takeError()));
    if (*sectionName != ".hip_fatbin" || section.sh_type == ELF::SHT_NOBITS)
      continue;
    Expected<ArrayRef<uint8_t>> contents = elf->getSectionContents(section);
    if (!contents)
      return fail(toString(contents.takeError()));
    if (Error error = readBundles(toStringRef(*contents)))
      return error;
  }
  return Error::success();
}

} // namespace

Expected<std::vector<FatEntry>> readFatBinary(StringRef bytes, StringRef name) {
  Reader reader(name);
  const bool isHost = isHostElf(bytes);
  if (Error error = isHost ? reader.readHost(bytes) : reader.readBundles(bytes))
    return std::move(error);
  if (reader.entries.empty())
    return errorAt({name.str()}, isHost ? "not an AMD GPU code object, and no code objects in it (section .hip_fatbin)" : "an offload bundle without device code");
  return std::move(reader.entries);
}

} // namespace inflight
