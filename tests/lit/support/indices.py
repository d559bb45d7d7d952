import sys

import numpy as np

from kernels import Kernels, same

code = Kernels(sys.argv)
rng = np.random.default_rng(17)
f32, i32 = np.float32, np.int32
n = np.arange(64)


def trunc_div(a, b):
    return np.where((a < 0) != (b < 0), -(abs(a) // abs(b)), abs(a) // abs(b))


x = rng.integers(-1000, 1000, 64).astype(i32)
d = x.astype(np.int64)
s = 11
expected = [d * 3 + s - 5, d // 7, d % 7, -(-d // 7), (d + s) // 8, d % 16 * 4 + d // 16 * 2,
            np.minimum(np.minimum(d, s), 20), np.maximum(np.maximum(d, s - 30), -2)]
same(code.run("apply", x, f"i64:{s}", np.zeros((64, 8), np.int64))[1], np.stack(expected, axis=1))
expected = [d // s, d % s, -(-d // s), d * s]
same(code.run("apply_sym", x, f"i64:{s}", np.zeros((64, 4), np.int64))[1], np.stack(expected, axis=1))
m = rng.integers(-40, 40, (64, 8)).astype(f32)
expected = np.zeros((64, 4), f32)
expected[:, 0] = expected[:, 1] = m.sum(axis=1)
same(code.run("affor", m, "i64:3", np.zeros((64, 4), f32))[1], expected)
v = m[:, 0]
same(code.run("afif", v, "i64:40", np.zeros(64, f32))[1], np.where((n >= 3) & (n < 40) & (n % 2 == 0), v, -v))
same(code.run("afpar", np.zeros((64, 4), f32)), np.full((64, 4), 3, f32))
expected = np.zeros((64, 8), f32)
expected[:, :4] = m[:, 4:]
same(code.run("afvec", m, np.zeros((64, 8), f32))[1], expected)
expected = [n // 16, n // 4 % 4, n % 4, n // 5, n % 5, n // 7, n % 7, n % 4 * 16 + n // 4 % 4 * 4 + n // 16]
same(code.run("delin", "i64:7", np.zeros((64, 8), np.int64)), np.stack(expected, axis=1))
same(code.run("lin", "i64:9", np.zeros((64, 2), np.int64)), np.stack([n % 8 * 8 + n // 8, n % 8 * 9 + n // 8], axis=1))
same(code.run("prefetch", v, np.zeros(64, f32))[1], v)

for s in (11, -11):
    d = rng.integers(-1000, 1000, 64)
    d[:4] = -2**40, 2**40, 0, 13
    u, k = d.view(np.uint64), 13
    su = np.uint64(s % 2**64)
    quotient = trunc_div(d, s)
    expected = [d + k, d - k, d * s, quotient, np.full(64, k // int(su)), d - s * quotient, np.full(64, k % int(su)),
                -(-d // s), np.full(64, -(-k // int(su))), d // s, np.maximum(d, s), np.maximum(u, su).view(np.int64),
                np.minimum(d, s), np.minimum(u, su).view(np.int64), d << 3, d >> 3, (u >> np.uint64(3)).view(np.int64),
                d & k, d | k, d ^ k, np.where(d < k, k, d), np.where(u < k, k, d), d.astype(np.uint32).astype(np.int64),
                np.full(64, 64)]
    same(code.run("index_ops", d, f"i64:{s}", np.zeros((64, 24), np.int64))[1], np.stack(expected, axis=1))
