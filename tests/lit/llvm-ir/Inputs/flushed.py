"""Quotients, roots and remainders of singles where denormals are zeros: OUT.in.npy and OUT.out.npy, 3 results a pair."""
import sys

import numpy as np

generator = np.random.default_rng(7)
count = 1 << 14
words = generator.integers(0, 1 << 32, (count, 2), np.uint32)
# Exponents that are near each other, near both ends, and quotients near both ends.
near = slice(count // 4, count // 2)
words[near, 1] = words[near, 0] & 0xFF800000 ^ words[near, 1] & 0x80FFFFFF
small = slice(count // 2, count * 5 // 8)
words[small] &= 0x83FFFFFF
large = slice(count * 5 // 8, count * 3 // 4)
words[large, 0] |= 0x7E000000
special = np.array([0, 1, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFF, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000], np.uint32)
special = np.concatenate([special, special | np.uint32(1 << 31)])
pairs = np.stack(np.meshgrid(special, special), -1).reshape(-1, 2)
words[: len(pairs)] = pairs


def flushed(x):
    return np.where(np.abs(x) < np.float32(2.0**-126), np.copysign(np.float32(0), x), x)


a, b = flushed(words[:, 0].view(np.float32)), flushed(words[:, 1].view(np.float32))
with np.errstate(all="ignore"):
    results = np.stack([flushed(a / b), flushed(np.sqrt(a)), flushed(np.fmod(a, b))], -1)
np.save(sys.argv[1] + ".in.npy", words.view(np.float32))
np.save(sys.argv[1] + ".out.npy", results)
