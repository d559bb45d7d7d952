#!/usr/bin/env python3
"""What has been won stays won: counts what Inflight and its code do, and holds that against bench/marks.json.

    bench/marks.py [--build DIR] [--against DIR] [--raise]

Nothing here is a time, which hosts don't agree on: ratios of times to other programs' differ by a half between two processors. Two kinds of marks:

    count  what the machine and the compiler count: instructions, waits, cycles of examples. The same everywhere; a loss of more than 2 % is a failure.
    work   what one of our programs does, as Valgrind's cachegrind counts it: instructions, 10 for each miss of a first cache of 32 KiB, 100 for each of
           a last one of 16 MiB (KCachegrind's estimate of cycles). The same within 1 %, as libraries choose code by processor; libraries and compilers
           of another version make a little more of a difference. A loss of more than 5 % is a failure.

Smaller losses are printed. Of all marks less is better. --raise writes what was measured, with the commit, in place of the marks. --against DIR measures
another build as well, the commit before, say, and prints its figures beside. Exit status 1 if a mark is lost.
"""
import argparse
import glob
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKS = os.path.join(ROOT, "bench/marks.json")
LLVM = "/usr/lib/llvm-22/bin"
ALLOWED = {"count": 0.02, "work": 0.05}
CHIP = "gfx942"
WAITS_SIZE = 20000
CACHEGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=16777216,16,64",
              "--cachegrind-out-file=/dev/null"]
WEIGHTS = {"I refs": 1, "I1 misses": 10, "D1 misses": 10, "LL misses": 100}


def load(path):
    sys.path.insert(0, os.path.join(ROOT, os.path.dirname(path)))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], os.path.join(ROOT, path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(command, allowed=(0,)):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    except FileNotFoundError:
        sys.exit(f"marks: {command[0]}: not found (scripts/install-deps.sh installs what is needed)")
    if done.returncode not in allowed:
        sys.exit(f"marks: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


class Measurement:
    """All marks of one build."""

    def __init__(self, build, folder):
        self.build, self.folder = os.path.abspath(build), folder
        self.inflight = os.path.join(self.build, "bin/inflight")
        self.counted = {}  # copies of our programs by path, without what Valgrind of Debian 12 can't read
        self.marks = {}

    def add(self, kind, name, value):
        self.marks[name] = {"kind": kind, "value": round(value, 4)}
        print(f"  {name:44} {value:12.4g}", file=sys.stderr, flush=True)

    def work(self, command, allowed=(0,)):
        """What the command's process and its children do; a child counts what came before it, too."""
        program, *arguments = command
        if program not in self.counted:
            self.counted[program] = os.path.join(self.folder, os.path.basename(program))
            run([f"{LLVM}/llvm-strip", "-g", program, "-o", self.counted[program]])
        logs = tempfile.mkdtemp(dir=self.folder)
        run([*CACHEGRIND, f"--log-file={logs}/%p", self.counted[program], *arguments], allowed)
        total = 0
        for log in glob.glob(f"{logs}/*"):
            with open(log) as file:
                text = file.read()
            for name, weight in WEIGHTS.items():
                count = re.search(name.replace(" ", r"\s+") + r":\s+([\d,]+)", text)
                if not count:
                    sys.exit(f"marks: cachegrind doesn't say '{name}':\n{text[-2000:]}")
                total += weight * int(count[1].replace(",", ""))
        shutil.rmtree(logs)
        return total

    def examples(self):
        """Instructions and waits that the examples execute."""
        kernels = json.loads(run([f"{self.build}/bin/inflight-bench", "examples", "--json", "--repetitions=1"]).stdout)["kernels"]
        for what in ("instructions", "waits"):
            for kernel in kernels:
                self.add("count", f"{what}: {kernel['kernel']}", kernel["inflight"][what])

    def gemm(self):
        """Cycles of GEMMs on the timed model, and the work of compiling and simulating them."""
        generate = load("examples/gemm/generate.py")
        source, code, size = os.path.join(self.folder, "gemm.mlir"), os.path.join(self.folder, "gemm.hsaco"), 512

        def launch(variant):
            element, tile, waves = variant[1], variant[3], variant[4] * variant[5]
            with open(source, "w") as file:
                file.write(generate.generate(*variant[:6], size, size, size, *variant[9:]))
            run([self.inflight, "compile", f"-mcpu={CHIP}", source, "-o", code])
            return [code, "--threads", "1", "--grid", f"{size // tile},{size // tile}", "--block", str(64 * waves), "--arg",
                    f"random:{size}x{size}:{element}:1", "--arg", f"random:{size}x{size}:{element}:2", "--arg", f"zeros:{size}x{size}:f32"]

        variants = {variant[0]: variant for variant in generate.VARIANTS}
        for name in ("gemm_fp8_128", "gemm_f16_128_async", "gemm_f16_128", "gemm_f16_256"):
            arguments = launch(variants[name])
            text = run([self.inflight, "run", "--timed", "--cus", "0", *arguments])
            self.add("count", f"cycles: {name}, 512", float(re.search(r"device: (\d+) cycles", text.stdout + text.stderr)[1]))
        for what, mode in (("machine", []), ("timed model", ["--timed", "--cus", "0"]), ("machine with all checks", ["--check=all"])):
            self.add("work", f"work: {what}, gemm_f16_256", self.work([self.inflight, "run", *mode, *arguments]))
        for source in (source, "examples/flash_attention/flash_attention_d128_causal.mlir", "examples/softmax/softmax.mlir",
                       "tests/lit/llvm-ir/loops.ll"):
            name = os.path.basename(source).removesuffix(".mlir").replace("gemm", "gemm_f16_256")
            self.add("work", f"work: compile {name}", self.work([self.inflight, "compile", f"-mcpu={CHIP}", source, "-o", os.devnull]))

    def plain(self):
        """What copies ahead and the scheduler make of GEMMs without either."""
        bench, size = load("bench/async.py"), 4096
        for kernel in bench.KERNELS:
            if kernel.name in ("gfx90a f16", "gfx942 f16", "gfx950 f16", "gfx950 fp8"):
                row = bench.measure(self.inflight, [self.inflight, "compile", f"-mcpu={kernel.chip}"], kernel, size, False, None)
                self.add("count", f"cycles: plain GEMM {kernel.name}, {size}", row["cycles"])

    def waits(self):
        """The analysis of waits, without reading and with it."""
        bench, speed = load("bench/waits.py"), os.path.join(self.build, "bench/waits-speed")
        options = argparse.Namespace(llvm=LLVM, chip=CHIP, repeat=1)
        for shape in ("nested", "loops", "straight"):
            source, text, code = (os.path.join(self.folder, f"waits.{suffix}") for suffix in ("mir", "s", "o"))
            bench.write_inputs(options, shape, WAITS_SIZE, source, text)
            run([f"{LLVM}/llvm-mc", "-triple=amdgcn-amd-amdhsa", f"-mcpu={CHIP}", "-filetype=obj", text, "-o", code])
            read = self.work([speed, "--once=read", code])
            for what in ("fixpoint", "plan"):
                self.add("work", f"work: waits, {what}: {shape}", self.work([speed, f"--once={what}", code]) - read)
        self.add("work", "work: waits --insert", self.work([self.inflight, "waits", "--threads", "1", "--insert", text, "-o", os.devnull], (0, 1)))
        self.add("work", "work: waits of an object", self.work([self.inflight, "waits", "--threads", "1", code], (0, 1)))

    def all(self):
        self.examples()
        self.plain()
        self.gemm()
        self.waits()
        return self.marks


def commit():
    return run(["git", "rev-parse", "--short", "HEAD"]).stdout.strip()


def compare(marks, old):
    """Prints what is worse or better than a per cent; the number of marks lost."""
    lost = 0
    for name, mark in marks.items():
        if name not in old:
            print(f"new     {name}: {mark['value']}")
            continue
        before = old[name]["value"]
        loss = mark["value"] / before - 1
        is_lost = loss > ALLOWED[mark["kind"]]
        lost += is_lost
        if abs(loss) > 0.01:
            print(f"{'LOST' if is_lost else 'worse' if loss > 0 else 'better':7} {name}: {before} -> {mark['value']} ({loss:+.1%})")
    for name in old.keys() - marks.keys():
        lost += 1
        print(f"LOST    {name}: not measured")
    return lost


def measure(build):
    with tempfile.TemporaryDirectory() as folder:
        print(f"{build}:", file=sys.stderr)
        return Measurement(build, folder).all()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--against")
    parser.add_argument("--raise", dest="raises", action="store_true")
    options = parser.parse_args()
    marks = measure(options.build)
    if options.against:
        print(f"against {options.against}")
        compare(marks, measure(options.against))
    if options.raises:
        with open(MARKS, "w") as file:
            json.dump({"commit": commit(), "marks": marks}, file, indent=1)
            file.write("\n")
        return 0
    with open(MARKS) as file:
        kept = json.load(file)
    print(f"against the marks of {kept['commit']}")
    lost = compare(marks, kept["marks"])
    print(f"{len(marks) - lost} marks are held, {lost} are lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
