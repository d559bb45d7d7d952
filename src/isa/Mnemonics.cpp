// Which opcodes a mnemonic stands for.
#include "isa/Isa.h"

#include "isa/instr/MnemonicPatterns.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace inflight {

/// An assembler that is asked about one line after the other: making it takes ten times as long as a line.
struct Isa::Asked {
  explicit Asked(const Isa &isa)
      : context(isa.theTriple, isa.mcAsmInfo.get(), isa.mcRegisterInfo.get(), isa.subtargetInfo.get(), &sources),
        streamer(isa.theTarget->createNullStreamer(context)) {
    sources.setDiagHandler(
        [](const SMDiagnostic &found, void *text) { *static_cast<std::string *>(text) += found.getMessage(); },
        &messages);
    // All sections of a file would take longer than the question.
    streamer->switchSection(context.getELFSection(".text", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR));
    sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer("\n"), SMLoc());
    parser.reset(createMCAsmParser(sources, context, *streamer, *isa.mcAsmInfo));
    target.reset(isa.theTarget->createMCAsmParser(*isa.subtargetInfo, *parser, *isa.mcInstrInfo, isa.options));
    parser->setTargetParser(*target);
  }
  /// What it says of a line.
  StringRef complaints(StringRef line) {
    messages.clear();
    const unsigned buffer = sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy((line + "\n").str()), SMLoc());
    parser->getLexer().setBuffer(sources.getMemoryBuffer(buffer)->getBuffer());
    (void)parser->Run(/*NoInitialTextSection=*/true, /*NoFinalize=*/true);
    return messages;
  }

private:
  SourceMgr sources;
  std::string messages;
  MCContext context;
  std::unique_ptr<MCStreamer> streamer;
  std::unique_ptr<MCAsmParser> parser;
  std::unique_ptr<MCTargetAsmParser> target;
};

struct Isa::MnemonicIndex {
  struct Entry {
    SmallVector<unsigned, 4> opcodes; ///< the shortest encoding first
    Encodings records;                ///< of these, once somebody has asked
    std::optional<bool> isAccepted;   ///< by the chip's assembler
  };
  StringMap<Entry> byMnemonic;
  bool isWhole = false; ///< or what has been asked for
  std::vector<std::unique_ptr<Encodings>> latestFirst;
  std::unique_ptr<Asked> assembler;
  std::mutex mutex;
};

/// LLVM keeps the same instruction of several families; the chip's own is the one of the latest.
static unsigned familyRank(StringRef opcodeName) {
  unsigned rank = 0, number = 0;
  for (StringRef family : {"_vi", "_gfx9", "_gfx90a", "_gfx940", "_gfx950", "_gfx11", "_gfx12", "_gfx1250"}) {
    if (opcodeName.contains(family))
      rank = number;
    ++number;
  }
  return rank;
}

namespace {
struct Suffixes {
  StringRef family;   ///< from the last "_gfx" on, without the underscore; empty if there is none
  bool hasVi = false; ///< behind it, "_vi"
};
} // namespace

/// All names of the tables are read before the first instruction is known: StringRef's searches take ten times as long.
static Suffixes suffixesOf(StringRef name) {
  Suffixes found;
  for (size_t at = name.size(); at-- > 0;) {
    if (name[at] != '_')
      continue;
    const StringRef rest = name.drop_front(at + 1);
    if (rest.starts_with("gfx")) {
      found.family = rest;
      break;
    }
    found.hasVi |= rest.starts_with("vi");
  }
  return found;
}

/// Encodings of other families carry the family at the end of their name; what is left either has no suffix, one of
/// these, or the chip's own. Names may have another family inside: V_FMA_F16_gfx9_fake16_e64_gfx11.
static bool belongsTo(const TargetInfo &target, StringRef name) {
  const StringRef chip = target.chip;
  // From gfx90a on the number of its short form is that of v_fmac_f64.
  if (target.generation == 9 && name.starts_with("V_MUL_LEGACY_F32_") && !name.contains("_e64"))
    return false;
  const auto [family, hasVi] = suffixesOf(name);
  if (target.generation > 9) {
    if (family.starts_with("gfx1250"))
      return target.hasVgprWindows;
    return family.empty() ? !hasVi : family.starts_with("gfx" + std::to_string(target.generation));
  }
  if (family.empty())
    return hasVi;
  if (family.starts_with("gfx90a"))
    return chip == "gfx90a" || !name.contains("V_MFMA");
  if (family.starts_with("gfx940"))
    return chip != "gfx90a";
  if (family.starts_with("gfx950"))
    return chip == "gfx950";
  return family.starts_with("gfx9");
}

StringRef Isa::printedAs(unsigned opcode) const {
  MCInst probe;
  probe.setOpcode(opcode);
  // Some opcodes' text starts with more than the mnemonic: "scratch_load_dword off, ".
  return withoutEncoding(StringRef(printer->getMnemonic(probe).first).trim().split(' ').first);
}

/// Which chip of a family has an instruction is known to the assembler alone: it is asked, with the
/// mnemonic and no operands, and says "not supported on this GPU" or complains about the operands.
bool Isa::accepts(StringRef mnemonic) const {
  if (!mnemonicIndex->assembler)
    mnemonicIndex->assembler = std::make_unique<Asked>(*this);
  const StringRef text = mnemonicIndex->assembler->complaints(mnemonic);
  return !text.contains("not supported on this GPU") && !text.contains("invalid instruction");
}

bool Isa::isReal(unsigned opcode) const {
  return !mcInstrInfo->get(opcode).isPseudo() && belongsTo(*targetInfo, mcInstrInfo->getName(opcode));
}

/// What the names of a mnemonic's opcodes begin with, on gfx9: the mnemonic in capitals, but for matrix instructions,
/// whose blocks aren't in it, loads to LDS that are told apart by an operand, and branches before an s_nop.
static SmallVector<std::string, 2> beginningsOf(StringRef mnemonic) {
  (void)mnemonic.consume_back("_pad_s_nop");
  if (mnemonic.starts_with("v_mfma_")) {
    constexpr unsigned parts = 4; // v, mfma, f32, 16x16x4
    size_t end = 0;
    for (unsigned part = 0; part < parts && end != StringRef::npos; ++part)
      end = mnemonic.find('_', end + 1);
    return {mnemonic.take_front(end).upper()};
  }
  SmallVector<std::string, 2> beginnings = {mnemonic.upper()};
  if (auto [space, load] = mnemonic.split("_load_"); !load.empty())
    beginnings.push_back(space.upper() + "_LOAD_LDS_" + load.upper());
  return beginnings;
}

/// Real opcodes stand behind the pseudo ones, in the order of their names.
SmallVector<unsigned, 4> Isa::opcodesByName(StringRef mnemonic) const {
  const auto all = seq(0u, mcInstrInfo->getNumOpcodes());
  SmallVector<unsigned, 4> opcodes;
  for (const std::string &beginning : beginningsOf(mnemonic)) {
    auto isBefore = [&](unsigned opcode) {
      return mcInstrInfo->get(opcode).isPseudo() || mcInstrInfo->getName(opcode) < beginning;
    };
    for (unsigned opcode : make_range(partition_point(all, isBefore), all.end())) {
      if (!mcInstrInfo->getName(opcode).starts_with(beginning))
        break;
      if (isReal(opcode) && printedAs(opcode) == mnemonic)
        opcodes.push_back(opcode);
    }
  }
  sort(opcodes);
  return opcodes;
}

void Isa::sortBySize(SmallVectorImpl<unsigned> &opcodes) const {
  stable_sort(opcodes,
              [this](unsigned a, unsigned b) { return mcInstrInfo->get(a).getSize() < mcInstrInfo->get(b).getSize(); });
}

/// By all opcodes, which takes longer than compiling a small kernel.
StringMap<SmallVector<unsigned, 4>> Isa::allOpcodes() const {
  StringMap<SmallVector<unsigned, 4>> found;
  for (unsigned opcode : seq(0u, mcInstrInfo->getNumOpcodes()))
    if (isReal(opcode))
      if (const StringRef mnemonic = printedAs(opcode); !mnemonic.empty())
        found[mnemonic].push_back(opcode);
  for (auto &entry : found)
    sortBySize(entry.second);
  return found;
}

void Isa::completeIndex() const {
  if (mnemonicIndex->isWhole)
    return;
  for (auto &entry : allOpcodes())
    mnemonicIndex->byMnemonic[entry.first()].opcodes = std::move(entry.second);
  mnemonicIndex->isWhole = true;
}

bool Isa::findsAllOpcodes() const {
  return all_of(allOpcodes(), [&](auto &entry) {
    SmallVector<unsigned, 4> opcodes = opcodesByName(entry.first());
    sortBySize(opcodes);
    return opcodes == entry.second;
  });
}

ArrayRef<const InstrDesc *> Isa::findMnemonic(StringRef mnemonic) const {
  std::lock_guard<std::mutex> lock(mnemonicIndex->mutex);
  constexpr unsigned named = 9; // the generation whose opcodes are found by name
  if (targetInfo->generation != named)
    completeIndex();
  const auto [it, isNew] = mnemonicIndex->byMnemonic.try_emplace(mnemonic);
  MnemonicIndex::Entry &entry = it->second;
  if (isNew && !mnemonicIndex->isWhole) {
    entry.opcodes = opcodesByName(mnemonic);
    sortBySize(entry.opcodes);
  }
  if (!entry.isAccepted)
    entry.isAccepted = !entry.opcodes.empty() && accepts(mnemonic);
  if (!*entry.isAccepted)
    return {};
  if (entry.records.empty())
    for (unsigned opcode : entry.opcodes)
      entry.records.push_back(&desc(opcode));
  return entry.records;
}

ArrayRef<const InstrDesc *> Isa::encodings(Mnemonic mnemonic) const {
  std::atomic<const Encodings *> &slot = encodingsOf[size_t(mnemonic)];
  if (const Encodings *known = slot.load(std::memory_order_acquire))
    return *known;
  auto sorted = std::make_unique<Encodings>(findMnemonic(nameOf(mnemonic)));
  auto key = [this](const InstrDesc *desc) {
    return std::pair(mcInstrInfo->get(desc->opcode).getSize(), -int(familyRank(mcInstrInfo->getName(desc->opcode))));
  };
  stable_sort(*sorted, [&](const InstrDesc *a, const InstrDesc *b) { return key(a) < key(b); });
  std::lock_guard<std::mutex> lock(mnemonicIndex->mutex);
  if (const Encodings *known = slot.load(std::memory_order_relaxed))
    return *known;
  slot.store(sorted.get(), std::memory_order_release);
  return *mnemonicIndex->latestFirst.emplace_back(std::move(sorted));
}

std::vector<std::string> Isa::mnemonics() const {
  {
    std::lock_guard<std::mutex> lock(mnemonicIndex->mutex);
    completeIndex();
  }
  std::vector<std::string> names;
  for (const auto &entry : allOpcodes())
    if (!findMnemonic(entry.first()).empty())
      names.push_back(entry.first().str());
  llvm::sort(names);
  return names;
}

void Isa::makeMnemonicIndex() { mnemonicIndex = std::make_shared<MnemonicIndex>(); }

} // namespace inflight
