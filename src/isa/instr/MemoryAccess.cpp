#include "isa/instr/MemoryAccess.h"

#include "isa/instr/InstrDesc.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight {

/// gfx9's name of the instruction, if it has it: newer ones say the same in other words.
static StringRef nameIn(const InstrDesc &desc) {
  return desc.id == Mnemonic::none ? StringRef(desc.mnemonic) : nameOf(desc.id);
}

/// Bytes of a type in a mnemonic: "b128", "u8", "f64", "i16"; 0 for other words. A packed pair of halves is 4 bytes.
static unsigned bytesOfType(StringRef word) {
  if (word == "bf16" || word == "f16" || word == "pkbf16")
    return 4;
  unsigned bits;
  const bool isType =
      word.size() > 1 && StringRef("bufi").contains(word[0]) && !word.drop_front().getAsInteger(10, bits);
  return isType ? bits / 8 : 0;
}

/// "ds_read_u8_d16_hi", "ds_add_rtn_u32", "ds_write2st64_b64": the last type.
static unsigned ldsBytes(StringRef name) {
  if (name.contains("_tr_"))
    return name.starts_with("ds_read_b96") ? 12 : 8;
  SmallVector<StringRef, 8> words;
  name.split(words, '_');
  for (StringRef word : reverse(words))
    if (unsigned bytes = bytesOfType(word))
      return bytes;
  return 0;
}

/// "dwordx4", "short", "ubyte": what a lane, or a scalar load, moves.
static unsigned wordBytes(StringRef word) {
  if (unsigned count = 1; word.consume_front("dword"))
    return !word.consume_front("x") || !word.getAsInteger(10, count) ? 4 * count : 0;
  if (word.ends_with("byte"))
    return 1;
  return word.ends_with("short") ? 2 : 0;
}

/// "buffer_load_format_d16_xyz": components that are dwords or, with d16, halves.
static unsigned formatBytes(ArrayRef<StringRef> words) {
  const size_t components = words.back().find_first_not_of("xyzw") == StringRef::npos ? words.back().size() : 0;
  return components * (is_contained(words, "d16") ? 2 : 4);
}

static unsigned memoryBytes(const InstrDesc &desc) {
  SmallVector<StringRef, 8> words;
  nameIn(desc).split(words, '_');
  if (is_contained(words, "format") || words[0] == "tbuffer")
    return formatBytes(words);
  for (StringRef word : words)
    if (unsigned bytes = wordBytes(word))
      return bytes;
  if (words.back() == "block") // of 32 registers, as far as M0 has a bit for each
    return 4;
  const bool isCacheControl = !desc.mayLoad && !desc.mayStore;
  for (StringRef word : {"load", "store"})
    if (is_contained(words, word) && !isCacheControl)
      if (const unsigned bytes = bytesOfType(words.back()))
        return bytes;
  if (!desc.isAtomic() && !is_contained(words, "atomic"))
    return 0;
  if (words.back() == "x2")
    return 8;
  for (StringRef word : words)
    if (unsigned bytes = bytesOfType(word))
      return bytes;
  return 4;
}

/// d16 loads write one half; with two and more components both, but for the last odd one.
static uint8_t writtenHalves(StringRef name) {
  if (!name.contains("d16") || name.contains("_xy"))
    return 3;
  return name.contains("d16_hi") ? 2 : 1;
}

static MemoryAccess ldsAccessOf(const InstrDesc &desc) {
  using Space = MemoryAccess::Space;
  using Address = MemoryAccess::Address;
  MemoryAccess access;
  if (desc.isLdsCrossbar || desc.id == Mnemonic::ds_nop)
    return access;
  if (desc.isGws || desc.id == Mnemonic::ds_ordered_count) {
    access.space = Space::Gds;
    return access;
  }
  const StringRef name = nameIn(desc);
  access.space = Space::Lds;
  access.bytes = desc.isCounter || desc.addsLaneId ? 4 : ldsBytes(name);
  access.address = desc.isCounter ? Address::M0 : desc.addsLaneId ? Address::M0Lanes : Address::Lane;
  if (name.contains("read2") || name.contains("write2") || name.contains("xchg2")) {
    access.places = 2;
    access.offsetUnit = access.bytes * (name.contains("st64") ? 64 : 1);
  }
  return access;
}

MemoryAccess memoryAccessOf(const InstrDesc &desc) {
  using Space = MemoryAccess::Space;
  const StringRef name = nameIn(desc);
  MemoryAccess access;
  if (desc.isDs()) {
    access = ldsAccessOf(desc);
  } else if (desc.isVmem() || desc.isSmem()) {
    if (!desc.mayLoad && !desc.mayStore && !desc.isAtomic())
      return access;
    access.bytes = memoryBytes(desc);
    if (!access.bytes) // cache control
      return access;
    access.space = desc.isLdsDma          ? Space::LdsDma
                   : desc.isFlatScratch   ? Space::Scratch
                   : desc.isGenericFlat() ? Space::Flat
                                          : Space::Memory;
    if (desc.isSmem()) {
      access.address = MemoryAccess::Address::Scalar;
      if (name.starts_with("s_scratch"))
        access.space = Space::Scratch;
    }
  } else {
    return access;
  }
  access.halves = writtenHalves(name);
  for (StringRef word : {"_sbyte", "_sshort", "_i8", "_i16"})
    access.signExtends |= name.contains(word);
  return access;
}

} // namespace inflight
