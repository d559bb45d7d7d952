import numpy as np


def run(gpu):
    n = 5000
    data = gpu.rng.integers(0, 1000, n, dtype=np.uint32)
    out, groups = np.zeros(n, np.uint32), -(-n // 512)
    sums = np.zeros(groups, np.uint32)
    gpu.launch("scan_groups", [data, out, sums, np.uint32(n)], grid=groups, block=256)
    offsets, total = np.zeros(groups, np.uint32), np.zeros(1, np.uint32)
    gpu.launch("scan_groups", [sums, offsets, total, np.uint32(groups)], grid=1, block=256)
    gpu.launch("add_sums", [out, offsets, np.uint32(n)], lanes=n, block=256)
    gpu.expect(out, np.cumsum(data, dtype=np.uint32) - data)
    gpu.expect(total, [data.sum()])

    values = gpu.rng.integers(-50, 50, 512, dtype=np.int32)
    result = np.zeros_like(values)
    gpu.launch("scan_builtin", [values, result], grid=2, block=256)
    gpu.expect(result, np.cumsum(values.reshape(2, 256), axis=1, dtype=np.int32).ravel())
