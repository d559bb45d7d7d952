#!/usr/bin/env python3
"""Large GEMMs, C = A B^T, of this compiler beside those of others: whole launches on the timed model.

    bench/gemm_others.py BUILD [--triton PYTHON] [--kittens CHECKOUT --headers HIP] [--aiter HSA] [--sizes 4096,8192] [--only gfx950]

Inflight and LLVM 22 compile the plain MLIR of bench/async.py. PYTHON has Triton; of its configurations the fastest is shown. CHECKOUT is
github.com/HazyResearch/HipKittens, compiled by LLVM 22 with the headers of ROCm 7 in HIP; HSA is the folder hsa of github.com/ROCm/aiter.
Columns are for what is given. The share is that of the full rate for the type, of all compute units.
"""
import argparse
import importlib
import itertools
import json
import os
import re
import tempfile

import lib
import matrix_busy
import published

KERNELS = importlib.import_module("async").KERNELS
DEVICES = {"gfx90a": "MI250X", "gfx942": "MI300X", "gfx950": "MI355X"}
SAMPLE = "2"  # workgroups of a compute unit: the first finds caches empty
TILE = 256

TRITON = r'''
import itertools, json, sys
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def gemm(a, b, c, M, N, K, lda, ldb, ldc, TILE: tl.constexpr, STEP: tl.constexpr, GROUP: tl.constexpr):
    columns = tl.cdiv(N, TILE)
    first = tl.program_id(0) // (GROUP * columns) * GROUP
    inside = tl.program_id(0) % (GROUP * columns)
    rows = min(tl.cdiv(M, TILE) - first, GROUP)
    i = (first + inside % rows) * TILE + tl.arange(0, TILE)
    j = inside // rows * TILE + tl.arange(0, TILE)
    k = tl.arange(0, STEP)
    pa = a + i[:, None] * lda + k[None, :]
    pb = b + j[None, :] * ldb + k[:, None]
    sum = tl.zeros((TILE, TILE), dtype=tl.float32)
    for s in range(0, tl.cdiv(K, STEP)):
        sum = tl.dot(tl.load(pa), tl.load(pb), sum)
        pa += STEP
        pb += STEP
    tl.store(c + i[:, None] * ldc + j[None, :], sum.to(c.dtype.element_ty))


chip, element, result, folder = sys.argv[1:]
words = ["M", "N", "K", "lda", "ldb", "ldc"]
signature = {"a": "*" + element, "b": "*" + element, "c": "*" + result} | {w: "i32" for w in words} | {c: "constexpr" for c in ("TILE", "STEP", "GROUP")}
aligned = {(i,): [["tt.divisibility", 16]] for i in range(9)}
for step, stages, side, warps in itertools.product((32, 64, 128), (2, 3), (16, 32), (4, 8)):
    try:
        made = triton.compile(ASTSource(gemm, signature=signature, constexprs=dict(TILE=256, STEP=step, GROUP=4), attrs=aligned),
                              target=GPUTarget("hip", chip, 64), options=dict(num_warps=warps, num_stages=stages, matrix_instr_nonkdim=side))
    except Exception as error:
        print(error, file=sys.stderr)
        continue
    name = f"{folder}/{step}_{stages}_{side}_{warps}.hsaco"
    with open(name, "wb") as file:
        file.write(made.asm["hsaco"])
    print(json.dumps({"file": name, "options": ["--block", str(64 * warps), "--lds", str(made.metadata.shared)]}))
'''
TRITON_TYPES = {"f16": "fp16", "bf16": "bf16", "f8E4M3FNUZ": "fp8e4b8", "f8E4M3FN": "fp8e4nv"}

KITTENS = {"gfx950": ("CDNA4", "kernels/gemm/bf16fp32/mi350x/256_256_64_32_with16x32.cpp")}  # the CDNA3 one is on another branch
# The kernel's file binds itself to Python; a host program takes the place of that.
BINDING = """#pragma once
#include <string>
namespace kittens::py {
template <auto f, class M, class... T> void bind_function(M &, T...) {}
}
#define PYBIND11_MODULE(name, module) template <class Any> void unused(Any &module)
"""
HOST = """#include "kernel.cpp"
int main() {
  bf16 *p[3];
  for (bf16 *&q : p)
    if (hipMalloc(reinterpret_cast<void **>(&q), size_t(M) * N * 2) || hipMemset(q, 0, size_t(M) * N * 2))
      return 1;
  dispatch_micro({{p[0], 1, 1, M, K}, {p[1], 1, 1, N, K}, {p[2], 1, 1, M, N}, nullptr});
  return hipDeviceSynchronize();
}
"""


def peak(chip, kind):
    """Operations a cycle of the whole device."""
    return 4 * lib.data("devices.json")[DEVICES[chip]]["compute_units"]["value"] * matrix_busy.full_rate(chip, kind)


def cycles(inflight, chip, code, grid, arguments, options=()):
    return lib.device_cycles(lib.run([inflight, "run", code, "--timed", "--device", DEVICES[chip], "--sample", SAMPLE, "--grid",
                                      ",".join(map(str, grid)), *options, *lib.arguments(arguments)]))


def zeros(kernel, size):
    return ["zeros:" + shape for shape in kernel.shapes(size)]


class Makers:
    """Each: the cycles of a kernel of bench/async.py's problem, or None if there is none of it."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.inflight = os.path.join(options.build, "bin/inflight")
        self.triton_codes = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def from_plain(self, command, kernel, size):
        code = lib.compile(command, kernel.gemm(size).text(), self.folder)
        return cycles(self.inflight, kernel.chip, code, (size // TILE, size // TILE), zeros(kernel, size))

    def plain(self, kernel, size):
        return self.from_plain([self.inflight, "compile", f"-mcpu={kernel.chip}"], kernel, size)

    def llvm(self, kernel, size):
        return self.from_plain([os.path.join(self.options.build, "bench/upstream-compile"), kernel.chip], kernel, size)

    def triton(self, kernel, size):
        if kernel.element not in TRITON_TYPES:
            return None
        key = kernel.chip + kernel.kind
        if key not in self.triton_codes:
            os.mkdir(self.path(key))
            with open(self.path("make.py"), "w") as file:
                file.write(TRITON)
            made = lib.run([self.options.triton, self.path("make.py"), kernel.chip, TRITON_TYPES[kernel.element], TRITON_TYPES[kernel.result],
                            self.path(key)])
            self.triton_codes[key] = [json.loads(line) for line in made.stdout.splitlines()]
        counts, failures = [], []
        for code in self.triton_codes[key]:
            try:
                counts.append(cycles(self.inflight, kernel.chip, code["file"], ((size // TILE) ** 2,),
                                     zeros(kernel, size) + 6 * [f"i32:{size}"] + 2 * ["null"], code["options"]))
            except RuntimeError as error:  # those with more LDS than there is
                failures.append(error)
        if not counts:
            raise failures[0]
        return min(counts)

    def kittens(self, kernel, size):
        if kernel.kind != "bf16" or kernel.chip not in KITTENS:
            return None
        generation, source = KITTENS[kernel.chip]
        text = open(os.path.join(self.options.kittens, source)).read()
        os.makedirs(self.path("pyutils"), exist_ok=True)
        for name, content in (("pyutils/pyutils.cuh", BINDING), ("host.hip", HOST),
                              ("kernel.cpp", re.sub(r"^#define ([MNK]) \d+", rf"#define \1 {size}", text, flags=re.M))):
            with open(self.path(name), "w") as file:
                file.write(content)
        lib.run([self.inflight, "sdk", self.path("rocm"), f"--headers={self.options.headers}"])
        lib.run([self.path("rocm/bin/hipcc"), "-std=c++20", "-O3", "-w", "-Wno-invalid-constexpr", f"-DKITTENS_{generation}",
                 f"--offload-arch={kernel.chip}", f"-I{self.folder}", f"-I{self.options.kittens}/include", f"-I{self.options.headers}/hip",
                 self.path("host.hip"), "-o", self.path("kittens")])
        lib.run([self.inflight, "exec", "--timed", f"--device={DEVICES[kernel.chip]}", f"--sample={SAMPLE}", "--log=" + self.path("log"), "--",
                 self.path("kittens")])
        return json.loads(open(self.path("log")).read())["time"]["cycles"]

    def aiter(self, kernel, size):
        if (kernel.chip, kernel.kind) != ("gfx950", "bf16"):
            return None
        problem = published.Gemm(size)
        return cycles(self.inflight, kernel.chip, os.path.join(self.options.aiter, published.GEMM), problem.grid(), problem.arguments(self.folder),
                      ["--block", str(problem.block)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--triton")
    parser.add_argument("--kittens")
    parser.add_argument("--headers", default="/usr/include")
    parser.add_argument("--aiter")
    parser.add_argument("--sizes", default="4096,8192")
    parser.add_argument("--only", default="", help="rows that begin so: a chip, a chip and a type")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        makers = Makers(a, folder)
        columns = {"Inflight": makers.plain, "LLVM 22": makers.llvm}
        columns |= {name: make for name, make, given in (("Triton", makers.triton, a.triton), ("HipKittens", makers.kittens, a.kittens),
                                                         ("AITER", makers.aiter, a.aiter)) if given}
        print("| chip, type | size | " + " | ".join(columns) + " |\n|---|---|" + "---|" * len(columns))
        for kernel, size in itertools.product(KERNELS, map(int, a.sizes.split(","))):
            if not kernel.name.startswith(a.only):
                continue
            cells = []
            for make in columns.values():
                try:
                    count = make(kernel, size)
                    cells.append(f"{count:,}: {2 * size ** 3 / peak(kernel.chip, kernel.kind) / count:.0%}" if count else "-")
                except RuntimeError as error:
                    cells.append(str(error))
            print(f"| {kernel.name} | {size} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
