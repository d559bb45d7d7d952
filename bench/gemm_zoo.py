#!/usr/bin/env python3
"""Every form of GEMM that people write (bench/zoo_kernels.py): results against numpy, cycles beside LLVM 22's and beside the bound.

    bench/gemm_zoo.py BUILD [--chip gfx942,gfx950] [--sample N | --part I/N] [--only TEXT] [--no-time] [--json FILE]
    bench/gemm_zoo.py BUILD --random COUNT [--time] [--seed N] [--chip ...]

BUILD has bin/inflight and bench/upstream-compile. Each kernel is compiled and run on a small problem with all checks, and its result compared with
numpy's, which is exact; then both compilers' code is timed on the device's usual problem, at the peak clock. The bound is what no
kernel of that tile can take less than, by the compiler's cost model (remark "Launch" of `inflight compile --remarks`; CostModel::launchOf says why): the
unit with most workgroups, or stores after all iterations but one, or what memory takes to load the matrices once; after that what L2 keeps is written
back. `--sample N` takes every so many kernels that N remain; `--part I/N` takes every N-th of them from the I-th on, counted from 1. `--random` compiles,
runs and compares kernels of random forms, and times them with `--time`. Exit status 1 if a result is wrong or a kernel isn't compiled.
"""
import argparse
import math
import os
import re
import statistics
import sys
import tempfile

import lib
import numpy as np
import zoo_kernels

DEVICES = {"gfx90a": "MI250X", "gfx942": "MI300X", "gfx950": "MI355X"}
SIZE, STEPS = 4096, 16  # rows and columns of C, about; iterations
CHECKED_STEPS = 8, 5, 4  # an odd number, and ones that iterations can be joined in
SAMPLE = 8  # workgroups of a unit that are simulated, so that most launches are whole
SLOW, LOW = 1.0, 0.6
SECONDS = 300


def units(chip):
    return lib.data("devices.json")[DEVICES[chip]]["compute_units"]["value"]


def whole(size, tile):
    return -(-size // tile) * tile


def wrong(inflight, code, kernel, folder, seed):
    """What is wrong with the result on a small problem; empty if nothing is."""
    memory, wanted = kernel.inputs(seed)
    arguments = []
    for name, (shape, kind) in kernel.shapes().items():
        if name == "c":
            arguments.append(f"zeros:{shape}:{kind}")
            continue
        file = os.path.join(folder, f"{name}.npy")
        np.save(file, memory[name])
        arguments.append(file if kind.startswith("i") else f"{file}:{kind}")
    out = os.path.join(folder, "out.npy")
    done = lib.run([inflight, "run", code, "--grid", ",".join(map(str, kernel.grid())), *lib.arguments(arguments), "--check=all", "--out",
                    f"{len(arguments) - 1}={out}"], accepted=(0, 1), timeout=SECONDS)
    if done.returncode:
        return (done.stderr.strip().splitlines() or done.stdout.strip().splitlines() or ["failed"])[0][:160]
    got = np.load(out)
    return "" if (got == wanted).all() else f"{(got != wanted).sum()} of {wanted.size} results differ"


class Zoo:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.inflight = os.path.join(options.build, "bin/inflight")
        self.llvm = os.path.join(options.build, "bench/upstream-compile")

    def compile(self, text, command, *more):
        return lib.compile([*command, *more], text, self.folder)

    def ours(self, chip):
        return [self.inflight, "compile", f"-mcpu={chip}"]

    def check(self, form, chip, seed):
        steps = CHECKED_STEPS[seed % len(CHECKED_STEPS)]
        kernel = zoo_kernels.Kernel(form, chip, (2 * form.tile[0], 2 * form.tile[1], zoo_kernels.whole_k(form, steps)))
        try:
            return wrong(self.inflight, self.compile(kernel.text(), self.ours(chip)), kernel, self.folder, seed)
        except RuntimeError as error:
            return str(error)[:160]

    def cycles(self, kernel, code):
        arguments = [f"zeros:{shape}:{kind}" for shape, kind in kernel.shapes().values()]
        if "rows" in kernel.types:  # all of A, in any order
            rows = os.path.join(self.folder, "rows.npy")
            np.save(rows, np.random.default_rng(0).permutation(kernel.m).astype(np.int32))
            arguments[list(kernel.shapes()).index("rows")] = rows
        done = lib.run([self.inflight, "run", code, "--timed", "--device", DEVICES[kernel.chip], "--clock", "peak", "--sample", str(SAMPLE), "--grid",
                        ",".join(map(str, kernel.grid())), *lib.arguments(arguments)], timeout=SECONDS)
        return lib.device_cycles(done)

    def bound(self, kernel, remarks):
        """Cycles, and what they are of."""
        form, device = kernel.form, lib.data("devices.json")[DEVICES[kernel.chip]]
        numbers = re.search(r"^Name:\s+Launch\n.*?^\.\.\.", remarks, re.M | re.S)
        if not numbers:
            raise RuntimeError(f"no remark of the launch: {kernel.form.name()}")
        launch = {name: int(value) for name, value in re.findall(r"- (\w+):\s+'?(\d+)'?$", numbers[0], re.M)}
        groups = math.prod(kernel.grid())
        most = -(-groups // units(kernel.chip))
        steps = kernel.k / form.split / form.step
        trips = math.ceil(steps)
        fixed = launch["Start"] + launch["End"]
        rate = device["memory_gbytes_per_second"]["value"] * device["memory_percent"]["value"] * 10 / device["clock_mhz"]["value"]
        loaded = sum(kernel.bytes(name) for name in ("a", "b", "residual"))
        stored = groups * launch["StoredBytes"]
        stores = max(most * launch["Store"], stored / launch["L2Bytes"] - launch["Burst"])
        cycles, pipe = max((most * trips * launch["Matrix"], "MFMA"), (most * trips * launch["Lds"], "LDS"),
                           (groups / units(kernel.chip) * steps * launch["L2"], "L2"), ((trips - 1) * launch["Alone"] + stores, "stores"),
                           (loaded / rate, "memory"))
        # When all waves have ended, L2 writes back what it keeps. Parts of K are added in the same place.
        return fixed + cycles + min(kernel.bytes("c"), launch["KeptBytes"]) / launch["BackBytes"], pipe

    def time(self, form, chip):
        """Cycles of ours, LLVM's and the bound; LLVM's None if it doesn't compile this."""
        kernel = zoo_kernels.Kernel(form, chip, (whole(SIZE, form.tile[0]), whole(SIZE, form.tile[1]), zoo_kernels.whole_k(form, STEPS)))
        text, remarks = kernel.text(), os.path.join(self.folder, "remarks.yaml")
        ours = self.cycles(kernel, self.compile(text, self.ours(chip), f"--remarks={remarks}"))
        with open(remarks) as file:
            bound, pipe = self.bound(kernel, file.read())
        try:
            llvm = self.cycles(kernel, self.compile(text, [self.llvm, chip]))
        except RuntimeError:
            llvm = None
        return {"ours": ours, "llvm": llvm, "bound": bound, "pipe": pipe}


def summary(rows):
    """Figures of a chip's kernels."""
    timed = [row for row in rows if "ours" in row]
    print(f"{len(rows)} kernels, {sum(not row['wrong'] for row in rows)} right")
    for row in rows:
        if row["wrong"]:
            print(f"  wrong: {row['name']}: {row['wrong']}")
    if not timed:
        return
    slower = [row for row in timed if row["llvm"] and row["ours"] > SLOW * row["llvm"]]
    low = [row for row in timed if row["bound"] < LOW * row["ours"]]
    print(f"{len(timed)} timed: {len(slower)} slower than LLVM's, {len(low)} below {LOW:.0%} of the bound; share of the bound: median "
          f"{statistics.median(row['bound'] / row['ours'] for row in timed):.0%}")
    for row in slower:
        print(f"  slower: {row['name']}: {row['ours'] / row['llvm']:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--chip", default="gfx90a,gfx942,gfx950")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--part", default="1/1", metavar="I/N")
    parser.add_argument("--only", default="", help="kernels with this in their names")
    parser.add_argument("--no-time", action="store_true")
    parser.add_argument("--random", type=int, metavar="COUNT")
    parser.add_argument("--time", action="store_true", help="random forms, too")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json")
    a = parser.parse_args()
    table = []
    with tempfile.TemporaryDirectory() as folder:
        zoo = Zoo(a, folder)
        for chip in a.chip.split(","):
            forms = zoo_kernels.random_forms(chip, a.seed, a.random) if a.random else zoo_kernels.forms(chip)
            forms = [form for form in forms if a.only in form.name()]
            if a.sample and a.sample < len(forms):
                forms = [forms[i * len(forms) // a.sample] for i in range(a.sample)]
            first, apart = map(int, a.part.split("/"))
            forms = forms[first - 1::apart]
            rows = []
            print(f"| {chip} | result | Inflight | LLVM 22 | bound | share |\n|---|---|---|---|---|---|")
            for i, form in enumerate(forms):
                row = {"chip": chip, "name": form.name(), "wrong": zoo.check(form, chip, a.seed + i)}
                rows.append(row)
                cells = [row["name"], row["wrong"] or "right"]
                if a.time if a.random else not a.no_time:
                    try:
                        row |= zoo.time(form, chip)
                        cells += [f"{row['ours']:,}", f"{row['llvm']:,}" if row["llvm"] else "-", f"{row['bound']:,.0f} {row['pipe']}",
                                  f"{row['bound'] / row['ours']:.0%}"]
                    except RuntimeError as error:
                        cells.append(str(error))
                print(f"| {' | '.join(cells)} |", flush=True)
            print()
            summary(rows)
            print(flush=True)
            table += rows
    lib.write_json(a.json, table)
    sys.exit(any(row["wrong"] for row in table))


if __name__ == "__main__":
    main()
