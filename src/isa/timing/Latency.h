// How long instructions take, as schedules and prices see it: data/latency/CHIP.json and, for matrix instructions,
// data/latency/matrix.json.
#pragma once

#include "isa/timing/MatrixPasses.h"

namespace inflight {

struct LdsRule;
namespace timing {
struct Device;
struct TimingData;
} // namespace timing

/// The pipeline that is busy while an instruction issues.
enum class Pipe : uint8_t { None, Valu, Matrix, Salu, ScalarMemory, Memory, Lds };

struct Timing {
  Pipe pipe = Pipe::None;
  /// Cycles until the pipe takes the next instruction: of the SIMD's own pipes, of LDS for one SIMD while all use it,
  /// of the compute unit's memory pipe. Of LDS DMA: of L2 for one unit while all load what isn't in L1.
  unsigned issue = 0;
  unsigned latency = 0;       ///< cycles until a vector result can be read
  unsigned scalarLatency = 0; ///< cycles until a scalar result can be read
  bool operator==(const Timing &) const = default;
};

/// Cycles of the vector, matrix and scalar units, under the same names as in the data files.
struct AluTimes {
  unsigned issueSlot = 0, valuLatency = 0, valuScalarResultLatency = 0, transcendentalIssue = 0,
           transcendentalLatency = 0;
  unsigned quarterRateIssue = 0, laneSwapIssue = 0, saluLatency = 0, matrixResultExtraPasses = 0;
};

/// Of a VALU, matrix or SALU instruction, for the compiler's scheduler and for the timed machine. `hasNarrowFactors`:
/// of f8f6f4, both of four or six bits.
Timing aluTiming(const InstrDesc &desc, const AluTimes &times, const MatrixPasses &passes,
                 bool hasNarrowFactors = false);

class LatencyTable {
public:
  static llvm::Expected<const LatencyTable *> get(llvm::StringRef chip);
  LatencyTable() = default;
  LatencyTable(const timing::TimingData &data, const timing::Device &device);
  Timing timing(const InstrDesc &desc, bool hasNarrowFactors = false) const;
  unsigned issueSlot() const { return alu.issueSlot; } ///< cycles an instruction of a wave takes at least
  unsigned lineBytes() const { return memory.line; }   ///< of L1

  /// The rule of data/latency/lds.json that its time is taken from; null of what doesn't access LDS alone.
  static const LdsRule *ldsRule(const InstrDesc &desc, const timing::TimingData &data);

private:
  unsigned vmemIssue(const InstrDesc &desc) const;
  void setLds(const LdsRule &narrow, const LdsRule &wide);
  AluTimes alu;
  struct MemoryTimes {
    /// smem: of what L2 has, as a kernel's first scalar loads find it.
    unsigned smem = 0, ldsNarrow = 0, ldsWide = 0, ldsIssueNarrow = 0, ldsIssueWide = 0, vmem = 0;
    /// Of the compute unit's address unit for an instruction, at least; the same for LDS DMA; bytes a cycle of results.
    unsigned address = 0, dmaAddress = 0, returnBytes = 0;
    unsigned line = 0;  ///< bytes, of L1
    double l2Bytes = 1; ///< bytes a cycle that L2 has for a compute unit while all load
  } memory;
  const MatrixPasses *passes = nullptr;
};

} // namespace inflight
