// What an instruction has besides its operands: offsets, selections of halves, lane exchanges, cache policy.
#pragma once

#include "isa/Isa.h"
#include "llvm/Support/raw_ostream.h"

namespace inflight::lir {

/// A list of bits as op_sel:[1,0] has it: one for each source, the first one lowest.
struct BitList {
  uint8_t count = 0, bits = 0; ///< count 0: not given
  void push_back(bool bit) { bits |= uint8_t(bit) << count++; }
  bool operator==(const BitList &) const = default;
};

/// The lane exchange of a DPP operand (ISA manuals, "DPP": DPP_CTRL and the masks).
struct Dpp {
  uint16_t control = 0;
  uint8_t rowMask = 15, bankMask = 15;
  bool boundControl = false; ///< lanes without a source read 0 instead of keeping what they had
  bool operator==(const Dpp &) const = default;
};

struct Modifiers {
  int32_t offset = 0;               ///< bytes; a pattern for ds_swizzle
  uint8_t offset0 = 0, offset1 = 0; ///< of ds_read2 and its like, in elements
  bool offen = false;               ///< buffers: the address operand is an offset
  bool lds = false;                 ///< buffers: into LDS
  CachePolicy cache;                ///< sc0 of an atomic asks for the value from before
  Dpp dpp;                          ///< of DPP encodings
  uint8_t sdwaSource = SdwaDword;   ///< of SDWA encodings: the part of the first source that is read
  bool sdwaSigned = false;          ///< and extended by its sign
  BitList opSel, opSelHi, neg;
  uint8_t cbsz = 0, abid = 0, blgp = 0; ///< of matrix instructions

  /// SDWA's names of a register's parts (ISA manuals, SRC0_SEL).
  static constexpr uint8_t SdwaByte0 = 0, SdwaWord0 = 4, SdwaDword = 6;
  bool operator==(const Modifiers &) const = default;
  bool empty() const { return *this == Modifiers(); }
};

/// The assembler's words for the modifiers of `desc`, each with a blank before it.
void print(const Modifiers &modifiers, const InstrDesc &desc, const TargetInfo &target, llvm::raw_ostream &os);

/// Whether an exchange of that number has a name.
bool isDppControl(unsigned control);

/// Reads one word, such as "offset:16", into `modifiers`. Returns false if it is none.
bool parseModifier(llvm::StringRef word, Modifiers &modifiers);

} // namespace inflight::lir
