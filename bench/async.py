#!/usr/bin/env python3
"""How busy the matrix cores are in GEMM kernels that were written without asynchronous copies (examples/gemm/plain.py).

    bench/async.py build/bin/inflight [build/bench/upstream-compile] [--only gfx950] [--sizes 4096,8192] [--json FILE] [--check] [--ping-pong]

Each kernel is compiled as it is written (--async-copies=off), with copies ahead, and by LLVM's own pipeline, and runs on the timed model with
as many workgroups as a compute unit holds at a time. "run" is the share of the run's cycles that the matrix cores need at the full rate for the
type, all of it and in the main loop alone (bench/matrix_busy.py).
"""
import argparse
import os
import sys
import tempfile

import lib
import matrix_busy

sys.path.insert(0, os.path.join(lib.ROOT, "examples/gemm"))
from plain import BLOCK, PlainGemm  # noqa: E402

ELEMENTS = {"gfx942 fp8": "f8E4M3FNUZ", "gfx950 fp8": "f8E4M3FN", "gfx950 fp4": "f4E2M1FN", "gfx950 fp6": "f6E2M3FN"}
TILE = (256, 256)


class Kernel:
    """`waves`: rows and columns of a workgroup of 256 x 256; `step`: bytes of K an iteration; `dies`: rows and columns of XCDs;
    `more`: how elements are read, and of those with scales how these are kept and read."""

    def __init__(self, chip, kind, waves, step, dies=None, **more):
        self.chip, self.kind, self.waves, self.step, self.dies, self.more = chip, kind, waves, step, dies, more
        self.element = ELEMENTS.get(f"{chip} {kind}", kind)
        self.result = "bf16" if kind == "bf16" else "f16"
        self.name = " ".join([chip, kind, *(["shuffled"] if more.get("shuffled") else [])])

    def gemm(self, size, waves=None):
        wide = self.chip == "gfx950" and self.kind != "fp8"
        return PlainGemm(self.element, TILE, waves or self.waves, (size,) * 3, self.step, 0, wide, result=self.result, turned=True,
                         dies=self.dies, **self.more)

    def shapes(self, size):
        """Of the arguments, as inflight takes them."""
        gemm, result = self.gemm(size), f"{size}x{size}:{self.result}"
        if not gemm.scaled:
            return [f"{size}x{size}:{self.element}"] * 2 + [result]
        factor = f"{size // gemm.rows}x{gemm.k * gemm.rows}:i8"
        scales = f"{size // gemm.group}x{size // BLOCK * gemm.group}:i8"
        return [factor, factor, scales, scales, result]


KERNELS = [Kernel("gfx90a", "f16", (2, 4), 64), Kernel("gfx90a", "bf16", (2, 4), 64),
           *(Kernel("gfx942", kind, (2, 4), 64, (4, 2)) for kind in ("f16", "bf16")), Kernel("gfx942", "fp8", (2, 4), 64, (4, 2), read=16),
           *(Kernel("gfx950", kind, (2, 2), 128, (4, 2)) for kind in ("f16", "bf16")), Kernel("gfx950", "fp8", (2, 4), 128, (4, 2), read=16),
           Kernel("gfx950", "fp4", (2, 4), 128, (4, 2), fragment=32), Kernel("gfx950", "fp4", (2, 4), 128, (4, 2), shuffled="scales"),
           Kernel("gfx950", "fp6", (2, 4), 96, (4, 2), scales="direct"), Kernel("gfx950", "fp6", (2, 4), 96, (4, 2), scales="direct", shuffled="all")]


def measure(inflight, compile, kernel, size, is_checked, waves):
    with tempfile.TemporaryDirectory() as folder:
        code = lib.compile(compile, kernel.gemm(size, waves).text(), folder)
        if is_checked:
            right = matrix_busy.check(inflight, code, size, kernel.element, folder, kernel.result, kernel.gemm(size))
            return {"result": "correct" if right else "WRONG"}
        return matrix_busy.report(inflight, code, size, ["zeros:" + shape for shape in kernel.shapes(size)], kernel.chip, kernel.kind, TILE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("upstream", nargs="?")
    parser.add_argument("--only", default="", help="rows that begin so: a chip, a chip and a type")
    parser.add_argument("--sizes", default="4096,8192")
    parser.add_argument("--check", action="store_true", help="compare results with the host's instead, all checks on")
    parser.add_argument("--ping-pong", action="store_true", help="with eight waves whose halves alternate, too")
    parser.add_argument("--json")
    a = parser.parse_args()
    ways = {"as written": lambda chip: [a.inflight, "compile", f"-mcpu={chip}", "--async-copies=off"],
            "copies ahead": lambda chip: [a.inflight, "compile", f"-mcpu={chip}"]}
    if a.ping_pong:
        ways["ping-pong"] = lambda chip: [a.inflight, "compile", f"-mcpu={chip}", "--ping-pong"]
    if a.upstream:
        ways["LLVM 22"] = lambda chip: [a.upstream, chip]
    sizes = list(map(int, a.sizes.split(",")))
    kernels = [kernel for kernel in KERNELS if kernel.name.startswith(a.only)]
    for kernel in kernels:
        for size in sizes:
            try:
                kernel.gemm(size)
            except ValueError as error:
                parser.error(f"{kernel.name} of {size}: {error}")
    table = []
    print("| chip, type | size | " + " | ".join(ways) + " |\n|---|---|" + "---|" * len(ways))
    for kernel in kernels:
        for size in sizes:
            cells = [kernel.name, str(size)]
            for way, compile in ways.items():
                row = {"chip": kernel.chip, "type": kernel.name[len(kernel.chip) + 1:], "size": size, "way": way}
                try:
                    row |= measure(a.inflight, compile(kernel.chip), kernel, size, a.check, (2, 4) if way == "ping-pong" else None)
                    cells.append(row["result"] if a.check else f"{row['cycles']:,}: {row['run']:.0%}, {row['loop']:.0%}")
                except RuntimeError as error:
                    row["error"] = str(error)
                    cells.append(str(error))
                table.append(row)
            print("| " + " | ".join(cells) + " |", flush=True)
    lib.write_json(a.json, table)


if __name__ == "__main__":
    main()
