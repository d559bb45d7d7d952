#!/usr/bin/env python3
"""Modelled cycles of HeCBench's kernels by Inflight's back end, beside LLVM's for the same programs.

    bench/hip_cycles.py INFLIGHT HECBENCH HEADERS [--only NAME] [--every N] [--chip CHIP] [--device NAME] [--include DIR]... [--seconds 120] [--json FILE]

What bench/hecbench.py runs (its arguments mean the same here), made by both compilers and run timed. A kernel counts once a program, with the cycles of
all its launches. A program is left out by name if a compiler refuses it, a run takes too long, or what it prints isn't right by either compiler; the
exit status is 1 if it is right by LLVM's code alone, or if a kernel takes more than 1.15 of the cycles of LLVM's.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import lib
from hecbench import LIST, read_list
from hip_programs import run

BACKENDS = ("llvm", "inflight")
GOALS = {"median": 0.95, "worst": 1.15}


def cycles(log):
    """By kernel: of all launches."""
    found = collections.Counter()
    for line in log.read_text().splitlines():
        launch = json.loads(line)
        if "time" in launch:
            found[launch["kernel"]] += launch["time"]["cycles"]
    return found


class Programs:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        sdk = self.folder / "rocm"
        subprocess.run([options.inflight, "sdk", "--headers=" + options.headers, "--mcpu=" + options.chip, sdk], check=True, stdout=subprocess.DEVNULL)
        os.environ.update(PATH=f"{sdk}/bin:{os.environ['PATH']}", ROCM_PATH=str(sdk), HIP_PATH=str(sdk))

    def build(self, name, backend):
        """The program, and what the compiler says if there is none."""
        # Sources refer to those of other programs by paths from their own.
        source = pathlib.Path(self.options.hecbench, "src", name + "-hip")
        flags = " ".join(["-w", f"--backend={backend}", *("-I" + folder for folder in self.options.include)])
        run(["make", "clean"], source, self.options.seconds)
        status, text, _ = run(["make", "EXTRA_CFLAGS=" + flags], source, self.options.seconds)
        if status:
            lines = [line for line in text.splitlines() if "rror" in line] or [f"status {status}"]
            return None, lines[0][:150]
        named = re.search(r"^program\s*=\s*(\S+)", (source / "Makefile").read_text(), re.M)
        program = self.folder / f"{name}-{backend}"
        shutil.copy(source / (named[1] if named else "main"), program)
        return program, ""

    def measure(self, name, arguments, says, backend):
        """Cycles by kernel, and what was wrong."""
        program, error = self.build(name, backend)
        if not program:
            return None, f"{backend}: {error}"
        log = self.folder / f"{name}-{backend}.jsonl"
        command = [self.options.inflight, "exec", "--timed", f"--device={self.options.device}", f"--log={log}", "--", program, *arguments]
        status, text, _ = run(command, pathlib.Path(self.options.hecbench, "src", name + "-hip"), self.options.seconds)
        if status or "FAIL" in text or not re.search(says, text):
            return None, f"{backend}: status {status}, {(text.strip().splitlines() or [''])[-1][:120]}"
        return cycles(log), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("inflight", "hecbench", "headers"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="of the list, every so many programs")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--device", default="MI300X")
    parser.add_argument("--include", action="append", default=[], type=os.path.abspath)
    parser.add_argument("--seconds", type=int, default=120, help="of one build or run")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows, only_llvm = [], 0
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(options, folder)
        wanted = [entry for entry in read_list(LIST) if options.only in entry[0] and not entry[2].startswith("not: ")]
        for name, arguments, says in wanted[::options.every]:
            found = {}
            for backend in BACKENDS:
                found[backend], error = programs.measure(name, arguments, says, backend)
                if error:
                    print(f"left out: {name}: {error}", flush=True)
                    only_llvm += backend != BACKENDS[0]
                    break
            else:
                for kernel, llvm in found["llvm"].items():
                    own = found["inflight"][kernel]
                    rows.append({"program": name, "kernel": kernel, "llvm": llvm, "inflight": own})
                    print(f"{own / llvm:5.2f}  {own:10.0f} {llvm:10.0f}  {name}: {kernel[:90]}", flush=True)
    if options.json:
        lib.write_json(options.json, rows)
    ratios = sorted(row["inflight"] / row["llvm"] for row in rows)
    if not ratios:
        return 1
    print(f"{len({row['program'] for row in rows})} programs, {len(ratios)} kernels for {options.chip}: cycles of LLVM's: median {statistics.median(ratios):.3f} "
          f"(goal {GOALS['median']}), worst {ratios[-1]:.2f} (goal {GOALS['worst']}), {sum(ratio > GOALS['worst'] for ratio in ratios)} above that")
    return 1 if only_llvm or ratios[-1] > GOALS["worst"] else 0


if __name__ == "__main__":
    sys.exit(main())
