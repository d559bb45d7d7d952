#!/usr/bin/env python3
"""HIP samples, unmodified, compiled with `inflight sdk`'s hipcc and run without a GPU, plain and with all checks.

    bench/hip_programs.py INFLIGHT SAMPLES HEADERS [--only NAME] [--chip CHIP] [--backend inflight] [--keep DIR] [--include DIR]... [--libraries DIR]

SAMPLES is a checkout of github.com/ROCm/rocm-examples, HEADERS a folder with HIP's headers (include/hip); neither is part of this
repository; several folders with colons between them: the first that has a header counts. --include has hipcub, rocprim, thrust, hiprand
and rocrand, --libraries libhiprand and librocrand (Debian's 5.3 have code for gfx90a): samples that want them are left out otherwise. A
sample is right if it says so itself and gives the status 0, with checks if they find nothing and nothing is warned of, too. Prints a line
each; the exit status is 1 if one isn't as the table below says.
"""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

# Sample: what it prints when it is right, and what is asked of hipcc or of the program.
PASSED = r"Validation passed|[Tt]est passed|PASSED|Passed"
SAMPLES = {
    "Applications/bitonic_sort": dict(says=PASSED, arguments=["-l", "10"]),
    "Applications/convolution": dict(says=r"gpu result is [0-9.]+e-0[4-9]", arguments=["-x", "256", "-y", "256", "-i", "1"]),
    "Applications/floyd_warshall": dict(says=PASSED, arguments=["-n", "16", "-i", "1"]),
    "Applications/histogram": dict(says=PASSED),
    "Applications/prefix_sum": dict(says=PASSED),
    # It calls memset, which newer standard libraries declare in <cstring> only.
    "HIP-Basic/bandwidth": dict(says=r"Bandwidth", flags=["-include", "cstring"],
                                arguments=["-trials", "1", "-start", "65536", "-end", "131072", "-stride", "65536"]),
    "HIP-Basic/bit_extract": dict(says=PASSED),
    "HIP-Basic/cooperative_groups": dict(says=PASSED),
    "HIP-Basic/device_globals": dict(says=PASSED),
    "HIP-Basic/device_query": dict(says=r"Device ID", source="main.cpp"),
    "HIP-Basic/dynamic_shared": dict(says=PASSED),
    "HIP-Basic/events": dict(says=PASSED),
    "HIP-Basic/gpu_arch": dict(says=PASSED),
    "HIP-Basic/hello_world": dict(says=r"Hello world from device kernel block 1 thread 1"),
    "HIP-Basic/hello_world_cuda": dict(says=r"Hello, World!"),
    "HIP-Basic/inline_assembly": dict(says=PASSED),
    "HIP-Basic/matrix_multiplication": dict(says=PASSED, arguments=["-A_rows", "64", "-A_cols", "64", "-B_cols", "64"]),
    "HIP-Basic/module_api": dict(says=PASSED, module="module.hip"),
    "HIP-Basic/moving_average": dict(says=PASSED),
    "HIP-Basic/multi_gpu_data_transfer": dict(says=PASSED, devices=2),
    "HIP-Basic/occupancy": dict(says=r"Theoretical Occupancy|Occupancy"),
    "HIP-Basic/saxpy": dict(says=r"First 10 elements of the results"),
    "HIP-Basic/shared_memory": dict(says=PASSED),
    "HIP-Basic/static_host_library": dict(says=PASSED, source="main.cpp", more=["library/library.hip"]),
    "HIP-Basic/static_device_library": dict(says=PASSED, more=["library/library.hip"], flags=["-fgpu-rdc"]),
    "HIP-Basic/streams": dict(says=r"streams completed!"),
    "HIP-Basic/warp_shuffle": dict(says=PASSED),
    "HIP-Basic/runtime_compilation": dict(says=r"results: \[ 7.1, 14.2, 21.3", flags=["-lhiprtc"]),
    "HIP-Basic/texture_management": dict(says=r"Texture functions are not supported on device 0"),
    "Libraries/hipCUB/device_radix_sort": dict(says=r"Sorted.*\(0, 9\), \(1.1, 8\), \(2.1, 1\), .*\(9.3, 0\) \]", wants="include"),
    "Libraries/hipCUB/device_sum": dict(says=r"result: 42", wants="include"),
    "Libraries/rocPRIM/block_sum": dict(says=r"Reduced Summation Result:\s*(\[.*\])\s*Expected Summation Result:\s*\1", wants="include"),
    "Libraries/rocPRIM/device_sum": dict(says=r"result: 42", wants="include"),
    "Libraries/rocThrust/device_ptr": dict(says=r"is 66", wants="include"),
    "Libraries/rocThrust/norm": dict(says=r"norm is: 5.5", wants="include"),
    "Libraries/rocThrust/reduce_sum": dict(says=r"sum is: 542", wants="include"),
    "Libraries/rocThrust/remove_points": dict(says=r"15 points remain", wants="include"),
    "Libraries/rocThrust/saxpy": dict(says=r"addition  = \[ 9, 8, 7, 6 \]\s.*= \[ 9, 8, 7, 6 \]", wants="include"),
    "Libraries/rocThrust/vectors": dict(says=r"device_vector after setting elements: \[ 99, 88 \]", wants="include"),
    "Applications/monte_carlo_pi": dict(says=r"pseudorandom samples: 3.1[34](.|\n)*quasirandom samples: 3.14", wants="libraries",
                                        flags=["-lhiprand"], arguments=["-s", "16384"]),
    "Libraries/rocRAND/simple_distributions_cpp": dict(says=r"on the device took", wants="libraries", source="main.cpp", flags=["-lrocrand"],
                                                       arguments=["-size", "4096"]),
}
# Those that aren't run, and why.
BUNDLER = "its makefile calls the host x86_64-unknown-linux, which LLVM 22's clang-offload-bundler doesn't take"
LEFT_OUT = {
    "HIP-Basic/assembly_to_executable": BUNDLER,
    "HIP-Basic/hipify": "needs ROCm's hipify-perl, and is hello_world afterwards",
    "HIP-Basic/llvm_ir_to_executable": BUNDLER,
    "HIP-Basic/opengl_interop": "draws on a display",
    "HIP-Basic/vulkan_interop": "draws on a display",
}


def run(command, folder, seconds=300):
    """The status, what it prints and the processor time that it takes; the status is None after `seconds`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return None, f"more than {seconds} s", seconds
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, done.stdout + done.stderr, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def build(hipcc, options, name, sample, folder, chip):
    source = os.path.join(options.samples, name)
    common = ["-I", os.path.join(options.samples, "Common"), "-I", os.path.join(source, "library")]
    if "wants" in sample:
        common += [flag for include in options.include for flag in ("-I", include)]
    if options.libraries:
        common += ["-L", options.libraries]
    program = os.path.join(folder, "program")
    files = [os.path.join(source, file) for file in [sample.get("source", "main.hip"), *sample.get("more", [])]]
    language = ["-x", "hip"]
    backend = [f"--backend={options.backend}"]
    command = [hipcc, *backend, f"--offload-arch={chip}", "-O2", "-g", "-std=c++17", *common, *sample.get("flags", []), *language, *files, "-o", program]
    status, text, _ = run(command, folder)
    if status == 0 and "module" in sample:
        module = os.path.join(source, sample["module"])
        status, text, _ = run([hipcc, *backend, "--genco", "-O2", f"--offload-arch={chip}", module, "-o", "module.co"], folder)
    return status, text


def main():
    parser = argparse.ArgumentParser()
    for name in ("inflight", "samples"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("headers")
    parser.add_argument("--only")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--backend", choices=("llvm", "inflight"), default="llvm", help="what makes code of clang's LLVM IR")
    parser.add_argument("--keep")
    parser.add_argument("--include", action="append", default=[], type=os.path.abspath)
    parser.add_argument("--libraries", type=os.path.abspath)
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="hip-programs-")
    sdk = os.path.join(os.path.abspath(folder), "rocm")
    headers = ["--headers=" + os.path.abspath(folder) for folder in options.headers.split(":")]
    subprocess.run([options.inflight, "sdk", *headers, "--mcpu=" + options.chip, sdk], check=True, stdout=subprocess.DEVNULL)
    os.environ["ROCM_PATH"] = sdk  # hiprtc's compiler
    if options.libraries:
        os.environ["LD_LIBRARY_PATH"] = options.libraries
    failed = 0
    for name, sample in (SAMPLES | LEFT_OUT).items():
        if options.only and options.only not in name:
            continue
        reason = LEFT_OUT.get(name) or ("wants" in sample and not getattr(options, sample["wants"]) and f"wants --{sample['wants']}")
        if options.backend == "inflight" and "-fgpu-rdc" in sample.get("flags", []):
            reason = "--backend=inflight refuses -fgpu-rdc"
        if reason:
            print(f"{'not':6} {name:42} {reason}")
            continue
        chip = "gfx90a" if sample.get("wants") == "libraries" else options.chip
        where = os.path.join(os.path.abspath(folder), name.replace("/", "_"))
        os.makedirs(where, exist_ok=True)
        status, text = build(sdk + "/bin/hipcc", options, name, sample, where, chip)
        results = []
        if status:
            results.append("hipcc: " + next((line for line in text.splitlines() if "error" in line), text[-200:]))
        else:
            devices = [f"--device={chip}", f"--devices={sample.get('devices', 1)}"]
            for checks in ([], ["--check=all"]):
                status, text, seconds = run([options.inflight, "exec", *devices, *checks, "--", "./program", *sample.get("arguments", [])], where)
                isRight = status == 0 and re.search(sample["says"], text) and not (checks and re.search(r"^inflight\b", text, re.M))
                kind = "checked" if checks else "plain"
                if isRight:
                    results.append(f"{kind} {seconds:.2f} s")
                else:
                    lines = [line for line in text.splitlines() if "inflight" in line or "rror" in line]
                    results.append(f"{kind}: status {status}: " + (lines or text.splitlines() or [""])[0][:150])
        isFine = len(results) == 2 and not any(":" in result for result in results)
        failed += not isFine
        print(f"{'right' if isFine else 'WRONG':6} {name:42} {'; '.join(results)}", flush=True)
    print(f"{failed} not right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
