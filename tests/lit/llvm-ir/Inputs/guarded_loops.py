"""Input and results of guarded-loops.hip."""
import sys

import numpy as np

numbers = np.random.default_rng(11).integers(0, 1 << 31, (32, 128)).astype(np.int32)
INDEX = np.arange(32, dtype=np.int32)


def mixed(sums, steps):
    for t in steps:
        sums = (sums ^ np.int32(t)) + INDEX
    return sums


def exchanged(sums, steps):
    pairs = sums.reshape(16, 2)
    for t in steps:
        pairs = np.stack([pairs[:, 1] + np.int32(t), pairs[:, 0]], 1)
    return pairs.reshape(32)


def save(name, function, steps):
    columns = [function(numbers[:, lane], steps(lane)) for lane in range(128)]
    np.save(f"{sys.argv[1]}.{name}.npy", np.stack(columns, 1).reshape(-1))


with np.errstate(over="ignore"):
    np.save(f"{sys.argv[1]}.in.npy", numbers.reshape(-1))
    save("leaving", mixed, lambda lane: range(lane * 16, 1000, lane + 1))
    save("together", mixed, lambda lane: range(9) if numbers[0, lane] & 1 else [])
    save("swapped", exchanged, lambda lane: range(numbers[0, lane] & 7, 9))
