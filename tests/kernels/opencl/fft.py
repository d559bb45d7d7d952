import numpy as np


def run(gpu):
    x = (gpu.rng.standard_normal((3, 256)) + 1j * gpu.rng.standard_normal((3, 256))).astype(np.complex64)
    out, back = np.zeros_like(x), np.zeros_like(x)
    gpu.launch("fft256", [x, out, np.float32(-1)], grid=3, block=64)
    want = np.fft.fft(x)
    gpu.expect(out.view(np.float32), want.astype(np.complex64).view(np.float32), atol=1e-4, rtol=1e-5)
    gpu.launch("fft256", [out, back, np.float32(1)], grid=3, block=64)
    gpu.expect((back / 256).view(np.float32), x.view(np.float32), atol=1e-5)
