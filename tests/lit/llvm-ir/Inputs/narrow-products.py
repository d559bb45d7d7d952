"""Input and results of narrow-products.ll, by Python's integers."""
import sys
import numpy as np

name = sys.argv[1]
edges = [0, 1, 2**31 - 1, -(2**31), -1, 255, -256, 2**23 - 1, -(2**23), 2**24 - 1, 2**24, 2**30 + 12345, -(2**30) + 77]
pairs = [(x, y) for x in edges for y in edges][:: len(edges) ** 2 // 63][:64]
pairs += [(7, 9)] * (64 - len(pairs))
np.save(f"{name}.in.npy", np.array(pairs, np.int32))


def quotient(x, y):  # towards zero
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


columns = [[] for _ in range(6)]
for x, y in pairs:
    a, b = x >> 8, y >> 8
    c, d = (x & 0xFFFFFFFF) >> 8, y & 0xFFFFFF
    i = (x & 0xFFFF) - (x >> 15 & 1) * 0x10000
    results = [
        a * b,
        c * d,
        (x - quotient(x, 8388607) * 8388607) * quotient(y, -512) + x,
        (x >> 7) * b,
        c * a,
        ((i - a) >> 2) * i,
    ]
    for column, result in zip(columns, results):
        column.append(result & 0xFFFFFFFF)
np.save(f"{name}.out.npy", np.array(columns, np.uint32).view(np.int32))
