import numpy as np


def run(gpu):
    n, dt, soft = 128, 0.01, 0.01
    bodies = gpu.rng.standard_normal((n, 4), dtype=np.float32)
    bodies[:, 3] = np.abs(bodies[:, 3])
    velocities = gpu.rng.standard_normal((n, 4), dtype=np.float32)
    p, v = bodies.astype(np.float64), velocities.astype(np.float64)
    d = p[None, :, :3] - p[:, None, :3]
    a = (d * (p[None, :, 3] / ((d ** 2).sum(-1) + np.float32(soft)) ** 1.5)[..., None]).sum(1)
    v[:, :3] += a * dt
    moved = np.zeros_like(bodies)
    gpu.launch("nbody", [bodies, velocities, moved, np.uint32(n), np.float32(dt), np.float32(soft)], grid=2)
    gpu.expect(velocities, v, rtol=1e-4, atol=1e-4)
    p[:, :3] += v[:, :3] * dt
    gpu.expect(moved, p, rtol=1e-4, atol=1e-5)
