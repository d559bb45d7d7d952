import subprocess
import sys

import numpy as np

inflight, code, t = sys.argv[1:4]


def run(kernel, args, outs):
    command = [inflight, "run", code, "--kernel", kernel]
    for arg in args:
        command += ["--arg", arg]
    for i in outs:
        command += ["--out", f"{i}={t}.{i}.npy"]
    subprocess.run(command, check=True)
    return [np.load(f"{t}.{i}.npy") for i in outs]


for kernel, shape in (("pingpong", "16x256"), ("dma", "16x64")):
    a, b = run(kernel, [f"random:{shape}:f32:1", f"zeros:{shape}:f32"], [0, 1])
    assert (a[:, ::-1] == b).all(), kernel

x, o, p, q, b = run("vecs", ["random:64x8:f16:1", "zeros:64x8:f16", "arange:64x4:i8", "zeros:64:f64", "zeros:64x2:bf16"],
                    range(5))
expected = x.copy()
expected[:, 3:7] = x[:, 2:6] * x[:, 2:6]
assert (expected == o).all()
total = x[:, 0]
for i in range(1, 8):
    total = (total + x[:, i]).astype(np.float16)
assert (total.astype(np.float64) / 3 == q).all()
sums = (np.arange(256) + np.tile([1, 2, 3, 4], 64)).astype(np.int8).reshape(64, 4)
assert (p == sums).all()
assert ((b.view(np.uint16).astype(np.uint32) << 16).view(np.float32) == sums[:, 1:3]).all()

np.save(f"{t}.in.npy", np.arange(1, 255, dtype=np.float32))
x, o, k = run("masks", [f"{t}.in.npy", "zeros:254:f32", "zeros:1:i32"], range(3))
assert (x * 2 == o).all() and k[0] == sum(range(64))

rng = np.random.default_rng(1)
a, d = rng.integers(-2**40, 2**40, 64), rng.integers(1, 60, 64)
np.save(f"{t}.a.npy", a)
np.save(f"{t}.d.npy", d)
(c,) = run("i64s", [f"{t}.a.npy", f"{t}.d.npy", "zeros:64x4:i64", "i64:12345"], [2])
for u, v, row in zip(a, d, c):
    product = (int(u) * 123456789123 + 2**63) % 2**64 - 2**63
    quotient = abs(product) // int(v) * (1 if product >= 0 else -1)
    remainder = product % 2**64 % 12345
    assert list(row) == [quotient, remainder, product >> int(v), max(quotient, remainder)]
