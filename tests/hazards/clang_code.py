#!/usr/bin/env python3
"""Scans what clang makes of random modules (random_ir.py) for missing wait states.

    clang_code.py HAZARD-SCAN [SEEDS]

clang places s_nop by the same rules, so a finding is a mistake on one side. KNOWN are those on its side; docs/hazards.md
explains each.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN = ["xdl_accumulator", "xdl_accumulator_fp", "sgemm_accumulator", "dot_use", "dgemm16_overwrite",
         "xdl_use:19", "xdl_overwrite:19", "xdl_factor:19", "xdl_load_over:19"]


def main():
    scan, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 6
    failed = instructions = 0
    with tempfile.TemporaryDirectory() as directory:
        source, compiled = os.path.join(directory, "m.ll"), os.path.join(directory, "m.o")
        for seed in range(seeds):
            for chip in ("gfx90a", "gfx942", "gfx950"):
                with open(source, "w") as file:
                    subprocess.run([sys.executable, os.path.join(HERE, "random_ir.py"), chip, str(seed)], stdout=file, check=True)
                compiler = subprocess.run(["clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + chip, "-nogpulib", "-O2", "-c", source, "-o", compiled],
                                          capture_output=True, text=True)
                if compiler.returncode:
                    if "ran out of registers" in compiler.stderr:
                        continue
                    sys.exit(compiler.stderr)
                result = subprocess.run([scan, *("--known=" + k for k in KNOWN), chip, compiled], capture_output=True, text=True)
                instructions += int(result.stdout.split("\n")[-2].split()[0])
                if result.returncode:
                    failed += 1
                    print(f"seed {seed}, {chip}:\n{result.stdout}{result.stderr}")
    print(instructions, "instructions,", failed, "modules with findings")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
