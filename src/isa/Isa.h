// What an instruction is: its format, the counters it raises, the memory it touches and the
// registers it reads and writes, for one chip. Derived once from LLVM's public tables.
#pragma once

#include "isa/RegUnit.h"
#include "isa/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace inflight {

/// The encoding family (ISA manuals, chapter "Microcode formats").
enum class Format : uint8_t {
  Other, Sop1, Sop2, Sopc, Sopk, Sopp, Vop1, Vop2, Vopc, Vop3, Vop3p, Smem, Ds, Mubuf, Mtbuf, Flat,
};

/// Properties of one opcode of one chip. Immutable; lives as long as the Isa.
struct InstrDesc {
  unsigned opcode = 0;
  std::string mnemonic; ///< as assembled, without _e32/_e64/_sdwa/_dpp: "v_add_f32"
  Format format = Format::Other;
  bool isSdwa : 1 = false, isDpp : 1 = false;
  bool isVop3Encoding : 1 = false;   ///< 64-bit VOP3 encoding of any VOP instruction
  bool isFlatGlobal : 1 = false;     ///< global_*: a FLAT encoding that never touches LDS
  bool isFlatScratch : 1 = false;    ///< scratch_*
  bool isMfma : 1 = false;           ///< v_mfma_*, v_smfmac_*
  bool isTrans : 1 = false;          ///< transcendental unit
  bool isLdsDma : 1 = false;         ///< writes LDS from memory, no register
  bool mayLoad : 1 = false, mayStore : 1 = false;
  bool isAtomicRet : 1 = false, isAtomicNoRet : 1 = false;
  bool isBranch : 1 = false, isConditionalBranch : 1 = false, isCall : 1 = false;
  bool isEndOfProgram : 1 = false, isBarrier : 1 = false, isWaitcnt : 1 = false, isTrap : 1 = false;
  bool usesVmcnt : 1 = false;        ///< raises vmcnt by one when issued
  bool usesLgkmcnt : 1 = false;      ///< raises lgkmcnt when issued
  bool usesExpcnt : 1 = false;       ///< raises expcnt when issued (exports, GWS)
  uint8_t definitions = 0;           ///< the first operands are written
  uint32_t tiedDefinitions = 0;      ///< bits: those of them that are read, too
  llvm::SmallVector<RegRange, 2> implicitReads, implicitWrites;

  /// LLVM's tables don't say which VOP format a DPP or SDWA encoding extends.
  bool isValu() const { return format >= Format::Vop1 && format <= Format::Vop3p; }
  bool isSalu() const { return format >= Format::Sop1 && format <= Format::Sopk; }
  bool isVmem() const {
    return format == Format::Mubuf || format == Format::Mtbuf || format == Format::Flat;
  }
  bool isSmem() const { return format == Format::Smem; }
  bool isDs() const { return format == Format::Ds; }
  /// FLAT that may touch LDS as well as memory: both counters, out of order.
  bool isGenericFlat() const { return format == Format::Flat && !isFlatGlobal && !isFlatScratch; }
};

/// Registers an instruction reads and writes, explicit and implicit. EXEC is listed for vector
/// instructions; SCC, VCC, M0 and MODE where the instruction uses them.
struct RegAccess {
  llvm::SmallVector<RegRange, 6> reads;
  llvm::SmallVector<RegRange, 3> writes;
};

/// The counter values of an s_waitcnt immediate; a counter at its maximum is not waited for.
struct WaitcntFields {
  unsigned vmcnt, expcnt, lgkmcnt;
  bool operator==(const WaitcntFields &) const = default;
};
WaitcntFields decodeWaitcnt(uint16_t immediate);
uint16_t encodeWaitcnt(WaitcntFields fields);

/// LLVM's MC objects and the derived tables for one chip. Immutable once made, but for tables
/// that fill on demand behind a lock; every method may be called from several threads.
class Isa {
public:
  /// The chip's Isa, made on first use. An error lists the supported chips.
  static llvm::Expected<const Isa *> get(llvm::StringRef chip);

  const TargetInfo &target() const { return *targetInfo; }
  const InstrDesc &desc(unsigned opcode) const;
  RegAccess regAccess(const llvm::MCInst &inst) const;
  /// The same without allocations of its own: appends the reads, then the writes to `ranges` and counts them.
  void appendRegAccess(const llvm::MCInst &inst, std::vector<RegRange> &ranges, uint8_t &reads, uint8_t &writes) const;
  RegRange regRange(llvm::MCRegister reg) const { return ranges[reg.id()]; }

  /// Prints as the assembler reads it, without a leading tab. `address` resolves branch targets.
  std::string print(const llvm::MCInst &inst, uint64_t address = 0) const;

  /// Descriptions of every opcode that this chip's assembler accepts under `mnemonic` (without
  /// encoding suffix), the shortest encoding first; empty if it has none.
  llvm::ArrayRef<const InstrDesc *> findMnemonic(llvm::StringRef mnemonic) const;

  /// Every mnemonic of the chip, sorted.
  std::vector<std::string> mnemonics() const;

  const llvm::Target &llvmTarget() const { return *theTarget; }
  const llvm::Triple &triple() const { return theTriple; }
  const llvm::MCSubtargetInfo &subtarget() const { return *subtargetInfo; }
  const llvm::MCInstrInfo &instrInfo() const { return *mcInstrInfo; }
  const llvm::MCRegisterInfo &registerInfo() const { return *mcRegisterInfo; }
  const llvm::MCAsmInfo &asmInfo() const { return *mcAsmInfo; }
  const llvm::MCTargetOptions &targetOptions() const { return options; }

private:
  Isa() = default;
  llvm::Error initialize(llvm::StringRef chip);
  void buildRegRanges();
  std::unique_ptr<InstrDesc> buildDesc(unsigned opcode) const;
  void describeRegisters(InstrDesc &desc) const;

  const TargetInfo *targetInfo = nullptr;
  llvm::Triple theTriple;
  const llvm::Target *theTarget = nullptr;
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> mcRegisterInfo;
  std::unique_ptr<llvm::MCAsmInfo> mcAsmInfo;
  std::unique_ptr<llvm::MCInstrInfo> mcInstrInfo;
  std::unique_ptr<llvm::MCSubtargetInfo> subtargetInfo;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  mutable std::mutex printerMutex;
  std::vector<RegRange> ranges; ///< by MCRegister id; empty where the chip has no such register
  mutable std::vector<std::atomic<const InstrDesc *>> descs; ///< by opcode, filled on demand
  mutable std::vector<std::unique_ptr<InstrDesc>> ownedDescs;
  mutable std::mutex descMutex;
  struct MnemonicIndex;
  mutable std::shared_ptr<MnemonicIndex> mnemonicIndex;
  mutable std::once_flag mnemonicOnce;
  bool accepts(llvm::StringRef mnemonic) const;
  mutable std::mutex acceptedMutex;
  mutable std::map<std::string, bool> accepted;
};

} // namespace inflight
