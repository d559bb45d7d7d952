#!/usr/bin/env python3
"""How busy the matrix cores are in GEMM kernels that were written without asynchronous copies (examples/gemm/plain.py).

    bench/async.py build/bin/inflight [build/bench/upstream-compile] [--chips gfx942,gfx950] [--types f16,bf16,fp8] [--size 4096]
                   [--tiles 128x128,256x256] [--steps 64,128] [--stages 2,3,4] [--json FILE]

Each kernel is compiled as it is written (--async-copies=off), with copies ahead, and by LLVM's own pipeline, and runs on the timed model with
as many workgroups as a compute unit holds at a time. "run" is the share of the run's cycles that the matrix cores need at the full rate for the
type, "loop" that of the main loop alone, "cores" the share of the loop's time in which they work (bench/matrix_busy.py).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples/gemm"))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import matrix_busy  # noqa: E402
from plain import PlainGemm  # noqa: E402

WAVES = {(128, 128): (2, 2), (256, 128): (4, 2), (128, 256): (2, 4), (256, 256): (2, 4)}
FP8 = {"gfx942": "f8E4M3FNUZ", "gfx950": "f8E4M3FN"}


def measure(a, compile, chip, tile, waves, step, element, kind, wide):
    with tempfile.TemporaryDirectory() as folder:
        source, code = os.path.join(folder, "k.mlir"), os.path.join(folder, "k.hsaco")
        with open(source, "w") as file:
            file.write(PlainGemm(element, tile, waves, (a.size,) * 3, step, 0, wide).text())
        made = subprocess.run([*compile, source, *(["-o"] if "compile" in compile else []), code], capture_output=True, text=True)
        if made.returncode:
            raise RuntimeError(made.stderr.strip().splitlines()[-1])
        return matrix_busy.report(a.inflight, code, a.size, element, chip, kind, tile)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("upstream", nargs="?")
    parser.add_argument("--chips", default="gfx942,gfx950")
    parser.add_argument("--types", default="f16")
    parser.add_argument("--size", default=4096, type=int)
    parser.add_argument("--tiles", default="128x128,256x256")
    parser.add_argument("--steps", default="64")
    parser.add_argument("--stages", default="", help="also with so many buffers each")
    parser.add_argument("--json")
    a = parser.parse_args()
    table = []
    print(f"{'chip':7} {'type':11} {'tile':8} {'step':>4} {'':14} {'cycles':>9} {'run':>6} {'loop':>6} {'cores':>6}")
    for chip in a.chips.split(","):
        ways = {"as written": [a.inflight, "compile", f"-mcpu={chip}", "--async-copies=off"],
                "copies ahead": [a.inflight, "compile", f"-mcpu={chip}"]}
        for stages in filter(None, a.stages.split(",")):
            ways[f"{stages} buffers"] = [a.inflight, "compile", f"-mcpu={chip}", f"--stages={stages}"]
        if a.upstream:
            ways["LLVM 22"] = [a.upstream, chip]
        for type in a.types.split(","):
            element = FP8.get(chip, type) if type == "fp8" else type
            if element == "fp8":
                continue
            for tile in (tuple(map(int, t.split("x"))) for t in a.tiles.split(",")):
                for step in map(int, a.steps.split(",")):
                    wide = chip == "gfx950" and type != "fp8"
                    for name, compile in ways.items():
                        row = {"chip": chip, "type": element, "tile": tile, "step": step, "way": name}
                        try:
                            row |= measure(a, compile, chip, tile, WAVES[tile], step, element, type, wide)
                            print(f"{chip:7} {element:11} {'%dx%d' % tile:8} {step:4} {name:14} {row['cycles']:9} "
                                  f"{row['run']:6.0%} {row['loop']:6.0%} {row['cores']:6.0%}", flush=True)
                        except RuntimeError as error:
                            row["error"] = str(error)
                            print(f"{chip:7} {element:11} {'%dx%d' % tile:8} {step:4} {name:14} {error}", flush=True)
                        table.append(row)
    if a.json:
        with open(a.json, "w") as file:
            json.dump(table, file, indent=1)


if __name__ == "__main__":
    main()
