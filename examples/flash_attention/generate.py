#!/usr/bin/env python3
"""Writes the flash-attention forward examples: O (f32) = softmax(Q K^T / sqrt(D)) V for each head, all HEADSxSxD.

A workgroup of four waves computes 64 rows of O, 16 a wave, and walks over K and V in tiles of 64 rows, staged in
LDS (V transposed), with a running maximum and sum. A wave multiplies K Q^T, not Q K^T: each lane then holds the
scores of one query only, the row-wise steps need two shuffles, and the accumulators of the scores are, rounded to
f16, the operand of the second product, O^T = V^T P^T.

    generate.py             write both beside this file
"""
import os

VARIANTS = [  # name, heads, sequence, head dimension, causal
    ("flash_attention_d64", 2, 256, 64, False),
    ("flash_attention_d128_causal", 2, 192, 128, True),
]
TILE, PART, LOG2E = 64, 4, 1.4426950408889634


def generate(name, heads, sequence, dim, causal):
    lines = []

    def w(text, indent=4):
        lines.append(" " * indent + text)
    mem, out = f"memref<{heads}x{sequence}x{dim}xf16>", f"memref<{heads}x{sequence}x{dim}xf32>"
    lds_k = f"memref<{TILE}x{dim + 8}xf16, #gpu.address_space<workgroup>>"
    lds_v = f"memref<{dim}x{TILE + 4}xf16, #gpu.address_space<workgroup>>"
    part = "vector<4xf16>, vector<4xf16>, vector<4xf32>"
    chunks = dim // 8                  # 16-byte chunks of a row
    rows = 256 // chunks               # rows of K a round of loads covers; twice as many of V
    dims, keys, steps = dim // 16, TILE // 16, dim // 16
    w(f"// {heads} heads, {sequence}x{sequence}, head dimension {dim}{', causal' if causal else ''}. Made by generate.py.", 0)
    w(f"gpu.module @{name}_module {{", 0)
    w(f"gpu.func @{name}(%q: {mem}, %k: {mem}, %v: {mem}, %o: {out}) kernel", 2)
    w("attributes {gpu.known_block_size = array<i32: 256, 1, 1>, inflight.reassociate} {", 6)
    values = {0, 1, 2, 4, 8, 16, 64, sequence, chunks} | {rows * i for i in range(TILE // rows)} | {i * 16 for i in range(max(dims, keys))}
    values |= {2 * rows * i for i in range(TILE // 2 // rows)} | set(range(8))
    for value in sorted(values):
        w(f"%k{value} = arith.constant {value} : index")
    w("%zero = arith.constant dense<0.0> : vector<4xf32>")
    w("%zero_s = arith.constant 0.0 : f32")
    w("%one_s = arith.constant 1.0 : f32")
    w("%lowest = arith.constant 0xFF800000 : f32")
    w(f"%scale = arith.constant {LOG2E / dim ** 0.5:.9e} : f32")
    w("%scales = vector.broadcast %scale : f32 to vector<4xf32>")
    w("%i16 = arith.constant 16 : i32")
    w("%i32 = arith.constant 32 : i32")
    w("%i64 = arith.constant 64 : i32")
    w(f"%lds_k = memref.alloc() : {lds_k}")
    w(f"%lds_v = memref.alloc() : {lds_v}")
    w("%t = gpu.thread_id x")
    w("%tile = gpu.block_id x")
    w("%head = gpu.block_id y")
    w("%lane = arith.remui %t, %k64 : index")
    w("%wave = arith.divui %t, %k64 : index")
    w("%in16 = arith.remui %lane, %k16 : index")
    w("%quarter = arith.divui %lane, %k16 : index")
    w("%depth0 = arith.muli %quarter, %k4 : index")
    w("%tile_row = arith.muli %tile, %k64 : index")
    w("%wave_row = arith.muli %wave, %k16 : index")
    w("%query0 = arith.addi %tile_row, %wave_row : index")
    w("%query = arith.addi %query0, %in16 : index")
    for i in range(1, max(dims, keys)):
        w(f"%depth{i} = arith.addi %depth0, %k{i * 16} : index")
        w(f"%in16_{i} = arith.addi %in16, %k{i * 16} : index")
    w("%in16_0 = arith.addi %in16, %k0 : index")
    w("// This lane's part of Q stays in registers.")
    for s in range(steps):
        w(f"%q{s} = vector.load %q[%head, %query, %depth{s}] : {mem}, vector<4xf16>")
    w(f"%row = arith.divui %t, %k{chunks} : index")
    w(f"%chunk = arith.remui %t, %k{chunks} : index")
    w("%column = arith.muli %chunk, %k8 : index")
    w("%pair_row = arith.muli %row, %k2 : index")
    for e in range(8):
        w(f"%column{e} = arith.addi %column, %k{e} : index")
    if causal:
        w("%inside = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>")
        w("%query_i = arith.index_cast %query : index to i32")
        w("%queries = vector.broadcast %query_i : i32 to vector<4xi32>")
        w("%masked = vector.broadcast %lowest : f32 to vector<4xf32>")
        w("%end = arith.addi %tile_row, %k64 : index")
    end = "%end" if causal else f"%k{sequence}"
    inits = ", ".join(f"%o{d} = %zero" for d in range(dims))
    types = "f32, f32, " + ", ".join("vector<4xf32>" for _ in range(dims))
    w(f"%r:{dims + 2} = scf.for %kv = %k0 to {end} step %k64 iter_args(%m = %lowest, %l = %zero_s, {inits}) -> ({types}) {{")
    for i in range(TILE // rows):
        w(f"%k_row{i} = arith.addi %row, %k{rows * i} : index", 6)
        w(f"%k_from{i} = arith.addi %kv, %k_row{i} : index", 6)
        w(f"%k_in{i} = vector.load %k[%head, %k_from{i}, %column] : {mem}, vector<8xf16>", 6)
    for i in range(TILE // 2 // rows):
        w(f"%v_row{i} = arith.addi %pair_row, %k{2 * rows * i} : index", 6)
        w(f"%v_from{i} = arith.addi %kv, %v_row{i} : index", 6)
        w(f"%v_from1_{i} = arith.addi %v_from{i}, %k1 : index", 6)
        w(f"%v_even{i} = vector.load %v[%head, %v_from{i}, %column] : {mem}, vector<8xf16>", 6)
        w(f"%v_odd{i} = vector.load %v[%head, %v_from1_{i}, %column] : {mem}, vector<8xf16>", 6)
    w("gpu.barrier", 6)
    for i in range(TILE // rows):
        w(f"vector.store %k_in{i}, %lds_k[%k_row{i}, %column] : {lds_k}, vector<8xf16>", 6)
    for i in range(TILE // 2 // rows):
        for e in range(8):
            w(f"%v_even{i}_{e} = vector.extract %v_even{i}[{e}] : f16 from vector<8xf16>", 6)
            w(f"%v_odd{i}_{e} = vector.extract %v_odd{i}[{e}] : f16 from vector<8xf16>", 6)
            w(f"%v_pair{i}_{e} = vector.from_elements %v_even{i}_{e}, %v_odd{i}_{e} : vector<2xf16>", 6)
            w(f"vector.store %v_pair{i}_{e}, %lds_v[%column{e}, %v_row{i}] : {lds_v}, vector<2xf16>", 6)
    w("gpu.barrier", 6)
    w("// Scores: rows are keys, columns queries.", 6)
    for key in range(keys):
        current = "%zero"
        for s in range(steps):
            w(f"%kf{key}_{s} = vector.load %lds_k[%in16_{key}, %depth{s}] : {lds_k}, vector<4xf16>", 6)
            w(f"%s{key}_{s} = amdgpu.mfma 16x16x16 %kf{key}_{s} * %q{s} + {current} blgp = none : {part}", 6)
            current = f"%s{key}_{s}"
        if causal:
            w(f"%key{key} = arith.addi %kv, %depth{key} : index", 6)
            w(f"%key{key}_i = arith.index_cast %key{key} : index to i32", 6)
            w(f"%key{key}_v = vector.broadcast %key{key}_i : i32 to vector<4xi32>", 6)
            w(f"%keys{key} = arith.addi %key{key}_v, %inside : vector<4xi32>", 6)
            w(f"%seen{key} = arith.cmpi sle, %keys{key}, %queries : vector<4xi32>", 6)
            w(f"%score{key} = arith.select %seen{key}, {current}, %masked : vector<4xi1>, vector<4xf32>", 6)
    score = [f"%score{key}" if causal else f"%s{key}_{steps - 1}" for key in range(keys)]

    def fold(op, values, tag):
        current = values[0]
        for i, value in enumerate(values[1:]):
            w(f"%{tag}{i} = {op} {current}, {value} : vector<4xf32>", 6)
            current = f"%{tag}{i}"
        return current

    def across(op, value, tag, indent):
        """The reduction over the four lanes that hold one query."""
        for i in (16, 32):
            w(f"%{tag}_s{i}, %{tag}_p{i} = gpu.shuffle xor {value}, %i{i}, %i64 : f32", indent)
            w(f"%{tag}_a{i} = {op} {value}, %{tag}_s{i} : f32", indent)
            value = f"%{tag}_a{i}"
        return value
    w("// The new maximum, and how much it shrinks what is there.", 6)
    w(f"%mine = vector.reduction <maxnumf>, {fold('arith.maxnumf', score, 'mx')} : vector<4xf32> into f32", 6)
    largest = across("arith.maxnumf", "%mine", "mm", 6)
    w(f"%scaled_max = arith.mulf {largest}, %scale : f32", 6)
    w("%m_new = arith.maxnumf %m, %scaled_max : f32", 6)
    w("%m_old = arith.subf %m, %m_new : f32", 6)
    w("%alpha = math.exp2 %m_old : f32", 6)
    w("%alphas = vector.broadcast %alpha : f32 to vector<4xf32>", 6)
    w("%m_neg = arith.negf %m_new : f32", 6)
    w("%shift = vector.broadcast %m_neg : f32 to vector<4xf32>", 6)
    for key in range(keys):
        w(f"%x{key} = math.fma {score[key]}, %scales, %shift : vector<4xf32>", 6)
        w(f"%p{key} = math.exp2 %x{key} : vector<4xf32>", 6)
        w(f"%ph{key} = arith.truncf %p{key} : vector<4xf32> to vector<4xf16>", 6)
    w(f"%p_sum = vector.reduction <add>, {fold('arith.addf', [f'%p{key}' for key in range(keys)], 'ps')} : vector<4xf32> into f32", 6)
    w("%l_new = math.fma %l, %alpha, %p_sum : f32", 6)
    for d in range(dims):
        w(f"%o{d}_s = arith.mulf %o{d}, %alphas : vector<4xf32>", 6)
        current = f"%o{d}_s"
        for key in range(keys):
            w(f"%vf{d}_{key} = vector.load %lds_v[%in16_{d}, %depth{key}] : {lds_v}, vector<4xf16>", 6)
            w(f"%o{d}_{key} = amdgpu.mfma 16x16x16 %vf{d}_{key} * %ph{key} + {current} blgp = none : {part}", 6)
            current = f"%o{d}_{key}"
    w(f"scf.yield %m_new, %l_new, {', '.join(f'%o{d}_{keys - 1}' for d in range(dims))} : {types}", 6)
    w("}")
    total = across("arith.addf", "%r#1", "ll", 4)
    w(f"%inverse = arith.divf %one_s, {total} : f32")
    w("%inverses = vector.broadcast %inverse : f32 to vector<4xf32>")
    for d in range(dims):
        w(f"%out{d} = arith.mulf %r#{d + 2}, %inverses : vector<4xf32>")
        w(f"vector.store %out{d}, %o[%head, %query, %depth{d}] : {out}, vector<4xf32>")
    w("gpu.return")
    w("}", 2)
    w("}", 0)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    folder = os.path.dirname(os.path.abspath(__file__))
    for variant in VARIANTS:
        with open(os.path.join(folder, variant[0] + ".mlir"), "w") as file:
            file.write(generate(*variant))
