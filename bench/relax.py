#!/usr/bin/env python3
"""Kernels before and after `inflight waits --relax` (or --insert) in the timed model: cycles, waits, bytes of the file.

    bench/relax.py INFLIGHT [--goal relax|insert] [--old INFLIGHT] [--jobs N] [--brief] INPUT...

An INPUT is an example (example.json, compiled for each of its chips), a launch (a JSON file with kernel, grid, block, lds and args of
`inflight run`, its code object beside it with the same name and .hsaco), or any other code object or assembly: of these nothing is known
to launch, so their loops are timed with data made up, as `inflight waits --price` does. `--old` edits with another build of
inflight. The last lines are the geometric mean of after / before, the worst, and the sums of waits and bytes.
"""
import argparse
import functools
import json
import math
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import lib

run = functools.partial(lib.run, timeout=1800)


def launched(inflight, path, launch):
    command = [inflight, "run", "--timed", path, "--kernel", launch["kernel"]]
    for option in ("grid", "block", "lds"):
        if launch.get(option):
            value = launch[option]
            command += ["--" + option, ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    command += lib.arguments(launch["args"])
    return {"kernel": int(re.search(r"(\d+) cycles", run(command, (0, 1)).stderr).group(1))}


def priced(inflight, path):
    """Cycles of each loop's iteration."""
    report = json.loads(run([inflight, "waits", "--price", "--format=json", path], (0, 1, 4)).stdout)
    loops = {}
    for f in report["files"]:
        for number, loop in enumerate(f["loops"]):
            if "cycles" in loop:
                loops[loop.get("kernel"), number] = loop["cycles"]["issuing"] + loop["cycles"]["waiting"]
    return loops


def waits(inflight, path):
    assembly = path if path.endswith(".s") else path + ".listing.s"
    if assembly != path:
        run([inflight, "dis", path, "-o", assembly])
    text = open(assembly).read()
    if assembly != path:
        os.remove(assembly)
    return len(re.findall(r"^\s*s_waitcnt", text, re.M))


def measure(options, directory, number, path, launch):
    suffix = os.path.splitext(path)[1]
    edited = os.path.join(directory, f"{number}{suffix}")
    copy = os.path.join(directory, f"{number}.before{suffix}")
    open(copy, "wb").write(open(path, "rb").read())
    run([options.old or options.inflight, "waits", "--" + options.goal, copy, "-o", edited], (0, 1, 4))
    if not os.path.exists(edited):
        return None
    time = (lambda p: launched(options.inflight, p, launch)) if launch else (lambda p: priced(options.inflight, p))
    before, after = time(copy), time(edited)
    # A loop that the other has not: numbered otherwise.
    pairs = [(before[k], after[k]) for k in before if k in after and before[k] and after[k]] if len(before) == len(after) else []
    return pairs, (waits(options.inflight, copy), waits(options.inflight, edited)), (os.path.getsize(copy), os.path.getsize(edited))


def inputs(options, directory):
    for path in options.inputs:
        if os.path.basename(path) == "example.json":
            for example in json.load(open(path)):
                for chip in example["targets"]:
                    compiled = os.path.join(directory, f"{example['kernel']}-{chip}.hsaco")
                    source = os.path.join(os.path.dirname(path), example["file"])
                    run([options.inflight, "compile", "-mcpu=" + chip, source, "-o", compiled])
                    yield f"{example['kernel']} {chip}", compiled, example
        elif path.endswith(".json"):
            yield os.path.basename(path)[:-5], path[:-5] + ".hsaco", json.load(open(path))
        else:
            yield path[-60:], path, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--goal", default="relax", choices=("relax", "insert"))
    parser.add_argument("--old")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--brief", action="store_true")
    options = parser.parse_args()
    ratios, sums, refused = [], [0, 0, 0, 0], 0
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(options.jobs) as pool:
        items = list(inputs(options, directory))

        def one(item):
            number, (name, path, launch) = item
            try:
                return name, measure(options, directory, number, path, launch)
            except (RuntimeError, AttributeError, subprocess.TimeoutExpired) as problem:
                return name, str(problem)

        for name, result in pool.map(one, enumerate(items)):
            if result is None or isinstance(result, str):
                refused += 1
                print(f"{name:<62} {result or 'refused'}")
                continue
            pairs, counts, sizes = result
            for i, value in enumerate((*counts, *sizes)):
                sums[i] += value
            ratios += [(after / before, name) for before, after in pairs]
            worst = max(pairs, key=lambda pair: pair[1] / pair[0], default=None)
            if not options.brief or (worst and worst[1] > 1.001 * worst[0]):
                times = f"{worst[0]:>9} -> {worst[1]:<9} {worst[1] / worst[0]:.4f}" if worst else "nothing to time"
                print(f"{name:<62} waits {counts[0]:>5} -> {counts[1]:<5} {times}", flush=True)
    if ratios:
        mean = math.exp(sum(math.log(ratio) for ratio, _ in ratios) / len(ratios))
        worst = max(ratios)
        print(f"{len(ratios)} times: geometric mean {mean:.4f}, best {min(ratios)[0]:.4f}, worst {worst[0]:.4f} ({worst[1].strip()}); "
              f"{sum(r < 0.999 for r, _ in ratios)} faster, {sum(r > 1.001 for r, _ in ratios)} slower by more than 0.1 %")
    print(f"{len(items) - refused} of {len(items)} edited: waits {sums[0]} -> {sums[1]}, bytes {sums[2]} -> {sums[3]}")


if __name__ == "__main__":
    main()
