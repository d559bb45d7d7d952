import numpy as np


def step(grid):
    n = sum(np.roll(np.roll(grid, dy, 0), dx, 1) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
    return ((n == 3) | ((n == 2) & (grid == 1))).astype(np.uint8)


def run(gpu):
    want = gpu.rng.integers(0, 2, (24, 64), dtype=np.uint8)
    cells, bits = want.copy(), np.packbits(want, axis=1, bitorder="little").view(np.uint32)
    for _ in range(3):
        want = step(want)
        out, packed = np.zeros_like(cells), np.zeros_like(bits)
        gpu.launch("life_bytes", [cells, out], grid=(4, 6), block=(16, 4))
        gpu.launch("life_bits", [bits, packed], grid=(1, 3), block=(2, 8))
        cells, bits = out, packed
    gpu.expect(cells, want)
    gpu.expect(np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little"), want)
