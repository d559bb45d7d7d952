// Where each instruction of an object goes when instructions are put in and taken out.
#pragma once

#include "object/ElfObject.h"
#include "program/Edit.h"

namespace inflight {

class CodeLayout {
public:
  /// `elf` is what the program was read from.
  static llvm::Expected<CodeLayout> make(const Program &program, const ElfObject &elf, llvm::ArrayRef<Edit> edits);

  /// A section with code. Addresses are unified ones.
  struct Section {
    uint32_t index;      ///< in the file
    uint32_t begin, end; ///< instructions
    uint64_t address, newAddress;
    std::string bytes;              ///< new, with the old branch offsets
    uint64_t growth = 0, shift = 0; ///< bytes that it gets longer, and that what follows moves by
    bool ownsEnd = true;            ///< no other section begins where this one ends
  };
  llvm::ArrayRef<Section> sections() const LLVM_LIFETIME_BOUND { return theSections; }
  llvm::MutableArrayRef<Section> sections() LLVM_LIFETIME_BOUND { return theSections; }
  const Section *sectionOf(uint64_t address) const LLVM_LIFETIME_BOUND; ///< with its end, if that isn't another's

  /// Whether any instruction is elsewhere than it was. If not, edits only replaced.
  bool moves() const { return moved; }
  bool grows() const;

  bool isCode(uint64_t address) const { return sectionOf(address); }
  /// Where a jump to `address` goes now, and what points there points to.
  uint64_t target(uint64_t address) const;
  /// Where what ends at `address` ends now.
  uint64_t end(uint64_t address) const;
  /// Where the byte that was there is now.
  uint64_t byte(uint64_t address) const;
  uint64_t addressOf(uint32_t instruction) const { return oldAddresses[instruction]; }
  uint64_t newAddressOf(uint32_t instruction) const { return places[instruction].start; }
  bool isGone(uint32_t instruction) const { return places[instruction].gone; }
  /// The instruction that begins at `address`, or ~0.
  uint32_t instructionAt(uint64_t address) const;

  const char *oldBytesOf(uint32_t instruction) const { return file + fileOffsets[instruction]; }
  /// The new bytes of an instruction that is not gone.
  char *bytesOf(uint32_t instruction);

  struct Inserted {
    uint64_t address; ///< new
    uint32_t word;
  };
  llvm::ArrayRef<Inserted> inserted() const LLVM_LIFETIME_BOUND { return theInserted; }

private:
  struct Place {
    uint64_t start = 0, target = 0;
    bool gone = false;
  };
  struct Function {
    uint32_t begin, padding, end; ///< instructions
    uint64_t newEnd;              ///< address of the end of what isn't padding, or of all when there was none
  };
  friend class CodeLayoutBuilder;
  uint32_t indexOf(const Section &section, uint64_t address) const;

  std::vector<Section> theSections;
  const char *file = nullptr;
  std::vector<uint32_t> fileOffsets; ///< by instruction
  std::vector<uint64_t> oldAddresses;
  std::vector<Place> places;
  std::vector<Function> functions; ///< in order of instructions
  std::vector<Inserted> theInserted;
  uint64_t loadedEnd = 0; ///< after the last address there is
  bool isRelocatable = false, moved = false;
};

} // namespace inflight
