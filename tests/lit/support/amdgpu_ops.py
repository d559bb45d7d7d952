import re
import sys

import numpy as np

from kernels import Kernels, bf16_to_f32, f32_to_bf16, same
from mfma import multiply

code = Kernels(sys.argv)
rng = np.random.default_rng(23)
f32, f16, i32, i8 = np.float32, np.float16, np.int32, np.int8
n = np.arange(64)


def floats(*shape, type=f32):
    return rng.integers(-20, 20, shape).astype(type) / type(4)


# Buffers: out-of-range lanes read zero and don't write.
x, i = floats(64, 4), rng.permutation(70)[:64].astype(i32)
padded = np.concatenate([x, np.zeros((8, 4), f32)])
o = code.run("raw_load", x, i, np.zeros((64, 8), f32))[2]
same(o[:, :4], padded[i])
# One element and four more: the next row.
same(o[:, 4:], np.repeat(padded.ravel()[4 * i + 5][:, None], 4, axis=1))
h, b, s = floats(64, 8, type=f16), rng.integers(-99, 99, (64, 8)).astype(i8), rng.integers(-99, 99, 64).astype(np.int16)
results = code.run("raw_types", h, b, s, np.zeros((64, 8), f16), np.zeros((64, 8), i8), np.zeros(64, np.int16))
for got, source in zip(results[3:], (h, b, s)):
    same(got, source)
x = floats(50)
_, o, p = code.run("raw_oob", x, np.zeros(40, f32), np.ones(64, f32))
same(o, x[:40])
same(p, np.concatenate([x, np.zeros(14, f32)]))
x, y = floats(60), floats(32, 4)
o = code.run("buffer_arguments", x, y, np.zeros(40, f32))[2]
same(o, x[:40] + np.concatenate([y[:, 0], np.zeros(8, f32)]))
x = floats(50)
same(code.run("raw_dyn", x, np.zeros(64, f32))[1], np.concatenate([x, np.zeros(14, f32)]))
same(code.run("raw_scalar", np.array(2.5, f32), np.array(0, f32))[1], np.array(2.5, f32))
x, y = floats(64), rng.integers(-1000, 1000, 64).astype(i32)
k, l = np.zeros(4, f32), np.array([0, -1, 7, 8], i32)
_, k, _, l = code.run("raw_atomics", x, k, y, l)
same(k, np.array([0, x.sum(), 0, 0], f32))
same(l, np.array([max(0, y.max()), y.view(np.uint32).min().view(i32), 7, 8], i32))
h = rng.integers(-2, 3, (64, 2)).astype(f16)
same(code.run("raw_fadd16", h, np.zeros(4, f16))[1], np.concatenate([np.zeros(2, f16), h.sum(axis=0)]))
l = rng.integers(4, 7, 64).astype(i32)
_, got, old = code.run("raw_cmpswap", y, l, np.zeros(64, i32))
same(old, l)
same(got, np.where(l == 5, y, l))
x = floats(64, 4)
same(code.run("fat", x, "i64:800", np.full((64, 4), 9, f32))[1], np.where(n[:, None] < 50, x, 0))
h = floats(64, 3, type=f16)
same(code.run("fat_dyn", h, np.zeros((64, 2), f16))[1][:, 1], h[:, 1])
o = code.run("fat_swizzle", x, np.zeros((64, 4), f32))[1]
same(o[:63], x[1:])
m = floats(8, 64)
same(code.run("fat_loop", m, np.zeros(64, f32))[1], m.sum(axis=0))
x = floats(128)
o = code.run("gather4", x, np.zeros(128, f32))[1]
same(o, np.concatenate([x[:63:-1], x[:64]]))

# Lanes.
x = floats(64)
same(code.run("sched", x, np.zeros(64, f32))[1], x)
v = rng.integers(0, 1000, 64).astype(i32)
row, place = n // 16 * 16, n % 16


def moved(source, valid=True):
    return np.where(valid, v[np.clip(source, 0, 63)], -1).astype(i32)


o = code.run("dpp", v, np.zeros((64, 8), i32))[1]
same(o[:, 0], moved(n ^ 1))
same(o[:, 1], moved(n + 1, place < 15))
same(o[:, 2], moved(n - 3, place >= 3))
same(o[:, 3], moved(row + (place - 5) % 16))
same(o[:, 4], moved(row + 15 - place))
same(o[:, 5], moved(n // 8 * 8 + 7 - n % 8))
same(o[:, 6], moved(row - 1, n >= 16))
# Rows 1 and 3 only; nothing comes to lane 0 of a row that is left out.
same(o[:, 7], np.where(n // 16 % 2 == 1, v[n - 1], -1))
h, x, p, d = floats(64, type=f16), floats(64), floats(64, 2, type=f16), np.zeros(64)
results = code.run("dpp_types", h, x, p, d, np.zeros(64, f16), np.zeros(64, f32), np.zeros((64, 2), f16), np.zeros(64))
for got, source in zip(results[4:6], (h, x)):
    same(got, source[row + 15 - place])
h = floats(64, 4, type=f16)
_, _, o, p = code.run("swizzle", x, h, np.zeros((64, 2), f32), np.zeros((64, 4), f16))
half = n // 32 * 32
same(o, np.stack([x[n ^ 4], x[half + ((n & 16) | 3)]], axis=1))
same(p, h[n ^ 1])

# Matrix instructions.
types = {"f16": f16, "bf16": np.uint16, "f32": f32, "f64": np.float64, "i8": i8}
source = open(sys.argv[4]).read()
for name, shape, type, count in re.findall(r"gpu\.func @(mfma_(\w+)_(b?f16|f32|f64|i8)_(\d+))\(", source):
    m, depth = int(shape.split("x")[0]), int(shape.split("x")[2])
    count = int(count)
    blocks = 64 * count // (m * depth)
    small = [rng.integers(-4, 5, (64, count)).astype(f32) for _ in range(2)]
    results = 1 if name == "mfma_4x4x4_f64_1" else m * m * blocks // 64
    accumulator = {"f64": np.float64, "i8": i32}.get(type, f32)
    c = rng.integers(-9, 9, (64, results)).astype(accumulator)
    stored = [f32_to_bf16(s) if type == "bf16" else s.astype(types[type]) for s in small]
    got = code.run(name, *stored, c, np.zeros(c.shape, accumulator))[3]
    same(got, multiply(m, blocks, *small, c, type == "f64").astype(accumulator))
