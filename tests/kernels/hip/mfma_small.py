import numpy as np


def run(gpu):
    a, b = gpu.rng.standard_normal((2, 64, 4)).astype(np.float16)
    c = gpu.rng.standard_normal((64, 4), dtype=np.float32)

    def blocks(a, b, c, choose=lambda block: block):
        """Lane 4 n + i of block n has row i of A and column i of B and C."""
        a, b = (x.reshape(16, 4, -1).astype(np.float64) for x in (a, b))
        product = np.einsum("nik,njk->nji", a[[choose(n) for n in range(16)]], b)
        return c + product.reshape(64, 4)

    for kernel, choose in [("batch4x4", lambda n: n), ("broadcastA", lambda n: n // 4 * 4 + 1)]:
        out = c.copy()
        gpu.launch(kernel, [a, b, out])
        gpu.expect(out, blocks(a, b, c, choose), atol=1e-5, what=kernel)
    out = c.copy()
    gpu.launch("batch4x4F32", [a[:, 0].astype(np.float32), b[:, 0].astype(np.float32), out])
    gpu.expect(out, blocks(a[:, :1], b[:, :1], c), atol=1e-5, what="F32")
    bytes = gpu.rng.integers(-128, 128, (2, 64, 4), dtype=np.int8)
    out = np.full((64, 4), 100, np.int32)
    gpu.launch("batch4x4I8", [bytes[0], bytes[1], out])
    gpu.expect(out, blocks(*bytes, 100), what="I8")
    bf16 = [(x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for x in (a, b)]
    out = c.copy()
    gpu.launch("batch4x4Bf16", [*bf16, out])
    gpu.expect(out, blocks(*((x.astype(np.uint32) << 16).view(np.float32) for x in bf16), c), atol=1e-5, what="Bf16")

    da, db, dc = gpu.rng.standard_normal((3, 64))
    out = dc.copy()
    gpu.launch("batch4x4F64", [da, db, out])
    lane = lambda x: x.reshape(4, 4, 4)  # k (or row of the result), block, row of A or column of B
    gpu.expect(out, dc + np.einsum("kni,knj->inj", lane(da), lane(db)).reshape(64), atol=1e-13, what="F64")

    a1, b1 = gpu.rng.standard_normal((2, 2, 32), dtype=np.float32)
    out = np.zeros((2, 32, 32), np.float32)
    gpu.launch("batch32", [a1, b1, out])
    gpu.expect(out, 1 + a1[:, :, None].astype(np.float64) * b1[:, None, :], atol=1e-6, what="32")
    out = np.zeros((4, 16, 16), np.float32)
    gpu.launch("batch16", [a, b, out])
    gpu.expect(out, np.einsum("nik,njk->nij", *(x.reshape(4, 16, 4).astype(np.float64) for x in (a, b))), atol=1e-5, what="16")
