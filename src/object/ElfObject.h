// An AMD GPU ELF file's tables, checked once, with one address for each byte of a section.
#pragma once

#include "object/CodeObject.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include <optional>
#include <string>
#include <vector>

namespace inflight {

struct ElfSymbol {
  uint32_t table = 0;   ///< section
  uint64_t place = 0;   ///< of its entry in the file
  uint32_t section = 0; ///< that defines it; 0 when none does, as of absolute ones
  bool isDefined = false;
  uint64_t value = 0;   ///< as the file has it: an address in linked files, else an offset in the section
  uint64_t address = 0; ///< unified; meaningless without a section
  uint64_t size = 0;
  uint8_t type = 0, binding = 0;
  llvm::StringRef name;
};

/// A relocatable object's sections all begin at address 0. Here every byte has one address of its own, the *unified*
/// one: in linked files the address itself, in relocatable ones the section's index in the upper half.
class ElfObject {
public:
  using Section = llvm::object::ELF64LE::Shdr;
  using Segment = llvm::object::ELF64LE::Phdr;
  using Relocation = llvm::object::ELF64LE::Rela;

  /// `bytes` must outlive this. A relocatable or shared object for AMD GPUs, in which every section and segment is
  /// inside the file and every table whole; errors say what else it is.
  static llvm::Expected<ElfObject> parse(llvm::StringRef bytes LLVM_LIFETIME_BOUND, llvm::StringRef name);

  llvm::StringRef bytes() const { return theBytes; }
  llvm::StringRef name() const LLVM_LIFETIME_BOUND { return theName; }
  bool isRelocatable() const { return relocatable; }
  /// The chip that it is for, or an error that names the one it isn't supported for.
  llvm::Expected<const TargetInfo *> target() const;
  /// The kernels of the AMDGPU metadata note; nothing without one, or when it is corrupt.
  llvm::Expected<std::optional<std::vector<Kernel>>> kernelMetadata() const;
  /// An error if a section has relocations whose addends stand in the code.
  llvm::Error requireAddends() const;
  const llvm::object::ELF64LE::Ehdr &header() const {
    return *reinterpret_cast<const llvm::object::ELF64LE::Ehdr *>(theBytes.data());
  }
  llvm::ArrayRef<Section> sections() const { return theSections; }
  llvm::ArrayRef<Segment> segments() const { return theSegments; }
  llvm::StringRef sectionName(uint32_t section) const { return names[section]; }
  llvm::StringRef contents(uint32_t section) const { return theContents[section]; } ///< empty without bytes in the file
  /// The symbols of all tables; `tableBegin` of a table's section is that of its number 0.
  llvm::ArrayRef<ElfSymbol> symbols() const LLVM_LIFETIME_BOUND { return theSymbols; }
  const ElfSymbol *symbol(uint32_t table, uint32_t number) const LLVM_LIFETIME_BOUND;
  /// The entries of a section of relocations with addends.
  llvm::ArrayRef<Relocation> relocations(uint32_t section) const;

  static bool hasBytes(const Section &section);
  static bool isAllocated(const Section &section);
  static bool isCode(const Section &section);
  uint64_t addressOf(uint32_t section) const {
    return relocatable ? uint64_t(section) << 32 : uint64_t(theSections[section].sh_addr);
  }
  /// The unified address of what a relocation of `section` (its sh_info in relocatable objects) changes.
  uint64_t placeOf(const Section &section, const Relocation &relocation) const {
    return relocatable ? (uint64_t(section.sh_info) << 32) + relocation.r_offset : uint64_t(relocation.r_offset);
  }
  /// The section with this address in the file; 0 when there is none.
  uint32_t sectionAt(uint64_t address) const;

private:
  llvm::Error readSymbols(const llvm::object::ELFFile<llvm::object::ELF64LE> &elf);

  llvm::StringRef theBytes;
  std::string theName;
  bool relocatable = false;
  llvm::ArrayRef<Section> theSections;
  llvm::ArrayRef<Segment> theSegments;
  std::vector<llvm::StringRef> names, theContents;
  std::vector<ElfSymbol> theSymbols;
  std::vector<uint32_t> tableBegins; ///< by section: of its first in theSymbols
};

} // namespace inflight
