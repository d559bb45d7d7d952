import sys

import numpy as np

from kernels import Kernels, bf16_to_f32, f32_to_bf16, same

code = Kernels(sys.argv)
rng = np.random.default_rng(7)
f32, f16, i32, i8 = np.float32, np.float16, np.int32, np.int8


def floats(*shape, type=f32):
    return rng.integers(-40, 40, shape).astype(type) / type(4)


def ints(*shape, type=i32):
    return rng.integers(-100, 100, shape).astype(type)


# Constants.
x, y = floats(64, 3, type=f16), ints(64, 2, type=i8)
_, _, o, p = code.run("small_rows", x, y, np.zeros((64, 3), f16), np.zeros((64, 2), i8))
same(o, x + np.array([4, 5, 6], f16))
same(p, y + np.array([5, 6], i8))

# Transfers.
x = floats(64, 20)
padded = np.full((64, 28), -1, f32)
padded[:, :20] = x
_, o = code.run("transfer_pad", x, np.zeros((64, 8), f32))
same(o, padded[:, 16:24])
x = floats(64, 8, type=f16)
same(code.run("transfer_inbounds", x, np.zeros((64, 8), f16))[1], x)
x = floats(64, 4, 4)
same(code.run("transfer_2d", x, np.zeros((64, 4, 4), f32))[1], x.transpose(0, 2, 1))
x = floats(64, 4)
same(code.run("transfer_bcast", x, np.zeros((64, 4, 4), f32))[1], np.broadcast_to(x[:, None], (64, 4, 4)))
x = floats(8, 64)
same(code.run("transfer_col", x, np.zeros((64, 8), f32))[1], x.T)
x = floats(64, 4)
expected = np.where(np.arange(4) < 2, x, 9) * 2
expected[:, 3] = -5
same(code.run("transfer_mask", x, "i64:2", np.full((64, 4), -5, f32))[1], expected)
expected = np.zeros((64, 6), f32)
expected[:, 4:] = x[:, :2]
same(code.run("transfer_write_oob", x, np.zeros((64, 6), f32))[1], expected)
x = floats(64)
same(code.run("transfer_0d", x, np.zeros(64, f32))[1], x)
x = floats(64, 8, type=f16)
same(code.run("transfer_lds", x, np.zeros((64, 8), f16))[1], x[::-1])
x = floats(64, 3)
expected = np.full((64, 5), 8, f32)
expected[:, :4] = 5
expected[:, :3] = x
same(code.run("transfer_dyn", x, np.full((64, 5), 8, f32))[1], expected)

# Masks.
x = ints(64, 8, type=i8)
same(code.run("masked_i8", x, "i64:5", np.full((64, 8), 77, i8))[1], np.where(np.arange(8) < 5, x, 77))
x, i = floats(256), rng.permutation(256).astype(i32).reshape(64, 4)
active = np.array([True, True, False, True])
same(code.run("gather", x, i, np.zeros((64, 4), f32))[2], np.where(active, x[i], 7))
v = floats(64, 4)
expected = np.zeros(256, f32)
expected[i[:, active]] = v[:, active]
same(code.run("scatter", v, i, np.zeros(256, f32))[2], expected)
_, o, e = code.run("compress", v, np.full((64, 4), 99, f32), np.zeros((64, 4), f32))
for row, packed, spread in zip(v, o, e):
    positive = row[row > 0]
    same(packed, np.concatenate([positive, np.full(4 - len(positive), 99, f32)]))
    places = np.cumsum(row > 0) - 1
    same(spread, np.where(row > 0, row[places], 0))
n = np.arange(64)
grid = np.arange(4)[:, None] < 3
made = (grid & (np.arange(4)[None, :] < n[:, None, None])) ^ (
    (np.arange(4)[:, None] < 2) & (np.arange(4)[None, :] < 3))
o, p, s = code.run("masks", "i64:3", "i64:2", np.zeros((64, 4, 4), np.uint8), np.zeros((64, 4), np.uint8),
                   np.zeros((64, 4), np.int64))
same(o, made)
same(p, np.broadcast_to(np.arange(4) < 2, (64, 4)))
same(s, n[:, None] + np.arange(4))
masked = np.where(np.arange(4) < 3, v, 3)
_, o, q = code.run("mask_region", v, "i64:3", np.full((64, 4), 8, f32), np.zeros(64, f32))
same(o, np.where(np.arange(4) < 3, v, 8))
same(q, v[:, :3].sum(axis=1))

# Shapes.
x = floats(64, 8)
t = x.reshape(64, 2, 4).transpose(0, 2, 1).copy()
t[:, 3] = t[:, 1]
t[:, 2, 0] = t[:, 0, 1]
t[:, 0:2] = t[:, 1:3].copy()
same(code.run("shapes", x, np.zeros((64, 8), f32))[1], t.reshape(64, 8))
h, p = floats(64, 8, type=f16), rng.integers(0, 8, 64).astype(i32)
expected = h.copy()
expected[n, p] *= 2
same(code.run("dynpos", h, p, np.zeros((64, 8), f16))[2], expected)
x = floats(64)
same(code.run("bcast", "f32:2.5", x, np.zeros((64, 8), f32))[1],
     np.concatenate([np.repeat(x[:, None], 4, 1), np.full((64, 4), 2.5, f32)], axis=1))
x = ints(64, 4)
same(code.run("bitcasts", x, np.zeros((64, 4), i32))[1], x.byteswap())
x, p = floats(64, 4, 2), rng.integers(0, 4, 64).astype(i32)
same(code.run("load2d", x, np.zeros((64, 8), f32))[1], x.reshape(64, 8))
same(code.run("extract_dyn2d", x, p, np.zeros((64, 2), f32))[2], x[n, p])
x = floats(64, 2, 2)
same(code.run("to_elements", x, np.zeros((64, 4), f32))[1], x.reshape(64, 4)[:, ::-1])
h = floats(64, 4, type=f16)
_, o, p = code.run("leave", h, np.zeros((64, 8), f16), np.zeros((64, 4), f16))
same(o, np.stack([h, h + h], axis=2).reshape(64, 8))
same(p, h + h + h)
same(code.run("vecmem", v, np.zeros((64, 4), f32))[1], v + v)

# Arithmetic.
same(code.run("fma", v, np.zeros((64, 4), f32))[1], v * v + v)
x = floats(64, 8)
with np.errstate(all="ignore"):
    product = np.multiply.reduce(x.astype(np.float64), axis=1).astype(f32)
expected = np.stack([x.sum(axis=1) + 1, product, x.min(axis=1), np.maximum(x.max(axis=1), 1), x.min(axis=1), x.max(axis=1)], axis=1)
same(code.run("reduce_f", x, np.zeros((64, 6), f32))[1], expected, rtol=1e-6)
x = rng.integers(-4, 5, (64, 200)).astype(np.float16)
same(code.run("reduce_long", x, np.zeros(64, np.float16))[1], x.sum(axis=1, dtype=f32).astype(np.float16))
x = ints(64, 8)
u = x.view(np.uint32)
expected = np.stack([x.sum(axis=1), np.multiply.reduce(x, axis=1), x.min(axis=1), x.max(axis=1), u.min(axis=1).view(i32),
                     u.max(axis=1).view(i32), np.bitwise_and.reduce(x, axis=1), np.bitwise_or.reduce(x, axis=1),
                     np.bitwise_xor.reduce(x, axis=1)], axis=1).astype(i32)
same(code.run("reduce_i", x, np.zeros((64, 9), i32))[1], expected)
x, y = ints(64, 8, type=i8), f32_to_bf16(floats(64, 8))
_, _, o, p = code.run("reduce_small", x, y, np.zeros((64, 4), i8), np.zeros((64, 2), np.uint16))
same(o, np.stack([x.sum(axis=1).astype(i8), x.min(axis=1), x.view(np.uint8).max(axis=1).view(i8),
                  np.bitwise_xor.reduce(x, axis=1)], axis=1))
wide = bf16_to_f32(y)
total = wide[:, 0]
for k in range(1, 8):
    total = bf16_to_f32(f32_to_bf16(total + wide[:, k]))
same(bf16_to_f32(p), np.stack([wide.max(axis=1), total], axis=1))
x = rng.integers(-1, 6, (64, 8)).astype(i32)
same(code.run("reduce_i1", x, np.zeros((64, 2), np.uint8))[1], np.stack([(x > 0).all(axis=1), (x > 0).any(axis=1)], axis=1))
x, y = floats(64, 4, 4), floats(64, 4, 4)
sums = x.sum(axis=1) + 1
same(code.run("multi_reduction", x, np.zeros((64, 4), f32))[1], np.maximum(x.max(axis=2), sums))
same(code.run("contract", x, y, np.zeros((64, 4, 4), f32))[2], x @ y + f32(0.5))
same(code.run("outerproduct", v, np.zeros((64, 4, 4), f32))[1], v[:, :, None] * v[:, None, :] + 1)
same(code.run("scan", v, np.zeros((64, 4), f32))[1], np.cumsum(v, axis=1))
