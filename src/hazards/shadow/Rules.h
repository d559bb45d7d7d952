// The rules of data/shadows.json: what an instruction leaves behind in which certain others must not come, its shadow,
// until certain instructions end it.
#pragma once

#include "hazards/shadow/Kinds.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace inflight::hazards::shadow {

/// How registers of the first and the second instruction meet, as bits.
using Overlap = uint8_t;
namespace overlap {
inline constexpr Overlap ResultRead = 1 << 0, ResultWritten = 1 << 1, SourceWritten = 1 << 2, ResultFactor = 1 << 3,
                         ScaleWritten = 1 << 4;
}

/// What is put before the second instruction.
enum class Mend : uint8_t { VNop, Wait, SNop, VMov };

/// What takes the time of a slot, so that a shortage of slots is advice.
enum class Time : uint8_t {
  None,
  Matrix, ///< a matrix instruction its cycles of the core
  Issue,  ///< each instruction that takes an issue slot
};

/// Rules that aren't only about two instructions and what stands between.
enum class Special : uint8_t {
  None,
  PartialForwarding, ///< of two results, with a write of EXEC between them
  MaskWrite,         ///< SGPRs read as masks, written, read
  ReadSgpr,          ///< SGPRs read, written, read
  DirectWait,        ///< the second instruction waits for VALU results by itself
  DirectSource,      ///< ... for the sources of memory instructions
};

struct Rule {
  std::string name, text, source, evidence;
  Kinds after = 0, before = 0; ///< of the first and the second instruction
  Overlap overlap = 0;         ///< 0: whatever registers
  bool scalarsToo = false;     ///< not of VGPRs alone
  Special special = Special::None;
  Time time = Time::None;
  Kinds alsoTime = 0; ///< what takes the time of a slot besides
  Kinds counts = 0;   ///< what gives a slot
  unsigned slots = 0;
  bool slotsOfMatrix = false; ///< ... and those of the first instruction, a matrix instruction
  Kinds orCounts = 0;
  unsigned orSlots = 0; ///< so many of the other kind do as well
  Kinds ends = 0;       ///< what ends it at once
  AluWaits waits = 0;   ///< a wait for all of these ends it, and mends it
  Mend mend = Mend::VNop;
  llvm::SmallVector<uint16_t, 4> numbers; ///< of the hardware registers or messages that it is about; empty: any
  unsigned dsNops = 0;                    ///< of ReadSgpr: so many ds_nop in a row end all
  /// Of ReadSgpr: what the SALU wrote so many of its instructions ago one of the sources holds for done, where the SALU
  /// reads it and where the VALU does; 0: all agree.
  static constexpr unsigned mostSalu = 11;
  unsigned saluAgo = 0, saluAgoOfValu = 0;
  bool isAdvice = false;
};

/// How many slots a matrix instruction wants behind it.
struct MatrixSlots {
  unsigned slots = 0;  ///< of the chip that is sold
  unsigned most = 0;   ///< of any stepping
  unsigned cycles = 0; ///< that it takes the matrix core for; 0: it doesn't use it
};

/// What no rule judges.
struct Unjudged {
  std::string name, text;
  std::string names; ///< patterns of mnemonics
};

class Table {
public:
  /// Empty for chips without such rules. `isa` says how many lanes a wave has.
  static llvm::Expected<const Table *> get(const Isa &isa);

  llvm::ArrayRef<Rule> rules() const LLVM_LIFETIME_BOUND { return theRules; }
  llvm::ArrayRef<Unjudged> unjudged() const LLVM_LIFETIME_BOUND { return theUnjudged; }
  bool empty() const { return theRules.empty(); }
  /// Null: the chip has none of them.
  const Rule *special(Special special) const LLVM_LIFETIME_BOUND;
  /// Of a matrix instruction that isn't listed the most there is.
  MatrixSlots matrixSlots(const Program &program, uint32_t i) const;
  bool knows(llvm::StringRef matrixMnemonic) const;

private:
  enum class Factors : uint8_t { Any, BothF4, AnyF8, Others };
  struct MatrixRow {
    std::string names;
    Factors factors = Factors::Any;
    MatrixSlots slots;
  };
  llvm::Error load(llvm::StringRef chip, unsigned lanes);
  llvm::Error loadMatrix(const llvm::json::Object &row);
  static Factors factorsOf(const Program &program, uint32_t i);
  std::vector<Rule> theRules; ///< 32 at most
  std::vector<Unjudged> theUnjudged;
  std::vector<MatrixRow> matrix;
  MatrixSlots mostOfAll;
};

} // namespace inflight::hazards::shadow
