#!/usr/bin/env python3
"""Compiles the kernels here as their users would, runs them on the machine and compares with their references.

    tests/kernels/run.py INFLIGHT [NAME...] [--all] [--chip CHIP] [--level 0,1,3] [--clang clang-19] [--abi 4] [--jobs N]
                         [--check LIST] [--delivery WHEN] [--flags=FLAGS] [--rewrite COMMAND]

A kernel is a file opencl/NAME.cl or hip/NAME.hip with a reference NAME.py beside it, which defines run(gpu) (support/gpu.py)
and may define CHIPS (those it is for) and FLAGS (of the compiler). Without --all each kernel is compiled at -O0, -O1 and -O3
for one chip and at -O2 for the others, with the version of the code object changing from chip to chip. Builds at -O1 and -O3 run
with all checks, or all builds with those of --check. A reference may define FINDINGS: kernels in which the compiler leaves out
what a check looks for.
"""
import argparse
import concurrent.futures
import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
from gpu import Gpu, Mismatch  # noqa: E402

CHIPS = ["gfx90a", "gfx942", "gfx950"]
# Ways to launch that only options of the compiler bring about: scratch by FLAT_SCRATCH on gfx90a, workgroup ids in trap
# temporaries, arguments preloaded into SGPRs.
VARIANTS = [("gfx90a", ["recursion", "scratch_arrays", "virtual_calls"], "-Xclang -target-feature -Xclang +enable-flat-scratch"),
            ("gfx942", ["saxpy", "vector_add", "convolution"], "-Xclang -target-feature -Xclang +architected-sgprs"),
            ("gfx90a", ["saxpy", "atomics"], "-mllvm -amdgpu-kernarg-preload-count=14"),
            ("gfx950", ["templates", "matmul"], "-mllvm -amdgpu-kernarg-preload-count=14")]
BITCODE = next((d for pattern in ("/usr/lib/*/amdgcn/bitcode", "/usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode")
                for d in glob.glob(pattern) if os.path.exists(d + "/ocml.bc")), None)


def compiler_command(clang, source, chip, level, abi, flags, output):
    """The device libraries of Debian know gfx90a; what they say of it holds for the later chips."""
    is_hip = source.endswith(".hip")
    libraries = ([] if is_hip else ["opencl"]) + ["ocml", "ockl", "oclc_daz_opt_off", "oclc_finite_only_off", "oclc_unsafe_math_off",
                 "oclc_correctly_rounded_sqrt_on", "oclc_wavefrontsize64_on", "oclc_isa_version_90a", f"oclc_abi_version_{min(abi, 5)}00"]
    language = (["-x", "hip", "--offload-device-only", "--no-gpu-bundle-output", f"--offload-arch={chip}", "-nogpuinc", "-std=c++20",
                 "-I", os.path.join(HERE, "support")] if is_hip else
                ["-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", f"-mcpu={chip}"])
    command = [clang, *language, "-nogpulib", f"-mcode-object-version={abi}", f"-O{level}", source, "-o", output, *flags]
    if clang != "clang-22":  # older ones have no linker of their own version
        command += ["-B/usr/lib/llvm-22/bin"]
    for name in libraries:
        command += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", f"{BITCODE}/{name}.bc"]
    return command


def load_reference(source):
    spec = importlib.util.spec_from_file_location("reference", os.path.splitext(source)[0] + ".py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_kernel(options, source, chip, level, abi, flags, output):
    """The last command's result, and the last line that --rewrite printed."""
    if not options.rewrite:
        return subprocess.run(compiler_command(options.clang, source, chip, level, abi, flags, output), capture_output=True, text=True), ""
    text = output + ".s"
    assemble = [options.clang, "-target", "amdgcn-amd-amdhsa", f"-mcpu={chip}", f"-mcode-object-version={abi}", text, "-o", output]
    compiled = subprocess.run(compiler_command(options.clang, source, chip, level, abi, ["-S", *flags], text), capture_output=True, text=True)
    if compiled.returncode:
        return compiled, ""
    rewritten = subprocess.run([*options.rewrite.split(), chip, text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if rewritten.returncode:
        rewritten.stderr = rewritten.stdout
        return rewritten, ""
    return subprocess.run(assemble, capture_output=True, text=True), rewritten.stdout.strip().rpartition("\n")[2]


def run_one(options, source, chip, level, abi, more_flags):
    """None, or why it failed; the instructions executed, the seconds, and what --rewrite printed."""
    directory = options.keep or tempfile.mkdtemp(prefix="kernel-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    os.makedirs(directory, exist_ok=True)
    begin = time.monotonic()
    try:
        module = load_reference(source)
        gpus = [Gpu(options.inflight, chip, level, directory, threads=2 if level == "3" else 1,
                    checks=options.check or ("all" if level in "13" else None), known=getattr(module, "FINDINGS", None), delivery=delivery)
                for delivery in (options.delivery.split(",") if options.delivery else [None])]
        flags = getattr(module, "FLAGS", []) + options.flags.split() + more_flags.split()
        compiled, printed = compile_kernel(options, source, chip, level, abi, flags, gpus[0].code)
        if compiled.returncode:
            return "does not compile:\n" + compiled.stderr[:1500], 0, 0, ""
        for gpu in gpus:
            module.run(gpu)
        return None, sum(gpu.instructions for gpu in gpus), time.monotonic() - begin, printed
    except Mismatch as error:
        return str(error), 0, 0, ""
    except Exception:
        return traceback.format_exc(), 0, 0, ""
    finally:
        if not options.keep:
            shutil.rmtree(directory)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inflight")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--chip")
    parser.add_argument("--level")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--abi", type=int)
    parser.add_argument("--flags", default="", help="more options of the compiler, separated by spaces")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a directory for the code object and buffers of a single run")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--check", help="checks of all runs, as `inflight run --check` takes them")
    parser.add_argument("--delivery", help="when loads arrive in checked runs, as `inflight run --delivery` takes it; several with commas")
    parser.add_argument("--rewrite", help="a command that changes assembly: it is called with the chip and the file between compiler and assembler")
    options = parser.parse_args()
    if not shutil.which(options.clang):
        print(f"no {options.clang}: nothing run")
        return 0
    if not BITCODE:
        print("error: no ROCm device libraries (Debian's rocm-device-libs): run scripts/install-deps.sh")
        return 1
    chips = options.chip.split(",") if options.chip else CHIPS if options.clang == "clang-22" else CHIPS[:2]
    levels = options.level.split(",") if options.level else None
    sources = sorted(glob.glob(HERE + "/opencl/*.cl") + glob.glob(HERE + "/hip/*.hip"))
    tasks = []
    for source in sources:
        name = os.path.splitext(os.path.basename(source))[0]
        if options.names and name not in options.names:
            continue
        possible = [c for c in chips if c in getattr(load_reference(source), "CHIPS", CHIPS)]
        for position, chip in enumerate(possible):
            # Another chip gets all levels for each kernel in turn.
            full = options.all or position == len(name) % len(possible)
            abi = options.abi or (4 + (len(tasks) + position) % (3 if options.clang == "clang-22" else 2))
            for level in levels or (["0", "1", "3"] if full else ["2"]):
                tasks.append((name, source, chip, level, abi, ""))
        for chip, names, flags in VARIANTS:
            if name in names and chip in chips and not levels and options.clang == "clang-22":
                tasks.append((name, source, chip, "2", 6, flags))
    failures, instructions = 0, 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        running = {pool.submit(run_one, options, *task[1:]): task for task in tasks}
        for future in concurrent.futures.as_completed(running):
            name, _, chip, level, abi, flags = running[future]
            error, count, seconds, printed = future.result()
            instructions += count
            if options.times:
                print(f"{seconds:6.2f} s {count:10} {name} {chip} -O{level} v{abi} {flags} {printed}")
            if error:
                failures += 1
                print(f"FAILED {name} {chip} -O{level} code object v{abi} {flags}\n{error}\n", flush=True)
    print(f"{len({t[0] for t in tasks})} kernels in {len(tasks)} builds, {failures} failed, {instructions} instructions")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
