#!/usr/bin/env python3
"""Writes GEMM kernels as a kernel language without asynchronous copies writes them: C = A x B^T, sums in f32.

A workgroup computes a tile of C. A loop over K loads a slice of A and of B from global memory, stores it to
workgroup memory as it is, row after row, and multiplies what it reads back by matrix instructions. Two barriers
an iteration. What the compiler makes of it is the compiler's business.

Floats of 4 and 6 bits (OCP MX) are bytes in memory, low bits first, and each 32 along K have one scale, a power of two (E8M0).

    plain.py --type=f16 --tile=128x128 --size=4096x4096x4096 > gemm.mlir
    plain.py --type=f16 --tile=128x128 --size=4096x4096x? > gemm.mlir      K is an argument
    plain.py --type=f16 --tile=256x256 --waves=2x2 --step=128 --wide --result=f16 --dies=4x2 > gemm.mlir
    plain.py --type=f4E2M1FN --tile=256x256 --waves=2x4 --step=128 --fragment=32 > gemm.mlir
"""
import argparse

TYPES = {"f16": 2, "bf16": 2, "f8E4M3FNUZ": 1, "f8E4M3FN": 1}  # bytes
SCALED = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}         # bits
BLOCK = 32                                                     # elements along K with one scale
FRAGMENT = 16


class PlainGemm:
    """`tile`, `waves`: rows and columns; `step`: bytes of K an iteration; `pad`: bytes between rows of a tile; `wide`:
    the matrix instruction of twice the depth, which gfx950 has; `fragment`: rows and columns of a matrix instruction;
    `m`, `n`, `k`: None for an argument.
    `result`: the type of C. `turned`: C^T = B x A^T is computed, so that a lane has four columns of a row of C and
    stores them at once; else it has four rows of a column. `dies`: rows and columns of them; workgroups go to the
    dies (XCDs) in turn, and each die is to compute one block of C, for its L2.
    `scales`, where there are: "staged" in workgroup memory as A and B are, or "direct", read into registers. `shuffled`: they are in
    memory as lanes of 16x16x128 want them (microscaling.shuffle): four bytes of a lane are for two fragments and two slices of 128
    elements, or for four and one where an iteration has one. "all": so are A and B (microscaling.shuffle_factor), 16 rows of 128
    elements being 16 bytes of each lane and, of 6 bits, 8 bytes of each.
    Constant sizes need not be multiples of the tile: what lies beyond rows and columns is read as zeros and not stored."""

    def __init__(self, element="f16", tile=(128, 128), waves=(2, 2), size=(4096, 4096, 4096), step=64, pad=0, wide=False,
                 name="gemm", result="f32", turned=False, dies=None, fragment=FRAGMENT, scales="staged", shuffled=None):
        self.tile, self.waves, self.name, self.size = tile, waves, name, size
        self.result, self.turned, self.dies, self.fragment = result, turned, dies, fragment
        self.scaled = element if element in SCALED else None
        self.scales, self.shuffled = scales if self.scaled else None, shuffled
        self.element = "i8" if self.scaled else element  # in memory; what follows counts these
        self.bytes = 1 if self.scaled else TYPES[element]
        self.step = step // self.bytes                  # of K an iteration
        # Of A or B that a lane gives to a matrix instruction.
        self.part = BLOCK * SCALED[element] // 8 if self.scaled else (16 if wide else 8) // self.bytes
        self.rows = 16 if shuffled == "all" else 1      # of A or B in one of memory
        self.chunk = 16 if shuffled == "all" else max(self.part, 16 // self.bytes)  # that a lane loads at once
        self.depth = 64 // fragment * self.part
        self.row = (step + pad) // self.bytes
        self.k = size[2] * SCALED[element] // 8 if self.scaled and size[2] is not None else size[2]
        self.edges = [size[i] is not None and size[i] % tile[i] != 0 for i in range(2)]
        self.k_edge = self.k is not None and self.k % self.step != 0
        self.lanes = 64 * waves[0] * waves[1]
        self.counts = [tile[i] // waves[i] // fragment for i in range(2)]
        self.steps = self.step // self.depth            # instructions along K
        # Each four scales of a lane lie together if its parts of A and B do.
        self.together = self.scaled and not shuffled and self.steps % 4 == 0
        self.slices = 2 - self.steps % 2                # in four shuffled scales
        self.group = 64 // self.slices if shuffled else 1  # rows of A or B in one of scales
        self.sums = f"vector<{fragment * fragment // 64}xf32>"
        if self.scales and (shuffled or scales == "direct") and (any(self.edges) or self.k_edge):
            raise ValueError("beyond the last row and column are no such scales")
        if shuffled and (fragment != 16 or any(count * 16 % self.group for count in self.counts)):
            raise ValueError(f"shuffled scales are for 16x16x128 and {self.group} rows and columns of a wave at a time")
        self.lines, self.constants = [], set()

    def w(self, text, indent=4):
        self.lines.append(" " * indent + text)

    def c(self, value):
        self.constants.add(value)
        return f"%c{value}"

    def memory(self, *sizes, element=None):
        return "memref<" + "x".join("?" if size is None else str(size) for size in sizes) + f"x{element or self.element}>"

    def declare(self):
        """Types of the matrices in memory, and of the tiles."""
        m, n, _ = self.size
        self.mem = {"c": self.memory(m, n, element=self.result)}
        for x, rows in (("a", m), ("b", n)):
            self.mem[x] = self.memory(rows and rows // self.rows, self.k and self.k * self.rows)
        for x, rows in (("sa", m), ("sb", n)) if self.scaled else ():
            self.mem[x] = self.memory(rows and rows // self.group, self.k and self.k // self.part * self.group)
        self.lds = {}
        for x, rows, columns, _ in self.staged():
            row = columns if x in ("sa", "sb") else self.row * self.rows
            self.lds[x] = f"memref<{rows}x{row}x{self.element}, #gpu.address_space<workgroup>>"

    def staged(self):
        """What goes to workgroup memory: name, rows, elements of a row and those that a lane loads at once."""
        scales = self.step // self.part * self.group
        return (*((x, rows // self.rows, self.step * self.rows, self.chunk) for x, rows in zip("ab", self.tile)),
                *(("s" + x, rows // self.group, scales, min(4, scales, rows // self.group * scales // self.lanes))
                  for x, rows in zip("ab", self.tile) if self.scales == "staged"))

    def arithmetic(self, indent, *lines):
        for name, op, left, right in lines:
            self.w(f"%{name} = arith.{op} %{left}, {self.c(right) if isinstance(right, int) else '%' + right} : index", indent)

    def places(self):
        """Where a lane's pieces of the tiles are, and the rows and columns of what it multiplies."""
        self.arithmetic(4,
            ("row0", "muli", "by", self.tile[0]), ("col0", "muli", "bx", self.tile[1]), ("lane", "remui", "t", 64),
            ("wave", "divui", "t", 64), ("wave_r", "divui", "wave", self.waves[1]), ("wave_c", "remui", "wave", self.waves[1]),
            ("wr0", "muli", "wave_r", self.tile[0] // self.waves[0]), ("wc0", "muli", "wave_c", self.tile[1] // self.waves[1]),
            ("inner", "remui", "lane", self.fragment), ("outer", "divui", "lane", self.fragment))
        for x, tile, wave in (("a", "row0", "wr0"), ("b", "col0", "wc0")):
            for name, rows in ((x, self.rows), *((("s" + x, self.group),) if self.scaled else ())):
                self.arithmetic(4, (f"{name}_tile", "divui", tile, rows), (f"{name}_wave", "divui", wave, rows))
        self.pieces = {}
        for x, rows, columns, chunk in self.staged():
            per_row, count = columns // chunk, rows * columns // chunk
            if count % self.lanes:
                raise ValueError(f"{self.lanes} lanes don't share {count} pieces of {chunk * self.bytes} bytes")
            self.pieces[x] = range(count // self.lanes)
            side = "ab".index(x[-1])
            for i in self.pieces[x]:
                if self.lanes % per_row:
                    self.arithmetic(4, (f"n{x}{i}", "addi", "t", i * self.lanes), (f"l{x}{i}", "divui", f"n{x}{i}", per_row),
                                    (f"q{x}{i}", "remui", f"n{x}{i}", per_row))
                else:
                    self.arithmetic(4, (f"m{x}{i}", "divui", "t", per_row), (f"l{x}{i}", "addi", f"m{x}{i}", i * self.lanes // per_row),
                                    (f"q{x}{i}", "remui", "t", per_row))
                self.arithmetic(4, (f"lc_{x}{i}", "muli", f"q{x}{i}", chunk), (f"g{x}{i}", "addi", x + "_tile", f"l{x}{i}"))
                if self.edges[side]:
                    self.w(f"%in_{x}{i} = arith.cmpi ult, %g{x}{i}, {self.c(self.size[side])} : index")
        for x, count in zip("ab", self.counts):
            if self.shuffled == "all":
                self.arithmetic(4, *((f"f{x}{i}", "addi", f"{x}_wave", i) for i in range(count)))
            else:
                self.arithmetic(4, (f"f{x}", "addi", f"{x}_wave", "inner"), *((f"f{x}{i}", "addi", f"f{x}", i * self.fragment) for i in range(count)))
        if self.shuffled == "all":
            for name, bytes, first in (("k", 16, 0), ("l", self.part - 16, 1024)):
                self.arithmetic(4, (f"f{name}", "muli", "lane", bytes))
                self.arithmetic(4, *((f"{name}{s}", "addi", f"f{name}", s * 64 * self.part + first) for s in range(self.steps)))
            return
        self.arithmetic(4, ("fk0", "muli", "outer", self.part * (self.steps if self.together else 1)))
        self.arithmetic(4, *((f"k{s}", "addi", "fk0", s * (self.part if self.together else self.depth)) for s in range(self.steps)))

    def stage(self):
        """Loads a lane's pieces of the tiles and stores them to workgroup memory."""
        for x, _, _, chunk in self.staged():
            wide = f"vector<{chunk}x{self.element}>"
            for i in self.pieces[x]:
                column = f"col_{x}{i}"
                self.arithmetic(6, (column, "addi", "slice" if x in "ab" else "scale", f"lc_{x}{i}"))
                beyond = self.edges["ab".index(x[-1])]
                name, indent = (f"%u{x}{i}", 8) if beyond else (f"%v{x}{i}", 6)
                if beyond:
                    self.w(f"%v{x}{i} = scf.if %in_{x}{i} -> {wide} {{", 6)
                if self.k_edge:
                    self.w(f"{name} = vector.transfer_read %{x}[%g{x}{i}, %{column}], %nothing {{in_bounds = [false]}} : {self.mem[x]}, {wide}",
                           indent)
                else:
                    self.w(f"{name} = vector.load %{x}[%g{x}{i}, %{column}] : {self.mem[x]}, {wide}", indent)
                if beyond:
                    self.w(f"scf.yield {name} : {wide}", 8)
                    self.w("} else {", 6)
                    self.w(f"%z{x}{i} = vector.broadcast %nothing : {self.element} to {wide}", 8)
                    self.w(f"scf.yield %z{x}{i} : {wide}", 8)
                    self.w("}", 6)
        for x, _, _, chunk in self.staged():
            for i in self.pieces[x]:
                self.w(f"vector.store %v{x}{i}, %{x}s[%l{x}{i}, %lc_{x}{i}] : {self.lds[x]}, vector<{chunk}x{self.element}>", 6)

    def scale_places(self):
        """A lane's scales: which row of a wave's, by fragment, and the first of a row, by instruction along K."""
        for x, count in zip("ab", self.counts):
            for i in range(count):
                self.arithmetic(4, (f"t{x}{i}", "addi", f"s{x}_wave", i * 16 // self.group) if self.shuffled else (f"t{x}{i}", "addi", f"f{x}{i}", 0))
                if self.scales == "direct":
                    self.arithmetic(4, (f"r{x}{i}", "addi", f"s{x}_tile", f"t{x}{i}"))
        each = 4 if self.shuffled else self.steps if self.together else 1
        self.arithmetic(4, ("b0", "muli", "lane" if self.shuffled else "outer", each))
        apart = 256 // self.slices if self.shuffled else 1 if self.together else 64 // self.fragment
        self.arithmetic(4, *((f"b{s}", "addi", "b0", s * apart) for s in range(1, self.steps)))

    def load_scales(self):
        """Of one iteration. What is loaded at once is for so many fragments and instructions along K."""
        fragments, steps = (self.group // 16, self.slices) if self.shuffled else (1, 4 if self.together else 1)
        wide = fragments * steps
        for s in range(0, self.steps, steps):
            if self.scales == "direct":
                self.arithmetic(6, (f"at{s}", "addi", "scale", f"b{s}"))
            for x, count in zip("ab", self.counts):
                for i in range(0, count, fragments):
                    at = f"%s{x}[%r{x}{i}, %at{s}] : {self.mem['s' + x]}" if self.scales == "direct" else f"%s{x}s[%t{x}{i}, %b{s}] : {self.lds['s' + x]}"
                    self.w(f"%y{x}{i}_{s} = vector.load {at}, vector<{wide}xi8>", 6)
                    self.w(f"%z{x}{i}_{s} = vector.bitcast %y{x}{i}_{s} : vector<{wide}xi8> to vector<{wide}xf8E8M0FNU>", 6)
                    if wide == 1:
                        self.w(f"%e{x}{i}_{s} = vector.extract %z{x}{i}_{s}[0] : f8E8M0FNU from vector<1xf8E8M0FNU>", 6)

    def scale(self, x, i, s):
        """The operand of an instruction, and its type."""
        if self.shuffled:
            fragment, step = i % (self.group // 16), s % self.slices
            return f"%z{x}{i - fragment}_{s - step}[{step * self.group // 16 + fragment}]", "vector<4xf8E8M0FNU>"
        if self.together:
            return f"%z{x}{i}_{s // 4 * 4}[{s % 4}]", "vector<4xf8E8M0FNU>"
        return f"%e{x}{i}_{s}[0]", "f8E8M0FNU"

    def load_factor(self, x, i, s):
        """A lane's part of a fragment."""
        name, place = f"%{x}{s}_{i}", f"{self.lds[x]}, vector"
        if self.shuffled != "all" or self.part == 16:
            self.w(f"{name} = vector.load %{x}s[%f{x}{i}, %k{s}] : {place}<{self.part}x{self.element}>", 6)
            return
        self.w(f"{name}_l = vector.load %{x}s[%f{x}{i}, %k{s}] : {place}<16xi8>", 6)
        self.w(f"{name}_h = vector.load %{x}s[%f{x}{i}, %l{s}] : {place}<8xi8>", 6)
        self.w(f"{name} = vector.shuffle {name}_l, {name}_h [{', '.join(map(str, range(24)))}] : vector<16xi8>, vector<8xi8>", 6)

    def multiply(self, current):
        """An iteration's products, added to `current` sums."""
        part, sums = f"vector<{self.part}x{self.element}>", self.sums
        factor = f"vector<{BLOCK}x{self.scaled}>"
        if self.scales == "staged":
            self.load_scales()
        for s in range(self.steps):
            for x, count in zip("ab", self.counts):
                for i in range(count):
                    self.load_factor(x, i, s)
                    if self.scaled:
                        self.w(f"%n{x}{s}_{i} = vector.bitcast %{x}{s}_{i} : {part} to {factor}", 6)
            for i, j in current:
                pair = [("b", j), ("a", i)] if self.turned else [("a", i), ("b", j)]
                shape, result = f"{self.fragment}x{self.fragment}x", f"%m{s}_{i}_{j}"
                if self.scaled:
                    (left, left_type), (right, right_type) = (self.scale(x, n, s) for x, n in pair)
                    left_factor, right_factor = (f"%n{x}{s}_{n}" for x, n in pair)
                    self.w(f"{result} = amdgpu.scaled_mfma {shape}{BLOCK * 64 // self.fragment} ({left} * {left_factor}) * ({right} * {right_factor})"
                           f" + {current[i, j]} : {left_type}, {factor}, {right_type}, {factor}, {sums}", 6)
                else:
                    left, right = (f"%{x}{s}_{n}" for x, n in pair)
                    self.w(f"{result} = amdgpu.mfma {shape}{self.depth} {left} * {right} + {current[i, j]} blgp = none : {part}, {part}, {sums}", 6)
                current[i, j] = result

    def body(self):
        self.declare()
        for x, type in self.lds.items():
            self.w(f"%{x}s = memref.alloc() : {type}")
        self.w("%t = gpu.thread_id x")
        self.workgroup()
        self.places()
        if self.scaled:
            self.scale_places()
        bound = "%k_size" if self.k is None else self.c(self.k)
        if self.k is None:
            self.w(f"%k_size = memref.dim %a, {self.c(1)} : {self.mem['a']}")
        acc = [(i, j) for i in range(self.counts[0]) for j in range(self.counts[1])]
        types = ", ".join(self.sums for _ in acc)
        inits = ", ".join(f"%i{i}_{j} = %zero" for i, j in acc)
        self.w(f"%r:{len(acc)} = scf.for %k = {self.c(0)} to {bound} step {self.c(self.step)} iter_args({inits}) -> ({types}) {{")
        self.arithmetic(6, ("slice", "muli", "k", self.rows))
        if self.scaled:
            self.arithmetic(6, ("block", "divui", "k", self.part), ("scale", "muli", "block", self.group))
        self.stage()
        if self.scales == "direct":
            self.load_scales()
        self.w("gpu.barrier", 6)
        current = {at: f"%i{at[0]}_{at[1]}" for at in acc}
        self.multiply(current)
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

    def fours(self, sums):
        """Of four neighbours each, by the place of the first in what the wave computes."""
        fours = {}
        count, apart = self.fragment ** 2 // 256, 4 * 64 // self.fragment
        for (i, j), value in sums.items():
            for g in range(count):
                place = (i * self.fragment, j * self.fragment + g * apart) if self.turned else (i * self.fragment + g * apart, j * self.fragment)
                fours[place] = value if count == 1 else f"%g{i}_{j}_{g}"
                if count > 1:
                    self.w(f"%g{i}_{j}_{g} = vector.extract_strided_slice {value} {{offsets = [{4 * g}], sizes = [4], strides = [1]}}"
                           f" : {self.sums} to vector<4xf32>")
        return fours

    def finish(self, sums):
        self.w("%or0 = arith.addi %row0, %wr0 : index")
        self.w("%oc0 = arith.addi %col0, %wc0 : index")
        self.w(f"%sub = arith.muli %outer, {self.c(4)} : index")
        row, column = ("inner", "sub") if self.turned else ("sub", "inner")
        self.w(f"%or1 = arith.addi %or0, %{row} : index")
        self.w(f"%oc1 = arith.addi %oc0, %{column} : index")
        fours = self.fours(sums)
        for j in sorted({column for _, column in fours}):
            self.w(f"%oc_{j} = arith.addi %oc1, {self.c(j)} : index")
        rows = 1 if self.turned else 4
        for i in sorted({row for row, _ in fours}):
            for r in range(rows):
                self.w(f"%or_{i}_{r} = arith.addi %or1, {self.c(i + r)} : index")
        for (i, j), value in fours.items():
            four = f"vector<4x{self.result}>"
            if self.result != "f32":
                self.w(f"%t{i}_{j} = arith.truncf {value} : vector<4xf32> to {four}")
                value = f"%t{i}_{j}"
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
        arguments = ", ".join(f"%{x}: {self.mem[x]}" for x in ("a", "b", "sa", "sb", "c") if x in self.mem)
        head = [f"gpu.module @{self.name}_module {{",
                f"  gpu.func @{self.name}({arguments}) kernel",
                f"      attributes {{gpu.known_block_size = array<i32: {self.lanes}, 1, 1>}} {{"]
        head += [f"    %c{value} = arith.constant {value} : index" for value in sorted(self.constants)]
        head.append(f"    %zero = arith.constant dense<0.0> : {self.sums}")
        if any(self.edges) or self.k_edge:
            head.append(f"    %nothing = arith.constant {'0' if self.scaled else '0.0'} : {self.element}")
        return "\n".join(head + self.lines + ["    gpu.return", "  }", "}"]) + "\n"


def parse(text):
    return tuple(None if part == "?" else int(part) for part in text.split("x"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--type", default="f16", choices=[*TYPES, *SCALED])
    parser.add_argument("--tile", default="128x128", type=parse, help="rows x columns of C a workgroup")
    parser.add_argument("--waves", default="2x2", type=parse)
    parser.add_argument("--size", default="4096x4096x4096", type=parse, help="M x N x K; ? for an argument")
    parser.add_argument("--step", default=64, type=int, help="bytes of K an iteration")
    parser.add_argument("--pad", default=0, type=int, help="bytes after each row of a tile")
    parser.add_argument("--wide", action="store_true", help="matrix instructions of twice the depth (gfx950)")
    parser.add_argument("--fragment", default=FRAGMENT, type=int, choices=[16, 32], help="rows and columns of a matrix instruction")
    parser.add_argument("--scales", default="staged", choices=["staged", "direct"], help="in workgroup memory or read into registers")
    parser.add_argument("--shuffled", choices=["scales", "all"], help="what is in the order in which lanes want it: the scales, or the factors, too")
    parser.add_argument("--result", default="f32", choices=["f32", "f16", "bf16"], help="the type of C")
    parser.add_argument("--turned", action="store_true", help="a lane stores four columns of a row at once")
    parser.add_argument("--dies", type=parse, help="rows x columns of dies (XCDs), each of which is to compute one block of C")
    parser.add_argument("--name", default="gemm")
    a = parser.parse_args()
    print(PlainGemm(a.type, a.tile, a.waves, a.size, a.step, a.pad, a.wide, a.name, a.result, a.turned, a.dies, a.fragment, a.scales, a.shuffled).text(), end="")
