"""Input and results of fall-through.ll."""
import sys

import numpy as np

rng = np.random.default_rng(7)
numbers = rng.integers(0, 1 << 32, (256, 8), np.uint32)
MASK = (1 << 32) - 1


def tail(row):
    """What the switch by the first number does."""
    sums, kind = 0, int(row[0]) & 7
    for section in range(7, 0, -1):
        if kind >= section:
            sums ^= int(row[section]) << (section % 4 * 8)
            if section in (4, 1):
                sums = sums * 0x9e3779b1 & MASK
    return sums & MASK


def scattered(row):
    """Numbers in no order, a default in the middle, and two cases by themselves."""
    kind, value = int(row[0]) % 12, int(row[1])
    order = [9, 2, None, 5]
    if kind == 3:
        return value * 3 & MASK
    if kind == 7:
        return value ^ 0x55555555
    begin = order.index(kind if kind in order else None)
    for step in range(begin, 4):
        value = (value * 5 + step) & MASK
    return value


np.save(sys.argv[1] + ".in.npy", numbers)
np.save(sys.argv[1] + ".tail.npy", np.array([tail(row) for row in numbers], np.uint32))
np.save(sys.argv[1] + ".scattered.npy", np.array([scattered(row) for row in numbers], np.uint32))
