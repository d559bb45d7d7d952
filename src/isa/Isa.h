// A chip's instructions: their records, the registers that one reads and writes, how it is printed. Derived from LLVM's
// public tables and the patterns of Traits.def.
#pragma once

#include "isa/chip/TargetInfo.h"
#include "isa/counters/Counters.h"
#include "isa/instr/InstrDesc.h"
#include "llvm/ADT/StringMap.h"
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

/// Registers an instruction reads and writes, explicit and implicit. EXEC is listed for vector
/// instructions; SCC, VCC, M0 and MODE where the instruction uses them.
struct RegAccess {
  llvm::SmallVector<RegRange, 6> reads;
  llvm::SmallVector<RegRange, 3> writes;
};

/// Wait states that one s_nop can give (ISA manuals, S_NOP: SIMM16[3:0] and one more).
inline constexpr unsigned maximumNop = 16;

/// The cache policy bits of a memory instruction (ISA manuals, "Memory scopes and temporal hints"): SC0, NT and SC1,
/// which gfx90a calls GLC, SLC and SCC.
struct CachePolicy {
  bool sc0 = false, nt = false, sc1 = false;
  bool hasScope() const { return sc0 || sc1; }
  bool operator==(const CachePolicy &) const = default;
};

/// LLVM's MC objects and the derived tables for one chip. Immutable once made, but for tables
/// that fill on demand after a lock; every method may be called from several threads.
class Isa {
public:
  /// The chip's Isa, made on first use. An error lists the supported chips. `lanes` as TargetInfo::get() has it.
  static llvm::Expected<const Isa *> get(llvm::StringRef chip, unsigned lanes = 0);

  const TargetInfo &target() const { return *targetInfo; }
  const CounterTable &counters() const { return *counterTable; }
  const InstrDesc &desc(unsigned opcode) const LLVM_LIFETIME_BOUND;
  RegAccess regAccess(const llvm::MCInst &inst) const;
  /// The same without allocations of its own: appends the reads, then the writes to `ranges` and counts them.
  void appendRegAccess(const llvm::MCInst &inst, std::vector<RegRange> &ranges, uint8_t &reads, uint8_t &writes) const;
  /// Of registers beyond v255 or s101 that follow lower ones in one tuple, the lower ones: appendRegAccess() has all.
  RegRange regRange(llvm::MCRegister reg) const { return ranges[reg.id()]; }
  /// The VGPRs that the code of `reg` means in a window (S_SET_VGPR_MSB): 256 times as many further on. None when
  /// `reg` is no VGPR, or there are none so far.
  llvm::MCRegister inWindow(llvm::MCRegister reg, unsigned window) const;

  /// None for instructions without such bits.
  CachePolicy cachePolicy(const llvm::MCInst &inst) const;

  /// Prints as the assembler reads it, without a leading tab. `address` resolves branch targets.
  std::string print(const llvm::MCInst &inst, uint64_t address = 0) const;

  /// Descriptions of every opcode that this chip's assembler accepts under `mnemonic` (without
  /// encoding suffix), the shortest encoding first; empty if it has none.
  llvm::ArrayRef<const InstrDesc *> findMnemonic(llvm::StringRef mnemonic) const LLVM_LIFETIME_BOUND;

  /// The same by number.
  llvm::ArrayRef<const InstrDesc *> encodings(Mnemonic mnemonic) const LLVM_LIFETIME_BOUND;

  /// Whether the way by which findMnemonic finds opcodes of gfx9 leads to all of them. For tests.
  bool findsAllOpcodes() const;

  /// Every mnemonic of the chip, sorted.
  std::vector<std::string> mnemonics() const;

  const llvm::Target &llvmTarget() const { return *theTarget; }
  const llvm::Triple &triple() const LLVM_LIFETIME_BOUND { return theTriple; }
  const llvm::MCSubtargetInfo &subtarget() const LLVM_LIFETIME_BOUND { return *subtargetInfo; }
  const llvm::MCInstrInfo &instrInfo() const LLVM_LIFETIME_BOUND { return *mcInstrInfo; }
  const llvm::MCRegisterInfo &registerInfo() const LLVM_LIFETIME_BOUND { return *mcRegisterInfo; }
  const llvm::MCAsmInfo &asmInfo() const LLVM_LIFETIME_BOUND { return *mcAsmInfo; }
  const llvm::MCTargetOptions &targetOptions() const LLVM_LIFETIME_BOUND { return options; }
  /// A subtarget of one's own, which an assembler may change. `features` as LLVM spells them.
  std::unique_ptr<llvm::MCSubtargetInfo> makeSubtarget(llvm::StringRef features = "") const;

private:
  Isa() = default;
  llvm::Error initialize(const TargetInfo &info);
  void buildRegRanges();
  void buildVectorRanges();
  void buildPlainVectorRanges();
  void buildScalarRanges();
  int findCachePolicy(const llvm::MCInst &inst) const;
  std::unique_ptr<InstrDesc> buildDesc(unsigned opcode) const;
  void describeRegisters(InstrDesc &desc) const;

  const TargetInfo *targetInfo = nullptr;
  const CounterTable *counterTable = nullptr;
  llvm::Triple theTriple;
  const llvm::Target *theTarget = nullptr;
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> mcRegisterInfo;
  std::unique_ptr<llvm::MCAsmInfo> mcAsmInfo;
  std::unique_ptr<llvm::MCInstrInfo> mcInstrInfo;
  std::unique_ptr<llvm::MCSubtargetInfo> subtargetInfo;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  mutable std::mutex printerMutex;
  std::vector<RegRange> ranges;            ///< by MCRegister id; empty where the chip has no such register
  std::map<unsigned, RegRange> upperParts; ///< by MCRegister id: what of a tuple `ranges` hasn't
  struct VectorRegisters;
  std::shared_ptr<const VectorRegisters> vectorRegisters; ///< of chips with windows
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  /// By opcode, filled on demand. From calloc(), whose pages are nobody's until something is written there.
  std::unique_ptr<std::atomic<const InstrDesc *>[], Free> descs;
  mutable std::vector<std::unique_ptr<InstrDesc>> ownedDescs;
  mutable std::mutex descMutex;
  mutable std::vector<std::atomic<int8_t>> cachePolicyAt; ///< operand by opcode; filled on demand
  struct MnemonicIndex;
  struct Asked;
  std::shared_ptr<MnemonicIndex> mnemonicIndex; ///< filled on demand
  using Encodings = llvm::SmallVector<const InstrDesc *, 4>;
  mutable std::vector<std::atomic<const Encodings *>> encodingsOf; ///< by Mnemonic, filled on demand
  void makeMnemonicIndex();
  bool accepts(llvm::StringRef mnemonic) const;
  llvm::StringRef printedAs(unsigned opcode) const;
  bool isReal(unsigned opcode) const;
  llvm::SmallVector<unsigned, 4> opcodesByName(llvm::StringRef mnemonic) const;
  llvm::StringMap<llvm::SmallVector<unsigned, 4>> allOpcodes() const;
  void completeIndex() const;
  void sortBySize(llvm::SmallVectorImpl<unsigned> &opcodes) const;
};

} // namespace inflight
