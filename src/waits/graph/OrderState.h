// What the program has waited for and edited code hasn't: the order that other waves could observe.
#pragma once

#include "waits/graph/Graph.h"
#include "waits/graph/PerUsedCounter.h"
#include <array>
#include <utility>

namespace inflight::waits {

/// What other waves can observe of an operation: bits of Op::does and Op::follows.
namespace access {
inline constexpr uint16_t Load = 1 << 0;    ///< reads global memory
inline constexpr uint16_t Acquire = 1 << 1; ///< reads what may be a flag in global memory
inline constexpr uint16_t Store = 1 << 2;   ///< writes global memory
inline constexpr uint16_t Dma = 1 << 3;     ///< from global memory to LDS
inline constexpr uint16_t LdsRead = 1 << 4;
inline constexpr uint16_t LdsFlag = 1 << 5; ///< reads what may be a flag in LDS
inline constexpr uint16_t LdsWrite = 1 << 6;
inline constexpr uint16_t WriteBack = 1 << 7; ///< buffer_wbl2
inline constexpr uint16_t Scalar = 1 << 10;   ///< scalar load of memory that somebody may write
inline constexpr uint16_t Message = 1 << 11;  ///< scalar cache operation, message
inline constexpr uint16_t OnVm = Load | Acquire | Store | Dma, OnLds = LdsRead | LdsFlag | LdsWrite;
inline constexpr uint16_t All = OnVm | OnLds | WriteBack | Scalar | Message;
/// Not for other waves: registers that get a result, for operations that may use any.
inline constexpr uint16_t VmResult = 1 << 8, LdsResult = 1 << 9, ScalarResult = 1 << 12,
                          Results = VmResult | LdsResult | ScalarResult;
} // namespace access

/// Between blocks: ages, as in State.
struct OrderState {
  static constexpr unsigned kinds = 10; ///< with an age: all but those that finish in no order
  static constexpr uint8_t none = 255, oldest = 254;
  using Ages = std::array<uint8_t, kinds>;
  struct OnCounter {
    Ages youngest{nothing()}; ///< that isn't done
    Ages waited{nothing()};   ///< that isn't done and that the program has waited for
    uint16_t present = 0;     ///< kinds with an age, perhaps
    /// Those that finish in no order, bits of Access: in flight, and waited for by the program.
    uint16_t unordered = 0, unorderedWaited = 0;
    bool operator==(const OnCounter &) const = default;
  };
  PerUsedCounter<OnCounter, 2> on; ///< counters of memory

  bool operator==(const OrderState &) const = default;

  bool meet(const OrderState &from, const CounterTable &counters);
  bool isAnyWaited() const;
  /// Of a caller that isn't known.
  static OrderState anything(const CounterTable &counters);

private:
  static constexpr Ages nothing() {
    Ages ages{};
    ages.fill(none);
    return ages;
  }
};

/// While a block is walked: times of issue on the clocks of the counters' operations in order; 0: none.
class OrderWalk {
public:
  using Clocks = PerCounter<uint32_t>;
  explicit OrderWalk(const CounterTable &counters LLVM_LIFETIME_BOUND) : counters(counters) {}
  /// Of other kinds nothing is asked.
  void follow(uint16_t kinds) { followed = kinds; }
  bool follows(uint16_t kinds) const { return kinds & followed; }
  void enter(const OrderState &state, const Clocks &clocks);
  void leave(OrderState &state, const Clocks &clocks) const;
  /// The clocks count `op` already.
  void issue(const Op &op, const Clocks &clocks);
  void wait(const WaitCounts &counts, const Clocks &clocks);
  void waitInProgram(const WaitCounts &counts, const Clocks &clocks);
  WaitCounts waitedInProgram(uint16_t kinds, const Clocks &clocks) const;
  WaitCounts pending(uint16_t kinds, const Clocks &clocks) const;

private:
  template <typename T> using PerMemoryCounter = PerCounter<T, maximumMemoryCounters>;
  using Times = std::array<uint32_t, OrderState::kinds>;
  WaitCounts finishing(const PerMemoryCounter<Times> &times, const PerMemoryCounter<uint16_t> &unordered,
                       uint16_t kinds, const Clocks &clocks) const;
  const CounterTable &counters;
  uint16_t followed = uint16_t(~0u);
  PerMemoryCounter<Times> youngest, waited;
  PerMemoryCounter<uint16_t> present; ///< kinds with a time, perhaps
  PerMemoryCounter<uint16_t> unordered, unorderedWaited;
};

} // namespace inflight::waits
