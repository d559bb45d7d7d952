#!/usr/bin/env python3
"""Puts waits and s_nop into compiled kernels at random places and runs them on the machine: they compute what they did before.

    tests/program/edit-kernels.py INFLIGHT EDIT_OBJECTS [NAME...] [--chip CHIP] [--seeds N]

Kernels are those of tests/kernels, compiled with debug information and linked after or before the edits. LLVM's tools must accept
what comes out. EDIT_OBJECTS compares instructions, the targets of jumps and source lines.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels")
sys.path.insert(0, KERNELS)
sys.path.insert(0, os.path.join(KERNELS, "support"))
import run  # noqa: E402
from gpu import Gpu  # noqa: E402

# Calls through pointers, globals with relocations, recursion, several kernels, large switches, LDS, matrices, scratch.
DEFAULT = ["virtual_calls", "device_globals", "recursion", "lds_gemm", "switch_vm", "templates", "mfma_gemm", "scratch_arrays", "sha256", "backtracking"]

# Kernels that are compiled to have arguments preloaded into SGPRs.
PRELOADED = {"templates": ["-mllvm", "-amdgpu-kernarg-preload-count=14"]}


def checked(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{(result.stdout + result.stderr)[-1500:]}")
    return result.stdout


def accepted_by_llvm(path):
    report = checked(["llvm-dwarfdump-22", "--verify", path])
    if "No errors" not in report:
        raise RuntimeError(report)
    for command in (["llvm-readelf-22", "-a"], ["llvm-objdump-22", "-d", "-l"]):
        if problems := subprocess.run([*command, path], capture_output=True, text=True).stderr.strip():
            raise RuntimeError(f"{command[0]}: {problems[:1000]}")


def edit_and_run(options, source, kind, seed, of_object, flags):
    directory = tempfile.mkdtemp(prefix="edit-")
    try:
        module = run.load_reference(source)
        gpu = Gpu(options.inflight, options.chip, "3", directory)
        plain, edited = os.path.join(directory, "plain"), os.path.join(directory, "edited")
        command = run.compiler_command("clang-22", source, options.chip, "3", 5, getattr(module, "FLAGS", []) + flags, plain)
        if of_object and source.endswith(".hip"):
            # Device code of HIP has no relocatable form but by way of LLVM's code generator.
            checked([*command, "-emit-llvm", "-c", "-o", plain + ".bc"])
            checked(["llc-22", "-O3", "-filetype=obj", "--relocation-model=pic", f"-mcpu={options.chip}", plain + ".bc", "-o", plain, *[f for f in flags if "preload" in f]])
        else:
            checked(command + (["-c"] if of_object else []))
        said = checked([options.edit_objects, plain, edited, kind, str(seed)])
        accepted_by_llvm(edited)
        if of_object:
            checked(["ld.lld-22", "-shared", "--no-undefined", edited, "-o", gpu.code])
            accepted_by_llvm(gpu.code)
        else:
            shutil.copy(edited, gpu.code)
        module.run(gpu)
        return said
    finally:
        shutil.rmtree(directory)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inflight")
    parser.add_argument("edit_objects")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    if not run.BITCODE:
        print("error: no ROCm device libraries (Debian's rocm-device-libs): run scripts/install-deps.sh")
        return 1
    failures = runs = 0
    for position, name in enumerate(options.names or DEFAULT):
        source = next(p for p in (f"{KERNELS}/hip/{name}.hip", f"{KERNELS}/opencl/{name}.cl") if os.path.exists(p))
        if options.chip not in getattr(run.load_reference(source), "CHIPS", run.CHIPS):
            continue
        for seed in range(options.seeds):
            for kind in ("nops", "heads", "many"):
                of_object = (position + seed + len(kind)) % 2 == 0
                flags = ["-gdwarf-4"] if (position + seed) % 3 == 0 else ["-g"] if (position + seed) % 3 == 1 else []
                flags += PRELOADED.get(name, [])
                runs += 1
                try:
                    edit_and_run(options, source, kind, seed, of_object, flags)
                except Exception:
                    failures += 1
                    print(f"FAILED {name} {kind} {seed} {'object' if of_object else 'linked'} {flags}\n{traceback.format_exc()}", flush=True)
    print(f"{runs} edited code objects, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
