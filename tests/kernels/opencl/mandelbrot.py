import numpy as np


def run(gpu):
    w, h, limit = 48, 32, 100
    for kind, kernel in [(np.float32, "mandelbrot32"), (np.float64, "mandelbrot64")]:
        left, top, step = kind(-2.2), kind(1.2), kind(0.0667)
        out = np.zeros((h, w), np.uint16)
        gpu.launch(kernel, [out, left, top, step, np.int32(limit)], grid=(3, 4), block=(16, 8))
        x, y = np.meshgrid(left + np.arange(w).astype(kind) * step, top - np.arange(h).astype(kind) * step)
        zr, zi, n = np.zeros_like(x), np.zeros_like(x), np.zeros((h, w), np.uint16)
        for _ in range(limit):
            on = zr * zr + zi * zi <= 4
            t = zr * zr - zi * zi + x
            zi = np.where(on, kind(2) * zr * zi + y, zi)
            zr = np.where(on, t, zr)
            n += on
        gpu.expect(out, n, what=kernel)
