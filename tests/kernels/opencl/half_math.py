import numpy as np

FLAGS = ["-cl-std=CL1.2"]  # vstore_half of each address space


def to_half(x, mode):
    """Rounds float to half by choosing between the two neighbours."""
    near = x.astype(np.float16)
    down = np.where(near.astype(np.float64) > x, np.nextafter(near, np.float16(-np.inf)), near)
    up = np.where(near.astype(np.float64) < x, np.nextafter(near, np.float16(np.inf)), near)
    return {"e": near, "p": up, "n": down, "z": np.where(x < 0, up, down)}[mode]


def run(gpu):
    with np.errstate(all="ignore"):
        a, b = (gpu.rng.standard_normal((2, 64, 2)) * 10).astype(np.float16)
        a[:4] = [[65504, 1e-7], [6e-5, -6e-8], [0, -0.0], [300, 1]]
        out = np.zeros((64, 10, 2), np.float16)
        gpu.launch("arithmetic", [a, b, out])
        fma = (a.astype(np.float64) * b + a).astype(np.float16)
        want = np.stack([a + b, a - b, a * b, fma, np.minimum(a, b), np.maximum(a, -b), np.abs(a) + np.floor(b),
                         np.stack([a[:, 0] < b[:, 0], a[:, 1] >= b[:, 1]], -1), np.stack([a[:, 0] / b[:, 0], np.sqrt(np.abs(a[:, 1]))], -1),
                         np.stack([np.rint(a[:, 0]), np.trunc(b[:, 0]) + np.ceil(b[:, 1])], -1)], 1)
        for i in range(10):
            gpu.expect(out[:, i], want[:, i].astype(np.float16), rtol=1e-3 if i == 8 else 0, what=f"operation {i}")

        x = (gpu.rng.standard_normal(64) * 3).astype(np.float16)
        out = np.zeros((64, 8), np.float32)
        gpu.launch("functions", [x, out])
        d, p = x.astype(np.float64), np.abs(x.astype(np.float64))
        gpu.expect(out, np.stack([np.exp(d), np.log(p), np.expm1(d), np.log2(p), np.tanh(d), p ** 1.5, p ** -0.5, np.exp2(d)], -1), rtol=2e-3, atol=1e-3)

        x = (gpu.rng.standard_normal(64) * 10.0 ** gpu.rng.integers(-6, 4, 64)).astype(np.float32)
        halves, ints = np.zeros((64, 5), np.float16), np.zeros((64, 2), np.int32)
        gpu.launch("conversions", [x, halves, ints])
        gpu.expect(halves[:, :4], np.stack([to_half(x, m) for m in "ezpn"], -1))
        gpu.expect(halves[:, 4], np.clip(np.rint(x), -32768, 32767).astype(np.float16))
        gpu.expect(ints, np.stack([np.floor(x.astype(np.float16)), np.clip(np.ceil(x.astype(np.float16)), 0, 255)], -1).astype(np.int32))
