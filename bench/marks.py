#!/usr/bin/env python3
"""What has been won stays won: measures ratios and counts, and holds them against bench/marks.json.

    bench/marks.py [--build DIR] [--against DIR] [--raise]

Counts of the machine and the compiler (instructions, waits, cycles of examples) are the same on every host: a loss of more than 2 % is a failure. The
others are ratios of processor times to LLVM's tools on the same input in the same run, or to a fixed loop: more than 40 % is a failure, as hosts
differ, if it's so three times: other work on the host makes ratios greater. A host may be slow for seconds by a factor of 1.6: what two programs take
is measured in turns, and the ratio is the median of the turns'. Smaller losses are printed. Of all marks less is better.

--raise writes what was measured, with the commit, in place of the marks. --against DIR measures another build as well, the commit before, say, and prints
its figures beside. Exit status 1 if a mark is lost.
"""
import argparse
import importlib.util
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKS = os.path.join(ROOT, "bench/marks.json")
LLVM = "/usr/lib/llvm-22/bin"
ALLOWED = {"count": 0.02, "time": 0.40}
REPETITIONS = 5
CHIP = "gfx942"
WAITS_SIZE = 100000

# Arithmetic that depends on what came before, and loads: about half a second.
LOOP = """
#include <stdint.h>
static uint32_t table[1 << 14];
int main(void) {
  uint32_t x = 1, sum = 0;
  for (uint32_t i = 0; i < 60000000; ++i) {
    x = x * 1664525u + 1013904223u;
    sum += table[x >> 18] ^ (x & 64 ? i : x);
    table[sum & 16383] = x;
  }
  return sum == 42;
}
"""


def load(path):
    sys.path.insert(0, os.path.join(ROOT, os.path.dirname(path)))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], os.path.join(ROOT, path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(command, allowed=(0,)):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode not in allowed:
        sys.exit(f"marks: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def seconds(command, allowed=(0,)):
    """Processor time of the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, allowed)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(ours, theirs):
    """Of what two functions return, called in turns: the median."""
    return statistics.median(ours() / theirs() for _ in range(REPETITIONS))


class Measurement:
    """All marks of one build, or of times alone; what doesn't depend on the build is measured with each."""

    def __init__(self, build, folder, kinds):
        self.build, self.folder, self.kinds = os.path.abspath(build), folder, kinds
        self.inflight = os.path.join(self.build, "bin/inflight")
        self.marks = {}

    def add(self, kind, name, value):
        if kind not in self.kinds:
            return
        self.marks[name] = {"kind": kind, "value": round(value, 4)}
        print(f"  {name:44} {value:12.4g}", file=sys.stderr, flush=True)

    def examples(self):
        """Instructions and waits that the examples execute, and compile time to LLVM's."""
        kernels = json.loads(run([f"{self.build}/bin/inflight-bench", "examples", "--json", f"--repetitions={REPETITIONS}"]).stdout)["kernels"]
        for what in ("instructions", "waits"):
            for kernel in kernels:
                self.add("count", f"{what}: {kernel['kernel']}", kernel["inflight"][what])
        self.add("time", "compile to LLVM, median", statistics.median(kernel["ratio"]["compile_ms"] for kernel in kernels))

    def cycles(self, loop):
        """Cycles of GEMMs on the timed model, and what simulating them takes."""
        generate = load("examples/gemm/generate.py")

        def launch(variant, size):
            source, code = os.path.join(self.folder, "gemm.mlir"), os.path.join(self.folder, "gemm.hsaco")
            variant = [*variant[:6], size, size, size, *variant[9:]]
            element, tile, waves = variant[1], variant[3], variant[4] * variant[5]
            with open(source, "w") as file:
                file.write(generate.generate(*variant))
            run([self.inflight, "compile", f"-mcpu={CHIP}", source, "-o", code])
            return [code, "--threads", "1", "--grid", f"{size // tile},{size // tile}", "--block", str(64 * waves), "--arg",
                    f"random:{size}x{size}:{element}:1", "--arg", f"random:{size}x{size}:{element}:2", "--arg", f"zeros:{size}x{size}:f32"]

        def processor_time(mode, arguments):
            return ratio(lambda: seconds([self.inflight, "run", *mode, *arguments]), loop)

        variants = {variant[0]: variant for variant in generate.VARIANTS}
        for name in ("gemm_f16_128", "gemm_f16_256", "gemm_fp8_128", "gemm_f16_128_async") if "count" in self.kinds else ():
            text = run([self.inflight, "run", "--timed", "--cus", "0", *launch(variants[name], 512)])
            self.add("count", f"cycles: {name}, 512", float(re.search(r"device: (\d+) cycles", text.stdout + text.stderr)[1]))
        # Large enough that starting the process doesn't count.
        large = launch(variants["gemm_f16_256"], 2048)
        self.add("time", "timed model to the loop", processor_time(["--timed", "--cus", "0"], large))
        self.add("time", "machine to the loop", processor_time([], large))
        self.add("time", "machine with all checks to the loop", processor_time(["--check=all"], large))

    def plain(self):
        """What copies ahead and the scheduler make of GEMMs without either."""
        bench, size = load("bench/async.py"), 4096
        for kernel in bench.KERNELS:
            if kernel.name in ("gfx90a f16", "gfx942 f16", "gfx950 f16", "gfx950 fp8"):
                row = bench.measure(self.inflight, [self.inflight, "compile", f"-mcpu={kernel.chip}"], kernel, size, False, None)
                self.add("count", f"cycles: plain GEMM {kernel.name}, {size}", row["cycles"])

    def waits(self):
        """The analysis of waits to LLVM's pass, text to the assembler, an object to the disassembler."""
        bench = load("bench/waits.py")
        options = argparse.Namespace(llvm=LLVM, chip=CHIP, repeat=1)
        for shape in ("straight", "loops", "nested"):
            source, text, code = (os.path.join(self.folder, f"waits.{suffix}") for suffix in ("mir", "s", "o"))
            bench.write_inputs(options, shape, WAITS_SIZE, source, text)
            turns = [(bench.llvm_pass(options, source), *bench.our_times(self.build, text, 1)) for _ in range(REPETITIONS)]
            self.add("time", f"waits, fixpoint to LLVM: {shape}", statistics.median(fixpoint / theirs for theirs, fixpoint, _ in turns))
            self.add("time", f"waits, plan to LLVM: {shape}", statistics.median(plan / theirs for theirs, _, plan in turns))
        assembler = [f"{LLVM}/llvm-mc", "-triple=amdgcn-amd-amdhsa", f"-mcpu={CHIP}", "-filetype=obj", text, "-o", code]
        insert = [self.inflight, "waits", "--insert", text, "-o", os.devnull]
        self.add("time", "waits --insert to llvm-mc", ratio(lambda: seconds(insert, (0, 1)), lambda: seconds(assembler)))
        dump = [f"{LLVM}/llvm-objdump", "-d", "--no-show-raw-insn", code]
        self.add("time", "waits of an object to llvm-objdump", ratio(lambda: seconds([self.inflight, "waits", code], (0, 1)), lambda: seconds(dump)))

    def all(self):
        source, program = os.path.join(self.folder, "loop.c"), os.path.join(self.folder, "loop")
        with open(source, "w") as file:
            file.write(LOOP)
        run([f"{LLVM}/clang", "-O2", source, "-o", program])
        self.examples()
        if "count" in self.kinds:
            self.plain()
        self.cycles(lambda: seconds([program]))
        self.waits()
        return self.marks


def commit():
    return run(["git", "rev-parse", "--short", "HEAD"]).stdout.strip()


def is_lost(mark, old):
    return old is not None and mark["value"] / old["value"] - 1 > ALLOWED[mark["kind"]]


def compare(marks, old):
    """Prints what is worse or better than a per cent; the number of marks lost."""
    lost = 0
    for name, mark in marks.items():
        if name not in old:
            print(f"new     {name}: {mark['value']}")
            continue
        before = old[name]["value"]
        loss = mark["value"] / before - 1
        lost += is_lost(mark, old[name])
        if abs(loss) > 0.01:
            word = "LOST" if is_lost(mark, old[name]) else "worse" if loss > 0 else "better"
            print(f"{word:7} {name}: {before} -> {mark['value']} ({loss:+.1%})")
    for name in old.keys() - marks.keys():
        lost += 1
        print(f"LOST    {name}: not measured")
    return lost


def measure(build, kinds=tuple(ALLOWED)):
    with tempfile.TemporaryDirectory() as folder:
        print(f"{build}:", file=sys.stderr)
        return Measurement(build, folder, kinds).all()


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
    for _ in range(2):
        if not any(mark["kind"] == "time" and is_lost(mark, kept["marks"].get(name)) for name, mark in marks.items()):
            break
        print("measured again: a ratio of times is lost")
        for name, mark in measure(options.build, ("time",)).items():
            if mark["value"] < marks[name]["value"]:
                marks[name] = mark
    lost = compare(marks, kept["marks"])
    print(f"{len(marks) - lost} marks are held, {lost} are lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
