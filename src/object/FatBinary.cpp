#include "object/FatBinary.h"

#include "isa/chip/TargetInfo.h"
#include "object/TargetId.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <set>

using namespace llvm;
using namespace llvm::object;

namespace inflight {

static constexpr StringLiteral plainMagic = "__CLANG_OFFLOAD_BUNDLE__", compressedMagic = "CCOB", elfMagic = "\177ELF";
// A corrupt header must not make us allocate the size it claims.
static constexpr uint64_t maximumBundleBytes = uint64_t(1) << 30;

static bool isHostElf(StringRef bytes) {
  return bytes.starts_with(elfMagic) && bytes.size() >= sizeof(ELF64LE::Ehdr) &&
         bytes[ELF::EI_CLASS] == ELF::ELFCLASS64 && bytes[ELF::EI_DATA] == ELF::ELFDATA2LSB &&
         support::endian::read16le(bytes.data() + offsetof(ELF64LE::Ehdr, e_machine)) != ELF::EM_AMDGPU;
}

bool isFatBinary(StringRef bytes) {
  return bytes.starts_with(plainMagic) || bytes.starts_with(compressedMagic) || isHostElf(bytes);
}

static constexpr StringLiteral bundleSection = ".hip_fatbin";

bool hasBundles(StringRef bytes) {
  Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(bytes);
  Expected<ELF64LE::ShdrRange> sections = elf ? elf->sections() : elf.takeError();
  if (!sections) {
    consumeError(sections.takeError());
    return false;
  }
  return any_of(*sections, [&](const ELF64LE::Shdr &section) {
    Expected<StringRef> name = elf->getSectionName(section);
    if (!name)
      consumeError(name.takeError());
    return name && *name == bundleSection && section.sh_type != ELF::SHT_NOBITS;
  });
}

namespace {
/// Where bundles begin. Each byte is looked at once for each kind: a library has a thousand bundles, all of one kind.
class BundleSearch {
public:
  explicit BundleSearch(StringRef bytes) : bytes(bytes) {}
  /// The first at `from` or after it; calls come in order.
  size_t next(size_t from) { return std::min(plain.next(bytes, from), compressed.next(bytes, from)); }

private:
  struct Kind {
    StringRef magic;
    size_t at = 0;
    bool isFound = false; ///< at `at`
    size_t next(StringRef bytes, size_t from) {
      if (at == StringRef::npos || (isFound && at >= from))
        return at;
      const StringRef rest = bytes.drop_front(from);
      const void *found = memmem(rest.data(), rest.size(), magic.data(), magic.size());
      isFound = found;
      return at = found ? static_cast<const char *>(found) - bytes.data() : StringRef::npos;
    }
  };
  StringRef bytes;
  Kind plain{plainMagic}, compressed{compressedMagic};
};
} // namespace

class BundleReader {
public:
  BundleReader(FatBinary &into, function_ref<void()> drop) : into(into), drop(drop) {}
  /// Any number of bundles with padding between them, at `at` of the file.
  Error readBundles(StringRef bytes, uint64_t at);
  Error readHost(StringRef bytes);

private:
  Error fail(const Twine &message) const { return errorAt({into.name}, message); }
  /// Returns how many bytes the bundle takes.
  Expected<uint64_t> readPlain(StringRef bytes);
  Expected<uint64_t> readCompressed(StringRef bytes, uint64_t at);
  FatBinary &into;
  function_ref<void()> drop;
};

Expected<uint64_t> BundleReader::readPlain(StringRef bytes) {
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
    const uint64_t fields = at;
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
    FatEntry entry;
    entry.chip = parseTargetId(id).chip;
    entry.offset = *offset;
    entry.size = *size;
    entry.fields = fields;
    into.list.push_back(std::move(entry));
  }
  return std::max(end, at);
}

Expected<uint64_t> BundleReader::readCompressed(StringRef bytes, uint64_t at) {
  Expected<CompressedOffloadBundle::CompressedBundleHeader> header =
      CompressedOffloadBundle::CompressedBundleHeader::tryParse(bytes);
  if (!header)
    return fail("corrupt compressed offload bundle: " + toString(header.takeError()));
  const uint64_t size = header->FileSize.value_or(bytes.size());
  if (size > bytes.size() || size < compressedMagic.size())
    return fail("truncated compressed offload bundle");
  if (header->UncompressedFileSize > maximumBundleBytes)
    return fail("an implausible size of an offload bundle: " + Twine(header->UncompressedFileSize) + " bytes");
  Expected<std::shared_ptr<const MemoryBuffer>> plain = into.decompress(at, size);
  if (!plain)
    return plain.takeError();
  if (Expected<uint64_t> read = readPlain((*plain)->getBuffer()); !read)
    return read.takeError();
  return size;
}

Error BundleReader::readBundles(StringRef bytes, uint64_t at) {
  BundleSearch search(bytes);
  for (size_t next = search.next(0); next != StringRef::npos;) {
    const StringRef rest = bytes.drop_front(next);
    const size_t first = into.list.size();
    const bool isCompressed = !rest.starts_with(plainMagic);
    Expected<uint64_t> size = isCompressed ? readCompressed(rest, at + next) : readPlain(rest);
    if (!size)
      return size.takeError();
    for (FatEntry &entry : MutableArrayRef(into.list).drop_front(first)) {
      entry.bundle = at + next;
      entry.bundleSize = *size;
      entry.isCompressed = isCompressed;
    }
    next = search.next(next + *size);
    if (drop)
      drop();
  }
  return Error::success();
}

Error BundleReader::readHost(StringRef bytes) {
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
    if (*sectionName != bundleSection || section.sh_type == ELF::SHT_NOBITS)
      continue;
    Expected<ArrayRef<uint8_t>> contents = elf->getSectionContents(section);
    if (!contents)
      return fail(toString(contents.takeError()));
    if (Error error = readBundles(toStringRef(*contents), section.sh_offset))
      return error;
  }
  return Error::success();
}

Expected<std::shared_ptr<const MemoryBuffer>> FatBinary::decompress(uint64_t bundle, uint64_t size) {
  if (kept && keptBundle == bundle)
    return kept;
  kept.reset();
  Expected<std::unique_ptr<MemoryBuffer>> plain = CompressedOffloadBundle::decompress(
      *MemoryBuffer::getMemBuffer(file.substr(bundle, size), name, /*RequiresNullTerminator=*/false));
  if (!plain)
    return errorAt({name}, "corrupt compressed offload bundle: " + toString(plain.takeError()));
  if (!(*plain)->getBuffer().starts_with(plainMagic))
    return errorAt({name}, "corrupt compressed offload bundle: no bundle in it");
  keptBundle = bundle;
  kept = std::move(*plain);
  return kept;
}

Expected<FatBinary::Bytes> FatBinary::bytesOf(const FatEntry &entry) {
  if (!entry.isCompressed)
    return Bytes{file.substr(entry.bundle, entry.bundleSize).substr(entry.offset, entry.size), nullptr};
  Expected<std::shared_ptr<const MemoryBuffer>> plain = decompress(entry.bundle, entry.bundleSize);
  if (!plain)
    return plain.takeError();
  return Bytes{(*plain)->getBuffer().substr(entry.offset, entry.size), *plain};
}

Expected<FatBinary> FatBinary::read(StringRef bytes, StringRef name, function_ref<void()> drop) {
  FatBinary read(bytes, name);
  BundleReader reader(read, drop);
  const bool isHost = isHostElf(bytes);
  if (Error error = isHost ? reader.readHost(bytes) : reader.readBundles(bytes, 0))
    return std::move(error);
  if (read.list.empty())
    return errorAt({name.str()}, isHost ? "not an AMD GPU code object, and no code objects in it (section .hip_fatbin)"
                                        : "an offload bundle without device code");
  return std::move(read);
}

Expected<FatEntries> readFatEntries(StringRef bytes, StringRef name, StringRef chip, function_ref<void()> drop) {
  Expected<FatBinary> all = FatBinary::read(bytes, name, drop);
  if (!all)
    return all.takeError();
  FatEntries entries{std::move(*all), {}, {}};
  std::set<std::string> others;
  for (auto [index, entry] : enumerate(entries.binary.entries()))
    if (chip.empty() ? is_contained(supportedChips(), entry.chip) : chip == entry.chip)
      entries.chosen.push_back(uint32_t(index));
    else
      others.insert(entry.chip);
  entries.otherChips.assign(others.begin(), others.end());
  if (!entries.chosen.empty())
    return entries;
  const std::string there = join(others, ", ");
  if (!chip.empty())
    return errorAt({name.str()}, "no code for " + chip + "; there is " + there);
  if (others.size() == 1)
    return errorAt({name.str()}, unsupportedChip(there));
  return errorAt({name.str()},
                 "for chips that are not supported: " + there + "; supported: " + join(supportedChips(), ", "));
}

Error rejectBitcode(StringRef bytes, StringRef name) {
  if (identify_magic(bytes) != file_magic::bitcode)
    return Error::success();
  return errorAt({name.str()}, "LLVM bitcode, which has no instructions yet; link it first");
}

/// The bundle, without compression, with the entry replaced. Entries keep their alignment, up to a page.
static std::string replaceInBundle(StringRef bundle, const FatEntry &entry, StringRef newBytes) {
  using namespace support::endian;
  constexpr uint64_t page = 4096; // the most that clang aligns entries to (clang-offload-bundler, -bundle-align)
  std::string result = bundle.str();
  const uint64_t oldEnd = entry.offset + entry.size;
  uint64_t next = bundle.size(); // where what is after the entry begins
  const uint64_t count = read64le(bundle.data() + plainMagic.size());
  SmallVector<uint64_t> after; // fields with the offsets of entries
  uint64_t at = plainMagic.size() + 8;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t offset = read64le(bundle.data() + at);
    if (at != entry.fields && offset >= oldEnd) {
      next = std::min(next, offset);
      after.push_back(at);
    }
    at += uint64_t(3) * 8 + read64le(bundle.data() + at + 16);
  }
  const uint64_t newEnd = entry.offset + newBytes.size();
  const uint64_t shift = newEnd <= next ? 0 : after.empty() ? newEnd - next : alignTo(newEnd - next, page);
  result.insert(next, shift, '\0');
  std::fill(result.begin() + entry.offset, result.begin() + std::max(oldEnd, newEnd), '\0');
  result.replace(entry.offset, newBytes.size(), newBytes.str());
  write64le(result.data() + entry.fields + 8, newBytes.size());
  for (uint64_t field : after)
    write64le(result.data() + field, read64le(result.data() + field) + shift);
  return result;
}

/// The bundle, which is compressed, with other bytes for the entry.
static Expected<std::string> replaceInCompressed(StringRef bundle, StringRef name, const FatEntry &entry,
                                                 StringRef newBytes) {
  auto fail = [&](const Twine &message) { return errorAt({name.str()}, message); };
  auto memory = [&](StringRef data) {
    return MemoryBuffer::getMemBuffer(data, name, /*RequiresNullTerminator=*/false);
  };
  Expected<CompressedOffloadBundle::CompressedBundleHeader> header =
      CompressedOffloadBundle::CompressedBundleHeader::tryParse(bundle);
  if (!header)
    return fail(toString(header.takeError()));
  Expected<std::unique_ptr<MemoryBuffer>> plain = CompressedOffloadBundle::decompress(*memory(bundle));
  if (!plain)
    return fail(toString(plain.takeError()));
  const std::string inside = replaceInBundle((*plain)->getBuffer(), entry, newBytes);
  Expected<std::unique_ptr<MemoryBuffer>> compressed = CompressedOffloadBundle::compress(
      compression::Params(header->CompressionFormat), *memory(inside), uint16_t(header->Version));
  if (!compressed)
    return fail("cannot compress the offload bundle again: " + toString(compressed.takeError()));
  return (*compressed)->getBuffer().str();
}

Expected<std::string> replaceFatEntry(StringRef bytes, StringRef name, uint32_t index, StringRef newBytes) {
  auto fail = [&](const Twine &message) { return errorAt({name.str()}, message); };
  Expected<FatBinary> binary = FatBinary::read(bytes, name);
  if (!binary)
    return binary.takeError();
  const ArrayRef<FatEntry> entries = binary->entries();
  if (index >= entries.size())
    return fail("no entry " + Twine(index));
  const FatEntry &entry = entries[index];
  // Entries that share their bytes would change together.
  for (const FatEntry &other : entries)
    if (&other != &entry && other.bundle == entry.bundle && other.offset < entry.offset + entry.size &&
        entry.offset < other.offset + other.size)
      return fail("an entry that shares its bytes with another can't be changed");
  StringRef bundle = bytes.substr(entry.bundle, entry.bundleSize);
  Expected<std::string> replaced = entry.isCompressed ? replaceInCompressed(bundle, name, entry, newBytes)
                                                      : replaceInBundle(bundle, entry, newBytes);
  if (!replaced)
    return replaced.takeError();
  const std::string &changed = *replaced;
  std::string result = bytes.str();
  const uint64_t end = entry.bundle + entry.bundleSize;
  const bool isLast = end == bytes.size();
  if (changed.size() <= entry.bundleSize) {
    std::fill_n(result.begin() + entry.bundle, entry.bundleSize, '\0');
    result.replace(entry.bundle, changed.size(), changed);
    if (isLast)
      result.resize(entry.bundle + changed.size());
    return result;
  }
  const uint64_t more = changed.size() - entry.bundleSize;
  if (isHostElf(bytes)) {
    // The rest of a page belongs to nobody else, up to the end of its section.
    uint64_t room = 0;
    Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(bytes);
    if (!elf)
      return fail(toString(elf.takeError()));
    for (const ELF64LE::Shdr &section : cantFail(elf->sections()))
      if (section.sh_type != ELF::SHT_NOBITS && entry.bundle >= section.sh_offset &&
          end <= section.sh_offset + section.sh_size)
        while (end + room < section.sh_offset + section.sh_size && !bytes[end + room])
          ++room;
    if (more > room)
      return fail("the host program has no room for code that grew by " + Twine(more) +
                  " bytes; extract its code objects first (llvm-objdump --offloading)");
    result.replace(entry.bundle, changed.size(), changed);
    return result;
  }
  constexpr uint64_t page = 4096;
  const uint64_t shift = isLast ? more : alignTo(more, page);
  result.insert(end, shift, '\0');
  result.replace(entry.bundle, changed.size(), changed);
  return result;
}

} // namespace inflight
