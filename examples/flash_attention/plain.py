#!/usr/bin/env python3
"""Writes flash attention forward without asynchronous copies, for gfx950: O (f32) = softmax(Q K^T / sqrt(D)) V, each HEADSxSxD.

Tiles of 64 rows of K and V are stored to workgroup memory as they are, row after row; what is read of V is transposed on its way
(amdgpu.transpose_load). A workgroup of four waves computes `blocks` times 64 rows of O, each wave 16 times `blocks`. As in generate.py a wave multiplies
K Q^T, so that each lane holds the scores of one query a block. What the compiler makes of the copies is the compiler's business.

    plain.py --size=16x4096x128 --blocks=2 > attention.mlir
"""
import argparse

KEYS, LOG2E = 64, 1.4426950408889634
PART = "vector<4xf16>, vector<4xf16>, vector<4xf32>"


class Attention:
    def __init__(self, heads, length, dim, blocks=2, causal=False, name="attention"):
        self.heads, self.length, self.dim, self.blocks, self.causal, self.name = heads, length, dim, blocks, causal, name
        self.lines, self.constants = [], set()

    def w(self, text, indent=4):
        self.lines.append(" " * indent + text)

    def c(self, value):
        self.constants.add(value)
        return f"%c{value}"

    def text(self):
        mem, out = (f"memref<{self.heads}x{self.length}x{self.dim}x{t}>" for t in ("f16", "f32"))
        self.body(mem, out)
        head = [f"gpu.module @{self.name}_module {{", f"  gpu.func @{self.name}(%q: {mem}, %k: {mem}, %v: {mem}, %o: {out}) kernel",
                "      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {"]
        head += [f"    %c{value} = arith.constant {value} : index" for value in sorted(self.constants)]
        return "\n".join(head + self.lines + ["    gpu.return", "  }", "}"]) + "\n"

    def body(self, mem, out):
        lds = f"memref<{KEYS}x{self.dim}xf16, #gpu.address_space<workgroup>>"
        dims, keys = self.dim // 16, KEYS // 16
        blocks = range(self.blocks)
        for text in ("%zero = arith.constant dense<0.0> : vector<4xf32>", "%zero_s = arith.constant 0.0 : f32", "%one_s = arith.constant 1.0 : f32",
                     "%lowest = arith.constant 0xFF800000 : f32", "%masked = vector.broadcast %lowest : f32 to vector<4xf32>",
                     f"%scale = arith.constant {LOG2E / self.dim ** 0.5:.9e} : f32", "%scales = vector.broadcast %scale : f32 to vector<4xf32>",
                     "%i16 = arith.constant 16 : i32", "%i32 = arith.constant 32 : i32", "%i64 = arith.constant 64 : i32",
                     "%inside = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>",
                     f"%lds_k = memref.alloc() : {lds}", f"%lds_v = memref.alloc() : {lds}",
                     "%t = gpu.thread_id x", "%tile = gpu.block_id x", "%head = gpu.block_id y"):
            self.w(text)
        chunks = self.dim // 8
        rows = 256 // chunks
        for name, op, left, right in (
                ("lane", "remui", "t", 64), ("wave", "divui", "t", 64), ("in16", "remui", "lane", 16), ("quarter", "divui", "lane", 16),
                ("depth", "muli", "quarter", 4), ("tile_row", "muli", "tile", 64 * self.blocks), ("wave_row", "muli", "wave", 16 * self.blocks),
                ("row", "divui", "t", chunks), ("chunk", "remui", "t", chunks), ("column", "muli", "chunk", 8),
                ("v_row", "divui", "in16", 4), ("v_part", "remui", "in16", 4), ("v_column", "muli", "v_part", 4)):
            self.w(f"%{name} = arith.{op} %{left}, {self.c(right)} : index")
        self.w("%query_first = arith.addi %tile_row, %wave_row : index")
        self.w("%query_lane = arith.addi %query_first, %in16 : index")
        # The lanes of a row read four keys by sixteen elements of V; each gets four keys of one element.
        self.w("%v_key = arith.addi %depth, %v_row : index")
        for b in blocks:
            self.w(f"%query{b} = arith.addi %query_lane, {self.c(16 * b)} : index")
            self.w(f"%query{b}_i = arith.index_cast %query{b} : index to i32")
            self.w(f"%queries{b} = vector.broadcast %query{b}_i : i32 to vector<4xi32>")
        for i in range(dims):
            self.w(f"%depth{i} = arith.addi %depth, {self.c(i * 16)} : index")
            self.w(f"%v_column{i} = arith.addi %v_column, {self.c(i * 16)} : index")
        for i in range(keys):
            self.w(f"%key_row{i} = arith.addi %in16, {self.c(i * 16)} : index")
            self.w(f"%v_key{i} = arith.addi %v_key, {self.c(i * 16)} : index")
            self.w(f"%key_first{i} = arith.addi %depth, {self.c(i * 16)} : index")
        for b in blocks:
            for s in range(dims):
                self.w(f"%q{b}_{s} = vector.load %q[%head, %query{b}, %depth{s}] : {mem}, vector<4xf16>")
        for i in range(KEYS // rows):
            self.w(f"%row{i} = arith.addi %row, {self.c(rows * i)} : index")
        carried = [(f"m{b}", "%lowest", "f32") for b in blocks] + [(f"l{b}", "%zero_s", "f32") for b in blocks]
        carried += [(f"o{b}_{d}", "%zero", "vector<4xf32>") for b in blocks for d in range(dims)]
        end = self.c(self.length)
        if self.causal:
            self.w(f"%end = arith.addi %tile_row, {self.c(64 * self.blocks)} : index")
            end = "%end"
        inits, types = ", ".join(f"%{name} = {value}" for name, value, _ in carried), ", ".join(type for _, _, type in carried)
        self.w(f"%r:{len(carried)} = scf.for %kv = {self.c(0)} to {end} step {self.c(KEYS)} iter_args({inits}) -> ({types}) {{")
        for i in range(KEYS // rows):
            self.w(f"%from{i} = arith.addi %kv, %row{i} : index", 6)
            for x in "kv":
                self.w(f"%{x}_in{i} = vector.load %{x}[%head, %from{i}, %column] : {mem}, vector<8xf16>", 6)
        for i in range(KEYS // rows):
            for x in "kv":
                self.w(f"vector.store %{x}_in{i}, %lds_{x}[%row{i}, %column] : {lds}, vector<8xf16>", 6)
        self.w("gpu.barrier", 6)
        scores = self.scores(lds, dims, keys)
        p = {b: self.softmax(b, [scores[b, key] for key in range(keys)]) for b in blocks}
        current = {}
        for d in range(dims):
            for b in blocks:
                self.w(f"%o{b}_{d}_s = arith.mulf %o{b}_{d}, %alphas{b} : vector<4xf32>", 6)
                current[b, d] = f"%o{b}_{d}_s"
        for d in range(dims):
            for key in range(keys):
                self.w(f"%vf{d}_{key} = amdgpu.transpose_load %lds_v[%v_key{key}, %v_column{d}] : {lds} -> vector<4xf16>", 6)
                for b in blocks:
                    self.w(f"%o{b}_{d}_{key} = amdgpu.mfma 16x16x16 %vf{d}_{key} * {p[b][key]} + {current[b, d]} blgp = none : {PART}", 6)
                    current[b, d] = f"%o{b}_{d}_{key}"
        self.w("gpu.barrier", 6)
        values = [f"%m_new{b}" for b in blocks] + [f"%l_new{b}" for b in blocks] + [current[b, d] for b in blocks for d in range(dims)]
        self.w(f"scf.yield {', '.join(values)} : {types}", 6)
        self.w("}")
        for b in blocks:
            total = self.across("arith.addf", f"%r#{self.blocks + b}", f"ll{b}", 4)
            self.w(f"%inverse{b} = arith.divf %one_s, {total} : f32")
            self.w(f"%inverses{b} = vector.broadcast %inverse{b} : f32 to vector<4xf32>")
            for d in range(dims):
                self.w(f"%out{b}_{d} = arith.mulf %r#{2 * self.blocks + b * dims + d}, %inverses{b} : vector<4xf32>")
                self.w(f"vector.store %out{b}_{d}, %o[%head, %query{b}, %depth{d}] : {out}, vector<4xf32>")

    def scores(self, lds, dims, keys):
        current = {(b, key): "%zero" for b in range(self.blocks) for key in range(keys)}
        for key in range(keys):
            for s in range(dims):
                self.w(f"%kf{key}_{s} = vector.load %lds_k[%key_row{key}, %depth{s}] : {lds}, vector<4xf16>", 6)
                for b in range(self.blocks):
                    self.w(f"%s{b}_{key}_{s} = amdgpu.mfma 16x16x16 %kf{key}_{s} * %q{b}_{s} + {current[b, key]} blgp = none : {PART}", 6)
                    current[b, key] = f"%s{b}_{key}_{s}"
        if self.causal:
            for key in range(keys):
                self.w(f"%key{key} = arith.addi %kv, %key_first{key} : index", 6)
                self.w(f"%key{key}_i = arith.index_cast %key{key} : index to i32", 6)
                self.w(f"%key{key}_v = vector.broadcast %key{key}_i : i32 to vector<4xi32>", 6)
                self.w(f"%keys{key} = arith.addi %key{key}_v, %inside : vector<4xi32>", 6)
                for b in range(self.blocks):
                    self.w(f"%seen{b}_{key} = arith.cmpi sle, %keys{key}, %queries{b} : vector<4xi32>", 6)
                    self.w(f"%score{b}_{key} = arith.select %seen{b}_{key}, {current[b, key]}, %masked : vector<4xi1>, vector<4xf32>", 6)
                    current[b, key] = f"%score{b}_{key}"
        return current

    def softmax(self, b, score):
        self.w("// The new maximum, and how much it shrinks what is there.", 6)
        self.w(f"%mine{b} = vector.reduction <maxnumf>, {self.fold('arith.maxnumf', score, f'mx{b}_')} : vector<4xf32> into f32", 6)
        largest = self.across("arith.maxnumf", f"%mine{b}", f"mm{b}", 6)
        self.w(f"%scaled_max{b} = arith.mulf {largest}, %scale : f32", 6)
        self.w(f"%m_new{b} = arith.maxnumf %m{b}, %scaled_max{b} : f32", 6)
        self.w(f"%m_old{b} = arith.subf %m{b}, %m_new{b} : f32", 6)
        self.w(f"%alpha{b} = math.exp2 %m_old{b} fastmath<afn> : f32", 6)
        self.w(f"%alphas{b} = vector.broadcast %alpha{b} : f32 to vector<4xf32>", 6)
        self.w(f"%m_neg{b} = arith.negf %m_new{b} : f32", 6)
        self.w(f"%shift{b} = vector.broadcast %m_neg{b} : f32 to vector<4xf32>", 6)
        for key, value in enumerate(score):
            self.w(f"%x{b}_{key} = math.fma {value}, %scales, %shift{b} : vector<4xf32>", 6)
            self.w(f"%p{b}_{key} = math.exp2 %x{b}_{key} fastmath<afn> : vector<4xf32>", 6)
            self.w(f"%ph{b}_{key} = arith.truncf %p{b}_{key} : vector<4xf32> to vector<4xf16>", 6)
        sums = self.fold("arith.addf", [f"%p{b}_{key}" for key in range(len(score))], f"ps{b}_")
        self.w(f"%p_sum{b} = vector.reduction <add>, {sums} : vector<4xf32> into f32", 6)
        self.w(f"%l_new{b} = math.fma %l{b}, %alpha{b}, %p_sum{b} : f32", 6)
        return [f"%ph{b}_{key}" for key in range(len(score))]

    def fold(self, op, values, tag):
        current = values[0]
        for i, value in enumerate(values[1:]):
            self.w(f"%{tag}{i} = {op} {current}, {value} : vector<4xf32>", 6)
            current = f"%{tag}{i}"
        return current

    def across(self, op, value, tag, indent):
        """The reduction over the four lanes that hold one query."""
        for i in (16, 32):
            self.w(f"%{tag}_s{i}, %{tag}_p{i} = gpu.shuffle xor {value}, %i{i}, %i64 : f32", indent)
            self.w(f"%{tag}_a{i} = {op} {value}, %{tag}_s{i} : f32", indent)
            value = f"%{tag}_a{i}"
        return value


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="16x4096x128", type=lambda text: tuple(map(int, text.split("x"))), help="heads x length x head dimension")
    parser.add_argument("--blocks", default=2, type=int, help="of 16 queries a wave")
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--name", default="attention")
    a = parser.parse_args()
    print(Attention(*a.size, a.blocks, a.causal, a.name).text(), end="")
