#!/usr/bin/env python3
"""How much of the memory's bandwidth kernels reach that do little else than move bytes (examples/memory_bound/plain.py).

    bench/memory_bound.py build/bin/inflight [build/bench/upstream-compile] [--chips gfx942,gfx950] [--only REGEX] [--check] [--json FILE]

Each kernel is compiled as it is, by LLVM's own pipeline beside, and runs on the timed model: all workgroups of one compute unit, the product's caches without
the launch's data. "moved" are the bytes of all arguments: each is read once, or written once. Bytes over the device's time, and what share that is of the
modelled bandwidth: what the model's memory gives a stream of whole lines of which as large a part is written (`modelled`). A kernel can go beyond that, as L2
keeps up to 32 MB that are written back at the end, when nothing is read.

--check compares results of a few rows with numpy's, all checks of the machine on.
"""
import argparse
import json
import os
import re
import sys
import tempfile

import lib
import numpy

sys.path.insert(0, os.path.join(lib.ROOT, "examples/memory_bound"))
from plain import BYTES, EPSILON, LARGEST, Copy, Layernorm, OnlineSoftmax, Quantise, Rope, Softmax, Transpose, Vadd  # noqa: E402

PRODUCTS = {"gfx942": "MI300X", "gfx950": "MI355X"}
FP8 = {"gfx942": "f8E4M3FNUZ", "gfx950": "f8E4M3FN"}
FEW_ROWS = 3


def modelled(product, written):
    """Bytes a second of a stream of which the part `written` is stores: data/devices.json as src/machine/timed/memory/MemoryPath.h uses it.

    Loads reach memory_percent of the peak, stores memory_write_percent, half and half memory_mixed_percent; in between, turning costs
    as much more as `4 written (1 - written)` says. The way to the memory-side cache has such numbers, too; the slower one counts."""
    device = {key: row["value"] for key, row in lib.data("devices.json")[product].items() if isinstance(row, dict) and "value" in row}

    def stream(loads, stores, turning):
        return 1e9 * loads / (1 - written + written * loads / stores) / (1 + 4 * turning * written * (1 - written))

    peak, (loads, stores, both) = device["memory_gbytes_per_second"], (device[f"memory_{kind}percent"] for kind in ("", "write_", "mixed_"))
    turning = max(0.0, 2 / (1 + loads / stores) * loads / both - 1)
    return min(stream(peak * loads / 100, peak * stores / 100, turning),
               stream(device["mall_gbytes_per_second"], device["fabric_write_gbytes_per_second"], 100 / device["fabric_mixed_percent"] - 1))


def kernels(chip):
    """Name, and the kernel for a number of rows, of which the bench takes the first and --check the second."""
    yield "copy f32", lambda rows: Copy((rows, 4096)), (8192, FEW_ROWS)
    yield "vadd f32", lambda rows: Vadd((rows, 4096)), (4096, FEW_ROWS)
    for kind in (Softmax, Layernorm):
        for columns in (4096, 8192, 16384, 5000):
            yield f"{kind.__name__.lower()} {columns}", lambda rows: kind((rows, columns)), (8192, FEW_ROWS)
        yield f"{kind.__name__.lower()} 16384, 1024 lanes", lambda rows: kind((rows, 16384), lanes=1024), (8192, FEW_ROWS)
        yield f"{kind.__name__.lower()} 4096, a wave a row", lambda rows: kind((rows, 4096), lanes=64), (8192, FEW_ROWS)
        for columns in (4096, 5000, 4999):
            yield f"{kind.__name__.lower()} {columns}, size of the launch", lambda rows: kind((rows, columns), dynamic=True), (8192, FEW_ROWS)
    yield "softmax 131072, read twice", lambda rows: OnlineSoftmax((rows, 131072), lanes=1024), (2048, 1)
    yield "softmax 128256, read twice", lambda rows: OnlineSoftmax((rows, 128256), lanes=1024), (2048, 1)
    for to in (FP8[chip], "i8"):
        for columns in (4096, 8192, 16384, 5000):
            yield f"quantise {to} {columns}", lambda rows: Quantise((rows, columns), to=to), (8192, FEW_ROWS)
        yield f"quantise {to} 5000, size of the launch", lambda rows: Quantise((rows, 5000), to=to, dynamic=True), (8192, FEW_ROWS)
    yield "rope 32 x 128", lambda rows: Rope((rows, 4096)), (8192, FEW_ROWS)
    for element, vector, pad in ("f16", 16, 0), ("f16", 4, 0), ("f16", 4, 2), ("f32", 16, 0), ("f32", 4, 0), ("f32", 4, 1):
        yield (f"transpose {element}, {vector} bytes a lane{', padded' if pad else ''}",
               lambda rows: Transpose((rows, 8192 if rows > 128 else 192), element=element, vector=vector, pad=pad), (8192, 128))


def shape_of(shape):
    return "x".join(map(str, shape))


def measure(inflight, code, kernel, chip):
    sizes = [int(numpy.prod(shape)) * BYTES[element] for _, shape, element in kernel.arguments]
    arguments = lib.arguments(f"zeros:{shape_of(shape)}:{element}" for _, shape, element in kernel.arguments)
    report = json.loads(lib.run([inflight, "run", "--timed", code, "--device", PRODUCTS[chip], "--grid", str(kernel.groups), *arguments,
                                 "--sample", str(kernel.groups), "--format=json"]).stdout)
    rate, most = sum(sizes) / report["microseconds"] * 1e6, modelled(PRODUCTS[chip], sum(sizes[-kernel.outputs:]) / sum(sizes))
    return {"bytes": sum(sizes), "microseconds": report["microseconds"], "gbytes_per_second": rate / 1e9, "share": rate / most,
            "waves_per_simd": report["waves_per_simd"]}


def numbers_of_f8(codes, element):
    """Numbers of E4M3, in OCP's form or with one more in the bias."""
    exponent, mantissa = codes >> 3 & 15, (codes & 7).astype("f8")
    bias = 8 if element.endswith("UZ") else 7
    magnitude = numpy.where(exponent == 0, mantissa / 8 * 2.0 ** (1 - bias), (1 + mantissa / 8) * 2.0 ** (exponent.astype(int) - bias))
    return numpy.where(codes & 128, -magnitude, magnitude)


def errors(kernel, inputs, outputs):
    """The largest error, as a part of what is allowed."""
    wide = [values.astype("f8") for values in inputs]
    if isinstance(kernel, Quantise):
        codes, scale = outputs[0], outputs[1].astype("f8")
        most = abs(wide[0]).max(1)
        values = codes.astype("f8") if kernel.to == "i8" else numbers_of_f8(codes.view("u1"), kernel.to)
        # Half a step: of a float it is a sixteenth of the number at most, or half of the smallest one.
        smallest = numbers_of_f8(numpy.array([1]), kernel.to)[0]
        step = 0.5 if kernel.to == "i8" else numpy.maximum(abs(values) / 16, smallest / 2)
        return max((abs(scale * LARGEST[kernel.to] / most - 1) / 1e-6).max(),
                   (abs(values * scale[:, None] - wide[0]) / (scale[:, None] * step * 1.001)).max())
    if isinstance(kernel, (Softmax, OnlineSoftmax)):
        powers = numpy.exp(wide[0] - wide[0].max(1, keepdims=True))
        expected = powers / powers.sum(1, keepdims=True)
    elif isinstance(kernel, Layernorm):
        centred = wide[0] - wide[0].mean(1, keepdims=True)
        expected = centred / numpy.sqrt((centred ** 2).mean(1, keepdims=True) + EPSILON) * wide[1] + wide[2]
    elif isinstance(kernel, Rope):
        (x, y), (cos, sin) = numpy.split(wide[0], 2, -1), (angle[:, None] for angle in wide[1:])
        expected = numpy.concatenate([x * cos - y * sin, y * cos + x * sin], -1)
    elif isinstance(kernel, Transpose):
        return 0.0 if (outputs[0] == inputs[0].T).all() else numpy.inf
    else:
        return 0.0 if (outputs[0] == (inputs[0] if type(kernel) is Copy else inputs[0] + inputs[1])).all() else numpy.inf
    half = numpy.maximum(abs(expected) * 2.0 ** -11, 2.0 ** -25)  # of a step of f16
    return (abs(outputs[0].astype("f8") - expected) / (2 * half + 1e-6 * abs(expected).max())).max()


def check(inflight, code, kernel, folder):
    random = numpy.random.default_rng(1)
    types, inputs, arguments, options = {"f32": "f4", "f16": "f2"}, [], [], []
    for i, (name, shape, element) in enumerate(kernel.arguments):
        file = os.path.join(folder, name + ".npy")
        if i < len(kernel.arguments) - kernel.outputs:
            inputs.append(random.standard_normal(shape).astype(types[element]))
            numpy.save(file, inputs[-1])
            arguments.append(f"{file}:{element}")
        else:
            arguments.append(f"zeros:{shape_of(shape)}:{element}")
            options += ["--out", f"{i}={file}"]
    lib.run([inflight, "run", code, "--grid", str(kernel.groups), *lib.arguments(arguments), "--check=all", *options])
    outputs = [numpy.load(os.path.join(folder, name + ".npy")) for name, _, _ in kernel.arguments[-kernel.outputs:]]
    error = errors(kernel, inputs, outputs)
    if not error <= 1:
        raise RuntimeError(f"WRONG: {error:.2g} of the largest error allowed")
    return {"error": float(error)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("upstream", nargs="?")
    parser.add_argument("--chips", default="gfx942,gfx950")
    parser.add_argument("--only", default="", help="kernels whose names match this expression")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    a = parser.parse_args()
    table, failed = [], False
    for chip in a.chips.split(","):
        ways = {"Inflight": [a.inflight, "compile", f"-mcpu={chip}"]}
        if a.upstream:
            ways["LLVM 22"] = [a.upstream, chip]
        for name, make, rows in kernels(chip):
            if not re.search(a.only, name):
                continue
            kernel = make(rows[a.check])
            cells = [chip, name]
            for way, command in ways.items():
                row = {"chip": chip, "kernel": name, "way": way}
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        code = lib.compile(command, kernel.text(), folder)
                        row |= check(a.inflight, code, kernel, folder) if a.check else measure(a.inflight, code, kernel, chip)
                        cells.append("correct" if a.check else f"{row['microseconds']:.1f} us, {row['gbytes_per_second']:,.0f} GB/s, {row['share']:.0%}")
                    except RuntimeError as error:
                        row["error"] = str(error)
                        cells.append(str(error))
                        failed |= way == "Inflight"
                table.append(row)
            print("| " + " | ".join(cells) + " |", flush=True)
    lib.write_json(a.json, table)
    sys.exit(failed)


if __name__ == "__main__":
    main()
