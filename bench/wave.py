#!/usr/bin/env python3
"""Wave's kernels compiled by Inflight and by LLVM from the same MLIR, run on the machine, compared.

    bench/wave.py build/bin/inflight build/bench/upstream-compile MODULES/gfx942 [--timed] [--only TEXT] [--every N] [--json FILE]

MODULES/CHIP is what bench/wave_modules.py writes. Each module is compiled untouched by Inflight. LLVM gets what Inflight's front door makes of it:
the same operations with pointers for Wave's bindings. Both run the same workgroups on the same random buffers. For each kernel: executed
instructions (ours, LLVM's, ratio), spilled registers, with --timed cycles, and whether the results agree; at the end the medians.
"""
import argparse
import concurrent.futures
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

import numpy as np

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16, "i1": np.int8, "i8": np.int8, "i16": np.int16,
          "i32": np.int32, "i64": np.int64, "f8E4M3FN": np.uint8, "f8E4M3FNUZ": np.uint8, "f8E5M2": np.uint8, "f8E5M2FNUZ": np.uint8}
DIMENSION = 128  # what dynamic dimensions are
NUMBER = 1  # what other numbers are: iterations to begin with, scales
WORKGROUPS = 2  # in each direction, at most
SECONDS = 30
TRIVIAL = 4  # executed instructions of a workgroup that does nothing


class Skip(Exception):
    """The module can't be compared; why."""


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)


def first_error(done):
    lines = done.stderr.strip().splitlines() or ["failed"]
    return re.sub(r"\S*/", "", next((line for line in lines if "error:" in line), lines[0]))[:160]


def closing(text, start):
    """Where the bracket that opens at `start` closes."""
    depth = 0
    for i in range(start, len(text)):
        depth += text[i] in "([{<"
        depth -= text[i] in ")]}" or (text[i] == ">" and text[i - 1] != "-")
        if depth == 0:
            return i
    raise Skip("unbalanced brackets")


def plain_module(dump):
    """Of the first dump, after the front door: the kernel as upstream's dialects have it."""
    parts = dump.split("// -----// IR Dump After ")
    if len(parts) < 2:
        raise Skip("no dump")
    text = parts[1].split("\n", 1)[1]
    maps = [line for line in text.splitlines() if re.match(r"#\w+ = affine_", line)]
    start = text.index("func.func @")
    line = text.rfind("\n", 0, start) + 1
    end = re.compile(f"^{text[line:start]}}}$", re.M).search(text, start).end()
    head, body = text[start:end].split("\n", 1)
    signature = head[:closing(head, head.index("(")) + 1].replace("func.func", "gpu.func")
    size = re.search(r"known_block_size = (array<i32: [\d, ]+>)", head)
    if not size:
        raise Skip("no workgroup size")
    body = re.sub(r"^(\s*)return$", r"\1gpu.return", body, flags=re.M)
    kernel = f"{signature} kernel attributes {{known_block_size = {size[1]}}} {{\n{body}"
    return "\n".join(maps) + "\ngpu.module @kernels {\n" + kernel + "\n}\n"


def affine(text, arguments):
    """The value of an affine expression."""
    python = re.sub(r"(\S+|\([^()]*\)) ceildiv (\S+)", r"(-(-(\1) // \2))", text)
    python = python.replace("floordiv", "//").replace(" mod ", " % ")
    return eval(python, {}, arguments)


def grid(text, dimensions):
    """What stream.executable.export returns for these dynamic dimensions."""
    export = re.search(r"stream\.executable\.export.*?workgroups\(([^)]*)\)[^{]*\{(.*?)stream\.return ([^:]*):", text, re.S)
    names = re.findall(r"%[\w]+", export[1])
    values = dict(zip(names, dimensions))
    maps = dict(re.findall(r"^(#\w+) = affine_map<(.*)>$", text, re.M))
    binary = {"muli": lambda a, b: a * b, "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "divsi": lambda a, b: a // b,
              "divui": lambda a, b: a // b, "ceildivsi": lambda a, b: -(-a // b), "ceildivui": lambda a, b: -(-a // b),
              "floordivsi": lambda a, b: a // b, "remsi": lambda a, b: a % b, "remui": lambda a, b: a % b, "maxsi": max, "minsi": min}
    for line in export[2].splitlines():
        line = line.strip()
        if constant := re.match(r"(%\w+) = arith\.constant (-?\d+)", line):
            values[constant[1]] = int(constant[2])
        elif apply := re.match(r"(%\w+) = affine\.apply (#\w+)\(([^)]*)\)(?:\[([^\]]*)\])?", line):
            inputs, result = maps[apply[2]].split(" -> ")
            formal = re.findall(r"\w+", inputs)
            actual = re.findall(r"%\w+", apply[3] + " " + (apply[4] or ""))
            values[apply[1]] = affine(result.strip()[1:-1], {f: values[a] for f, a in zip(formal, actual)})
        elif operation := re.match(r"(%\w+) = arith\.(\w+) (%\w+), (%\w+)", line):
            values[operation[1]] = binary[operation[2]](values[operation[3]], values[operation[4]])
        elif line:
            raise Skip("grid by " + line[:60])
    return [values[name] for name in re.findall(r"%\w+", export[3])]


def buffers_and_scalars(text):
    """Of the dispatch in the host function: a shape and type for each tensor, a type for each number."""
    dispatch = re.search(r"flow\.dispatch @[^\[(]*(?:\[([^\]]*)\])?\(([^)]*)\) : \((.*?)\) ->", text, re.S)
    if not dispatch:
        raise Skip("no dispatch")
    workload = re.findall(r"%\w+", dispatch[1] or "")
    types = [kind for kind in re.findall(r"tensor<[^>]*>|\b(?:index|f16|f32|f64|bf16|i\d+)\b", dispatch[3])]
    arguments = []
    for kind in types:
        if not kind.startswith("tensor"):
            arguments.append((None, kind))
            continue
        *shape, element = kind[7:-1].split("x")
        if element not in DTYPES:
            raise Skip("elements of " + element)
        arguments.append(([DIMENSION if size == "?" else int(size) for size in shape], element))
    return arguments, len(workload)


def random_array(shape, element, seed):
    random = np.random.default_rng(seed)
    dtype = DTYPES[element]
    if element == "bf16":
        return (random.standard_normal(shape, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if element.startswith("f8"):
        return random.integers(0, 0x70, shape).astype(dtype) | (random.integers(0, 2, shape) << 7).astype(dtype)
    if np.issubdtype(dtype, np.floating):
        return random.standard_normal(shape).astype(dtype)
    return random.integers(0, 2, shape).astype(dtype)


def spills(inflight, code):
    """Registers in scratch: bytes per lane."""
    found = re.search(r"(\d+) bytes of scratch per lane", run([inflight, "info", code]).stdout)
    return int(found[1]) if found else 0


def execute(inflight, code, arrays, prefix, tag, where, timed):
    command = [inflight, "run", code, "--threads", "1", "--stats", "--grid", ",".join(map(str, where))]
    outputs = []
    for i, array in enumerate(arrays):
        if isinstance(array, str):
            command += ["--arg", array]
            continue
        np.save(f"{prefix}.{i}.npy", array)
        outputs.append(f"{prefix}.{tag}.{i}.npy")
        command += ["--arg", f"{prefix}.{i}.npy", "--out", f"{i}={outputs[-1]}"]
    done = run(command)
    if done.returncode:
        raise Skip(f"{tag}: {first_error(done)}")
    instructions = int(re.search(r"([\d,]+) instructions?", done.stderr)[1].replace(",", ""))
    cycles = 0
    if timed:
        done = run([word for word in command if word != "--stats"] + ["--timed"])
        if found := re.search(r"in ([\d,]+) cycles", done.stderr):
            cycles = int(found[1].replace(",", ""))
    return instructions, cycles, [np.load(file) for file in outputs]


def numbers(array, element):
    if element == "bf16":
        return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return array


def same(a, b, element):
    """To the accuracy of the type: the two order and contract sums differently."""
    a, b = numbers(a, element).astype(np.float64), numbers(b, element).astype(np.float64)
    digits = {"f16": 2e-2, "bf16": 6e-2, "f32": 1e-3, "f64": 1e-9}.get(element, 0)
    if digits == 0:
        return np.array_equal(a, b)
    with np.errstate(all="ignore"):
        size = np.nanmax(np.abs(np.where(np.isfinite(a), a, 0)), initial=0)
        if np.allclose(a, b, rtol=digits, atol=digits * min(size, 1), equal_nan=True):
            return True
        # Sums in another order that pass through a narrower type differ by its last place.
        return np.array_equal(np.isfinite(a), np.isfinite(b)) and bool(np.nanmax(np.abs(a - b)) <= digits / 10 * size)


def compare(inflight, upstream, chip, path, folder, timed):
    name = os.path.basename(path)
    row = {"module": name}
    prefix = os.path.join(folder, re.sub(r"\W", "_", name))
    try:
        ours = run([inflight, "compile", "-mcpu=" + chip, "--print-after=canonicalize", path, "-o", prefix + ".ours.hsaco"])
        if ours.returncode:
            row["error"] = first_error(ours)
            return row
        with open(path) as file:
            text = file.read()
        with open(prefix + ".mlir", "w") as file:
            file.write(plain_module(ours.stderr))
        llvm = run([upstream, chip, prefix + ".mlir", prefix + ".llvm.hsaco"])
        if llvm.returncode:
            raise Skip("LLVM: " + first_error(llvm))
        kinds, workload = buffers_and_scalars(text)
        where = [min(size, WORKGROUPS) for size in grid(text, [DIMENSION] * workload)]
        if math.prod(where) == 0:
            raise Skip("an empty grid")
        arrays = [random_array(shape, element, i) if shape is not None else f"i64:{DIMENSION}" if element == "index" else f"{element}:{NUMBER}"
                  for i, (shape, element) in enumerate(kinds)]
        elements = [element for shape, element in kinds if shape is not None]
        a = execute(inflight, prefix + ".ours.hsaco", arrays, prefix, "ours", where, timed)
        b = execute(inflight, prefix + ".llvm.hsaco", arrays, prefix, "llvm", where, timed)
        if b[0] <= TRIVIAL * math.prod(where):
            raise Skip("nothing to do for LLVM")
        row.update(instructions=[a[0], b[0]], cycles=[a[1], b[1]],
                   scratch=[spills(inflight, prefix + suffix) for suffix in (".ours.hsaco", ".llvm.hsaco")],
                   same=all(same(x, y, element) for x, y, element in zip(a[2], b[2], elements)))
    except Skip as why:
        row["skipped"] = str(why)
    except subprocess.TimeoutExpired:
        row["skipped"] = f"more than {SECONDS} s"
    finally:
        for file in os.listdir(folder):
            if file.startswith(os.path.basename(prefix) + ".") and file.endswith(".npy"):
                os.remove(os.path.join(folder, file))
    return row


def ratios(rows, key):
    return sorted(row[key][0] / row[key][1] for row in rows if row.get(key) and row[key][1])


def summary(title, values, limits):
    if values:
        above = ", ".join(f"{sum(v > limit for v in values)} above {limit}" for limit in limits)
        print(f"{title}: median {statistics.median(values):.3f}, {above}, worst {values[-1]:.2f}, best {values[0]:.2f}, of {len(values)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("upstream")
    parser.add_argument("modules", help="a folder named after the chip")
    parser.add_argument("--timed", action="store_true", help="cycles of the timed model, too")
    parser.add_argument("--only", default="", help="modules whose names contain this")
    parser.add_argument("--every", type=int, default=1, help="each N-th module")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", help="rows go there")
    options = parser.parse_args()
    chip = os.path.basename(os.path.normpath(options.modules))
    paths = [os.path.join(options.modules, f) for f in sorted(os.listdir(options.modules)) if f.endswith(".mlir") and options.only in f]
    paths = paths[::options.every]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda path: compare(options.inflight, options.upstream, chip, path, folder, options.timed), paths))
    compared = [row for row in rows if "same" in row]
    for row in sorted(compared, key=lambda row: row["instructions"][0] / row["instructions"][1]):
        a, b = row["instructions"]
        timed = "  cycles {:9} {:9} {:.3f}".format(*row["cycles"], row["cycles"][0] / row["cycles"][1]) if row["cycles"][1] else ""
        print(f"{a / b:6.3f} {a:9} {b:9}  scratch {row['scratch'][0]:4} {row['scratch'][1]:4}{timed}  "
              f"{'' if row['same'] else 'DIFFERENT '}{row['module']}")
    for row in rows:
        if "same" not in row:
            print(f"{'not compiled' if 'error' in row else 'not compared'}: {row['module']}: {row.get('error') or row.get('skipped')}")
    refused = sum("error" in row for row in rows)
    print(f"\n{chip}: {len(rows) - refused} of {len(rows)} compiled, {len(compared)} compared, "
          f"{sum(not row['same'] for row in compared)} with different results")
    summary("executed instructions", ratios(compared, "instructions"), [1.0, 1.2, 1.5])
    summary("cycles", ratios(compared, "cycles"), [0.95, 1.1])
    more = [row for row in compared if row["scratch"][0] > row["scratch"][1]]
    print(f"more scratch than LLVM: {len(more)}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    sys.exit(any(not row["same"] for row in compared))


if __name__ == "__main__":
    main()
