#!/usr/bin/env python3
"""Measures anew what docs/status.md says of speed and of random programs.

    bench/status.py [--build build] [--against DIR] [--only NAME,...] [--out DIR]

Runs one command after the other, with --against each with the other build too, the commit before, say, in turn: their figures are of the same machine
and hour. What each prints is shown and kept as NAME.txt and NAME.against.txt in --out (build/status). A command that fails is named at the end, and the
exit status is 1. The machine should do nothing else meanwhile; all of it takes about a quarter of an hour for each build.
"""
import argparse
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# By name: the command, "{build}" stands for the build's folder.
COMMANDS = {
    "compiler": ["{build}/bin/inflight-bench"],
    "marks": ["bench/marks.py", "--build", "{build}"],
    "waits": ["bench/waits.py", "{build}", "--sizes", "100000", "--repeat", "5"],
    "machine-gemm": ["bench/machine_gemm.py", "--build", "{build}", "--check", "all"],
    "machine-speed": ["{build}/tests/machine/machine-speed", "--check=all"],
    "timed-speed": ["bench/timed_speed.py", "--build", "{build}"],
    "trace-speed": ["{build}/bench/trace-speed"],
    "memory-bound": ["bench/memory_bound.py", "{build}/bin/inflight"],
    "random-waits": ["tests/random/waits.py", "{build}/bin/inflight", "1000", "100"],
    "copies-ahead": ["tests/random/copies_ahead.py", "{build}/bin/inflight", "20000", "200"],
    "matrix-chains": ["tests/random/matrix_chains.py", "{build}/lib/libinflight.so", "30000", "200"],
}


def measure(name, build, path):
    command = [part.format(build=os.path.abspath(build)) for part in COMMANDS[name]]
    begin = time.time()
    with open(path, "w") as file:
        try:
            status = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT).returncode
        except OSError as error:
            file.write(f"{error}\n")
            status = 1
    with open(path) as file:
        print(f"== {' '.join(command)} ({time.time() - begin:.0f} s)\n{file.read()}", flush=True)
    return status == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--against")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(COMMANDS))
    parser.add_argument("--out", default=os.path.join(ROOT, "build/status"))
    options = parser.parse_args()
    for name in options.only:
        if name not in COMMANDS:
            parser.error(f"--only: '{name}' is none of {', '.join(COMMANDS)}")
    os.makedirs(options.out, exist_ok=True)
    failed = []
    for name in options.only:
        for build, suffix in (options.build, ""), (options.against, ".against"):
            if build and not measure(name, build, os.path.join(options.out, f"{name}{suffix}.txt")):
                failed.append(name + suffix)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
