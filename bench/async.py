#!/usr/bin/env python3
"""How busy the matrix cores are in GEMM kernels that were written without asynchronous copies (examples/gemm/plain.py).

    bench/async.py build/bin/inflight [build/bench/upstream-compile] [--chips gfx942,gfx950] [--types f16,bf16,fp8] [--size 4096]
                   [--tiles 128x128,256x256] [--steps 64,128] [--stages 2,3,4] [--json FILE]

Each kernel is compiled as it is written (--async-copies=off), with copies ahead, and by LLVM's own pipeline, and runs on the timed model with
a sample of the workgroups. "whole" is the share of the run's cycles that the matrix cores need at the full rate for the type, "steady" that of
the cycles that the second half of K adds.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples/gemm"))
from plain import PlainGemm  # noqa: E402

WAVES = {(128, 128): (2, 2), (256, 128): (4, 2), (128, 256): (2, 4), (256, 256): (2, 4)}
FP8 = {"gfx942": "f8E4M3FNUZ", "gfx950": "f8E4M3FN"}


def timed(inflight, code, size, k, tile, element):
    """Cycles and the matrix cores' share of them."""
    command = [inflight, "run", "--timed", "--sample=4", code, "--grid", f"{size // tile[1]},{size // tile[0]}",
               "--arg", f"random:{size}x{k}:{element}:1", "--arg", f"random:{size}x{k}:{element}:2", "--arg", f"zeros:{size}x{size}:f32"]
    result = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"device: (\d+) cycles.*?([\d.]+) TFLOP/s \((\d+)% of", result.stderr)
    if result.returncode or not found:
        raise RuntimeError(result.stderr.strip().splitlines()[-1] if result.stderr else "no output")
    time = re.search(r"device: \d+ cycles, ([\d.]+) us", result.stderr)
    return int(found[1]), int(found[3]) / 100, float(time[1])


def measure(a, compile, size, tile, waves, step, element, wide):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for k in (size // 2, size):
            source, code = os.path.join(folder, "k.mlir"), os.path.join(folder, "k.hsaco")
            with open(source, "w") as file:
                file.write(PlainGemm(element, tile, waves, (size, size, k), step, 0, wide).text())
            made = subprocess.run([*compile, source, *(["-o"] if "compile" in compile else []), code], capture_output=True, text=True)
            if made.returncode:
                raise RuntimeError(made.stderr.strip().splitlines()[-1])
            rows.append(timed(a.inflight, code, size, k, tile, element))
    (half, _, _), (whole, share, time) = rows
    return {"cycles": whole, "us": time, "whole": share, "steady": share * whole / 2 / (whole - half)}


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
    print(f"{'chip':7} {'type':11} {'tile':8} {'step':>4} {'':14} {'cycles':>9} {'us':>8} {'whole':>6} {'steady':>6}")
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
                            row |= measure(a, compile, a.size, tile, WAVES[tile], step, element, wide)
                            print(f"{chip:7} {element:11} {'%dx%d' % tile:8} {step:4} {name:14} {row['cycles']:9} {row['us']:8.1f} "
                                  f"{row['whole']:6.0%} {row['steady']:6.0%}", flush=True)
                        except RuntimeError as error:
                            row["error"] = str(error)
                            print(f"{chip:7} {element:11} {'%dx%d' % tile:8} {step:4} {name:14} {error}", flush=True)
                        table.append(row)
    if a.json:
        with open(a.json, "w") as file:
            json.dump(table, file, indent=1)


if __name__ == "__main__":
    main()
