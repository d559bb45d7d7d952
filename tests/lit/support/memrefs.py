import sys

import numpy as np

from kernels import Kernels, bf16_to_f32, f32_to_bf16, same

code = Kernels(sys.argv)
rng = np.random.default_rng(3)
f32, f16, i32 = np.float32, np.float16, np.int32
n = np.arange(64)


def floats(*shape, type=f32):
    return rng.integers(-40, 40, shape).astype(type) / type(4)


# Views.
x = floats(64)
for kernel in ("view", "alloca_lds"):
    same(code.run(kernel, x, np.zeros(64, f32))[1], x[::-1])
same(code.run("view_dyn", x, "i64:64", np.zeros(64, f32))[1], x[::-1])
for kernel in ("private_alloc", "alloca_default", "spacecast"):
    same(code.run(kernel, x, np.zeros(64, f32))[1], x)
same(code.run("zero_d_lds", x, np.zeros(64, f32))[1], np.full(64, x[0]))
m = floats(9, 70)
same(code.run("subview_dyn", m, "i64:3", "i64:4", np.zeros(64, f32))[1], m[5, 2:66])
m = floats(8, 64)
same(code.run("subview_rank", m, "i64:6", np.zeros(64, f32))[1], m[6])
m = floats(8, 128)
expected = np.zeros((4, 64), f32)
expected[0] = m[7, ::2]
same(code.run("subview_stride", m, np.zeros((4, 64), f32))[1], expected)
m = floats(200)
same(code.run("reinterpret", m, "i64:5", np.zeros(64, f32))[1], m[5:133:2])
m = floats(64, 4)
expected = np.zeros((64, 4), f32)
expected[:, 0], expected[:, 1] = 64, m[:, 1]
same(code.run("casts", m, np.zeros((64, 4), f32))[1], expected)
m = floats(8, 8, 4)
expected = np.zeros((64, 4), f32)
expected[:, 0] = m.reshape(64, 4)[:, 2]
same(code.run("shapes", m, np.zeros((64, 4), f32))[1], expected)
expected[:, 0] = m.reshape(64, 4)[:, 1]
same(code.run("shapes_dyn", m, "i64:16", np.zeros((64, 4), f32))[1], expected)
m = floats(8, 80)
same(code.run("strided", np.concatenate([np.zeros(16, f32), m.ravel()]), np.zeros((8, 64), f32))[1][5], m[5, :64])
m = floats(64, 3)
expected = np.zeros((64, 2), f32)
expected[:, 0] = m[:, 0]
same(code.run("strided_dyn", m, np.zeros((64, 2), f32))[1], expected)
m = floats(8, 8)
for kernel in ("affine_layout", "permuted"):
    same(code.run(kernel, m, np.zeros(64, f32))[1], m.T.ravel())
same(code.run("metadata", floats(7, 9), np.zeros(8, np.int64))[1], np.array([0, 7, 9, 9, 1, 0, 0, 0]))
same(code.run("aligned", x, np.zeros(64, f32))[1], x)
m = floats(64, 4)
same(code.run("assume", m, np.zeros((64, 4), f32))[1], m)
m = rng.integers(0, 100, (4, 4, 4, 4)).astype(np.int16)
same(code.run("nest", m, np.zeros(256, np.int16))[1][:64], m[:, :, :, 0].ravel())
same(code.run("lds_big", np.zeros(64, f32)), np.full(64, 2, f32))

# Private memory, indexed at run time.
m, p = floats(64, 8), rng.integers(0, 8, 64).astype(i32)
same(code.run("private", m, p, np.zeros((64, 2), f32))[2], np.stack([m[n, p], m[:, :4].sum(axis=1)], axis=1))
m, p = floats(64, 8, type=f16), rng.integers(0, 4, 64).astype(i32)
same(code.run("private5", m, p, np.zeros(64, f16))[2], m[n, p])

# Copies.
m = floats(64, 4)
same(code.run("copy", m, np.zeros((64, 4), f32))[1], m)
m = floats(16, 4)
same(code.run("copy_lds", m, np.zeros((16, 4), f32))[1], m)
m = floats(5, 7)
same(code.run("copy_dyn", m, np.zeros((5, 7), f32))[1], m)
same(code.run("zero_d", np.array(2.5, f32), np.array(0, f32))[1], np.array(5, f32))

# Element types.
a, b = rng.integers(0, 2, 64).astype(np.uint8), rng.integers(0, 2, 64).astype(np.uint8)
same(code.run("bools", a, b, np.zeros(64, np.uint8))[2], (a & b)[::-1])
p = rng.permutation(64).astype(np.int64)
same(code.run("indices", p, np.zeros(64, np.int64))[1], p[p])
b = rng.integers(0, 256, 64).astype(np.uint8)
same(code.run("fp8", b, np.zeros(64, np.uint8))[1], b)

# Atomic operations.
v = rng.integers(-1000, 1000, 64).astype(i32)
k = rng.integers(-1000, 1000, 16).astype(i32)
expected = k.copy()
u = v.view(np.uint32)
expected[0] += v.sum()
expected[1] = max(k[1], v.max())
expected[2] = min(k[2], v.min())
expected[3] = np.maximum(k.view(np.uint32)[3], u.max()).astype(np.uint32).view(i32)
expected[4] = np.minimum(k.view(np.uint32)[4], u.min()).astype(np.uint32).view(i32)
expected[5] &= np.bitwise_and.reduce(v)
expected[6] |= np.bitwise_or.reduce(v)
expected[7] ^= np.bitwise_xor.reduce(v)
got = code.run("atomics", v, k)[1]
assert got[8] in v
expected[8] = got[8]
same(got, expected)
v = rng.integers(-2**60, 2**60, 64)
k = np.array([5, -2**62, -1, 77] + 12 * [0], np.int64)
_, got, old = code.run("atomics64", v, k, np.zeros(64, np.int64))
expected = k.copy()
expected[0] = 5 + sum(int(e) for e in v) - (5 + sum(int(e) for e in v) + 2**63) // 2**64 * 2**64
expected[1] = v.max()
expected[2] = v.view(np.uint64).min().view(np.int64)
expected[3] ^= np.bitwise_xor.reduce(v)
same(got, expected)
assert len(set(old)) == 64 and 5 in old
x = floats(64)
same(code.run("atomic_fadd", x, np.ones(4, f32))[1], np.array([1 + x.sum(), 1, 1, 1], f32))
for kernel in ("atomic_fmaxmin", "atomic_fmaxnum"):
    same(code.run(kernel, x, np.zeros(4, f32))[1], np.array([max(0, x.max()), min(0, x.min()), 0, 0], f32))
signs = rng.choice([1, -1, 2, 0.5], 64).astype(f32)
odd = rng.choice([1, 3, -1], 64).astype(i32)
_, a, _, b = code.run("atomic_mul", signs, np.ones(4, f32), odd, np.ones(4, i32))
assert a[0] == np.prod(signs) and b[0] == np.multiply.reduce(odd, dtype=i32)
same(code.run("atomic_f64", x.astype(np.float64), np.ones(4))[1], np.array([1 + x.sum(), 1, 1, 1.0]))
h = np.ones(64, f16)
same(code.run("atomic_f16", h, np.full(4, 2, f16))[1], np.array([2, 66, 2, 2], f16))
bits = code.run("atomic_bf16", f32_to_bf16(np.ones(64, f32)), f32_to_bf16(np.full(4, 2, f32)))[1]
same(bf16_to_f32(bits), np.array([2, 2, 2, 66], f32))
v = rng.integers(-100, 100, 64).astype(np.int8)
k = np.array([1, 2, 3, 4], np.int8)
same(code.run("atomic_i8", v, k)[1], k + np.array([0, 0, v.sum(dtype=np.int8), 0], np.int8))
v = rng.integers(-1000, 1000, 64).astype(np.int16)
same(code.run("atomic_i16", v, np.array([1, -20000, 3, 4], np.int16))[1], np.array([1, v.max(), 3, 4], np.int16))
v = rng.integers(-1000, 1000, 64).astype(i32)
_, _, o, p = code.run("atomic_lds", v, x, np.zeros(4, i32), np.zeros(4, f32))
same(o, np.array([v.sum(), max(0, v.max()), 0, 0], i32))
same(p, np.array([x.sum(), max(0, x.max()), 0, 0], f32))
same(code.run("generic_atomic", x, np.ones(4, f32))[1], np.array([1 + x.sum(), 1, 1, 1], f32))
