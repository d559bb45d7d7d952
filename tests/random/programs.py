#!/usr/bin/env python3
"""Random C++ programs, compiled by clang for this host and for the chips, and compared bit for bit.

    tests/random/programs.py INFLIGHT SEED COUNT [--chips gfx90a,gfx942,gfx950] [--levels 0,1,2,3] [--all] [--check]
                             [--delivery latest,random:1] [--compiler inflight] [--rewrite COMMAND] [--jobs N] [--keep DIR] [--reduce] [--reduce-seconds N]

A program (cgen.py) is one kernel; eight consecutive seeds are compiled together. Without --all each eight are compiled for
one chip at one level, which change with the seed. With --check each program also runs with all checks, which must find
nothing but what known.py explains by defects of the compiler, once for each of --delivery. --compiler=inflight has Inflight compile clang's
LLVM IR in place of LLVM's code generator; programs are then without what it refuses. --rewrite changes the code objects: the
command is called with the chip and the file, after the compiler. --reduce drops statements of a program while it still has its
problem, for at most N seconds (600), and leaves it in DIR.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cgen  # noqa: E402
import known  # noqa: E402

CHIPS, LEVELS, TOGETHER = ["gfx90a", "gfx942", "gfx950"], ["0", "1", "2", "3"], 8
COMMON = ["-std=c++20", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-Xclang", "-ffloat16-excess-precision=none",
          "-Xclang", "-fbfloat16-excess-precision=none", "-I", os.path.join(HERE, "support")]
SHARED = np.dtype([("slot", "<u4", (2, 256, 4)), ("count32", "<u4", (2, 10)), ("count64", "<u8", (2, 10)), ("countF", "<f4", (2, 2)),
                   ("countD", "<f8", (2, 2)), ("pad", "<u4", 2)])


class Failure(Exception):
    pass


class Refused(Exception):
    """The compiler doesn't support the program, and says why."""


# Seconds that a command may take. Sanitizers make all of it ten times as slow.
TIMEOUT = int(os.environ.get("INFLIGHT_TEST_TIMEOUT", 300))


def run(arguments):
    try:
        return subprocess.run(arguments, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(arguments)}\nno end after {TIMEOUT} s")


def command(arguments):
    done = run(arguments)
    if done.returncode:
        raise Failure(f"{' '.join(arguments[:3])}…\n{(done.stdout + done.stderr).strip()[:3000]}")


def describe(finding):
    other = "".join(f"\n  {o['message']} {o['address']:#x}: {o['instruction']}" for o in finding.get("related", []))
    place = ", ".join(f"{name} {finding[name]}" for name in ("workgroup", "wave", "lane") if name in finding)
    return f"error: {finding['message']} [{finding['rule']}]\n  at    {finding['address']:#x}: {finding['instruction']}{other}\n  in    {place}"


def checked_run(arguments, code, delivery):
    """Runs with all checks; returns why there are the findings that are known."""
    arguments = [*arguments, f"--delivery={delivery}"]
    done = run([*arguments, "--check=all", "--format=json"])
    if done.returncode not in (0, 1) or not done.stdout:
        raise Failure(f"{' '.join(arguments[:3])}… --check=all\n{done.stderr.strip()[:3000]}")
    findings = json.loads(done.stdout)["findings"]
    if not findings:
        return []
    listing = known.Code(code)
    reasons = [known.explain(listing, finding) for finding in findings]
    if None in reasons:
        raise Failure(f"--check=all --delivery={delivery}\n" + "\n".join(describe(f) for f, reason in zip(findings, reasons) if not reason)[:3000])
    return reasons


def compile_host(source, output):
    march = "x86-64-v3" if os.uname().machine == "x86_64" else "native"
    command(["clang++-22", *COMMON, "-O0", f"-march={march}", "-shared", "-fPIC", source, "-o", output])


def compile_chip(options, source, chip, level, seed, output):
    atomics = ["-munsafe-fp-atomics"] if seed // TOGETHER % 2 else []
    clang = ["clang++-22", "-x", "hip", "--offload-device-only", "--no-gpu-bundle-output", f"--offload-arch={chip}", "-nogpuinc", "-nogpulib", *COMMON,
             f"-O{level}", *atomics, source]
    if options.compiler == "llvm":
        return command([*clang, "-o", output])
    command([*clang, "-emit-llvm", "-S", "-o", output + ".ll"])
    done = run([options.inflight, "compile", "-mcpu=" + chip, output + ".ll", "-o", output])
    if refusal := done.returncode == 1 and re.search(r"error: (not supported: .*|control flow that can't be structured)", done.stderr):
        raise Refused(re.sub(r"_Z\w+", "…", refusal[1]))
    if done.returncode:
        raise Failure(f"inflight compile: status {done.returncode}\n{done.stderr.strip()[:3000]}")


def word(rng):
    """64 bits which are often something special: of an integer, or of floats."""
    kind = rng.randrange(9)
    if kind == 0:
        return rng.randrange(64)
    if kind == 1:
        return -rng.randrange(1, 64) & 0xffffffffffffffff
    if kind == 2:
        return rng.choice([1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1, 0xffffffff, 1 << 32, 1 << rng.randrange(64)])
    if kind == 3:
        return int(np.float64(rng.choice([rng.uniform(-100, 100), 0.0, -0.0, float("inf"), float("-inf"), float("nan"), 5e-324, 1e300, 1.5, 4e9])).view(np.uint64))
    if kind in (4, 5):
        words = [int(np.float32(rng.choice([rng.uniform(-100, 100), 0.0, -0.0, float("inf"), float("nan"), 1e-42, 3e38, 1.0, 2.5, 1e-30])).view(np.uint32)) for _ in range(2)]
        return words[0] | words[1] << 32
    if kind == 6:
        with np.errstate(over="ignore"):
            words = [int(np.float16(rng.choice([rng.uniform(-100, 100), 0.0, -0.0, float("inf"), float("nan"), 6e-8, 65504.0, 1.0])).view(np.uint16)) for _ in range(4)]
        return sum(w << 16 * i for i, w in enumerate(words))
    return rng.getrandbits(64)


@functools.cache
def special_words():
    rng = random.Random(1)
    return np.array([word(rng) for _ in range(2000)], np.uint64)


class Data:
    """What a program is given."""

    def __init__(self, kernel):
        rng, lanes = random.Random(kernel.seed + 12345), kernel.lanes * kernel.groups
        generator = np.random.default_rng(kernel.seed)

        def words(count):
            special = special_words()[generator.integers(0, len(special_words()), count)]
            return np.where(generator.random(count) < 0.8, special, generator.integers(0, 2**64, count, np.uint64, endpoint=False))

        self.buffers = [words(lanes * 32), words(lanes * 32), np.zeros(lanes * kernel.outputs, np.uint64), np.zeros(kernel.groups, SHARED)]
        shared = self.buffers[3]
        shared["slot"] = generator.integers(0, 2**32, shared["slot"].shape)
        shared["count32"] = generator.integers(0, 2**32, shared["count32"].shape)
        shared["count64"] = words(shared["count64"].size).reshape(shared["count64"].shape)
        shared["countF"], shared["countD"] = rng.randrange(100), rng.randrange(100)
        f32 = np.uint32(word(rng) & 0xffffffff).view(np.float32)
        f64 = np.uint64(word(rng)).view(np.float64)
        # A NaN has one pattern, as everywhere in the programs.
        self.values = [np.uint32(word(rng) & 0xffffffff), np.uint32(rng.randrange(64)), np.uint64(word(rng)),
                       np.float32("nan") if f32 != f32 else f32, np.float64("nan") if f64 != f64 else f64]

    def host(self, library, kernel):
        buffers = [b.copy() for b in self.buffers]
        types = [ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_float, ctypes.c_double]
        library[kernel.space](*[ctypes.c_void_p(b.ctypes.data) for b in buffers], *[t(v.item()) for t, v in zip(types, self.values)])
        return buffers

    def chip(self, inflight, code, kernel, directory, delivery=None):
        """What is in the buffers afterwards, and the reasons for known findings; with all checks if a delivery is named."""
        arguments = [inflight, "run", code, "--kernel", kernel.space, "--block", str(kernel.lanes), "--grid", str(kernel.groups), "--threads", "1"]
        paths = [os.path.join(directory, f"{kernel.space}.{i}.npy") for i in range(4)]
        for i, path in enumerate(paths):
            np.save(path, self.buffers[i].view(np.uint8))
            arguments += ["--arg", path, "--out", f"{i}={path}.out"]
        arguments += [a for v in self.values for a in ("--arg", "bytes:" + v.tobytes().hex())]
        reasons = checked_run(arguments, code, delivery) if delivery else []
        if not delivery:
            command(arguments)
        return [np.load(path + ".out").view(np.uint8).view(b.dtype) for path, b in zip(paths, self.buffers)], reasons


def compare(kernel, expected, got):
    """None, or the first difference."""
    for name, want, have in zip(["in", "mem", "out", "shared"], expected, got):
        if name == "shared":
            for field in SHARED.names:
                if (want[field] != have[field]).any():
                    place = tuple(np.argwhere(want[field] != have[field])[0])
                    return f"shared.{field}{[int(i) for i in place]} is {have[field][place]}, expected {want[field][place]}"
        elif (want != have).any():
            place = int(np.argmax(want != have))
            per_lane = len(want) // (kernel.lanes * kernel.groups)
            return (f"{name}[{place % per_lane}] of lane {place // per_lane % kernel.lanes}, workgroup {place // per_lane // kernel.lanes} is "
                    f"{int(have[place]):#x}, expected {int(want[place]):#x} ({int((want != have).sum())} differ)")
    return None


def run_kernels(options, kernels, pairs, directory, dropped=()):
    """(chip, level, kernel, problem) of all that is wrong, and why there are the findings that are known."""
    source, library = os.path.join(directory, "program.cpp"), os.path.join(directory, f"host{random.getrandbits(60)}.so")
    with open(source, "w") as file:
        file.write(cgen.program(kernels, dropped))
    problems, explained = [], collections.Counter()
    try:
        compile_host(source, library)
    except Failure as failure:
        return [("host", "0", kernels[0], str(failure))], explained
    host = ctypes.CDLL(library)
    os.unlink(library)
    data = [Data(k) for k in kernels]
    expected = [d.host(host, k) for d, k in zip(data, kernels)]
    for chip, level in pairs:
        code = os.path.join(directory, "program.co")
        try:
            compile_chip(options, source, chip, level, kernels[0].seed, code)
            if options.rewrite:
                command([*options.rewrite.split(), chip, code])
        except Refused as refused:
            explained[f"refused: {refused}"] += 1
            continue
        except Failure as failure:
            problems.append((chip, level, kernels[0], str(failure)))
            continue
        for d, kernel, want in zip(data, kernels, expected):
            for delivery in [None, *options.delivery.split(",")] if options.check else [None]:
                try:
                    got, reasons = d.chip(options.inflight, code, kernel, directory, delivery)
                    explained.update(reasons)
                    problem = compare(kernel, want, got)
                except Failure as failure:
                    problem = str(failure)
                if problem:
                    problems.append((chip, level, kernel, problem))
                    break
    return problems, explained


def kind_of(problem):
    """What doesn't change while a program gets smaller."""
    error = re.search(r"error: ([^\n]*)", problem)
    return re.sub(r"0x[0-9a-f]+|\d+", "", error[1]) if error else "differs"


def reduce(options, kernel, chip, level, directory, problem):
    """Numbers of statements without which the program still has the problem."""
    def fails(dropped):
        problems, _ = run_kernels(options, [kernel], [(chip, level)], directory, dropped)
        return bool(problems) and problems[0][0] != "host" and kind_of(problems[0][3]) == kind_of(problem)

    end_time = time.monotonic() + options.reduce_seconds
    dropped, step, alive = set(), max(1, kernel.statements // 2), list(range(1, kernel.statements + 1))
    while step:
        for end in range(len(alive), 0, -step):  # backwards: uses before what they use
            if time.monotonic() > end_time:
                return dropped
            more = dropped | set(alive[max(0, end - step):end])
            if fails(more):
                dropped = more
        remaining = [n for n in alive if n not in dropped]
        step = step // 2 if step > 1 or len(remaining) == len(alive) else 1
        alive = remaining
    return dropped


def run_batch(options, seeds, pairs):
    directory = tempfile.mkdtemp(prefix="programs-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        kernels = [cgen.Kernel(seed, plain=options.compiler == "inflight") for seed in seeds]
        problems, explained = run_kernels(options, kernels, pairs, directory)
        for chip, level, kernel, problem in problems if options.keep else []:
            os.makedirs(options.keep, exist_ok=True)
            dropped = reduce(options, kernel, chip, level, directory, problem) if options.reduce and chip != "host" else ()
            with open(os.path.join(options.keep, f"{kernel.seed}.{chip}.O{level}.cpp"), "w") as file:
                file.write(cgen.program([kernel], dropped))
        return [(chip, level, kernel.seed, problem) for chip, level, kernel, problem in problems], explained
    finally:
        shutil.rmtree(directory)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inflight")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--chips", default=",".join(CHIPS))
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--delivery", default="latest", help="when loads arrive in checked runs, as `inflight run --delivery` takes it; several with commas")
    parser.add_argument("--compiler", choices=("llvm", "inflight"), default="llvm", help="what makes code of clang's LLVM IR")
    parser.add_argument("--rewrite", help="a command that changes code objects: it is called with the chip and the file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--reduce-seconds", type=float, default=600)
    options = parser.parse_args()
    if not shutil.which("clang++-22"):
        print("no clang++-22: nothing run")
        return 0
    pairs = [(chip, level) for level in options.levels.split(",") for chip in options.chips.split(",")]
    failures, explained = 0, collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        running = []
        together = TOGETHER if options.compiler == "llvm" else 1  # what is refused takes others with it
        for begin in range(options.first, options.first + options.count, together):
            seeds = list(range(begin, min(begin + together, options.first + options.count)))
            chosen = pairs if options.all else [pairs[begin // together % len(pairs)]]
            running.append(pool.submit(run_batch, options, seeds, chosen))
        for future in concurrent.futures.as_completed(running):
            problems, reasons = future.result()
            explained += reasons
            for chip, level, seed, problem in problems:
                failures += 1
                print(f"seed {seed}, {chip} -O{level}: {problem}\n", flush=True)
    for reason, count in explained.items():
        print(f"known, {count} times: {reason}")
    print(f"{options.count} programs, {failures} problems")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
