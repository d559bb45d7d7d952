#!/usr/bin/env python3
"""Programs of HeCBench, unmodified, made by their own makefiles with `inflight sdk`'s hipcc and run without a GPU, plain and with all checks.

    bench/hecbench.py INFLIGHT HECBENCH HEADERS [--only NAME] [--chip CHIP] [--backend inflight] [--include DIR]... [--seconds 300]

HECBENCH is a checkout of github.com/zjin-lcf/HeCBench, HEADERS a folder with HIP's headers, --include one with hipcub, thrust and
others that some programs want; none is part of this repository. bench/hecbench.txt lists programs, their arguments, and what they print
when they are right. A program is right if it prints that and no FAIL, and the status is 0, with checks if they find nothing and nothing
is warned of, too. Prints a line each, with the processor time of both runs and how many times the first one's the second takes; the exit
status is 1 if one isn't as the list says.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from hip_programs import run

LIST = pathlib.Path(__file__).parent / "hecbench.txt"


def read_list(path):
    """Lines "PROGRAM ARGUMENTS | PATTERN" and "PROGRAM | not: REASON", which is left out."""
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            command, _, says = (part.strip() for part in line.partition(" | "))
            name, *arguments = command.split()
            yield name, arguments, says


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("inflight", "hecbench"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("headers", type=os.path.abspath)
    parser.add_argument("--only", default="")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--backend", choices=("llvm", "inflight"), default="llvm", help="what makes code of clang's LLVM IR")
    parser.add_argument("--include", action="append", default=[], type=os.path.abspath)
    parser.add_argument("--seconds", type=int, default=300, help="of one build or run")
    options = parser.parse_args()
    sdk = os.path.join(tempfile.mkdtemp(prefix="hecbench-"), "rocm")
    subprocess.run([options.inflight, "sdk", "--headers=" + options.headers, "--mcpu=" + options.chip, sdk], check=True, stdout=subprocess.DEVNULL)
    os.environ.update(PATH=f"{sdk}/bin:{os.environ['PATH']}", ROCM_PATH=sdk, HIP_PATH=sdk)
    flags = " ".join(["-g", "-w", f"--backend={options.backend}", *("-I" + folder for folder in options.include)])
    counts = {"right": 0, "WRONG": 0, "not": 0}
    for name, arguments, says in read_list(LIST):
        if options.only not in name:
            continue
        folder = os.path.join(options.hecbench, "src", name + "-hip")
        result, notes = "right", []
        if says.startswith("not: "):
            result, notes = "not", [says[5:]]
        else:
            status, text, seconds = run(["make", "EXTRA_CFLAGS=" + flags], folder, options.seconds)
            named = status == 0 and re.search(r"^program\s*=\s*(\S+)", pathlib.Path(folder, "Makefile").read_text(), re.M)
            program = os.path.join(folder, named[1] if named else "main")
            for checks in ([], ["--check=all"]) if status == 0 else ():
                status, text, seconds = run([options.inflight, "exec", *checks, "--", program, *arguments], folder, options.seconds)
                if status or "FAIL" in text or not re.search(says, text) or (checks and re.search(r"^inflight\b", text, re.M)):
                    break
                notes.append(seconds)
            if len(notes) < 2:
                lines = [line for line in text.splitlines() if "rror" in line or "inflight" in line] or text.splitlines()
                result, notes = "WRONG", [f"status {status}: {lines[0][:150] if lines else ''}"]
            else:
                notes = [f"{notes[0]:.2f} s; checked {notes[1]:.2f} s, {notes[1] / notes[0]:.1f} times"]
        counts[result] += 1
        print(f"{result:6} {name:24} {'; '.join(notes)}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
