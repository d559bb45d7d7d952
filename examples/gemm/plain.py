#!/usr/bin/env python3
"""Writes GEMM kernels as a kernel language without asynchronous copies writes them: C = A x B^T, sums in f32.

A workgroup computes a tile of C. A loop over K loads a slice of A and of B from global memory, stores it to
workgroup memory as it is, row after row, and multiplies what it reads back by matrix instructions. Two barriers
an iteration. What the compiler makes of it is the compiler's business.

    plain.py --type=f16 --tile=128x128 --size=4096x4096x4096 > gemm.mlir
    plain.py --type=f16 --tile=128x128 --size=4096x4096x? > gemm.mlir      K is an argument
    plain.py --type=f16 --tile=256x256 --waves=2x2 --step=128 --wide --result=f16 --dies=4x2 > gemm.mlir
    plain.py --result=f16 --turned --scale --bias --activation=gelu > gemm.mlir      gelu(scale * A x B^T + bias)
    plain.py --size=256x256x65536 --split=64 > gemm.mlir                             blockIdx.z is a part of K
    plain.py --workgroups=256 > gemm.mlir                                            each computes several tiles
"""
import argparse

from results import ACTIVATIONS, FRAGMENT, Results

TYPES = {"f16": 2, "bf16": 2, "f8E4M3FNUZ": 1, "f8E4M3FN": 1}


class PlainGemm(Results):
    """`tile`, `waves`: rows and columns; `step`: bytes of K an iteration; `pad`: bytes between rows of a tile; `wide`:
    the matrix instruction of twice the depth, which gfx950 has; `m`, `n`, `k`: None for an argument.
    `result`: the type of C. `turned`: C^T = B x A^T is computed, so that a lane has four columns of a row of C and
    stores them at once; else it has four rows of a column. `dies`: rows and columns of them; workgroups go to the
    dies (XCDs) in turn, and each die is to compute one block of C, for its L2. `read`: bytes of a row that a lane reads
    from workgroup memory at once, for one matrix instruction or several; None: for one.
    `split`: parts of K, by the workgroup's id in z, whose sums are added to C by atomics. `workgroups`: so many compute
    all tiles, one after the other; None: as many as tiles. The other arguments are those of Results.
    Constant sizes need not be multiples of the tile: what lies beyond rows and columns is read as zeros and not stored."""

    def __init__(self, element="f16", tile=(128, 128), waves=(2, 2), size=(4096, 4096, 4096), step=64, pad=0, wide=False,
                 name="gemm", result="f32", turned=False, dies=None, read=None, split=1, workgroups=None, **results):
        super().__init__(result, turned, split > 1, **results)
        self.element, self.tile, self.waves, self.name, self.size = element, tile, waves, name, size
        self.dies, self.split, self.workgroups = dies, split, workgroups
        self.edges = [size[i] is not None and size[i] % tile[i] != 0 for i in range(2)]
        self.k_edge = size[2] is not None and size[2] % (step // TYPES[element]) != 0
        self.bytes = TYPES[element]
        self.lanes = 64 * waves[0] * waves[1]
        self.step = step // self.bytes                  # elements of K an iteration
        self.chunk = 16 // self.bytes                   # elements that a lane loads at once
        self.part = (16 if wide else 8) // self.bytes   # elements of A or B that a lane gives to a matrix instruction
        self.depth = 4 * self.part
        self.joined = read // self.bytes // self.part if read else 1   # matrix instructions that a read is for
        self.row = (step + pad) // self.bytes
        self.counts = [tile[i] // waves[i] // FRAGMENT for i in range(2)]
        self.lines, self.constants, self.margin = [], set(), 0
        if split > 1 and (size[2] is None or size[2] % (split * self.step)):
            raise ValueError("parts of K are whole iterations")

    def w(self, text, indent=4):
        self.lines.append(" " * (indent + self.margin) + text)

    def c(self, value):
        self.constants.add(value)
        return f"%c{value}"

    def memory(self, rows, columns, element):
        return "memref<" + "x".join("?" if x is None else str(x) for x in (rows, columns)) + f"x{element}>"

    def body(self):
        m, n, k = self.size
        self.mem = {"a": self.memory(m, k, self.element), "b": self.memory(n, k, self.element), "c": self.memory(m, n, self.result)}
        lds = [f"memref<{t}x{self.row}x{self.element}, #gpu.address_space<workgroup>>" for t in self.tile]
        wide, part = f"vector<{self.chunk}x{self.element}>", f"vector<{self.part}x{self.element}>"
        acc = [(i, j) for i in range(self.counts[0]) for j in range(self.counts[1])]
        types = ", ".join("vector<4xf32>" for _ in acc)
        self.w(f"%as = memref.alloc() : {lds[0]}")
        self.w(f"%bs = memref.alloc() : {lds[1]}")
        self.w("%t = gpu.thread_id x")
        if self.workgroups:
            self.w("%first_tile = gpu.block_id x")
            self.w(f"scf.for %id = %first_tile to {self.c(self.tiles()[0] * self.tiles()[1])} step {self.c(self.workgroups)} {{")
            self.margin = 2
        self.workgroup()
        per_row = self.step // self.chunk
        for name, op, left, right in (
                ("row0", "muli", "by", self.tile[0]), ("col0", "muli", "bx", self.tile[1]), ("lane", "remui", "t", 64),
                ("wave", "divui", "t", 64), ("wave_r", "divui", "wave", self.waves[1]), ("wave_c", "remui", "wave", self.waves[1]),
                ("wr0", "muli", "wave_r", self.tile[0] // self.waves[0]), ("wc0", "muli", "wave_c", self.tile[1] // self.waves[1]),
                ("in16", "remui", "lane", 16), ("quarter", "divui", "lane", 16), ("lr0", "divui", "t", per_row),
                ("chunk", "remui", "t", per_row), ("lc", "muli", "chunk", self.chunk), ("fk0", "muli", "quarter", self.joined * self.part)):
            self.w(f"%{name} = arith.{op} %{left}, {self.c(right)} : index")
        rows = self.lanes // per_row  # that all lanes copy at once
        for x, base, lds_rows in (("a", "row0", self.tile[0]), ("b", "col0", self.tile[1])):
            for i in range(lds_rows // rows):
                self.w(f"%l{x}{i} = arith.addi %lr0, {self.c(i * rows)} : index")
                self.w(f"%g{x}{i} = arith.addi %{base}, %l{x}{i} : index")
                if self.edges["ab".index(x)]:
                    self.w(f"%in_{x}{i} = arith.cmpi ult, %g{x}{i}, {self.c(self.size['ab'.index(x)])} : index")
        for x, base, count in (("a", "wr0", self.counts[0]), ("b", "wc0", self.counts[1])):
            self.w(f"%f{x} = arith.addi %{base}, %in16 : index")
            for i in range(count):
                self.w(f"%f{x}{i} = arith.addi %f{x}, {self.c(i * FRAGMENT)} : index")
        for s in range(0, self.step // self.depth, self.joined):
            self.w(f"%k{s} = arith.addi %fk0, {self.c(s * self.depth)} : index")
        bound = "%k_size" if k is None else self.c(k // self.split)
        if k is None:
            self.w(f"%k_size = memref.dim %a, {self.c(1)} : {self.mem['a']}")
        if self.split > 1:
            self.w("%part = gpu.block_id z")
            self.w(f"%part_begin = arith.muli %part, {self.c(k // self.split)} : index")
        inits = ", ".join(f"%i{i}_{j} = %zero" for i, j in acc)
        self.w(f"%r:{len(acc)} = scf.for %k = {self.c(0)} to {bound} step {self.c(self.step)} iter_args({inits}) -> ({types}) {{")
        self.w(f"%{'in_part' if self.split > 1 else 'col'} = arith.addi %k, %lc : index", 6)
        if self.split > 1:
            self.w("%col = arith.addi %part_begin, %in_part : index", 6)
        for x, lds_rows in (("a", self.tile[0]), ("b", self.tile[1])):
            for i in range(lds_rows // rows):
                beyond = self.edges["ab".index(x)]
                name, indent = (f"%u{x}{i}", 8) if beyond else (f"%v{x}{i}", 6)
                if beyond:
                    self.w(f"%v{x}{i} = scf.if %in_{x}{i} -> {wide} {{", 6)
                if self.k_edge:
                    self.w(f"{name} = vector.transfer_read %{x}[%g{x}{i}, %col], %nothing {{in_bounds = [false]}} : {self.mem[x]}, {wide}", indent)
                else:
                    self.w(f"{name} = vector.load %{x}[%g{x}{i}, %col] : {self.mem[x]}, {wide}", indent)
                if beyond:
                    self.w(f"scf.yield {name} : {wide}", 8)
                    self.w("} else {", 6)
                    self.w(f"scf.yield %nothings : {wide}", 8)
                    self.w("}", 6)
        for x, lds_rows, type in (("a", self.tile[0], lds[0]), ("b", self.tile[1], lds[1])):
            for i in range(lds_rows // rows):
                self.w(f"vector.store %v{x}{i}, %{x}s[%l{x}{i}, %lc] : {type}, {wide}", 6)
        self.w("gpu.barrier", 6)
        current = {at: f"%i{at[0]}_{at[1]}" for at in acc}
        for s in range(self.step // self.depth):
            for x, count, type in (("a", self.counts[0], lds[0]), ("b", self.counts[1], lds[1])):
                for i in range(count):
                    self.read(x, s, i, type)
            for i, j in acc:
                left, right = (f"%b{s}_{j}", f"%a{s}_{i}") if self.turned else (f"%a{s}_{i}", f"%b{s}_{j}")
                self.w(f"%m{s}_{i}_{j} = amdgpu.mfma 16x16x{self.depth} {left} * {right} + {current[i, j]} blgp = none"
                       f" : {part}, {part}, vector<4xf32>", 6)
                current[i, j] = f"%m{s}_{i}_{j}"
        self.w("gpu.barrier", 6)
        self.w(f"scf.yield {', '.join(current[at] for at in acc)} : {types}", 6)
        self.w("}")
        self.finish({at: f"%r#{i}" for i, at in enumerate(acc)})
        if self.workgroups:
            self.margin = 0
            self.w("}")

    def read(self, x, s, i, memory):
        """Fragment i of A or B for matrix instruction s."""
        part, wide = (f"vector<{count}x{self.element}>" for count in (self.part, self.joined * self.part))
        if self.joined == 1:
            self.w(f"%{x}{s}_{i} = vector.load %{x}s[%f{x}{i}, %k{s}] : {memory}, {part}", 6)
            return
        first, at = s // self.joined * self.joined, s % self.joined
        if at == 0:
            self.w(f"%{x}{s}_{i}_all = vector.load %{x}s[%f{x}{i}, %k{s}] : {memory}, {wide}", 6)
        self.w(f"%{x}{s}_{i} = vector.extract_strided_slice %{x}{first}_{i}_all {{offsets = [{at * self.part}], sizes = [{self.part}], "
               f"strides = [1]}} : {wide} to {part}", 6)

    def tiles(self):
        """Rows and columns of tiles."""
        return [-(-self.size[i] // self.tile[i]) for i in range(2)]

    def workgroup(self):
        """Which tile of C is to be computed: that of the workgroup, or number %id of all."""
        if not self.dies and not self.workgroups:
            self.w("%bx = gpu.block_id x")
            self.w("%by = gpu.block_id y")
            return
        tiles = self.tiles()
        if not self.workgroups:
            self.w("%id_x = gpu.block_id x")
            self.w("%id_y = gpu.block_id y")
            self.w(f"%id_row = arith.muli %id_y, {self.c(tiles[1])} : index")
            self.w("%id = arith.addi %id_row, %id_x : index")
        if not self.dies:
            self.w(f"%by = arith.divui %id, {self.c(tiles[1])} : index")
            self.w(f"%bx = arith.remui %id, {self.c(tiles[1])} : index")
            return
        rows, columns = (tiles[i] // self.dies[i] for i in range(2))  # of a die's block
        for name, op, left, right in (
                ("die", "remui", "id", self.dies[0] * self.dies[1]),
                ("in_die", "divui", "id", self.dies[0] * self.dies[1]),
                ("die_y", "divui", "die", self.dies[1]), ("die_x", "remui", "die", self.dies[1]),
                ("in_y", "divui", "in_die", columns), ("in_x", "remui", "in_die", columns),
                ("first_y", "muli", "die_y", rows), ("first_x", "muli", "die_x", columns)):
            self.w(f"%{name} = arith.{op} %{left}, {self.c(right)} : index")
        self.w("%by = arith.addi %first_y, %in_y : index")
        self.w("%bx = arith.addi %first_x, %in_x : index")

    def text(self):
        self.body()
        memory = [f"%{x}: {self.mem[x]} {{llvm.noalias}}" for x in "abc"]
        head = [f"gpu.module @{self.name}_module {{",
                f"  gpu.func @{self.name}({', '.join(memory + self.arguments(self.size[1]))}) kernel",
                f"      attributes {{gpu.known_block_size = array<i32: {self.lanes}, 1, 1>}} {{"]
        head += [f"    %c{value} = arith.constant {value} : index" for value in sorted(self.constants)]
        head.append("    %zero = arith.constant dense<0.0> : vector<4xf32>")
        if any(self.edges):
            head.append(f"    %nothings = arith.constant dense<0.0> : vector<{self.chunk}x{self.element}>")
        if self.k_edge:
            head.append(f"    %nothing = arith.constant 0.0 : {self.element}")
        return "\n".join(head + self.lines + ["    gpu.return", "  }", "}"]) + "\n"


def parse(text):
    return tuple(None if part == "?" else int(part) for part in text.split("x"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--type", default="f16", choices=TYPES)
    parser.add_argument("--tile", default="128x128", type=parse, help="rows x columns of C a workgroup")
    parser.add_argument("--waves", default="2x2", type=parse)
    parser.add_argument("--size", default="4096x4096x4096", type=parse, help="M x N x K; ? for an argument")
    parser.add_argument("--step", default=64, type=int, help="bytes of K an iteration")
    parser.add_argument("--pad", default=0, type=int, help="bytes after each row of a tile")
    parser.add_argument("--wide", action="store_true", help="matrix instructions of twice the depth (gfx950)")
    parser.add_argument("--result", default="f32", choices=["f32", "f16", "bf16"], help="the type of C")
    parser.add_argument("--turned", action="store_true", help="a lane stores four columns of a row at once")
    parser.add_argument("--dies", type=parse, help="rows x columns of dies (XCDs), each of which is to compute one block of C")
    parser.add_argument("--read", type=int, help="bytes of a row that a lane reads from workgroup memory at once")
    parser.add_argument("--scale", action="store_true", help="results are multiplied by an argument")
    parser.add_argument("--bias", action="store_true", help="a value for each column is added")
    parser.add_argument("--activation", choices=ACTIVATIONS)
    parser.add_argument("--split", default=1, type=int, help="parts of K, added up by atomics")
    parser.add_argument("--workgroups", type=int, help="that compute all tiles, one after the other")
    parser.add_argument("--name", default="gemm")
    options = vars(parser.parse_args())
    print(PlainGemm(options.pop("type"), **options).text(), end="")
