// Which registers are in use while the instructions of a stretch are issued in some order.
#pragma once

#include "compiler/schedule/Graph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace inflight::lir {

/// What competes for the same registers. Accumulators are a class of their own where they will live in AGPRs.
enum class RegClass : uint8_t { Vector, Accumulator, Scalar };

/// Registers by class.
struct Pressure {
  int vector = 0, accumulator = 0, scalar = 0;
  static Pressure of(RegClass regClass, int count) {
    return {regClass == RegClass::Vector ? count : 0, regClass == RegClass::Accumulator ? count : 0,
            regClass == RegClass::Scalar ? count : 0};
  }
  Pressure &operator+=(const Pressure &o) {
    vector += o.vector;
    accumulator += o.accumulator;
    scalar += o.scalar;
    return *this;
  }
  void raiseTo(const Pressure &o) {
    vector = std::max(vector, o.vector);
    accumulator = std::max(accumulator, o.accumulator);
    scalar = std::max(scalar, o.scalar);
  }
  bool isWithin(const Pressure &o) const {
    return vector <= o.vector && accumulator <= o.accumulator && scalar <= o.scalar;
  }
  /// Registers in the unified file of VGPRs and AGPRs.
  int unified() const { return vector + accumulator; }
};

/// Follows which values are live while the units of a stretch are issued in some order.
class LivePieces {
public:
  LivePieces(const Graph &graph, const llvm::BitVector &liveOut, llvm::ArrayRef<RegClass> classOfPiece)
      : graph(graph), classOfPiece(classOfPiece), states(graph.values.size()) {
    for (const auto &[u, unit] : llvm::enumerate(graph.units))
      for (unsigned value : unit.reads) {
        ++states[value].reads;
        states[value].readers ^= u;
      }
    // Live through the stretch without being touched counts, too.
    llvm::BitVector through = liveOut;
    for (size_t v = 0; v < graph.values.size(); ++v) {
      const Value &value = graph.values[v];
      states[v].outlives = value.isLast && liveOut.test(value.piece);
      through.reset(value.piece);
      if (value.isLiveIn)
        now += cost(v, 1);
    }
    for (unsigned piece : through.set_bits())
      now += Pressure::of(classOfPiece[piece], 1);
    changes.reserve(graph.units.size());
    for (const Unit &unit : graph.units)
      changes.push_back(changeAtFirst(unit));
  }

  const Pressure &current() const { return now; }

  /// How the registers in use change when the unit is issued.
  const Pressure &change(unsigned u) const { return changes[u]; }

  void issue(unsigned u) {
    now += changes[u];
    for (unsigned value : graph.units[u].reads) {
      State &state = states[value];
      state.readers ^= u;
      if (--state.reads == 1 && !state.outlives)
        changes[state.readers] += cost(value, -1);
    }
  }

private:
  struct State {
    unsigned reads = 0;   ///< units that are still to read it
    unsigned readers = 0; ///< their numbers, each flipping its bits: the number itself where there is one
    bool outlives = false;
  };
  Pressure cost(unsigned value, int count) const {
    return Pressure::of(classOfPiece[graph.values[value].piece], count);
  }

  /// Before anything is issued. What the unit writes has its readers after it; what it reads it frees as the last one.
  Pressure changeAtFirst(const Unit &unit) const {
    Pressure result;
    for (unsigned value : unit.writes)
      if (states[value].reads || states[value].outlives)
        result += cost(value, 1);
    for (unsigned value : unit.reads)
      if (states[value].reads == 1 && !states[value].outlives)
        result += cost(value, -1);
    return result;
  }

  const Graph &graph;
  llvm::ArrayRef<RegClass> classOfPiece;
  std::vector<State> states;     ///< by value
  std::vector<Pressure> changes; ///< by unit that isn't issued
  Pressure now;
};

} // namespace inflight::lir
