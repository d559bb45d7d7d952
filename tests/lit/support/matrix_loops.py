"""Loops of matrix instructions: `make PREFIX EXAMPLES` writes kernels and inputs, `check PREFIX NAME` compares a result.

All numbers are small integers, so that sums are exact in any order.
"""
import importlib.util
import os
import sys

import numpy as np

SIZE, DEPTH = 256, 512
VARIANTS = {  # name: arguments of generate.py's kernels after the name and the element type, and its options
    "single": ((2, 128, 2, 2, SIZE, SIZE, DEPTH, "single", 0), {}),
    "double": ((2, 128, 2, 2, SIZE, SIZE, DEPTH, "double", 0), {"wide": True}),
    "dma": ((2, 128, 2, 2, SIZE, SIZE, DEPTH, "async", 4), {"wide": True}),
    "ahead": ((2, 128, 2, 2, SIZE, SIZE, DEPTH, "async", 4), {"wide": True, "stages": 3}),
    "dies": ((2, 128, 2, 1, SIZE, SIZE, DEPTH, "async", 4), {"wide": True, "dies": (2, 2)}),
}

# 16 x 16 of C += A B^T by one wave, `%steps` of 32 (f16) or 64 (i8) columns, through LDS. The lanes' parts of both
# matrix instructions are 64 bytes apart.
RUNTIME = """
  gpu.func @runtime_{name}(%a: memref<16x256x{part}>, %b: memref<16x256x{part}>, %c: memref<16x16x{acc}>, %first: index, %steps: index) kernel
      attributes {{gpu.known_block_size = array<i32: 64, 1, 1>, inflight.reassociate}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<{zero}> : vector<4x{acc}>
    %lds_a = memref.alloc() : memref<16x8x{part}, #gpu.address_space<workgroup>>
    %lds_b = memref.alloc() : memref<16x8x{part}, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row = arith.remui %t, %c16 : index
    %q = arith.divui %t, %c16 : index
    %q4 = arith.addi %q, %c4 : index
    %limit = arith.muli %steps, %c2 : index
    %r = scf.for %s = %c0 to %limit step %c2 iter_args(%acc = %zero) -> (vector<4x{acc}>) {{
      %s4 = arith.muli %s, %c4 : index
      %s5 = arith.addi %s4, %first : index
      %at0 = arith.addi %s5, %q : index
      %at1 = arith.addi %s5, %q4 : index
      %a0 = memref.load %a[%row, %at0] : memref<16x256x{part}>
      %a1 = memref.load %a[%row, %at1] : memref<16x256x{part}>
      %b0 = memref.load %b[%row, %at0] : memref<16x256x{part}>
      %b1 = memref.load %b[%row, %at1] : memref<16x256x{part}>
      gpu.barrier
      memref.store %a0, %lds_a[%row, %q] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      memref.store %a1, %lds_a[%row, %q4] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      memref.store %b0, %lds_b[%row, %q] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      memref.store %b1, %lds_b[%row, %q4] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      gpu.barrier
      %f0 = memref.load %lds_a[%row, %q] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      %f1 = memref.load %lds_a[%row, %q4] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      %g0 = memref.load %lds_b[%row, %q] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      %g1 = memref.load %lds_b[%row, %q4] : memref<16x8x{part}, #gpu.address_space<workgroup>>
      %m0 = amdgpu.mfma 16x16x{depth} %f0 * %g0 + %acc blgp = none : {part}, {part}, vector<4x{acc}>
      %m1 = amdgpu.mfma 16x16x{depth} %f1 * %g1 + %m0 blgp = none : {part}, {part}, vector<4x{acc}>
      scf.yield %m1 : vector<4x{acc}>
    }}
    %row4 = arith.muli %q, %c4 : index
    %row5 = arith.addi %row4, %c1 : index
    %row6 = arith.addi %row4, %c2 : index
    %row7 = arith.addi %row4, %c3 : index
    %e0 = vector.extract %r[0] : {acc} from vector<4x{acc}>
    %e1 = vector.extract %r[1] : {acc} from vector<4x{acc}>
    %e2 = vector.extract %r[2] : {acc} from vector<4x{acc}>
    %e3 = vector.extract %r[3] : {acc} from vector<4x{acc}>
    memref.store %e0, %c[%row4, %row] : memref<16x16x{acc}>
    memref.store %e1, %c[%row5, %row] : memref<16x16x{acc}>
    memref.store %e2, %c[%row6, %row] : memref<16x16x{acc}>
    memref.store %e3, %c[%row7, %row] : memref<16x16x{acc}>
    gpu.return
  }}
"""
KINDS = {"f16": ("vector<4xf16>", 16, "f32", "0.0", np.float16), "i8": ("vector<8xi8>", 32, "i32", "0", np.int8)}


def make(prefix, examples):
    spec = importlib.util.spec_from_file_location("generate", os.path.join(examples, "gemm", "generate.py"))
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    random = np.random.default_rng(1)
    for name, (arguments, options) in VARIANTS.items():
        open(f"{prefix}.{name}.mlir", "w").write(generate.generate(name, "f16", *arguments, **options))
    for operand in "ab":
        np.save(f"{prefix}.{operand}.npy", random.integers(-4, 5, (SIZE, DEPTH)).astype(np.float16))
    kernels = ""
    for name, (part, depth, acc, zero, dtype) in KINDS.items():
        kernels += RUNTIME.format(name=name, part=part, depth=depth, acc=acc, zero=zero)
        for operand in "ab":
            columns = 256 * (4 if name == "f16" else 8)
            np.save(f"{prefix}.{name}.{operand}.npy", random.integers(-4, 5, (16, columns)).astype(dtype))
    open(f"{prefix}.runtime.mlir", "w").write("gpu.module @m {" + kernels + "}\n")


def check(a, b, c):
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    assert (expected == c).all(), np.argwhere(expected != c)[:4]


mode, prefix = sys.argv[1:3]
if mode == "make":
    make(prefix, sys.argv[3])
elif mode == "check":
    check(*(np.load(f"{prefix}.{x}.npy") for x in "abc"))
else:
    kind, steps = sys.argv[3], int(sys.argv[4])
    a, b, c = (np.load(f"{prefix}.{kind}.{x}.npy") for x in "abc")
    columns = steps * (32 if kind == "f16" else 64)
    check(a[:, :columns], b[:, :columns], c)
