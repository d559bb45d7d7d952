import numpy as np

CHIPS = ["gfx942", "gfx950"]


def prune(a):
    groups = a.reshape(*a.shape[:-1], -1, 4).astype(np.float64)
    order = np.argsort(-np.abs(groups), axis=-1, kind="stable")
    kept = np.zeros_like(groups)
    for i in range(2):
        np.put_along_axis(kept, order[..., i:i + 1], np.take_along_axis(groups, order[..., i:i + 1], -1), -1)
    return kept.reshape(a.shape)


def run(gpu):
    result = lambda out: out.reshape(4, 16, 4).transpose(0, 2, 1).reshape(16, 16)  # lane / 16, column, row in four
    a, b = gpu.rng.standard_normal((2, 16, 32)).astype(np.float16)
    out = np.zeros((64, 4), np.float32)
    gpu.launch("sparseF16", [a, b, out])
    gpu.expect(result(out), prune(a) @ b.T.astype(np.float64), atol=1e-5)
    a, b = gpu.rng.integers(-127, 128, (2, 16, 64), dtype=np.int8)
    out = np.full((64, 4), 7, np.int32)
    gpu.launch("sparseI8", [a, b, out])
    gpu.expect(result(out), (prune(a) @ b.T.astype(np.float64)).astype(np.int32) + 7)
