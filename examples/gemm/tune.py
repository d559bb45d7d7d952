"""A template for `inflight tune`: the plain GEMM of plain.py, by its tile, waves, steps and buffers, and by whether its waves ping-pong.

    inflight tune examples/gemm/tune.py -mcpu=gfx950 --set size=4096x4096x4096 --trials 40
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from plain import PlainGemm, TYPES  # noqa: E402

parameters = {
    "rows": [64, 128, 256],
    "columns": [64, 128, 256],
    "waves": ["2x2", "4x2", "2x4", "4x4"],
    "step": [64, 128],
    "stages": [1, 2, 3, 4],
    "ping_pong": [False, True],
}
settings = {"size": "4096x4096x4096", "type": "f16"}

LDS_BYTES = {"gfx90a": 65536, "gfx942": 65536, "gfx950": 163840}


def launch(gemm, m, n, k):
    element = gemm.element
    return {"grid": [n // gemm.tile[1], m // gemm.tile[0]],
            "args": [f"random:{m}x{k}:{element}:1", f"random:{n}x{k}:{element}:2", f"zeros:{m}x{n}:f32"]}


def candidate(chip, rows, columns, waves, step, stages, ping_pong, size, type):
    m, n, k = map(int, size.split("x"))
    down, across = map(int, waves.split("x"))
    if m % rows or n % columns or k * TYPES[type] % step:
        raise ValueError(f"{size} isn't a multiple of {rows}x{columns}x{step // TYPES[type]}")
    if (rows + columns) * step * stages > LDS_BYTES[chip]:
        raise ValueError(f"{stages} buffers of {(rows + columns) * step} bytes are more than a workgroup's LDS")
    if rows % (16 * down) or columns % (16 * across):
        raise ValueError(f"{waves} waves don't divide a tile of {rows}x{columns} into fragments of 16x16")
    if min(rows, columns) * step < 16 * 64 * down * across:
        raise ValueError(f"{64 * down * across} lanes of 16 bytes are more than a tile's {min(rows, columns) * step} bytes")
    if ping_pong and (down * across != 8 or stages == 1):
        raise ValueError(f"{down * across} waves with {stages} buffers don't ping-pong: 8 do, with two or more")
    options = [f"--stages={stages}", *(["--ping-pong"] if ping_pong else [])]
    shape = dict(element=type, tile=(rows, columns), waves=(down, across), step=step)
    gemm = PlainGemm(size=(m, n, k), **shape)
    small = PlainGemm(size=(rows, columns, 4 * step // TYPES[type]), **shape)
    return {"mlir": gemm.text(), "options": options, **launch(gemm, m, n, k),
            "check": {"mlir": small.text(), "options": options, **launch(small, *small.size)}}
