#!/usr/bin/env python3
"""How busy matrix cores are in large GEMMs: this compiler beside upstream MLIR and LLVM on the same input, on the timed model.

    bench/matrix_busy.py build/bin/inflight build/bench/upstream-compile [--only TEXT] [--size N] [--check]

Kernels are those of examples/gemm/generate.py, C = A B^T of N x N x N, a workgroup of 256 x 256 a compute unit. *Run* is the share of the chip's full
rate for the type, all of the kernel; *loop* that of the main loop alone: products of the loop's matrix instructions over the time of its
iterations. *Cores* is the share of the loop's time in which the matrix cores work, whatever the rate of their instructions.
"""
import argparse
import json
import os
import re
import sys
import tempfile

import lib
import numpy

sys.path.insert(0, os.path.join(lib.ROOT, "examples/gemm"))
from microscaling import TABLES, random_matrix, shuffle, shuffle_factor  # noqa: E402

FORMS = (("gfx942", 4, {"wide": True}, "f8E4M3FNUZ"),
         ("gfx950", 16, {"wide": True, "step_bytes": 128, "dies": (4, 2)}, "f8E4M3FN"))
KERNELS = [  # chip, name, element, type in instructions' names, bytes, waves in columns of two, DMA bytes a lane, options
    (chip, f"{kind}, {2 * columns} waves", element, kind, size, columns, dma, options)
    for chip, dma, options, fp8 in FORMS
    for element, kind, size in (("f16", "f16", 2), ("bf16", "bf16", 2), (fp8, "fp8", 1))
    for columns in (2, 4)]


def flops(name):
    """Of a matrix instruction, for a wave."""
    m, n, k = map(int, re.search(r"_(\d+)x(\d+)x(\d+)", name).groups())
    return 2 * m * n * k


def instructions(chip):
    return [row for row in lib.data("latency/matrix.json")["instructions"] if row["arch"] == chip and "smfmac" not in row["name"]]


def full_rate(chip, kind):
    """Operations a cycle of a SIMD. Of f8f6f4, the slower row is that of 8 bits, the faster one that of fewer."""
    fitting = [row for row in instructions(chip) if re.search(rf"x\d+_?{kind}(_1k|_{kind})?$", row["name"])]
    if kind in ("fp8", "fp6", "fp4"):
        of_any = sorted((row for row in instructions(chip) if row["name"] == "v_mfma_f32_16x16x128_f8f6f4"), key=lambda row: row["cycles"])
        fitting += of_any[-1:] if kind == "fp8" else of_any[:1]
    return max(flops(row["name"]) / row["cycles"] for row in fitting)


def report(inflight, code, size, arguments, chip, kind, tile=(256, 256)):
    """Of the workgroups that a compute unit holds at a time; `tile`: rows and columns of C for each."""
    data = json.loads(lib.run([inflight, "trace", code, "--grid", f"{size // tile[1]},{size // tile[0]}", "--sample", "1", "--report=json",
                               *lib.arguments(arguments)]).stdout)
    rate = full_rate(chip, kind)
    matrix = [row for row in data["code"] if "mfma" in row["instruction"]]
    work = sum(row["hits"] * flops(row["instruction"]) for row in matrix)
    busy = data["pipes"]["MFMA"]["busy_cycles"] / sum(row["hits"] for row in matrix)  # cycles of an instruction
    loop = max(data["loops"], key=lambda loop: loop["cycles"])
    inside = [row for row in matrix if loop["first"] <= row["address"] <= loop["last"]]
    simds = data["pipes"]["MFMA"]["units"]
    # All waves run at the same time: all SIMDs are in the loop for as long as a wave is.
    spent = loop["cycles"] / loop["entries"] * simds
    return {"cycles": data["cycles"], "run": work / rate / simds / data["cycles"],
            "loop": sum(row["hits"] * flops(row["instruction"]) for row in inside) / rate / spent,
            "cores": sum(row["hits"] for row in inside) * busy / spent}


def factors(element, size, gemm):
    """A and B, as files and as numbers. Small ones: the sums are exact in any order. `gemm`: of plain.py, with scales."""
    random = numpy.random.default_rng(1)
    if element in TABLES:
        scaled = [random_matrix(random, element, size, size) for _ in range(2)]
        data, scales, values = (list(each) for each in zip(*scaled))
        if gemm.shuffled:
            scales = [shuffle(each, gemm.slices) for each in scales]
        if gemm.shuffled == "all":
            data = [shuffle_factor(each, element) for each in data]
        return data + scales, values
    matrices = [random.integers(-2, 3, (size, size)).astype(numpy.float32) for _ in range(2)]
    if element == "f16":
        return [values.astype(numpy.float16) for values in matrices], matrices
    if element == "bf16":
        return [bf16(values) for values in matrices], matrices
    bias = 0x08 if element == "f8E4M3FNUZ" else 0  # one more in the exponent
    eighth = numpy.vectorize({-2: 0x40, -1: 0x38, 0: 0, 1: 0x38, 2: 0x40}.get)
    return [numpy.where(values == 0, 0, eighth(values.astype(int)) + bias + (values < 0) * 0x80).astype(numpy.uint8)
            for values in matrices], matrices


def bf16(values):
    """Rounded to the nearest, to even ones."""
    bits = values.astype(numpy.float32).view(numpy.uint32)
    return (bits + 0x7fff + (bits >> 16 & 1) >> 16).astype(numpy.uint16)


def check(inflight, code, size, element, folder, result="f32", gemm=None):
    data, (a, b) = factors(element, size, gemm)
    arguments = []
    for i, values in enumerate(data):
        file = os.path.join(folder, f"{i}.npy")
        numpy.save(file, values)
        arguments.append(file if element in TABLES else f"{file}:{element}")
    out = os.path.join(folder, "out.npy")
    arguments.append(f"zeros:{size}x{size}:{result}")
    lib.run([inflight, "run", code, "--grid", f"{size // 256},{size // 256}", *lib.arguments(arguments), "--check=all", "--out", f"{len(data)}={out}"])
    wanted = a.astype(numpy.float64) @ b.T.astype(numpy.float64)
    got = numpy.load(out)
    if result == "bf16":
        return (got.view(numpy.uint16) == bf16(wanted)).all()
    return (got == wanted.astype(got.dtype)).all()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("upstream")
    parser.add_argument("--only", default="")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--check", action="store_true", help="compare results of the size with the host's instead")
    options = parser.parse_args()
    generate = lib.gemm_generator().generate
    if not options.check:
        print("| chip, kernel | cycles | run | loop | cores | LLVM: cycles | run | loop | cores |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for chip, name, element, kind, size, columns, dma, more in KERNELS:
            if options.only not in f"{chip} {name}":
                continue
            n = options.size
            text = generate("gemm", element, size, 256, 2, columns, n, n, n, "async", dma, **more)
            cells = [f"{chip} {name}"]
            for command in ([options.inflight, "compile", "-mcpu=" + chip], [options.upstream, chip]):
                code = lib.compile(command, text, folder)
                if options.check:
                    cells.append("correct" if check(options.inflight, code, n, element, folder) else "WRONG")
                    continue
                got = report(options.inflight, code, n, [f"zeros:{n}x{n}:{type}" for type in (element, element, "f32")], chip, kind)
                cells += [f"{got['cycles']:,}"] + [f"{100 * got[what]:.0f} %" for what in ("run", "loop", "cores")]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
