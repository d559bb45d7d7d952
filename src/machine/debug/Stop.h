// A wave where it was stopped to be looked at, and what its registers and memory held.
#pragma once

#include "machine/debug/Writes.h"

namespace inflight::machine::debug {

/// Registers or bytes of memory, at a moment.
struct Value {
  enum class Kind : uint8_t { Scalar, Vector, Memory } kind = Kind::Scalar;
  std::string name;                       ///< of memory: "lds", "argument 2 ('out')"
  std::string type;                       ///< an element type of Npy.h; empty: hexadecimal
  RegRange registers;                     ///< of memory none
  uint64_t begin = 0;                     ///< of memory: in what `name` says
  bool isRead = false, isWritten = false; ///< by the instruction
  std::vector<uint8_t> bytes;             ///< of registers dwords, of vector ones [register][lane]
  /// Registers in pairs are read as one number of 64 bits, as addresses are.
  bool isPair = false;
  std::string target; ///< of a pair that is an address: what of the launch's memory it points to, may be empty
  /// Bytes of an element; of memory whose ends are no dwords' single ones.
  unsigned elementSize() const;
  uint32_t dword(size_t index) const {
    uint32_t value;
    std::memcpy(&value, bytes.data() + 4 * index, 4);
    return value;
  }
};

/// Registers that an instruction names.
struct Operand {
  RegRange registers;
  bool isRead = false, isWritten = false;
};

enum class StopReason : uint8_t { Break, End, Fault };

struct Stop {
  StopReason reason = StopReason::Break;
  std::string place; ///< of the break, as given
  uint32_t workgroup[3] = {0, 0, 0};
  unsigned wave = 0;
  uint64_t hit = 0; ///< of this wave, from 1
  CodePlace at;
  uint64_t exec = 0, vcc = 0;
  uint32_t scc = 0, m0 = 0;
  std::vector<Value> operands;       ///< of the instruction, but for those above
  std::vector<Operand> longOperands; ///< that have too many registers to be shown unasked
  std::vector<Value> dumped;
  std::vector<WatchReport> watches; ///< without single writes
};

/// What a wave's registers hold.
Value valueOf(const Wave &wave, RegRange registers);

/// What an instruction reads and writes, each once, but for EXEC, SCC, M0 and MODE.
std::vector<Operand> operandsOf(const Code &code, const Op &op);

/// Dwords of addresses and buffer descriptors; matrices have more.
inline constexpr unsigned mostShownDwords = 4;

/// The wave before `op`; nothing is dumped.
Stop stopAt(const Code &code, const Wave &wave, const Op &op, const SourceLines *lines);

} // namespace inflight::machine::debug
