"""Numbers for failures.ll and what its kernels store: PREFIX."""
import sys

import numpy as np

LANES, STEPS = 64, 52
numbers = np.random.default_rng(3).integers(0, 256, LANES).astype(np.uint32)
np.save(sys.argv[1] + ".in.npy", numbers)


def report(line):
    if line & 1:
        return line
    for _ in range(STEPS):
        line = (line * 1664525 + 1013904223) & 0xffffffff
    return line ^ 19088743


def checked(v):
    return report(1) if v > 200 else report(3 * v) if 3 * v & 8 else report(3) if v < 20 else v


def loop(lane):
    total = 0
    for i in range(5):
        v = int(numbers[(7 * i + lane) & 63])
        if v > 250 or v < 6:
            return report(v if v > 250 else i)
        total += v
    return total


np.save(sys.argv[1] + ".checked.npy", np.array([checked(int(v)) for v in numbers], np.uint32))
np.save(sys.argv[1] + ".loop.npy", np.array([loop(lane) for lane in range(LANES)], np.uint32))
