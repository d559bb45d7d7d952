// How undefined bits flow through each instruction of a code object, found once.
#pragma once

#include "machine/wave/Code.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::machine::check {

/// What becomes of undefined bits in the sources. Rules are as exact as compilers need that pack, mask and select parts
/// of registers; everything else depends on all it reads.
enum class Rule : uint8_t {
  All, ///< any undefined bit that is read makes the whole result undefined
  Sum, ///< ... and all bits from there upwards
  Mov,
  And,
  Or,
  Xor,
  AndNot,
  OrNot, ///< bitwise; the last two invert the second source
  Lshl,
  Lshr,
  Ashr, ///< shift amount first
  AndOr,
  Or3,
  LshlOr,
  Bfi,
  BfeU,
  BfeI,
  Perm,
  Alignbit,
  Alignbyte,
  Select,
  Pack,
  Packed16,
  Bitop3, ///< any function of three bits, on each bit
  LowestOne,
  HighestOne, ///< where it is: what lies beyond doesn't matter
  Halves,     ///< each source makes one half of the result
  WideSum,    ///< 64 bits; undefined bits go upwards only
  WideMov,
  WideLshl,
  WideLshr,
  WideAshr,
  PackedPairs,
  MovePair, ///< v_pk_*_f32, v_pk_mov_b32
  Compare,
  Carry, ///< a bit for each lane
  ReadFirstLane,
  ReadLane,
  WriteLane, ///< between one lane and a scalar
  CrossLane, ///< the result is undefined if the whole source is: which lane goes where isn't followed
  Matrix,    ///< as CrossLane for the factors, lane by lane for the sum
  Branch,    ///< SCC, VCC, EXEC or an address decides where the wave goes on
  Memory,
  None, ///< neither reads nor writes what counts
};

/// Registers are numbered as Wave::vgpr has them, AGPRs from 256; scalars by operand number, SCC after them.
struct Flow {
  struct Run {
    uint16_t first = 0, count = 0;
  };
  Rule rule = Rule::None;
  bool isScalar = false; ///< SALU: no lanes
  bool is64Bit = false;  ///< bitwise operations on pairs
  bool writesExec = false, savesExec = false;
  bool isDpp = false, isSdwa = false;
  uint32_t used[3] = {~0u, ~0u, ~0u}; ///< bits of each source that count
  uint32_t written = ~0u;             ///< bits of the destination that change
  uint32_t computed = ~0u;            ///< of these; the others become zero
  uint8_t packsHigh = 0;              ///< Pack of scalars: a bit for each source whose high half is taken
  llvm::SmallVector<Run, 3> vectorReads, vectorWrites, scalarReads, scalarWrites;
  // Memory: what makes the address, and what is stored: up to two pieces.
  Run address, scalarAddress[2], data[2];
  bool isStore = false, isLoad = false, signExtends = false;
  bool escapes = false; ///< what it reads goes where no bits are followed: M0, modes, messages, scalar stores
};

/// Most instructions: a register from up to three registers and some scalars, or scalars from scalars. Their result is
/// defined if those are.
struct PlainFlow {
  bool isPlain = false;
  uint8_t readCount = 0, scalarCount = 0, writeCount = 0, scalarWriteCount = 0;
  uint16_t reads[3], scalars[4], write, scalarWrites[3];
};

inline constexpr unsigned sccScalar = regunit::Scc, scalarCount = sccScalar + 1;

class Flows {
public:
  explicit Flows(const Code &code LLVM_LIFETIME_BOUND)
      : first(code.begin()), index(code.end() - code.begin()), plain(index.size()), flows(1) {}
  void add(const Op &op, const InstrDesc &desc, const RegAccess &access);
  const Flow &of(const Op &op) const LLVM_LIFETIME_BOUND { return flows[index[&op - first]]; }
  const PlainFlow &plainAt(uint32_t place) const LLVM_LIFETIME_BOUND { return plain[place]; }

private:
  const Op *first;
  std::vector<uint32_t> index; ///< of each 4 bytes of code, in flows
  std::vector<PlainFlow> plain;
  std::vector<Flow> flows; ///< the first one is that of data
};

} // namespace inflight::machine::check
