"""Floats around the ends of integers, and what they are as integers: PREFIX.{singles,doubles,out}.npy."""
import math
import sys

import numpy as np

edges = [0.0, 0.49, 0.5, 1.5, 2.5, 7.99, *(2.0 ** b + d for b in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1, 0, 1))]
values = [*edges, 2e9, math.inf, math.nan]
values = (values + [-v for v in values])[:64]
values += [0.25] * (64 - len(values))
singles, doubles = np.array(values, np.float32), np.array(values, np.float64)


def saturated(value, signed, bits):
    least, most = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if math.isnan(value):
        return 0
    return int(min(max(math.trunc(value) if math.isfinite(value) else value, least), most)) & (1 << bits) - 1


def clamped(value):
    # minnum and maxnum give the number where the other is NaN.
    return 1000.0 if math.isnan(value) else min(max(value, -1000.0), 1000.0)


def away(value):
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


out = [saturated(float(v), signed, bits) for source in (singles, doubles) for signed in (True, False) for bits in (8, 16, 32, 64) for v in source]
for source, bits in ((singles, 32), (doubles, 64)):
    for how in (round, away):
        out += [how(clamped(float(v))) & (1 << bits) - 1 for v in source]
for name, data in (("singles", singles), ("doubles", doubles), ("out", np.array(out, np.uint64))):
    np.save(f"{sys.argv[1]}.{name}.npy", data)
