"""Numbers for reduced.ll and what their reductions are: PREFIX."""
import sys

import numpy as np

LANES = 64
rng = np.random.default_rng(7)
numbers = rng.integers(0, 1 << 32, LANES, np.uint64).astype(np.uint32)
np.save(sys.argv[1] + ".in.npy", numbers)


def reductions(active):
    words = [int(number) for number in numbers[active]]
    signed = [word - (1 << 32) if word >> 31 else word for word in words]
    total, xor = sum(words), int(np.bitwise_xor.reduce(numbers[active]))
    results = [total, -total, min(words), max(words), min(signed), max(signed),
               int(np.bitwise_and.reduce(numbers[active])), int(np.bitwise_or.reduce(numbers[active])), xor]
    return [result & 0xffffffff for result in results]


lanes = np.arange(LANES)
thirds = lanes % 3 == 0
out = np.empty((10, LANES), np.uint32)
out[:9, thirds] = np.array(reductions(thirds), np.uint32)[:, None]
out[:9, ~thirds] = np.array(reductions(~thirds), np.uint32)[:, None]
# Products of 64 bits: those of a number's square with the lane, as unsigned and as signed ones.
for lane, number in enumerate(numbers):
    a, b = int(number) * int(number), lane
    signed = a - (1 << 64) if a >> 63 else a
    out[9, lane] = (a * b >= 1 << 64) | (not -(1 << 63) <= signed * b < 1 << 63) << 1
np.save(sys.argv[1] + ".out.npy", out.reshape(-1))
