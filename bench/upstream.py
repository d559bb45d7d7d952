#!/usr/bin/env python3
"""Compiles an example with LLVM 22's own pipeline alone: the baseline of the comparisons.

    bench/upstream.py -mcpu=gfx942 examples/vadd/vadd.mlir -o vadd.hsaco
    bench/upstream.py --all DIR          every example for each of its targets: DIR/KERNEL.CHIP.hsaco
    build/bin/inflight-demo examples --code-objects=DIR     runs and checks these

mlir-opt lowers with upstream's conversion passes and `gpu-module-to-binary`, whose code object is taken out of
the gpu.binary. Two things are done to the text first, as each producer of kernels does with passes of its own:
memref.alloc in workgroup memory becomes a memref.global of the module (upstream would call malloc), and the block
size is spelled as gpu.func's own attribute, the only place where the lowering looks for launch bounds. Kernels
with static memrefs get bare pointers; those with dynamic ones descriptors (two pointers, offset, sizes, strides).

ROCm's device libraries are not needed: the only functions of them that the examples reach are the launch sizes
(gpu.block_dim, gpu.grid_dim), exp2 and rsqrt; stand-ins, the plain LLVM intrinsics, are assembled on the fly.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# Code object v5: the block counts are the first three words of the implicit arguments, the group sizes follow.
LAUNCH_SHIM = """
target triple = "amdgcn-amd-amdhsa"
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define linkonce_odr hidden i64 @__ockl_get_num_groups(i32 %dim) alwaysinline {
  %args = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %at = getelementptr i32, ptr addrspace(4) %args, i32 %dim
  %count = load i32, ptr addrspace(4) %at, !invariant.load !0
  %wide = zext i32 %count to i64
  ret i64 %wide
}
define linkonce_odr hidden i64 @__ockl_get_local_size(i32 %dim) alwaysinline {
  %args = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %sizes = getelementptr i8, ptr addrspace(4) %args, i32 12
  %at = getelementptr i16, ptr addrspace(4) %sizes, i32 %dim
  %size = load i16, ptr addrspace(4) %at, !invariant.load !0
  %wide = zext i16 %size to i64
  ret i64 %wide
}
!0 = !{}
"""
MATH_SHIM = """
target triple = "amdgcn-amd-amdhsa"
declare float @llvm.exp2.f32(float)
declare float @llvm.amdgcn.rsq.f32(float)
define linkonce_odr hidden float @__ocml_exp2_f32(float %x) alwaysinline {
  %y = call float @llvm.exp2.f32(float %x)
  ret float %y
}
define linkonce_odr hidden float @__ocml_rsqrt_f32(float %x) alwaysinline {
  %y = call float @llvm.amdgcn.rsq.f32(float %x)
  ret float %y
}
"""


def tool(name):
    for folder in os.environ["PATH"].split(":"):
        for candidate in (name + "-22", name):
            path = os.path.join(folder, candidate)
            if os.access(path, os.X_OK):
                return path
    sys.exit(f"upstream.py: {name}-22 is not installed")


def make_toolkit(folder):
    """The two things gpu-module-to-binary expects of a ROCm installation: ld.lld and bitcode libraries."""
    os.makedirs(os.path.join(folder, "llvm", "bin"))
    bitcode = os.path.join(folder, "amdgcn", "bitcode")
    os.makedirs(bitcode)
    os.symlink(tool("ld.lld"), os.path.join(folder, "llvm", "bin", "ld.lld"))
    for library, text in (("ockl", LAUNCH_SHIM), ("ocml", MATH_SHIM)):
        subprocess.run([tool("llvm-as"), "-", "-o", os.path.join(bitcode, library + ".bc")], input=text, text=True, check=True)
    return folder


def globals_for_allocations(text):
    """memref.alloc in workgroup memory -> memref.global + memref.get_global."""
    names = []

    def replace(match):
        value, type = match.groups()
        names.append((value, type))
        return f"%{value} = memref.get_global @shared_{value} : {type}"
    text = re.sub(r"%(\w+) = memref\.alloc\(\) : (memref<[^\n]*#gpu\.address_space<workgroup>>)", replace, text)
    lines = "".join(f'\n  memref.global "private" @shared_{value} : {type} = uninitialized {{alignment = 16 : i64}}' for value, type in names)
    return re.sub(r"(gpu\.module @\w+[^{\n]*\{)", lambda match: match.group(1) + lines, text, count=1)


def is_dynamic(text):
    signature = re.search(r"gpu\.func @\w+\((.*?)\) kernel", text, re.S).group(1)
    return "?" in signature


def pipeline(chip, bare, toolkit):
    bare = "true" if bare else "false"
    return (f"builtin.module(rocdl-attach-target{{chip={chip} O=3}},test-gpu-subgroup-reduce-lowering{{expand-to-shuffles target={chip}}},"
            "gpu.module(lower-affine,canonicalize,cse,loop-invariant-code-motion,"
            f"convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,convert-amdgpu-to-rocdl{{chipset={chip}}},"
            f"convert-gpu-to-rocdl{{chipset={chip} runtime=HIP use-bare-ptr-memref-call-conv={bare}}},convert-index-to-llvm,convert-math-to-llvm,"
            f"reconcile-unrealized-casts,canonicalize,cse),gpu-module-to-binary{{toolkit={toolkit} format=bin}})")


def unescape(text):
    """MLIR's string attribute: \\XX is a byte in hexadecimal, \\\\ and \\" themselves."""
    out, data, i = bytearray(), text.encode("latin-1"), 0
    while i < len(data):
        if data[i] != 0x5C:
            out.append(data[i])
            i += 1
        elif data[i + 1] in b'\\"':
            out.append(data[i + 1])
            i += 2
        else:
            out.append({ord("n"): 10, ord("t"): 9}[data[i + 1]] if data[i + 1] in b"nt" else int(data[i + 1:i + 3], 16))
            i += 2 if data[i + 1] in b"nt" else 3
    return bytes(out)


def compile_upstream(source, chip, toolkit):
    """The code object's bytes; raises RuntimeError with mlir-opt's message."""
    text = globals_for_allocations(open(source).read()).replace("gpu.known_block_size", "known_block_size")
    result = subprocess.run([tool("mlir-opt"), "--pass-pipeline=" + pipeline(chip, not is_dynamic(text), toolkit), "-"],
                            input=text.encode(), capture_output=True)
    if result.returncode:
        raise RuntimeError(result.stderr.decode(errors="replace"))
    match = re.search(r'bin = "((?:[^"\\]|\\.)*)"', result.stdout.decode("latin-1"), re.S)
    if not match:
        raise RuntimeError("no code object in mlir-opt's output")
    return unescape(match.group(1))


def examples():
    """(source, kernel, chip) of every example."""
    base = os.path.join(ROOT, "examples")
    for folder in sorted(os.listdir(base)):
        description = os.path.join(base, folder, "example.json")
        if os.path.exists(description):
            for entry in json.load(open(description)):
                for chip in entry["targets"]:
                    yield os.path.join(base, folder, entry["file"]), entry["kernel"], chip


def main():
    parser = argparse.ArgumentParser(description="Compile with LLVM's own pipeline.")
    parser.add_argument("source", nargs="?")
    parser.add_argument("-mcpu", default="gfx942")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--all", metavar="DIR")
    options = parser.parse_args()
    if not options.all and not (options.source and options.output):
        parser.error("a source and -o, or --all DIR")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        toolkit = make_toolkit(os.path.join(folder, "rocm"))
        if options.all:
            os.makedirs(options.all, exist_ok=True)
            jobs = [(source, chip, os.path.join(options.all, f"{kernel}.{chip}.hsaco")) for source, kernel, chip in examples()]
        else:
            jobs = [(options.source, options.mcpu, options.output)]
        for source, chip, output in jobs:
            try:
                code = compile_upstream(source, chip, toolkit)
            except RuntimeError as error:
                failed += 1
                print(f"{os.path.basename(source)} {chip}: {str(error)[:400]}", file=sys.stderr)
                continue
            with open(output, "wb") as file:
                file.write(code)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
