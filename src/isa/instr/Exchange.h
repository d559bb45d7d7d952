// Atomics whose result doesn't depend on what was there.
#pragma once

namespace inflight {

struct InstrDesc;

/// Puts a value in the place of another, whatever that was: swaps, of memory and of LDS.
bool isExchange(const InstrDesc &desc);

} // namespace inflight
