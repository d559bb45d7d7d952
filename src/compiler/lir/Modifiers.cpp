#include "compiler/lir/Modifiers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::lir {

namespace {
/// Exchanges by the first of the controls that have the name; `counts` adds the difference (ISA manuals, DPP_CTRL).
struct DppName {
  unsigned first, last;
  StringLiteral name;
  bool counts;
  unsigned base; ///< printed for `first`
};
constexpr DppName dppNames[] = {
    {0x101, 0x10f, "row_shl", true, 1},          {0x111, 0x11f, "row_shr", true, 1},
    {0x121, 0x12f, "row_ror", true, 1},          {0x130, 0x130, "wave_shl", true, 1},
    {0x134, 0x134, "wave_rol", true, 1},         {0x138, 0x138, "wave_shr", true, 1},
    {0x13c, 0x13c, "wave_ror", true, 1},         {0x140, 0x140, "row_mirror", false, 0},
    {0x141, 0x141, "row_half_mirror", false, 0}, {0x142, 0x142, "row_bcast", true, 15},
    {0x143, 0x143, "row_bcast", true, 31},       {0x150, 0x15f, "row_newbcast", true, 0},
};
/// SDWA's names of a register's parts, by number (ISA manuals, SRC0_SEL).
constexpr StringLiteral sdwaParts[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
constexpr unsigned lastQuadPermutation = 0xff;

const DppName *dppName(unsigned control) {
  for (const DppName &entry : dppNames)
    if (entry.first <= control && control <= entry.last)
      return &entry;
  return nullptr;
}
} // namespace

bool isDppControl(unsigned control) { return control <= lastQuadPermutation || dppName(control); }

static void printBits(StringRef name, BitList list, raw_ostream &os) {
  if (!list.count)
    return;
  os << ' ' << name << ":[";
  for (unsigned i = 0; i < list.count; ++i)
    os << (i ? "," : "") << (list.bits >> i & 1);
  os << ']';
}

static void printDpp(const Dpp &dpp, raw_ostream &os) {
  const unsigned control = dpp.control;
  if (const DppName *entry = dppName(control)) {
    os << ' ' << entry->name;
    if (entry->counts)
      os << ':' << control - entry->first + entry->base;
  } else {
    os << formatv(" quad_perm:[{0},{1},{2},{3}]", control & 3, control >> 2 & 3, control >> 4 & 3, control >> 6 & 3);
  }
  os << formatv(" row_mask:{0:x} bank_mask:{1:x}", unsigned(dpp.rowMask), unsigned(dpp.bankMask));
  if (dpp.boundControl)
    os << " bound_ctrl:1";
}

void print(const Modifiers &modifiers, const InstrDesc &desc, const TargetInfo &target, raw_ostream &os) {
  if (desc.isDpp)
    printDpp(modifiers.dpp, os);
  if (desc.isSdwa)
    os << " dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:" << sdwaParts[modifiers.sdwaSource];
  if (modifiers.offen)
    os << " offen";
  auto number = [&](StringRef name, int64_t value) {
    if (value)
      os << ' ' << name << ':' << value;
  };
  number("offset", modifiers.offset);
  number("offset0", modifiers.offset0);
  number("offset1", modifiers.offset1);
  if (modifiers.cache.sc0)
    os << (target.hasScopeBits ? " sc0" : " glc");
  if (modifiers.cache.nt)
    os << (target.hasScopeBits ? " nt" : " slc");
  if (modifiers.cache.sc1)
    os << (target.hasScopeBits ? " sc1" : " scc");
  if (modifiers.lds)
    os << " lds";
  printBits("op_sel", modifiers.opSel, os);
  printBits("op_sel_hi", modifiers.opSelHi, os);
  // Of packed instructions both halves' signs.
  if (desc.format == Format::Vop3p && !desc.isMfma)
    for (StringRef name : {"neg_lo", "neg_hi"})
      printBits(name, modifiers.neg, os);
  else
    printBits("neg", modifiers.neg, os);
  number("cbsz", modifiers.cbsz);
  number("abid", modifiers.abid);
  number("blgp", modifiers.blgp);
}

static bool parseBits(StringRef text, BitList &list) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  for (StringRef bit : split(text, ',')) {
    if ((bit != "0" && bit != "1") || list.count == 8)
      return false;
    list.push_back(bit == "1");
  }
  return true;
}

static bool parseDppControl(StringRef name, StringRef value, Dpp &dpp) {
  if (name == "quad_perm" && value.consume_front("[") && value.consume_back("]")) {
    unsigned shift = 0;
    for (StringRef lane : split(value, ',')) {
      unsigned number;
      if (lane.getAsInteger(10, number) || number > 3 || shift > 6)
        return false;
      dpp.control |= number << shift;
      shift += 2;
    }
    return shift == 8;
  }
  for (const DppName &entry : dppNames) {
    unsigned number = 0;
    if (entry.name != name || (entry.counts && value.getAsInteger(10, number)))
      continue;
    const unsigned control = entry.first + number - (entry.counts ? entry.base : 0);
    if (entry.first <= control && control <= entry.last) {
      dpp.control = control;
      return true;
    }
  }
  return false;
}

bool parseModifier(StringRef word, Modifiers &modifiers) {
  auto [name, value] = word.split(':');
  auto number = [&, value = value](auto &field) { return !value.getAsInteger(0, field); };
  if (bool *flag = word == "offen"                  ? &modifiers.offen
                   : word == "lds"                  ? &modifiers.lds
                   : word == "sc0" || word == "glc" ? &modifiers.cache.sc0
                   : word == "nt" || word == "slc"  ? &modifiers.cache.nt
                   : word == "sc1" || word == "scc" ? &modifiers.cache.sc1
                                                    : nullptr) {
    *flag = true;
    return true;
  }
  if (name == "offset")
    return number(modifiers.offset);
  if (uint8_t *field = name == "offset0"     ? &modifiers.offset0
                       : name == "offset1"   ? &modifiers.offset1
                       : name == "cbsz"      ? &modifiers.cbsz
                       : name == "abid"      ? &modifiers.abid
                       : name == "blgp"      ? &modifiers.blgp
                       : name == "row_mask"  ? &modifiers.dpp.rowMask
                       : name == "bank_mask" ? &modifiers.dpp.bankMask
                                             : nullptr)
    return number(*field);
  if (name == "neg_hi") {
    BitList upper;
    return parseBits(value, upper) && upper == modifiers.neg;
  }
  if (BitList *list = name == "op_sel"                    ? &modifiers.opSel
                      : name == "op_sel_hi"               ? &modifiers.opSelHi
                      : name == "neg" || name == "neg_lo" ? &modifiers.neg
                                                          : nullptr)
    return parseBits(value, *list);
  if (name == "src0_sel") {
    modifiers.sdwaSource = find(sdwaParts, value) - std::begin(sdwaParts);
    return modifiers.sdwaSource < std::size(sdwaParts);
  }
  // Either number sets the bit: assemblers had 0 first.
  if (word == "bound_ctrl:1" || word == "bound_ctrl:0")
    return modifiers.dpp.boundControl = true;
  if (word == "dst_sel:DWORD" || word == "dst_unused:UNUSED_PAD")
    return true;
  return parseDppControl(name, value, modifiers.dpp);
}

} // namespace inflight::lir
