#!/usr/bin/env python3
"""Strips the s_nop of the kernels in tests/kernels as clang compiles them, and puts in those that hazards::plan wants.

    kernels.py HAZARD-SCAN [NAME...] [--all] [--level LEVEL]

Nothing may be missing afterwards, and no function in which clang left out nothing may take more wait states than its own.
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(os.path.dirname(HERE), "kernels")
sys.path.insert(0, KERNELS)
import run  # noqa: E402

# Matrices of all kinds, divisions, lane accesses, loops, calls.
USUAL = ["mfma_gemm", "mfma_small", "mfma_fp8", "smfmac", "lds_gemm", "recursion", "softmax"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scan")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--level", default="3")
    options = parser.parse_args()
    names = options.names or USUAL
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for source in sorted(glob.glob(KERNELS + "/hip/*.hip") + glob.glob(KERNELS + "/opencl/*.cl")):
            name = os.path.splitext(os.path.basename(source))[0]
            if name not in names and not options.all:
                continue
            for chip in getattr(run.load_reference(source), "CHIPS", run.CHIPS):
                text = os.path.join(directory, f"{name}.{chip}.s")
                command = run.compiler_command("clang-22", source, chip, options.level, 6, ["-S", *getattr(run.load_reference(source), "FLAGS", [])], text)
                subprocess.run(command, check=True, capture_output=True)
                result = subprocess.run([options.scan, "--insert", chip, text], capture_output=True, text=True)
                print(f"{name} {chip}:", *result.stdout.splitlines()[-2:])
                if result.returncode:
                    failed += 1
                    print(result.stdout, result.stderr)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
