import numpy as np


def run(gpu):
    n = 1000
    data = np.zeros(n, [("key", np.float32), ("id", np.int32)])
    data["key"], data["id"] = gpu.rng.integers(0, 200, n), gpu.rng.permutation(n)
    want = np.sort(data, order=["key", "id"])
    gpu.launch("sortSmall<Record, 8>", [data, np.int32(n)], grid=2)
    width = 8
    while width < n:
        out = np.zeros_like(data)
        gpu.launch("mergeRuns<Record>", [data, out, np.int32(n), np.int32(width), np.int32(8)], grid=2)
        data, width = out, 2 * width
    gpu.expect(data["key"], want["key"])
    gpu.expect(data["id"], want["id"])
