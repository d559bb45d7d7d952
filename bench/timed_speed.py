#!/usr/bin/env python3
"""The timed machine's speed: compute unit cycles and wave instructions simulated a second of one core.

    bench/timed_speed.py [--build build] [--repeat 3] [--chip gfx942]

Kernels of examples/gemm/generate.py, 1024x1024x1024, all compute units that have work, one host thread; the fastest of REPEAT runs, by processor
time. The goals are 2 million cycles and 1 million instructions a second for a GEMM with 8 waves (gemm_f16_256). With "events" the run writes its
events to a file; "2 threads" is by wall clock, against one.
"""
import argparse
import os
import re
import tempfile

import lib

KERNELS = ["gemm_f16_256", "gemm_f16_128", "gemm_bf16_128", "gemm_f16_128_double", "gemm_f16_128_async"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(lib.ROOT, "build"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--chip", default="gfx942")
    arguments = parser.parse_args()
    inflight = os.path.join(arguments.build, "bin/inflight")
    generate = lib.gemm_generator()
    size = arguments.size
    print(f"{'kernel':22} {'waves':>6} {'Mcycles/s':>10} {'Minstr/s':>9} {'with events':>12} {'2 threads':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name in KERNELS:
            variant = lib.gemm_variant(generate, name, size)
            file = lib.compile([inflight, "compile", f"-mcpu={arguments.chip}"], generate.generate(*variant), folder)
            element, tile, waves = variant[1], variant[3], variant[4] * variant[5]
            launch = [file, "--kernel", name, "--grid", f"{size // tile},{size // tile}", "--block", str(64 * waves), "--cus", "0",
                      *lib.arguments([f"random:{size}x{size}:{element}:1", f"random:{size}x{size}:{element}:2", f"zeros:{size}x{size}:f32"])]

            def fastest(command, pattern):
                best = None
                for _ in range(arguments.repeat):
                    text = lib.run(command).stderr
                    found = [float(x) for x in re.search(pattern, text).groups()]
                    if best is None or found[0] < best[0]:
                        best = found
                return best

            pattern = r"simulated in ([\d.]+) s, ([\d.]+) s of processor time in the units: ([\d.]+) million cycles and ([\d.]+) million"
            wall, _, cycles, instructions = fastest([inflight, "run", "--timed", "--threads", "1", *launch], pattern)
            events = fastest([inflight, "trace", "--events", os.path.join(folder, "events"), "--threads", "1", *launch], pattern)[3]
            two = fastest([inflight, "run", "--timed", "--threads", "2", *launch], pattern)[0]
            print(f"{name:22} {waves:6} {cycles:10.2f} {instructions:9.2f} {events:12.2f} {wall / two:9.2f}x", flush=True)


if __name__ == "__main__":
    main()
