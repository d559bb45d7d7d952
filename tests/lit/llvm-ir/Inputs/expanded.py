"""Words, floats among them, and what numpy makes of them: PREFIX.{a,b,out}.npy; the results in the order of expanded.ll."""
import sys

import numpy as np

COUNT = 256
SPECIAL = np.array([0, 0x80000000, 1, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f800000, 0xc0490fdb, 0x7fffffff, 0xffffffff], np.uint32)


def classes(words):
    """The bits of the ten classes of floats, as ISA manuals number them."""
    negative, exponent, mantissa = words >> 31, words >> 23 & 0xff, words & 0x7fffff
    infinite, normal = (exponent == 255) & (mantissa == 0), (exponent > 0) & (exponent < 255)
    small, zero, nan = (exponent == 0) & (mantissa != 0), (exponent == 0) & (mantissa == 0), (exponent == 255) & (mantissa != 0)
    quiet = nan & (mantissa >> 22 == 1)
    number = np.select([nan & ~quiet, quiet, infinite, normal, small, zero],
                       [0, 1, *(np.where(negative, less, more) for less, more in ((2, 9), (3, 8), (4, 7), (5, 6)))])
    return 1 << number


rng = np.random.default_rng(1)
a, b = (np.where(rng.random(COUNT) < 0.5, rng.choice(SPECIAL, COUNT), rng.integers(0, 1 << 32, COUNT, np.uint32)) for _ in range(2))
shift = b & 31
as_signed, wide = a.view(np.int32).astype(np.int64), a.astype(np.uint64)
other = b.view(np.int32).astype(np.int64)
magnitude = np.where(as_signed < 0, ~as_signed, as_signed)
with np.errstate(all="ignore"):
    fraction, integer = np.modf(a.view(np.float32))
halves = np.stack([a & 0xffff, a >> 16, b & 0xffff, b >> 16], 1)


def packed(low, high):
    return (low & 0xffff | (high & 0xffff) << 16).astype(np.uint32)


out = [
    (classes(a) & b != 0).astype(np.uint32),
    (classes(a) & 0x207 != 0).astype(np.uint32),
    np.array([32 - int(value).bit_length() if value else 0xffffffff for value in magnitude], np.uint32),
    packed(np.clip(as_signed, -32768, 32767), np.clip(other, -32768, 32767)),
    packed(np.clip(wide.astype(np.int64), 0, 65535), np.clip(b.astype(np.int64), 0, 65535)),
    np.clip(as_signed << shift, -1 << 31, (1 << 31) - 1).astype(np.uint32),
    np.minimum(wide << shift, 0xffffffff).astype(np.uint32),
    fraction.view(np.uint32),
    integer.view(np.uint32),
    packed(halves[:, 3], halves[:, 2]),
    packed(halves[:, 0], halves[:, 2]),
    packed(halves[:, 1], halves[:, 3]),
    packed(halves[:, 1], halves[:, 2]),
    packed(halves[:, 3], halves[:, 0]),
    a[np.arange(COUNT) ^ 1],
]
nan = [np.isnan(part.view(np.float32)) if i in (7, 8) else np.zeros(COUNT, bool) for i, part in enumerate(out)]
out = np.where(np.stack(nan), 0x7fc00000, np.stack(out)).astype(np.uint32)
for name, values in (("a", a), ("b", b), ("out", out.reshape(-1))):
    np.save(f"{sys.argv[1]}.{name}.npy", np.ascontiguousarray(values, np.uint32))
