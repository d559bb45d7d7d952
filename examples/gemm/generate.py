#!/usr/bin/env python3
"""Writes the GEMM examples: C (f32) = A x B^T, A is MxK and B is NxK, row-major.

A workgroup computes a TILE x TILE block of C. In each step it stages 64 bytes of K of both inputs
in LDS (rows padded to 80 bytes against bank conflicts); each wave multiplies its part with 16x16
matrix instructions whose accumulators the loop carries.

    generate.py             write all of them beside this file
"""
import os

VARIANTS = [  # name, element type, bytes, tile, waves in rows, waves in columns, M, N, K
    ("gemm_f16_64", "f16", 2, 64, 2, 2, 128, 128, 128),
    ("gemm_f16_128", "f16", 2, 128, 2, 2, 256, 256, 128),
    ("gemm_f16_256", "f16", 2, 256, 2, 4, 256, 256, 128),
    ("gemm_bf16_128", "bf16", 2, 128, 2, 2, 256, 256, 128),
    ("gemm_fp8_128", "f8E4M3FNUZ", 1, 128, 2, 2, 256, 256, 256),
    ("gemm_fp8_ocp_128", "f8E4M3FN", 1, 128, 2, 2, 256, 256, 256),
]
STEP_BYTES, ROW_BYTES, FRAGMENT = 64, 80, 16


# Batches of matrices with padded rows, no stride a power of two:
# (name, element type, bytes, tile, waves in rows, waves in columns, M, N, K, batches, row stride, batch stride)
BATCHED = ("gemm_batched_f16", "f16", 2, 64, 2, 2, 128, 128, 96, 3, 104, 13400)


def generate(name, element, size, tile, wave_rows, wave_columns, m, n, k, batches=0, row_stride=0, batch_stride=0):
    waves = wave_rows * wave_columns
    lanes = 64 * waves
    step = STEP_BYTES // size            # elements of K a step
    row = ROW_BYTES // size              # elements of an LDS row
    chunk = 16 // size                   # elements of a 16-byte access
    per_lane = 8 // size                 # elements of A or B a lane gives to a matrix instruction
    depth = 4 * per_lane                 # K of a matrix instruction
    rows, columns = tile // wave_rows, tile // wave_columns
    mi, ni = rows // FRAGMENT, columns // FRAGMENT
    chunks = tile * 4 // lanes           # 16-byte accesses of each lane for each input
    out = []
    w = out.append
    mem_a, mem_b, mem_c = f"memref<{m}x{k}x{element}>", f"memref<{n}x{k}x{element}>", f"memref<{m}x{n}xf32>"
    index = ""
    if batches:
        layout = f"strided<[{batch_stride}, {row_stride}, 1]>"
        mem_a, mem_b = f"memref<{batches}x{m}x{k}x{element}, {layout}>", f"memref<{batches}x{n}x{k}x{element}, {layout}>"
        mem_c = f"memref<{batches}x{m}x{n}xf32>"
        index = "%batch, "
    lds = f"memref<{tile}x{row}x{element}, #gpu.address_space<workgroup>>"
    wide, part = f"vector<{chunk}x{element}>", f"vector<{per_lane}x{element}>"
    w(f"// {m}x{n}x{k}, tile {tile}x{tile}, {waves} waves. Made by generate.py.")
    w(f"gpu.module @{name}_module {{")
    w(f"  gpu.func @{name}(%a: {mem_a}, %b: {mem_b}, %c: {mem_c}) kernel")
    w(f"      attributes {{gpu.known_block_size = array<i32: {lanes}, 1, 1>}} {{")
    for value in sorted({0, 1, 4, 16, 64, tile, step, k, per_lane, chunk, wave_columns, rows, columns}):
        w(f"    %k{value} = arith.constant {value} : index")
    w("    %zero = arith.constant dense<0.0> : vector<4xf32>")
    w(f"    %lds_a = memref.alloc() : {lds}")
    w(f"    %lds_b = memref.alloc() : {lds}")
    w("    %t = gpu.thread_id x")
    w("    %bx = gpu.block_id x")
    w("    %by = gpu.block_id y")
    if batches:
        w("    %batch = gpu.block_id z")
    w(f"    %row0 = arith.muli %by, %k{tile} : index")
    w(f"    %col0 = arith.muli %bx, %k{tile} : index")
    w("    %lane = arith.remui %t, %k64 : index")
    w("    %wave = arith.divui %t, %k64 : index")
    w(f"    %wave_r = arith.divui %wave, %k{wave_columns} : index")
    w(f"    %wave_c = arith.remui %wave, %k{wave_columns} : index")
    w(f"    %wave_row = arith.muli %wave_r, %k{rows} : index")
    w(f"    %wave_col = arith.muli %wave_c, %k{columns} : index")
    w("    %in16 = arith.remui %lane, %k16 : index")
    w("    %quarter = arith.divui %lane, %k16 : index")
    w(f"    %depth0 = arith.muli %quarter, %k{per_lane} : index")
    w("    %load_row = arith.divui %t, %k4 : index")
    w("    %load_q = arith.remui %t, %k4 : index")
    w(f"    %load_col = arith.muli %load_q, %k{chunk} : index")
    acc = [(i, j) for i in range(mi) for j in range(ni)]
    inits = ", ".join(f"%acc{i}_{j} = %zero" for i, j in acc)
    types = ", ".join("vector<4xf32>" for _ in acc)
    w(f"    %r:{len(acc)} = scf.for %kk = %k0 to %k{k} step %k{step} iter_args({inits}) -> ({types}) {{")
    w("      %load_k = arith.addi %kk, %load_col : index")
    stride = lanes // 4
    for x, base in (("a", "row0"), ("b", "col0")):
        for i in range(chunks):
            w(f"      %off_{x}{i} = arith.constant {i * stride} : index")
            w(f"      %lr_{x}{i} = arith.addi %load_row, %off_{x}{i} : index")
            w(f"      %gr_{x}{i} = arith.addi %{base}, %lr_{x}{i} : index")
            mem = mem_a if x == "a" else mem_b
            w(f"      %v_{x}{i} = vector.load %{x}[{index}%gr_{x}{i}, %load_k] : {mem}, {wide}")
    w("      gpu.barrier")
    for x in "ab":
        for i in range(chunks):
            w(f"      vector.store %v_{x}{i}, %lds_{x}[%lr_{x}{i}, %load_col] : {lds}, {wide}")
    w("      gpu.barrier")
    current = {(i, j): f"%acc{i}_{j}" for i, j in acc}
    for s in range(step // depth):
        w(f"      %ks{s} = arith.constant {s * depth} : index")
        w(f"      %d{s} = arith.addi %depth0, %ks{s} : index")
        for x, base, count in (("a", "wave_row", mi), ("b", "wave_col", ni)):
            for i in range(count):
                w(f"      %fo_{x}{s}_{i} = arith.constant {i * FRAGMENT} : index")
                w(f"      %fr_{x}{s}_{i} = arith.addi %{base}, %fo_{x}{s}_{i} : index")
                w(f"      %fl_{x}{s}_{i} = arith.addi %fr_{x}{s}_{i}, %in16 : index")
                w(f"      %f_{x}{s}_{i} = vector.load %lds_{x}[%fl_{x}{s}_{i}, %d{s}] : {lds}, {part}")
        for i, j in acc:
            w(f"      %m{s}_{i}_{j} = amdgpu.mfma 16x16x{depth} %f_a{s}_{i} * %f_b{s}_{j} + {current[i, j]} blgp = none : {part}, {part}, vector<4xf32>")
            current[i, j] = f"%m{s}_{i}_{j}"
    w(f"      scf.yield {', '.join(current[x] for x in acc)} : {types}")
    w("    }")
    w("    %out_r0 = arith.addi %row0, %wave_row : index")
    w("    %out_c0 = arith.addi %col0, %wave_col : index")
    w("    %sub_row = arith.muli %quarter, %k4 : index")
    w("    %out_r1 = arith.addi %out_r0, %sub_row : index")
    w("    %out_c1 = arith.addi %out_c0, %in16 : index")
    batch = index
    for number, (i, j) in enumerate(acc):
        w(f"    %oc{number}_o = arith.constant {j * FRAGMENT} : index")
        w(f"    %oc{number} = arith.addi %out_c1, %oc{number}_o : index")
        for r in range(4):
            w(f"    %or{number}_{r}_o = arith.constant {i * FRAGMENT + r} : index")
            w(f"    %or{number}_{r} = arith.addi %out_r1, %or{number}_{r}_o : index")
            w(f"    %e{number}_{r} = vector.extract %r#{number}[{r}] : f32 from vector<4xf32>")
            w(f"    memref.store %e{number}_{r}, %c[{batch}%or{number}_{r}, %oc{number}] : {mem_c}")
    w("    gpu.return")
    w("  }")
    w("}")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    folder = os.path.dirname(os.path.abspath(__file__))
    for variant in VARIANTS + [BATCHED]:
        with open(os.path.join(folder, variant[0] + ".mlir"), "w") as file:
            file.write(generate(*variant))
