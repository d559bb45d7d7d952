"""Words for dot products that saturate, and what Python's integers make of them: PREFIX.{a,b,c,out}.npy."""
import random
import sys

import numpy as np

COUNT, SPECIAL = 256, (0, 0xffffffff, 0x80008000, 0x7fff7fff, 0x80000000, 0x7fffffff, 0x80808080, 0x7f7f7f7f, 0x88888888, 0x77777777)
FORMS = [(bits, signed) for bits in (16, 8, 4) for signed in (True, False)]


def number(word, bits, signed):
    word &= (1 << bits) - 1
    return word - (1 << bits) if signed and word >> (bits - 1) else word


def dot(a, b, c, bits, signed):
    total = number(c, 32, signed)
    for at in range(0, 32, bits):
        total += number(a >> at, bits, signed) * number(b >> at, bits, signed)
    least, most = (-1 << 31, (1 << 31) - 1) if signed else (0, (1 << 32) - 1)
    return min(max(total, least), most) & 0xffffffff


rng = random.Random(1)
a, b, c = ([rng.choice(SPECIAL) if rng.random() < 0.5 else rng.getrandbits(32) for _ in range(COUNT)] for _ in range(3))
for name, values in (("a", a), ("b", b), ("c", c), ("out", [dot(x, y, z, *form) for form in FORMS for x, y, z in zip(a, b, c)])):
    np.save(f"{sys.argv[1]}.{name}.npy", np.array(values, np.uint32))
