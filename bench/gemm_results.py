#!/usr/bin/env python3
"""Kernels of examples/gemm/plain.py whose results are more than stored once a workgroup, beside those that only do that, on the timed model.

    bench/gemm_results.py build/bin/inflight [--only split]

Cycles of the device. `split`: few tiles and a long K, in parts that are added by atomics; `tiles`: a workgroup a compute unit, each of which
computes several tiles; `activation`: gelu(alpha * A x B^T + bias).
"""
import argparse
import os
import sys
import tempfile

import lib

sys.path.insert(0, os.path.join(lib.ROOT, "examples/gemm"))
from plain import PlainGemm  # noqa: E402

LARGE = {"gfx942 f16": dict(tile=(256, 256), waves=(2, 4), step=64), "gfx950 f16": dict(tile=(256, 256), waves=(2, 2), step=128, wide=True),
         "gfx950 f8E4M3FN": dict(tile=(256, 256), waves=(2, 4), step=128, read=16)}
STORED = dict(result="f16", turned=True, dies=(4, 2))
FEW = dict(tile=(128, 128))
UNITS = {"gfx942": 304, "gfx950": 256}
EXTRA = dict(alpha=True, bias=True, activation="gelu")
CASES = [("split", f"{chip} f16", size, FEW, {"split": parts}) for chip in UNITS for size, parts in (((256, 256, 65536), 64), ((512, 512, 16384), 16))]
CASES += [("tiles", name, (8192, 8192, k), {**LARGE[name], **STORED}, {"workgroups": UNITS[name.split()[0]]}) for name in LARGE for k in (1024, 4096)]
CASES += [("activation", name, (4096, 4096, 4096), {**LARGE[name], **STORED}, EXTRA) for name in LARGE]


def cycles(inflight, name, size, options, folder):
    chip, element = name.split()
    gemm = PlainGemm(element, size=size, **options)
    code = lib.compile([inflight, "compile", f"-mcpu={chip}"], gemm.text(), folder)
    rows, columns = gemm.tiles()
    workgroups = options.get("workgroups")
    grid = str(workgroups) if workgroups else f"{columns},{rows},{options.get('split', 1)}"
    a_unit = 1 if workgroups else -(-rows * columns * options.get("split", 1) // UNITS[chip])
    m, n, k = size
    arguments = [f"zeros:{m}x{k}:{element}", f"zeros:{n}x{k}:{element}", f"zeros:{m}x{n}:{gemm.result}"]
    arguments += [f"zeros:{n}:{gemm.result}", "f32:1"] if options.get("bias") else []
    return lib.device_cycles(lib.run([inflight, "trace", code, "--grid", grid, "--sample", str(a_unit), "--report=json", *lib.arguments(arguments)]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("--only", default="")
    a = parser.parse_args()
    print("| | chip, type | size | without | with |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for what, name, size, options, more in CASES:
            if what.startswith(a.only):
                figures = (cycles(a.inflight, name, size, {**options, **extra}, folder) for extra in ({}, more))
                print(f"| {what} | {name} | {'x'.join(map(str, size))} | " + " | ".join(f"{figure:,}" for figure in figures) + " |", flush=True)


if __name__ == "__main__":
    main()
