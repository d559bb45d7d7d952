#!/usr/bin/env python3
"""What it takes to start: processor time of `inflight waits` on a few lines beside llvm-mc's on the same file.

    bench/startup.py [--build build] [--llvm-mc PATH] [--repeat 30] [--limit RATIO]

Prints the least of REPEAT runs each, taken in turns, and their ratio. With --limit the exit status is 1 if the ratio is above it.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

SOURCE = """.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
sum:
  global_load_dword v0, v[2:3], off
  global_load_dword v1, v[4:5], off
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v0, v0, v1
  global_store_dword v[6:7], v0, off
  s_endpgm
"""


def processor_ms(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"startup: {' '.join(command)}: {done.stderr}")
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--llvm-mc", default="/usr/lib/llvm-22/bin/llvm-mc")
    parser.add_argument("--repeat", type=int, default=30)
    parser.add_argument("--limit", type=float)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "sum.s")
        source.write_text(SOURCE)
        commands = {
            "inflight waits": [os.path.join(options.build, "bin/inflight"), "waits", str(source)],
            "llvm-mc": [options.llvm_mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-filetype=obj", str(source), "-o", "/dev/null"],
        }
        least = dict.fromkeys(commands, float("inf"))
        for _ in range(options.repeat):
            for name, command in commands.items():
                least[name] = min(least[name], processor_ms(command))
    ratio = least["inflight waits"] / least["llvm-mc"]
    for name, time in least.items():
        print(f"{name:16}{time:8.1f} ms")
    print(f"{'ratio':16}{ratio:8.2f}")
    return 1 if options.limit and ratio > options.limit else 0


if __name__ == "__main__":
    sys.exit(main())
