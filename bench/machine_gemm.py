#!/usr/bin/env python3
"""The machine's speed on the GEMM examples: wave-instructions and GFLOP a second, on one host core.

    bench/machine_gemm.py [--build build] [--size 1024] [--repeat 20] [--chip gfx942] [--check LIST] [KERNEL...]

Takes the kernels of examples/gemm/generate.py with all three sizes set to SIZE, compiles them, runs each REPEAT times with
one thread and prints the fastest run, by CPU time. "matrix" is the share of that run that matrix instructions would take at the speed
that machine-speed measures for a loop of nothing else; the rest is operand conversion, memory and dispatch. "of peak" compares the
arithmetic with the host's multiply-add units. With --check, which takes what `inflight run --check` does, the last column says how many times
longer the checked run takes. A multiply-add counts as two operations, so a GEMM has 2 SIZE^3.
"""
import argparse
import os
import re
import sys
import tempfile

import lib

KERNELS = ["gemm_f16_128", "gemm_f16_256", "gemm_bf16_128", "gemm_fp8_128", "gemm_f16_128_double", "gemm_f16_128_async"]
LOOPS = {"f16": "mfma 16x16x16 f16", "bf16": "mfma 16x16x16 bf16", "f8E4M3FNUZ": "mfma 16x16x32 fp8"}


def loop_speeds(speed):
    """Host peak and the speed of each matrix loop, in GFLOP a second."""
    text = lib.run([speed, "mfma"]).stdout
    peak = float(re.search(r"host peak +([\d.]+)", text)[1])
    return peak, {name: float(re.search(name + r".* ([\d.]+) GFLOP", text)[1]) for name in LOOPS.values()}


def fastest(speed, file, kernel, variant, size, repeat, checks=None):
    """Instructions and CPU seconds of the fastest run."""
    element, tile, waves = variant[1], variant[3], variant[4] * variant[5]
    command = [speed, *([f"--check={checks}"] if checks else []), file, kernel, f"{size // tile},{size // tile},1", f"{64 * waves},1,1", str(repeat),
               f"random:{size}x{size}:{element}:1", f"random:{size}x{size}:{element}:2", f"zeros:{size}x{size}:f32"]
    instructions, seconds = lib.run(command).stdout.split()
    return int(instructions), float(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", default=KERNELS)
    parser.add_argument("--build", default=os.path.join(lib.ROOT, "build"))
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--check")
    arguments = parser.parse_args()
    inflight, speed = (os.path.join(arguments.build, x) for x in ("bin/inflight", "tests/machine/machine-speed"))
    generate = lib.gemm_generator()
    peak, loops = loop_speeds(speed)
    size, flops = arguments.size, 2 * arguments.size ** 3
    print(f"{size}x{size}x{size}, {arguments.chip}, one host thread; host peak {peak:.0f} GFLOP a second")
    print(f"{'kernel':22} {'million instructions/s':>23} {'GFLOP/s':>8} {'of peak':>8} {'matrix':>7}" + (f" {'checked':>8}" if arguments.check else ""))
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.kernels:
            variant = lib.gemm_variant(generate, name, size)
            file = lib.compile([inflight, "compile", f"-mcpu={arguments.chip}"], generate.generate(*variant), folder)
            instructions, seconds = fastest(speed, file, name, variant, size, arguments.repeat)
            gflops = flops / seconds * 1e-9
            matrix = gflops / loops[LOOPS[variant[1]]] if variant[1] in LOOPS else float("nan")
            checked = ""
            if arguments.check:
                checked = f" {fastest(speed, file, name, variant, size, arguments.repeat, arguments.check)[1] / seconds:7.1f}x"
            print(f"{name:22} {instructions / seconds * 1e-6:23.1f} {gflops:8.1f} {100 * gflops / peak:7.0f}% {100 * matrix:6.0f}%{checked}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
