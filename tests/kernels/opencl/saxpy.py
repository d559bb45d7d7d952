import numpy as np


def run(gpu):
    n = 1000
    x, y = gpu.rng.standard_normal((2, n), dtype=np.float32)
    want = (2.5 * x.astype(np.float64) + y).astype(np.float32)
    gpu.launch("saxpy", [np.float32(2.5), x, y], lanes=n, block=128)
    gpu.expect(y, want)

    size, block = np.array([70, 10, 5]), np.array([32, 4, 2])
    out = np.zeros((*size[::-1], 4), np.uint32)
    gpu.launch("sizes", [out], lanes=tuple(size), block=tuple(block))
    z, y, x = np.meshgrid(*(np.arange(n) for n in size[::-1]), indexing="ij")
    place = np.stack([x, y, z], -1)
    group, local = place // block, place % block
    extent = np.minimum(block, size - group * block)  # the last work-groups are smaller
    pack = lambda v: v[..., 0] | v[..., 1] << 8 | v[..., 2] << 16
    gpu.expect(out[..., 0], 70 + 1000 * extent[..., 0] + 100000 * 3 + 10000000 * 3)
    gpu.expect(out[..., 1], pack(group))
    gpu.expect(out[..., 2], pack(local))
    gpu.expect(out[..., 3], extent[..., 1] | 32 << 8 | 5 << 16)
