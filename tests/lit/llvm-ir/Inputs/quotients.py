"""Finite numbers of 16 bits with 8 of exponent, the largest and smallest among them, and their quotients: PREFIX.{a,b,out}.npy."""
import random
import sys

import numpy as np

rng = random.Random(1)
edges = [1, 2, 3, 0x7f, 0x80, 0x81, 0x7f7f, 0x7f00, 0x7e80, 0x7e81, 0x3f80, 0x3f81, 0x0100, 0x00ff, 0x4000, 0x4040]
a, b = (np.array([(rng.choice(edges) if rng.random() < 0.6 else rng.randrange(1, 0x7f80)) | rng.randrange(2) << 15 for _ in range(4096)], np.uint32) for _ in range(2))
exact = (a << 16).view(np.float32).astype(float) / (b << 16).view(np.float32).astype(float)


def rounded(value):
    """To the nearest, ties to even."""
    sign, value = (0x8000, -value) if value < 0 else (0, value)
    exponent = max(int(np.floor(np.log2(value))), -126) if value else -126
    steps = round(value / 2.0 ** (exponent - 7))  # Python's rounds ties to even
    code = steps if exponent == -126 and steps < 128 else ((exponent + 127) << 7) + steps - 128
    return sign | min(code, 0x7f80)


for name, data in (("a", a), ("b", b), ("out", [rounded(v) for v in exact])):
    np.save(f"{sys.argv[1]}.{name}.npy", np.array(data, np.uint16))
