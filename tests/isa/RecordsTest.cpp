// The record of each opcode that a chip's assembler accepts, as text, against records.txt. When a change of records is
// meant, INFLIGHT_UPDATE_RECORDS=1 writes the file anew; the difference is what to review.
#include "isa/Isa.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace inflight;
using namespace llvm;

namespace {

StringRef name(Format format) {
  static const StringRef names[] = {"other", "sop1", "sop2",  "sopc", "sopk", "sopp",  "vop1",  "vop2",
                                    "vopc",  "vop3", "vop3p", "smem", "ds",   "mubuf", "mtbuf", "flat"};
  return names[unsigned(format)];
}

StringRef name(OrderClass order) {
  static const StringRef names[] = {"none", "vmem", "lds-dma", "flat", "write-back", "lds", "smem", "message"};
  return names[unsigned(order)];
}

std::string describe(const MemoryAccess &access) {
  static const StringRef spaces[] = {"none", "memory", "scratch", "flat", "lds", "lds-dma", "gds"};
  static const StringRef addresses[] = {"lane", "scalar", "m0", "m0-lanes"};
  if (access.space == MemoryAccess::Space::None)
    return "";
  std::string text =
      formatv(" access={0}:{1}:{2}", spaces[unsigned(access.space)], addresses[unsigned(access.address)], access.bytes);
  if (access.places > 1)
    text += formatv("x{0}/{1}", access.places, access.offsetUnit);
  if (access.halves != 3)
    text += access.halves == 1 ? " low" : " high";
  return text + (access.signExtends ? " signed" : "");
}

std::string describe(const Isa &isa, const InstrDesc &desc) {
  std::string text = formatv("{0}{1}{2}{3}", name(desc.format), desc.isVop3Encoding ? " e64" : "",
                             desc.isDpp ? " dpp" : "", desc.isSdwa ? " sdwa" : "");
  if (desc.order != OrderClass::None)
    text += (" order=" + name(desc.order)).str();
  text += describe(desc.access);
  const std::pair<bool, StringRef> flags[] = {
      {desc.isMfma, "isMfma"},           {desc.isTrans, "isTrans"},
      {desc.mayLoad, "mayLoad"},         {desc.mayStore, "mayStore"},
      {desc.isAtomicRet, "isAtomicRet"}, {desc.isAtomicNoRet, "isAtomicNoRet"},
      {desc.isBranch, "isBranch"},       {desc.isConditionalBranch, "isConditionalBranch"},
      {desc.isCall, "isCall"},           {desc.isEndOfProgram, "isEndOfProgram"},
      {desc.isBarrier, "isBarrier"},     {desc.isWaitcnt, "isWaitcnt"},
      {desc.isTrap, "isTrap"},           {desc.isNop, "isNop"},
  };
  for (auto [has, flag] : flags)
    if (has)
      text += (" " + flag).str();
  for (Counter counter : isa.counters().all())
    if (isa.counters().raisedBy(desc) & setOf(counter))
      text += " " + isa.counters()[counter].name;
  text += desc.isExport() ? " expcnt" : "";
  for (size_t i = 0; i < traitNames().size(); ++i)
    if (hasTrait(desc, i))
      text += (" " + traitNames()[i]).str();
  return text;
}

/// One line for each mnemonic and record, with the chips that have it.
std::string allRecords() {
  std::map<std::string, std::vector<std::string>> chipsOf;
  for (StringRef chip : executedChips()) {
    const Isa &isa = **Isa::get(chip);
    for (const std::string &mnemonic : isa.mnemonics())
      for (const InstrDesc *desc : isa.findMnemonic(mnemonic)) {
        std::vector<std::string> &chips = chipsOf[mnemonic + ": " + describe(isa, *desc)];
        if (chips.empty() || chips.back() != chip)
          chips.push_back(chip.str());
      }
  }
  std::string text;
  for (auto &[record, chips] : chipsOf)
    text += record + (chips.size() == executedChips().size() ? "" : " [" + join(chips, " ") + "]") + "\n";
  return text;
}

TEST(Records, AreThoseOfTheFile) {
  const std::string path = INFLIGHT_SOURCE_DIR "/tests/isa/records.txt", now = allRecords();
  if (std::getenv("INFLIGHT_UPDATE_RECORDS")) {
    std::error_code error;
    raw_fd_ostream(path, error) << now;
    ASSERT_FALSE(error) << error.message();
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file)) << path;
  SmallVector<StringRef> was, is;
  (*file)->getBuffer().split(was, '\n');
  StringRef(now).split(is, '\n');
  for (size_t i = 0; i < std::min(was.size(), is.size()); ++i)
    ASSERT_EQ(was[i].str(), is[i].str()) << "INFLIGHT_UPDATE_RECORDS=1 writes the records anew";
  EXPECT_EQ(was.size(), is.size());
}

TEST(Records, EachMnemonicOfTheChipsIsAnEnumerator) {
  for (StringRef chip : executedChips())
    for (const std::string &mnemonic : (*Isa::get(chip))->mnemonics())
      EXPECT_EQ(nameOf(mnemonicOf(mnemonic)), mnemonic);
  EXPECT_EQ(mnemonicOf("v_add_f31"), Mnemonic::none);
  EXPECT_EQ(mnemonicOf(""), Mnemonic::none);
  EXPECT_EQ(mnemonicOf("v_add_f32"), Mnemonic::v_add_f32);
}

/// LLVM's register classes say how wide the data is, the mnemonic how many bytes move: two sources that share nothing.
TEST(Records, BytesFillTheRegistersOfLoads) {
  for (StringRef chip : executedChips()) {
    const Isa &isa = **Isa::get(chip);
    for (const std::string &mnemonic : isa.mnemonics())
      for (const InstrDesc *desc : isa.findMnemonic(mnemonic)) {
        const MemoryAccess &access = desc->access;
        const MCInstrDesc &mc = isa.instrInfo().get(desc->opcode);
        const bool isLoad = desc->mayLoad && mc.getNumDefs() == 1 && desc->access.space != MemoryAccess::Space::None;
        if (!isLoad || !access.bytes || StringRef(mnemonic).contains("d16") || mc.operands()[0].RegClass < 0)
          continue;
        const int16_t registerClass = isa.instrInfo().getOpRegClassID(
            mc.operands()[0], isa.subtarget().getHwMode(MCSubtargetInfo::HwMode_RegInfo));
        const unsigned registers = isa.registerInfo().getRegClass(registerClass).getSizeInBits() / 32;
        // Buffer and scalar compare-and-swaps return into the two values that they bring; TFE adds a status.
        const unsigned values = StringRef(mnemonic).contains("cmpswap") && desc->format != Format::Flat ? 2 : 1,
                       status = isa.instrInfo().getName(desc->opcode).contains("_TFE");
        EXPECT_EQ((access.bytes * access.places + 3) / 4 * values + status, registers) << chip.str() << " " << mnemonic;
      }
  }
}

TEST(Records, CachePolicyIsReadFromTheInstruction) {
  for (StringRef chip : {"gfx90a", "gfx942"}) {
    const Isa &isa = **Isa::get(chip);
    const InstrDesc &load = *isa.findMnemonic("global_load_dword").front();
    MCInst inst;
    inst.setOpcode(load.opcode);
    const MCInstrDesc &mc = isa.instrInfo().get(load.opcode);
    unsigned lastImmediate = 0;
    for (unsigned i = 0; i < mc.getNumOperands(); ++i) {
      const bool isRegister = mc.operands()[i].RegClass >= 0;
      inst.addOperand(
          isRegister ? MCOperand::createReg(isa.registerInfo().getRegClass(mc.operands()[i].RegClass).getRegister(0))
                     : MCOperand::createImm(0));
      lastImmediate = isRegister ? lastImmediate : i;
    }
    EXPECT_FALSE(isa.cachePolicy(inst).hasScope());
    inst.getOperand(lastImmediate).setImm(16);
    EXPECT_TRUE(isa.cachePolicy(inst).sc1) << chip.str();
    inst.getOperand(lastImmediate).setImm(3);
    EXPECT_TRUE(isa.cachePolicy(inst).sc0 && isa.cachePolicy(inst).nt && !isa.cachePolicy(inst).sc1) << chip.str();
  }
}

} // namespace
