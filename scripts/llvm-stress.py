#!/usr/bin/env python3
"""Random functions of llvm-stress-22 as kernels: each is compiled or refused by name; none crashes or hangs.

    llvm-stress.py INFLIGHT FIRST_SEED COUNT [--chip gfx942]... [--seconds S] [--keep DIR]

Their operations are of any type and mostly without meaning: indices outside of vectors, amounts that are too large, what is undefined. So results aren't
compared. Prints crashes, hangs and errors that say nothing, with their seeds, and what programs are refused for. The exit status is 1 after one of the
first.
"""
import argparse
import collections
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

SIZES = (30, 80, 150, 300)


def beside(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), pathlib.Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kernel(seed):
    """The function as a kernel; what it allocates is private memory, reached through generic pointers."""
    text = subprocess.run(["llvm-stress-22", f"-seed={seed}", f"-size={SIZES[seed % len(SIZES)]}"], capture_output=True, text=True, check=True).stdout
    text = text.replace("define void @autogen", "define amdgpu_kernel void @autogen")
    text = re.sub(r"(%\w+) = alloca ([^\n]+)", r"\1.private = alloca \2, addrspace(5)\n  \1 = addrspacecast ptr addrspace(5) \1.private to ptr", text)
    return re.sub(r"^target .*\n", "", text, flags=re.M)


def main():
    tests = beside("llvm-codegen-tests")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--chip", action="append", choices=tests.CHIPS)
    parser.add_argument("--seconds", type=int, default=60, help="after so many a compilation counts as a hang")
    parser.add_argument("--keep", type=pathlib.Path, help="leave what failed there")
    options = parser.parse_args()
    kinds, reasons = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "stress.ll")
        for seed in range(options.first, options.first + options.count):
            path.write_text(kernel(seed))
            for chip in options.chip or tests.CHIPS:
                kind, said = tests.outcome(options.inflight, path, chip, options.seconds)
                kinds[kind] += 1
                if kind == "refused":
                    reasons[tests.reason(said)] += 1
                elif kind != "compiled":
                    print(f"{kind} {chip} seed {seed} {said}", flush=True)
                    if options.keep:
                        pathlib.Path(options.keep, f"{seed}.ll").write_text(path.read_text())
    for text, count in reasons.most_common():
        print(f"{count:5} {text}")
    tests.print_kinds(kinds)
    return 1 if kinds["CRASH"] + kinds["HANG"] + kinds["SILENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
