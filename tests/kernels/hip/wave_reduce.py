import numpy as np


def run(gpu):
    n = 3001
    for name, kind, tolerance in [("float", np.float32, 1e-2), ("double", np.float64, 1e-9), ("unsigned long long", np.uint64, 0)]:
        data = (gpu.rng.random(n) * 1000).astype(kind)
        out = np.zeros(1, kind)
        gpu.launch(f"blockSum<{name}>", [data, out, np.int32(n)], grid=3, block=256)
        gpu.expect(out, [data.astype(np.float64 if kind != np.uint64 else kind).sum()], atol=tolerance, rtol=1e-6 if tolerance else 0, what=name)

    v = gpu.rng.integers(0, 1000, 64, dtype=np.int32)
    out, lane = np.zeros((6, 64), np.int32), np.arange(64)
    gpu.launch("shuffles", [v, out])
    down = np.where(lane % 16 + 7 < 16, lane + 7, lane)
    gpu.expect(out, [np.full(64, v[3]), v[np.where(lane < 5, lane, lane - 5)], v[np.minimum(down, 63)], v[lane ^ 21],
                     v[(lane * 7 + 1) % 8 + lane // 8 * 8], v[lane ^ 1] * 4 + 1])

    data = gpu.rng.standard_normal(64).astype(np.float32)
    data[[20, 50]] = 9
    value, where = np.zeros(1, np.float32), np.zeros(1, np.int32)
    gpu.launch("maxWithLane", [data, value, where])
    gpu.expect(value, [9])
    gpu.expect(where, [20])
