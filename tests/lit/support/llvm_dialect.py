import sys

import numpy as np

from kernels import Kernels, same

code = Kernels(sys.argv)
rng = np.random.default_rng(19)
f32, i32 = np.float32, np.int32
n = np.arange(64).astype(i32)

x = rng.normal(size=64).astype(f32)
same(code.run("ptr_args", x, np.zeros(64, f32))[1], x + x)
h = rng.integers(-1000, 1000, 64).astype(np.int16)
same(code.run("flatptr", h, np.zeros(64, np.int16), "i32:40")[1], np.where(n < 40, h, 0).astype(np.int16))
x = rng.normal(size=128).astype(f32)
o = code.run("geps", x, np.zeros((64, 2), f32))[1]
same(o, np.stack([x[1::2] + x[:64], x[1::2]], axis=1))
x = np.array([5, 3, 0x55], i32)
o = np.arange(128).astype(i32)
o[:64:2] += 100
k, got = code.run("atomics", x, o)
wrapped = 3
for _ in range(64):
    wrapped = 0 if wrapped >= 9 else wrapped + 1
same(k, np.array([5 + n.sum(), wrapped, 0x55 ^ np.bitwise_xor.reduce(n)], i32))
expected = o.copy()
hit = o[:64] == n
expected[:64][hit] = 9
expected[64:][hit] = 9
same(got, expected)
x = rng.normal(size=64).astype(f32)
same(code.run("shared", x, np.zeros(64, f32))[1], x[::-1])
same(code.run("switch", np.zeros(64, i32), np.zeros(64, i32))[1], np.select([n == 3, n == 7], [100, 200], n).astype(i32))
same(code.run("alloca", np.zeros(64, i32), np.zeros(64, i32))[1], n)
same(code.run("fences", np.zeros(64, i32), np.zeros(64, i32))[1], n)
same(code.run("hints", np.zeros(64, i32), np.zeros(64, i32))[1], n)
o = code.run("buffers", x, np.zeros(64, f32))[1]
same(o, np.where(n < 40, x, 0))

a, b = (rng.integers(-2**31, 2**31, 64).astype(i32) for _ in range(2))
b[:30] = rng.integers(-40, 40, 30)
a[:4], b[:4] = [2**31 - 1, -2**31, -1, 0], [1, -1, 1, 1]
ua, ub = a.view(np.uint32).astype(np.int64), b.view(np.uint32).astype(np.int64)
sa, sb = a.astype(np.int64), b.astype(np.int64)
bits = [f"{v:032b}" for v in ua]
left = [int((x + y)[s:s + 32], 2) for x, y, s in zip(bits, (f"{v:032b}" for v in ub), ub % 32)]
right = [int((x + y)[32 - s:64 - s], 2) for x, y, s in zip(bits, (f"{v:032b}" for v in ub), ub % 32)]
expected = [np.maximum(sa, sb), np.minimum(ua, ub), abs(sa), [s.count("1") for s in bits], [int(s[::-1], 2) for s in bits],
            a.byteswap(), left, right, np.clip(sa + sb, -2**31, 2**31 - 1), np.minimum(ua + ub, 2**32 - 1),
            np.clip(sa - sb, -2**31, 2**31 - 1), np.maximum(ua - ub, 0), ua + ub >= 2**32,
            [int(x) * int(y) >= 2**32 for x, y in zip(ua, ub)]]
expected = np.stack([np.array(e).astype(np.int64) % 2**32 for e in expected], axis=1).astype(np.uint32).view(i32)
same(code.run("intrinsics", a, b, np.zeros((64, 16), i32))[2][:, :14], expected)
