import sys

import numpy as np

from kernels import Kernels, same

code = Kernels(sys.argv)
rng = np.random.default_rng(11)
f32, f16, i32 = np.float32, np.float16, np.int32
n = np.arange(64)


def floats(*shape, type=f32):
    return rng.integers(-40, 40, shape).astype(type) / type(4)


def ints(low, high, *shape):
    return rng.integers(low, high, shape or 64).astype(i32)


x = floats(64, 8)
expected = np.stack([x.sum(axis=1), x.sum(axis=1), (x > 0).all(axis=1), (x > 0).sum(axis=1)], axis=1).astype(f32)
same(code.run("for_types", x, np.zeros((64, 4), f32))[1], expected)
r = np.zeros(64, i32)
for i in range(9):
    r = (r + n).astype(i32) ^ i
same(code.run("for_i32", "i32:9", np.zeros(64, i32)), r)
for bounds in ((2**33 + 5, 2**33, 2), (5, -7, 3), (-7, 5, 1)):
    arguments = [f"i64:{b}" for b in bounds]
    same(code.run("for_i64", *arguments, np.zeros(64, np.int64)), np.full(64, sum(range(bounds[1], bounds[0], bounds[2]))))
same(code.run("for_neg", np.zeros(64, i32)), np.full(64, sum(range(-10, 7, 3)), i32))
same(code.run("for_unsigned", "i32:0", np.zeros(64, i32)), np.full(64, sum(range(-6, -1)), i32))
for low in (5, 2**31 - 1):
    total = sum(range(low, 2**32 - 2147483640, 1000000000)) % 2**32
    same(code.run("for_unsigned2", f"i32:{low}", np.zeros(64, i32)), np.full(64, total, np.uint32).view(i32))
x = ints(0, 12)
r = np.zeros(64, i32)
for lane, count in enumerate(x):
    for _ in range(count):
        r[lane] = r[lane] + 1 if r[lane] % 2 == 0 else r[lane] * 3
same(code.run("for_div", x, np.zeros(64, i32))[1], r)
for outer, inner in ((4, 6), (6, 3), (0, 5)):
    r = sum(i * j + n for i in range(outer) for j in range(i, inner)) + np.zeros(64, i32)
    same(code.run("nested", f"i64:{outer}", f"i64:{inner}", np.zeros(64, i32)), r)
x = ints(1, 100)
steps = []
for v in x:
    count = 0
    while v > 1:
        v, count = v // 2 if v % 2 == 0 else 3 * v + 1, count + 1
    steps.append(count)
same(code.run("while", x, np.zeros(64, i32))[1], np.array(steps, i32))
same(code.run("while_uniform", "i32:20", np.zeros(64, i32)), np.full(64, 210, i32))
x = ints(-3, 20)
same(code.run("while_do", x, np.zeros(64, np.int64))[1], np.where(x > 0, x * (x + 1) // 2, x).astype(np.int64))
x = ints(2, 90)
r = []
for v in x:
    go = True
    while True:
        p = v * 1.5
        if not go:
            break
        v = int(p)
        go = v < 100
    r.append(p)
same(code.run("while_types", x, np.zeros(64, f32))[1], np.array(r, f32))

x = ints(0, 8)
same(code.run("switch", x, np.zeros(64, i32))[1], np.select([x == 2, x == 5], [10, 20], x).astype(i32))
for i, r in ((2, 10), (-1, 20), (7, 30)):
    same(code.run("switch_uniform", f"i64:{i}", np.zeros(64, i32)), np.full(64, r, i32))
x, h = ints(0, 40), floats(64, type=f16)
_, _, o, p = code.run("if_nest", x, h, np.zeros(64, i32), np.zeros(64, f16))
same(o, np.where(x < 10, 10, np.where(x < 20, x + 20, 20)).astype(i32))
same(p, np.where(x < 10, h + h, h))
a, b, z = floats(64), floats(64), rng.integers(0, 2, 64).astype(np.uint8)
for kernel in ("if_memref", "cf_memref"):
    for which, r in (("i8:1", a), ("i8:0", b)):
        same(code.run(kernel, a, b, which, np.zeros(64, f32))[2], r)
same(code.run("select_memref", a, b, z, np.zeros(64, f32))[3], np.where(z, a, b))
same(code.run("select_lds", a, "i64:20", np.zeros(64, f32))[1], np.where(n < 20, a[::-1], (a + a)[::-1]))
x = floats(5, 70)
same(code.run("for_memref_dyn", x, np.zeros(64, f32))[1], x[:4, :64].sum(axis=0))
x = floats(8, 64)
same(code.run("for_memref_swap3", x, np.zeros((8, 64), f32))[1], x[:, ::-1])
for kernel in ("parallel", "forall"):
    same(code.run(kernel, np.zeros((64, 4), i32)), (n[:, None] + np.arange(4)).astype(i32))
same(code.run("parallel_sum", "i64:5", np.zeros(64, i32)), np.full(64, 10, i32) + 5 * n.astype(i32))

# Branches.
x = ints(-20, 20)
same(code.run("execute_region", x, np.zeros(64, i32))[1], np.maximum(x, 0))
same(code.run("cf_loop", x, np.zeros(64, i32))[1], np.where(x > 0, x * (x + 1) // 2, 0).astype(i32))
same(code.run("cf_early", x, "i64:30", np.zeros(64, i32))[1], np.where(n < 30, 2 * x, 0).astype(i32))
m = ints(-2, 20, 64, 8)
running = np.cumsum(np.where(np.cumsum(m < 0, axis=1) > 0, 0, m), axis=1)[:, -1].astype(i32)
same(code.run("cf_break", m, np.zeros(64, i32))[1], running)
x = ints(0, 6)
same(code.run("cf_switch", x, np.zeros(64, i32))[1], np.select([x == 1, x == 4], [100, 200], x).astype(i32))
same(code.run("cf_assert", a, np.zeros(64, f32))[1], a)


# Accumulators of matrix instructions: lane l holds rows 4 * (l / 16) + r of column l % 16, and of
# each operand four consecutive k of row or column l % 16.
def mfma(left, right, initial):
    k = 4 * (n // 16)[:, None] + np.arange(4)
    a, b = np.zeros((16, 16)), np.zeros((16, 16))
    a[(n % 16)[:, None], k] = left
    b[k, (n % 16)[:, None]] = right
    return (a @ b)[k, (n % 16)[:, None]].astype(f32) + initial


x, y = floats(16, 64, 4, type=f16), floats(16, 64, 4, type=f16)
for count in (0, 1, 5):
    expected = np.zeros((64, 4), f32)
    for k in range(count):
        expected = mfma(x[k], y[k], expected)
    same(code.run("for_mfma", x, y, f"i64:{count}", np.zeros((64, 4), f32))[2], expected)
same(code.run("if_mfma", x[0], "i8:1", np.zeros((64, 4), f32))[1], mfma(x[0], x[0], np.ones((64, 4), f32)))
same(code.run("if_mfma", x[0], "i8:0", np.zeros((64, 4), f32))[1], np.ones((64, 4), f32))
