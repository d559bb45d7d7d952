"""minnumf and maxnumf of quiet and signaling NaNs, zeros and numbers give the number; minimumf and maximumf give the NaN."""
import sys

import numpy as np

from kernels import Kernels

code = Kernels(sys.argv)
formats = {"f16": (np.uint16, np.float16, 0x7C00, 0x200), "bf16": (np.uint16, None, 0x7F80, 0x40),
           "f32": (np.uint32, np.float32, 0x7F800000, 0x400000), "f64": (np.uint64, np.float64, 0x7FF0000000000000, 0x8000000000000)}
for name, (bits, number, infinity, quiet) in formats.items():
    one = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000, "f64": 0x3FF0000000000000}[name]
    sign = (infinity | quiet) + quiet
    special = [0, 1, one, infinity, infinity | 1, infinity | quiet - 1, infinity | quiet, infinity | quiet | 5]
    values = np.array([v | s for v in special for s in (0, sign)], bits)[:16]
    a, b = np.repeat(values, 16), np.tile(values, 16)
    zeros = np.zeros(256, bits)
    _, _, low, high, least, most = code.run(name, a, b, zeros, zeros, zeros, zeros)
    magnitude = lambda x: x & bits(sign - 1)
    is_nan = lambda x: magnitude(x) > infinity
    # As signed numbers in the order of the floats, -0 below +0.
    order = lambda x: np.where(x & bits(sign), -1 - magnitude(x).astype(object), magnitude(x).astype(object))
    smaller, larger = np.where(order(a) < order(b), a, b), np.where(order(a) < order(b), b, a)
    both = is_nan(a) & is_nan(b)
    for what, got, expected in (("minnumf", low, smaller), ("maxnumf", high, larger)):
        expected = np.where(is_nan(a), b, np.where(is_nan(b), a, expected))
        wrong = np.where(both, ~is_nan(got), got != expected)
        assert not wrong.any(), (name, what, [(hex(x), hex(y), hex(z)) for x, y, z in zip(a[wrong], b[wrong], got[wrong])][:4])
    for what, got, expected in (("minimumf", least, smaller), ("maximumf", most, larger)):
        wrong = np.where(is_nan(a) | is_nan(b), ~is_nan(got), got != expected)
        assert not wrong.any(), (name, what, [(hex(x), hex(y), hex(z)) for x, y, z in zip(a[wrong], b[wrong], got[wrong])][:4])

# Of a packed pair, of constants, and through a loop, a branch and an exchange of lanes.
f32 = np.float32
x = np.array([0x7F800001, 0x40000000] * 32, np.uint32)
_, o = code.run("carried", x, np.zeros(64, f32))
assert (o == 2).all(), o
x = np.array([[0x7C01, 0x4000]] * 64, np.uint16)
_, o = code.run("packed", x, np.zeros((64, 2), np.uint16))
assert (o == [0x3C00, 0x4000]).all(), o
