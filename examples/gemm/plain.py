#!/usr/bin/env python3
"""Writes GEMM kernels as a kernel language without asynchronous copies writes them: C = A x B^T, sums in f32.

A workgroup computes a tile of C. A loop over K loads a slice of A and of B from global memory, stores it to
workgroup memory as it is, row after row, and multiplies what it reads back by matrix instructions. Two barriers
an iteration. What the compiler makes of it is the compiler's business.

    plain.py --type=f16 --tile=128x128 --size=4096x4096x4096 > gemm.mlir
    plain.py --type=f16 --tile=128x128 --size=4096x4096x? > gemm.mlir      K is an argument
    plain.py --type=f16 --tile=256x256 --waves=2x2 --step=128 --wide --result=f16 --dies=4x2 > gemm.mlir
"""
import argparse

TYPES = {"f16": 2, "bf16": 2, "f8E4M3FNUZ": 1, "f8E4M3FN": 1}
FRAGMENT = 16


class PlainGemm:
    """`tile`, `waves`: rows and columns; `step`: bytes of K an iteration; `pad`: bytes between rows of a tile; `wide`:
    the matrix instruction of twice the depth, which gfx950 has; `m`, `n`, `k`: None for an argument.
    `result`: the type of C. `turned`: C^T = B x A^T is computed, so that a lane has four columns of a row of C and
    stores them at once; else it has four rows of a column. `dies`: rows and columns of them; workgroups go to the
    dies (XCDs) in turn, and each die is to compute one block of C, for its L2.
    Constant sizes need not be multiples of the tile: what lies beyond rows and columns is read as zeros and not stored."""

    def __init__(self, element="f16", tile=(128, 128), waves=(2, 2), size=(4096, 4096, 4096), step=64, pad=0, wide=False,
                 name="gemm", result="f32", turned=False, dies=None):
        self.element, self.tile, self.waves, self.name, self.size = element, tile, waves, name, size
        self.result, self.turned, self.dies = result, turned, dies
        self.edges = [size[i] is not None and size[i] % tile[i] != 0 for i in range(2)]
        self.k_edge = size[2] is not None and size[2] % (step // TYPES[element]) != 0
        self.bytes = TYPES[element]
        self.lanes = 64 * waves[0] * waves[1]
        self.step = step // self.bytes                  # elements of K an iteration
        self.chunk = 16 // self.bytes                   # elements that a lane loads at once
        self.part = (16 if wide else 8) // self.bytes   # elements of A or B that a lane gives to a matrix instruction
        self.depth = 4 * self.part
        self.row = (step + pad) // self.bytes
        self.counts = [tile[i] // waves[i] // FRAGMENT for i in range(2)]
        self.lines, self.constants = [], set()

    def w(self, text, indent=4):
        self.lines.append(" " * indent + text)

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
        self.workgroup()
        per_row = self.step // self.chunk
        for name, op, left, right in (
                ("row0", "muli", "by", self.tile[0]), ("col0", "muli", "bx", self.tile[1]), ("lane", "remui", "t", 64),
                ("wave", "divui", "t", 64), ("wave_r", "divui", "wave", self.waves[1]), ("wave_c", "remui", "wave", self.waves[1]),
                ("wr0", "muli", "wave_r", self.tile[0] // self.waves[0]), ("wc0", "muli", "wave_c", self.tile[1] // self.waves[1]),
                ("in16", "remui", "lane", 16), ("quarter", "divui", "lane", 16), ("lr0", "divui", "t", per_row),
                ("chunk", "remui", "t", per_row), ("lc", "muli", "chunk", self.chunk), ("fk0", "muli", "quarter", self.part)):
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
        for s in range(self.step // self.depth):
            self.w(f"%k{s} = arith.addi %fk0, {self.c(s * self.depth)} : index")
        bound = "%k_size" if k is None else self.c(k)
        if k is None:
            self.w(f"%k_size = memref.dim %a, {self.c(1)} : {self.mem['a']}")
        inits = ", ".join(f"%i{i}_{j} = %zero" for i, j in acc)
        self.w(f"%r:{len(acc)} = scf.for %k = {self.c(0)} to {bound} step {self.c(self.step)} iter_args({inits}) -> ({types}) {{")
        self.w("%col = arith.addi %k, %lc : index", 6)
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
                    self.w(f"%{x}{s}_{i} = vector.load %{x}s[%f{x}{i}, %k{s}] : {type}, {part}", 6)
            for i, j in acc:
                left, right = (f"%b{s}_{j}", f"%a{s}_{i}") if self.turned else (f"%a{s}_{i}", f"%b{s}_{j}")
                self.w(f"%m{s}_{i}_{j} = amdgpu.mfma 16x16x{self.depth} {left} * {right} + {current[i, j]} blgp = none"
                       f" : {part}, {part}, vector<4xf32>", 6)
                current[i, j] = f"%m{s}_{i}_{j}"
        self.w("gpu.barrier", 6)
        self.w(f"scf.yield {', '.join(current[at] for at in acc)} : {types}", 6)
        self.w("}")
        self.finish({at: f"%r#{i}" for i, at in enumerate(acc)})

    def workgroup(self):
        """Which tile of C is this workgroup's."""
        if not self.dies:
            self.w("%bx = gpu.block_id x")
            self.w("%by = gpu.block_id y")
            return
        tiles = [-(-self.size[i] // self.tile[i]) for i in range(2)]
        rows, columns = (tiles[i] // self.dies[i] for i in range(2))  # of a die's block
        self.w("%id_x = gpu.block_id x")
        self.w("%id_y = gpu.block_id y")
        for name, op, left, right in (
                ("id_row", "muli", "id_y", tiles[1]), ("die", "remui", "id", self.dies[0] * self.dies[1]),
                ("in_die", "divui", "id", self.dies[0] * self.dies[1]),
                ("die_y", "divui", "die", self.dies[1]), ("die_x", "remui", "die", self.dies[1]),
                ("in_y", "divui", "in_die", columns), ("in_x", "remui", "in_die", columns),
                ("first_y", "muli", "die_y", rows), ("first_x", "muli", "die_x", columns)):
            self.w(f"%{name} = arith.{op} %{left}, {self.c(right)} : index")
            if name == "id_row":
                self.w("%id = arith.addi %id_row, %id_x : index")
        self.w("%by = arith.addi %first_y, %in_y : index")
        self.w("%bx = arith.addi %first_x, %in_x : index")

    def finish(self, sums):
        self.w("%or0 = arith.addi %row0, %wr0 : index")
        self.w("%oc0 = arith.addi %col0, %wc0 : index")
        self.w(f"%sub = arith.muli %quarter, {self.c(4)} : index")
        row, column = ("in16", "sub") if self.turned else ("sub", "in16")
        self.w(f"%or1 = arith.addi %or0, %{row} : index")
        self.w(f"%oc1 = arith.addi %oc0, %{column} : index")
        for j in range(self.counts[1]):
            self.w(f"%oc_{j} = arith.addi %oc1, {self.c(j * FRAGMENT)} : index")
        rows = 1 if self.turned else 4
        for i in range(self.counts[0]):
            for r in range(rows):
                self.w(f"%or_{i}_{r} = arith.addi %or1, {self.c(i * FRAGMENT + r)} : index")
        for i, j in sums:
            four, value = f"vector<4x{self.result}>", sums[i, j]
            if self.result != "f32":
                value = f"%t{i}_{j}"
                self.w(f"{value} = arith.truncf {sums[i, j]} : vector<4xf32> to {four}")
            for r in range(rows):
                if not self.turned:
                    self.w(f"%e{i}_{j}_{r} = vector.extract {value}[{r}] : {self.result} from {four}")
                inside = []  # row and column
                for d, place in ((0, f"%or_{i}_{r}"), (1, f"%oc_{j}")):
                    if self.edges[d]:
                        inside.append(f"%in{d}_{i}_{j}_{r}")
                        self.w(f"{inside[-1]} = arith.cmpi ult, {place}, {self.c(self.size[d])} : index")
                if len(inside) == 2:
                    self.w(f"%in_{i}_{j}_{r} = arith.andi {inside[0]}, {inside[1]} : i1")
                    inside = [f"%in_{i}_{j}_{r}"]
                if inside:
                    self.w(f"scf.if {inside[0]} {{")
                if self.turned:
                    self.w(f"vector.store {value}, %c[%or_{i}_0, %oc_{j}] : {self.mem['c']}, {four}")
                else:
                    self.w(f"memref.store %e{i}_{j}_{r}, %c[%or_{i}_{r}, %oc_{j}] : {self.mem['c']}")
                if inside:
                    self.w("}")

    def text(self):
        self.body()
        head = [f"gpu.module @{self.name}_module {{",
                f"  gpu.func @{self.name}(%a: {self.mem['a']}, %b: {self.mem['b']}, %c: {self.mem['c']}) kernel",
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
    parser.add_argument("--name", default="gemm")
    a = parser.parse_args()
    print(PlainGemm(a.type, a.tile, a.waves, a.size, a.step, a.pad, a.wide, a.name, a.result, a.turned, a.dies).text(), end="")
