#!/usr/bin/env python3
"""HIP benchmarks that MGPUSim's authors timed on an MI300A, on the timed machine.

    bench/mgpusim.py INFLIGHT HIPCC SCRIPTS [--only NAME] [--seconds N]

SCRIPTS is the folder gpu_perf_scripts of a checkout of github.com/sarchlab/mgpusim, not part of this repository: programs, the sizes
they were run with (run_all.sh) and their times (mi300a.csv). HIPCC is `inflight sdk`'s. Programs run as they are, with
`inflight exec --timed`; sizes of each benchmark upwards until one takes more than --seconds of the host.

A measured time is that of events around launches: the device's time and the launches' own. For the first launch and for each further one
of a measurement a constant each is fitted, to the benchmarks whose name's SHA-1 is even; the others are held out.
"""
import argparse
import csv
import hashlib
import os
import re
import statistics
import subprocess
import sys
import tempfile

import lib

DEVICE = "MI300A"
SOURCES = {"fft1D_512": "fft", "spmv_csr_scalar": "spmv"}


def sizes(scripts):
    """Arguments by program, in the order of the times."""
    with open(os.path.join(scripts, "run_all.sh")) as f:
        text = f.read()
    found = {}
    for name, rest in re.findall(r"^run_bench (\w+) \\\n((?:\s+\"[^\"]*\"(?: \\)?\n)+)", text, re.M):
        found[name] = re.findall(r'"([^"]*)"', rest)
    return found


def measured(scripts):
    """Least microseconds by (benchmark, size)."""
    with open(os.path.join(scripts, "mi300a.csv")) as f:
        return {(row["kernel_name"], row["problem_size"]): 1e3 * float(row["min_ms"]) for row in csv.DictReader(f)}


def is_fit(benchmark):
    return int(hashlib.sha1(benchmark.encode()).hexdigest(), 16) % 2 == 0


def run(inflight, program, words, seconds):
    """(benchmark, size), microseconds and launches of one measurement; None: it takes too long."""
    command = [inflight, "exec", "--timed", "--warm", "--stats", f"--device={DEVICE}", "--", program, "--iterations", "1"] + words.split()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(f"mgpusim: error: {program} {words}: {done.stderr[-300:]}")
    rows = list(csv.DictReader(line for line in done.stdout.splitlines() if line.count(",") == 5))
    calls = sum(int(m[1]) for m in re.finditer(r"^\s+(\d+)(?:\s+[\d.]+){5} %", done.stdout + done.stderr, re.M))
    if not calls:
        sys.exit(f"mgpusim: error: {program} {words}: no kernels in what --stats prints")
    # One measurement after a first run that isn't measured.
    return (rows[0]["kernel_name"], rows[0]["problem_size"]), 1e3 * float(rows[0]["min_ms"]), max(1, calls // 2)


def fitted(points):
    """Microseconds of the first launch and of each further one: the least median of errors, on a grid."""
    def error(first, further):
        return statistics.median(abs(model + first + (launches - 1) * further - there) / there for _, model, launches, there in points)
    return min(((0.1 * a, 0.1 * b) for a in range(0, 60) for b in range(0, 120)), key=lambda pair: error(*pair))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("hipcc")
    parser.add_argument("scripts")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    times, points = measured(arguments.scripts), []
    with tempfile.TemporaryDirectory() as folder:
        for name, words in sizes(arguments.scripts).items():
            if arguments.only not in name or name == "memcopy":
                continue
            program = os.path.join(folder, name)
            built = subprocess.run([arguments.hipcc, "-O2", "-w", os.path.join(arguments.scripts, name + ".cpp"), "-o", program])
            if built.returncode:
                print(f"{name}: not compiled", file=sys.stderr)
                continue
            for one in words:
                result = run(os.path.abspath(arguments.inflight), program, one, arguments.seconds)
                if not result:
                    break
                key, model, launches = result
                if key in times:
                    points.append((key, model, launches, times[key]))
    first, further = fitted([p for p in points if is_fit(p[0][0])] or points)
    print(f"{first:.1f} us for a launch, {further:.1f} for each further one of a measurement\n\n"
          "| benchmark | sizes | median error | worst | rank correlation | kind |\n|---|---|---|---|---|---|")
    for name in dict.fromkeys(key[0] for key, *_ in points):
        own = [(model + first + (launches - 1) * further, there) for key, model, launches, there in points if key[0] == name]
        errors = [here / there - 1 for here, there in own]
        print(f"| {name} | {len(own)} | {100 * statistics.median(errors):+.0f} % | {100 * max(errors, key=abs):+.0f} % "
              f"| {lib.rank_correlation([here for here, _ in own], [there for _, there in own]):.2f} | {'fit' if is_fit(name) else 'held out'} |")
    for kind in (True, False):
        own = [(model + first + (launches - 1) * further, there) for key, model, launches, there in points if is_fit(key[0]) == kind]
        if own:
            print(f"\n{'fit' if kind else 'held out'}: {len(own)} points, median error "
                  f"{100 * statistics.median(abs(here / there - 1) for here, there in own):.1f} %, rank correlation "
                  f"{lib.rank_correlation([here for here, _ in own], [there for _, there in own]):.3f}")


if __name__ == "__main__":
    main()
