import sys

import numpy as np

from kernels import Kernels, bf16_to_f32, f32_to_bf16, same

code = Kernels(sys.argv)
rng = np.random.default_rng(13)
f32, f16, i32, i8 = np.float32, np.float16, np.int32, np.int8
n = np.arange(64)


def floats(*shape, type=f32):
    return rng.integers(-40, 40, shape).astype(type) / type(4)


o = code.run("ids", np.zeros((2, 2, 2, 128, 16), np.int64), grid="2,2,2")
for bx in range(2):
    for by in range(2):
        for bz in range(2):
            flat = np.arange(128)
            x, y, z = flat % 16, flat // 16 % 4, flat // 64
            full = np.full(128, 1)
            expected = [x, y, z, 16 * full, 4 * full, 2 * full, 2 * full, 2 * full, 2 * full, bx * 16 + x, by * 4 + y,
                        flat % 64, flat // 64, 2 * full, 64 * full, 0 * full]
            same(o[bx, by, bz], np.stack(expected, axis=1))

x = floats(64)
o = code.run("shuffle", x, np.zeros((64, 6), f32))[1]
same(o[:, 0], x[n ^ 5])
same(o[5:, 1], x[:-5])
same(o[:-5, 2], x[5:])
same(o[:, 3], np.full(64, x[5]))
same(o[:, 4], x[n ^ 5])
same(o[:, 5], (n >= 5).astype(f32))
a, b, c = floats(64, type=f16), rng.integers(-2**60, 2**60, 64), rng.integers(-99, 99, 64).astype(i8)
d = floats(64, 2, type=f16)
results = code.run("shuffle_types", a, b, c, d, np.zeros(64, f16), np.zeros(64, np.int64), np.zeros(64, i8), np.zeros((64, 2), f16))
for got, source in zip(results[4:], (a, b, c, d)):
    same(got, source[n ^ 5])
lanes = rng.integers(0, 64, 64).astype(i32)
x = rng.normal(size=64)
same(code.run("shuffle_64", x, lanes, np.zeros(64))[2], x[lanes])
x = f32_to_bf16(floats(64))
same(code.run("shuffle_bf16", x, lanes, np.zeros(64, np.uint16))[2], x[lanes])

x, y = floats(64), rng.integers(-1000, 1000, 64).astype(i32) | 1
u = y.view(np.uint32)
_, _, o, p = code.run("subgroup_reduce", x, y, np.zeros((64, 3), f32), np.zeros((64, 8), i32))
same(o, np.broadcast_to(np.array([x.sum(), x.max(), x.min()], f32), (64, 3)))
expected = [y.sum(dtype=i32), y.max(), u.min().view(i32), np.bitwise_and.reduce(y), np.bitwise_or.reduce(y),
            np.bitwise_xor.reduce(y), np.multiply.reduce(y, dtype=i32), u.max().view(i32)]
same(p, np.broadcast_to(np.array(expected, i32), (64, 8)))
o = code.run("subgroup_cluster", x, np.zeros((64, 3), f32))[1]
same(o[:, 0], x.reshape(4, 16).sum(axis=1)[n // 16])
same(o[:, 1], x.reshape(16, 4).max(axis=1)[n // 4])
same(o[:, 2], x.reshape(4, 16).sum(axis=0)[n % 16])
a = rng.integers(-8, 8, (64, 2)).astype(f16)
_, _, o, p, _, q = code.run("subgroup_vec", a, b, np.zeros((64, 2), f16), np.zeros(64, np.int64), c, np.zeros(64, i8))
same(o, np.broadcast_to(a.sum(axis=0), (64, 2)))
same(p, np.full(64, b.max()))
same(q, np.full(64, c.sum(dtype=i8)))
x, y = floats(256), rng.integers(-1000, 1000, 256).astype(i32)
_, _, o, p = code.run("all_reduce", x, y, np.zeros((256, 2), f32), np.zeros((256, 2), i32))
same(o, np.broadcast_to(np.array([x.sum(), x.max()], f32), (256, 2)))
same(p, np.broadcast_to(np.array([y.min(), np.bitwise_xor.reduce(y)]), (256, 2)))
same(code.run("all_reduce_region", x, np.zeros(256, f32))[1], np.full(256, x.max()))
x = floats(64)
o = code.run("broadcast", x, "i32:9", np.zeros((64, 2), f32))[1]
same(o, np.broadcast_to(np.array([x[0], x[9]]), (64, 2)))
same(code.run("rotate", x, np.zeros(64, f32))[1], x[n // 16 * 16 + (n + 3) % 16])
same(code.run("attributions", x, np.zeros(64, f32))[1], x[::-1])
same(code.run("dynshared", x, np.zeros(64, f32), lds=512)[1], x[::-1])
