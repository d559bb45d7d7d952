#!/usr/bin/env python3
"""How many instructions `inflight waits` checks in a second of the processor, whole processes, start-up and reading included.

    bench/waits_rate.py INFLIGHT FILE|FOLDER... [--chip gfx1250] [--together] [--repeat 3] [--list]

Each file is a process of its own, or all are one with --together, as in a build. Times are the least of the repetitions, user and system.
"""
import argparse
import pathlib
import re
import resource
import subprocess
import sys

SUFFIXES = (".co", ".hsaco", ".o", ".so", ".s")


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(inflight, files, chip, repeat):
    """Instructions and seconds; none where nothing could be read."""
    command = [inflight, "waits", "--threads=1", "--time", *(["-mcpu=" + chip] if chip else []), *map(str, files)]
    best, count = None, 0
    for _ in range(repeat):
        done, took = seconds(command)
        count = sum(int(n) for n in re.findall(r": (\d+) instructions: read", done.stderr))
        best = took if best is None else min(best, took)
    return (count, best) if count else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--chip")
    parser.add_argument("--together", action="store_true", help="one process for all files")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--list", action="store_true", help="each file's figures")
    options = parser.parse_args()
    files = [f for p in options.paths for f in (sorted(g for g in p.rglob("*") if g.suffix in SUFFIXES) if p.is_dir() else [p])]
    instructions, took, unread = 0, 0.0, 0
    for group in [files] if options.together else [[f] for f in files]:
        figures = measured(options.inflight, group, options.chip, options.repeat)
        if not figures:
            unread += len(group)
            continue
        instructions += figures[0]
        took += figures[1]
        if options.list:
            print(f"{figures[0]:9} instructions {figures[1]:8.3f} s {figures[0] / figures[1] / 1e6:6.2f} M/s  {group[0]}", flush=True)
    if unread:
        print(f"{unread} files couldn't be read")
    if not instructions:
        sys.exit("waits_rate: error: no instructions in these files")
    print(f"{instructions} instructions in {took:.2f} s: {instructions / took / 1e6:.2f} million a second of the processor")


if __name__ == "__main__":
    main()
