import numpy as np


def run(gpu):
    h, w = 30, 44
    sizes = [np.int32(w), np.int32(h)]
    image = gpu.rng.random((h, w), dtype=np.float32)
    out, g = np.zeros_like(image), np.array([1, 4, 6, 4, 1]) / 16
    gpu.launch("blur5", [image, out, *sizes], grid=(3, 4), block=(16, 8))
    padded = np.pad(image.astype(np.float64), 2, mode="edge")
    gpu.expect(out, sum(g[i] * g[j] * padded[i:i + h, j:j + w] for i in range(5) for j in range(5)), atol=1e-6)

    picture = gpu.rng.integers(0, 256, (h, w), dtype=np.uint8)
    edges = np.zeros_like(picture)
    gpu.launch("sobel", [picture, edges, *sizes], grid=(3, 4), block=(16, 8))
    p = np.pad(picture.astype(int), 1, mode="edge")
    at = lambda i, j: p[i:i + h, j:j + w]
    gx = at(0, 2) - at(0, 0) + 2 * (at(1, 2) - at(1, 0)) + at(2, 2) - at(2, 0)
    gy = at(2, 0) - at(0, 0) + 2 * (at(2, 1) - at(0, 1)) + at(2, 2) - at(0, 2)
    gpu.expect(edges, np.minimum((abs(gx) + abs(gy)) // 2, 255))

    signed = picture.view(np.int8)
    pooled, where = np.zeros((h // 2, w // 2), np.int8), np.zeros((h // 2, w // 2), np.uint8)
    gpu.launch("max_pool", [signed, pooled, where, sizes[0]], lanes=(22, 15), block=(8, 8))
    blocks = signed.reshape(h // 2, 2, w // 2, 2).transpose(0, 2, 1, 3).reshape(h // 2, w // 2, 4)
    gpu.expect(pooled, blocks.max(-1))
    gpu.expect(where, np.where(blocks.max(-1) == -128, 0, blocks.argmax(-1)))

    colours, oh, ow = gpu.rng.integers(0, 256, (h, w, 4), dtype=np.uint8), 41, 29
    small = np.zeros((oh, ow, 4), np.uint8)
    gpu.launch("resize", [colours, *sizes, small, np.int32(ow), np.int32(oh)], grid=(2, 6), block=(16, 8))
    fx, fy = (np.maximum((np.arange(n) + 0.5) * m / n - 0.5, 0) for n, m in ((ow, w), (oh, h)))
    x0, y0 = fx.astype(int), fy.astype(int)
    x1, y1 = np.minimum(x0 + 1, w - 1), np.minimum(y0 + 1, h - 1)
    ax, ay = (fx - x0)[None, :, None], (fy - y0)[:, None, None]
    c = colours.astype(np.float64)
    want = (c[y0][:, x0] * (1 - ax) + c[y0][:, x1] * ax) * (1 - ay) + (c[y1][:, x0] * (1 - ax) + c[y1][:, x1] * ax) * ay
    gpu.expect(small.astype(float), want, atol=0.501)
