// How many lanes a wave has.
#pragma once

namespace inflight {

/// A constant, not the chip's number: registers of the machine are arrays of so many, masks of lanes 64-bit integers.
/// TargetInfo refuses a chip whose data says otherwise.
inline constexpr unsigned waveLanes = 64;

} // namespace inflight
