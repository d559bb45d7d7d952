import numpy as np
from gpu import Local


def run(gpu):
    n, k, dims = 500, 5, 3
    points = np.round(gpu.rng.standard_normal((dims, n)) * 64).astype(np.float32) / 64
    centres = points[:, :k].T.copy()
    for _ in range(3):
        labels, sums, counts = np.zeros(n, np.int32), np.zeros((k, dims), np.int32), np.zeros(k, np.int32)
        sizes = [np.uint32(n), np.uint32(k), np.uint32(dims)]
        gpu.launch("assign", [points, centres, labels, *sizes], lanes=n, block=64)
        distance = ((points.T[:, None].astype(np.float64) - centres[None]) ** 2).sum(-1)
        gpu.expect(distance[np.arange(n), labels], distance.min(1), rtol=1e-6)
        gpu.launch("accumulate", [points, labels, sums, counts, *sizes, Local(4 * k * (dims + 1))], grid=4, block=128)
        gpu.expect(counts, np.bincount(labels, minlength=k))
        gpu.expect(sums, [[int((points[j, labels == c] * 1024).sum()) for j in range(dims)] for c in range(k)])
        centres = (sums / 1024 / counts[:, None]).astype(np.float32)
