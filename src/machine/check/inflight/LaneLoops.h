// Loops over the lanes that checked runs spend their time in, compiled for several levels of vector extensions.
#pragma once

#include "machine/wave/Wave.h"

namespace inflight::machine::check {

/// The smallest and the largest of 64 addresses that aren't 0; low > high without any.
void findRange(const uint64_t *addresses, uint64_t &low, uint64_t &high);

/// Differences to `base`; `none` for addresses that are 0. Gives a hash of them.
uint64_t offsetsFrom(const uint64_t *addresses, uint64_t base, uint32_t none, uint32_t *to);

/// Whether lane i's address is the first lane's plus i times `step`.
bool isContiguous(const uint64_t *addresses, uint64_t step);

/// Whether these would be the differences.
bool areOffsetsFrom(const uint64_t *addresses, uint64_t base, uint32_t none, const uint32_t *offsets);

/// Exchanges two runs of words.
void swapWords(uint32_t *one, uint32_t *other, size_t count);

/// Writes the lanes of `exec`, leaving the bits of `keep` as they are.
void deliverLanes(uint32_t *to, const uint32_t *from, uint64_t exec, uint32_t keep);

} // namespace inflight::machine::check
