#!/usr/bin/env python3
"""Inflight's code generator against LLVM's on the examples, in one run: compile time, executed
instructions and waits, registers.

Both start from the same LLVM-dialect kernel, as `inflight compile --emit=mlir` leaves it. LLVM's side is
mlir-translate, llc -O3 and ld.lld of LLVM 22; the code objects of both run on the same machine model with the
same data and kernarg layout. Compile times are whole processes, warm, the median of several runs: for LLVM
llc alone (LLVM IR to object), for Inflight everything from MLIR text to code object.

LLVM's IR optimiser does not run here, which flatters Inflight: bench/upstream.py is the comparison with
what upstream's pipeline makes of the same MLIR.

    bench/compare.py [build directory]
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "build")
inflight = os.path.join(build, "bin", "inflight")
CHIP, RUNS = "gfx942", 4
# file, kernel, grid, block, buffers (spec, shape)
EXAMPLES = [
    ("copy/copy.mlir", "copy", "64", "64", ["random:1024x64:f32:1", "zeros:1024x64:f32"]),
    ("vadd/vadd.mlir", "vadd", "40", "256", ["random:10007:f32:1", "random:10007:f32:2", "zeros:10007:f32"]),
    ("transpose/transpose.mlir", "transpose", "8,16", "32,8", ["random:512x256:f32:1", "zeros:256x512:f32"]),
    ("reduce/reduce.mlir", "reduce", "4", "256", ["random:100003:f32:1", "zeros:1:f32"]),
    ("softmax/softmax.mlir", "softmax", "33", "64", ["random:33x777:f32:1", "zeros:33x777:f32"]),
    ("layernorm/layernorm.mlir", "layernorm", "33", "64",
     ["random:33x777:f32:1", "random:777:f32:2", "random:777:f32:3", "zeros:33x777:f32"]),
    ("gemm/gemm_f16_64.mlir", "gemm_f16_64", "2,2", "256", ["random:128x128:f16:1", "random:128x128:f16:2", "zeros:128x128:f32"]),
    ("gemm/gemm_f16_128.mlir", "gemm_f16_128", "2,2", "256", ["random:256x128:f16:1", "random:256x128:f16:2", "zeros:256x256:f32"]),
    ("gemm/gemm_f16_256.mlir", "gemm_f16_256", "1,1", "512", ["random:256x128:f16:1", "random:256x128:f16:2", "zeros:256x256:f32"]),
    ("gemm/gemm_bf16_128.mlir", "gemm_bf16_128", "2,2", "256", ["random:256x128:bf16:1", "random:256x128:bf16:2", "zeros:256x256:f32"]),
    ("gemm/gemm_fp8_128.mlir", "gemm_fp8_128", "2,2", "256",
     ["random:256x256:f8E4M3FNUZ:1", "random:256x256:f8E4M3FNUZ:2", "zeros:256x256:f32"]),
]
PASSES = "builtin.module(convert-scf-to-cf,convert-cf-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts,canonicalize,cse)"


def sh(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


def timed(*command):
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        sh(*command)
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:])


def executed(code, kernel, grid, block, arguments, lds="0"):
    command = [inflight, "run", code, "--kernel", kernel, "--grid", grid, "--block", block, "--stats", "--lds", lds]
    for argument in arguments:
        command += ["--arg", argument]
    text = sh(*command).stderr
    total = int(re.search(r"waves, (\d+) instructions", text).group(1))
    waits = re.search(r"waits\s+(\d+)", text)
    return total, int(waits.group(1)) if waits else 0


def registers(code):
    text = sh("llvm-readobj-22", "--notes", code).stdout
    return max(int(x) for x in re.findall(r"\.vgpr_count:\s+(\d+)", text))


def upstream(source, folder):
    """Lowers and compiles; returns (LLVM IR file, object, code object)."""
    llvm_mlir, ir, obj, code = (os.path.join(folder, "up" + e) for e in (".mlir", ".ll", ".o", ".hsaco"))
    text = sh(inflight, "compile", f"-mcpu={CHIP}", "--emit=mlir", source, "-o", "-").stdout
    # The gpu.module's body becomes a module of its own.
    text = re.sub(r"gpu\.module @\w+[^\n]*\{\n", "module {\n", text)
    text = text[text.index("module {", 8):text.rindex("}")]
    text = sh("mlir-opt-22", f"--pass-pipeline={PASSES}", "-", input=text).stdout
    open(llvm_mlir, "w").write(text)
    sh("mlir-translate-22", "--mlir-to-llvmir", llvm_mlir, "-o", ir)
    sh("llc-22", "-O3", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={CHIP}", "-filetype=obj", ir, "-o", obj)
    sh("ld.lld-22", "-shared", obj, "-o", code)
    return ir, obj, code


def upstream_arguments(buffers):
    """LLVM's metadata doesn't tell which scalars are sizes and strides: they are given one by one."""
    arguments = []
    for spec, dynamic in buffers:
        arguments.append(spec)
        shape = [int(x) for x in spec.split(":")[1].split("x")]
        if dynamic:
            arguments += [f"i64:{n}" for n in shape]
            # memref<?x?x…>: all strides but the last depend on the sizes and are passed, too.
            for d in range(len(shape) - 1):
                stride = 1
                for n in shape[d + 1:]:
                    stride *= n
                arguments.append(f"i64:{stride}")
    return arguments


rows = []
print(f"{'kernel':<16}{'compile ms':>22}{'instructions':>26}{'waits':>20}{'VGPRs':>16}")
print(f"{'':<16}{'ours':>8}{'llc':>7}{'ratio':>7}{'ours':>10}{'LLVM':>9}{'ratio':>7}{'ours':>7}{'LLVM':>6}{'ratio':>7}{'ours':>5}{'LLVM':>5}{'ratio':>6}")
with tempfile.TemporaryDirectory() as folder:
    for file, kernel, grid, block, buffers in EXAMPLES:
        source = os.path.join(root, "examples", file)
        ours = os.path.join(folder, "ours.hsaco")
        our_time = timed(inflight, "compile", f"-mcpu={CHIP}", source, "-o", ours)
        our_total, our_waits = executed(ours, kernel, grid, block, buffers)
        our_regs = registers(ours)
        try:
            ir, obj, code = upstream(source, folder)
        except subprocess.CalledProcessError as error:
            print(f"{kernel:<16} upstream does not compile it: {error.stderr.strip().splitlines()[0][:90]}")
            continue
        their_time = timed("llc-22", "-O3", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={CHIP}", "-filetype=obj", ir, "-o", obj)
        try:
            their_total, their_waits = executed(code, kernel, grid, block, upstream_arguments([(b, "memref<?" in open(source).read() and not b.startswith("zeros:1:")) for b in buffers]), "49152")
        except subprocess.CalledProcessError as error:
            print(f"{kernel:<16} LLVM's code does not run: {error.stderr.strip()[:300]}")
            continue
        their_regs = registers(code)
        r = (our_time / their_time, our_total / their_total, our_waits / max(their_waits, 1), our_regs / their_regs)
        rows.append(r)
        print(f"{kernel:<16}{our_time * 1e3:8.1f}{their_time * 1e3:7.1f}{r[0]:7.2f}{our_total:10}{their_total:9}{r[1]:7.2f}"
              f"{our_waits:7}{their_waits:6}{r[2]:7.2f}{our_regs:5}{their_regs:5}{r[3]:6.2f}", flush=True)
if rows:
    medians = [statistics.median(r[i] for r in rows) for i in range(4)]
    print(f"median ratios: compile {medians[0]:.2f}, instructions {medians[1]:.2f}, waits {medians[2]:.2f}, VGPRs {medians[3]:.2f}")
