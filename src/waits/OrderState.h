// What the program has waited for and edited code hasn't: the order that other waves could observe.
#pragma once

#include "waits/Graph.h"
#include <array>
#include <utility>

namespace inflight::waits {

/// What other waves can observe of an operation: bits of Op::does and Op::follows.
namespace access {
inline constexpr uint16_t Load = 1 << 0;      ///< reads global memory
inline constexpr uint16_t Acquire = 1 << 1;   ///< reads what may be a flag in global memory
inline constexpr uint16_t Store = 1 << 2;     ///< writes global memory
inline constexpr uint16_t Dma = 1 << 3;       ///< from global memory to LDS
inline constexpr uint16_t LdsRead = 1 << 4;
inline constexpr uint16_t LdsFlag = 1 << 5;   ///< reads what may be a flag in LDS
inline constexpr uint16_t LdsWrite = 1 << 6;
inline constexpr uint16_t WriteBack = 1 << 7; ///< buffer_wbl2
inline constexpr uint16_t Scalar = 1 << 10;   ///< scalar load of memory that somebody may write
inline constexpr uint16_t Message = 1 << 11;  ///< scalar cache operation, message
inline constexpr uint16_t OnVm = Load | Acquire | Store | Dma, OnLds = LdsRead | LdsFlag | LdsWrite;
inline constexpr uint16_t All = OnVm | OnLds | WriteBack | Scalar | Message;
/// Not for other waves: registers that get a result, for operations that may use any.
inline constexpr uint16_t VmResult = 1 << 8, LdsResult = 1 << 9, ScalarResult = 1 << 12, Results = VmResult | LdsResult | ScalarResult;
} // namespace access

/// Between blocks: ages, as in State.
struct OrderState {
  static constexpr unsigned kinds = 10;        ///< with an age: all but those that finish in no order
  static constexpr uint8_t none = 255, oldest = 254;
  std::array<uint8_t, kinds> youngest = nothing(); ///< that isn't done
  std::array<uint8_t, kinds> waited = nothing();   ///< that isn't done and that the program has waited for
  /// Those that finish in no order, bits of Access: in flight, and waited for by the program. FLAT counts twice.
  uint16_t unordered = 0, unorderedWaited = 0, flatOnVm = 0, flatOnVmWaited = 0, flatOnLgkm = 0, flatOnLgkmWaited = 0;

  bool meet(const OrderState &from);
  bool isAnyWaited() const { return waited != nothing(); }
  /// Of a caller that isn't known.
  static OrderState anything();

private:
  static constexpr std::array<uint8_t, kinds> nothing() {
    std::array<uint8_t, kinds> ages{};
    ages.fill(none);
    return ages;
  }
};

/// While a block is walked: times of issue on the clocks of vector memory and LDS; 0: none.
class OrderWalk {
public:
  void enter(const OrderState &state, uint32_t vmClock, uint32_t ldsClock);
  void leave(OrderState &state, uint32_t vmClock, uint32_t ldsClock) const;
  /// The clocks count `op` already.
  void issue(const Op &op, uint32_t vmClock, uint32_t ldsClock);
  void wait(unsigned vmcnt, unsigned lgkmcnt, uint32_t vmClock, uint32_t ldsClock);
  void waitInProgram(unsigned vmcnt, unsigned lgkmcnt, uint32_t vmClock, uint32_t ldsClock);
  std::pair<unsigned, unsigned> waitedInProgram(uint16_t kinds, uint32_t vmClock, uint32_t ldsClock) const;
  std::pair<unsigned, unsigned> pending(uint16_t kinds, uint32_t vmClock, uint32_t ldsClock) const;

private:
  using Times = std::array<uint32_t, OrderState::kinds>;
  static std::pair<unsigned, unsigned> finishing(const Times &times, uint16_t onVm, uint16_t onLgkm, uint16_t kinds, uint32_t vmClock, uint32_t ldsClock);
  Times youngest{}, waited{};
  OrderState others; ///< what has no age
};

} // namespace inflight::waits
