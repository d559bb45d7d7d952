#!/usr/bin/env python3
"""Writes GEMM kernels as a kernel language without asynchronous copies writes them: C = A x B^T, sums in f32.

A workgroup computes a tile of C. A loop over K loads a slice of A and of B from global memory, stores it to
workgroup memory as it is, row after row, and multiplies what it reads back by matrix instructions. Two barriers
an iteration. What the compiler makes of it is the compiler's business. It may add in another order (inflight.reassociate), so
that gfx950 gets its deeper matrix instructions.

Floats of 4 and 6 bits (OCP MX) are bytes in memory, low bits first, and each 32 along K have one scale, a power of two (E8M0).

    plain.py --type=f16 --tile=128x128 --size=4096x4096x4096 > gemm.mlir
    plain.py --type=f16 --tile=128x128 --size=4096x4096x? > gemm.mlir      K is an argument
    plain.py --type=f16 --tile=256x256 --waves=2x2 --step=128 --wide --result=f16 --dies=4x2 > gemm.mlir
    plain.py --type=f4E2M1FN --tile=256x256 --waves=2x4 --step=128 --fragment=32 > gemm.mlir
    plain.py --result=f16 --turned --alpha --bias --activation=gelu > gemm.mlir      gelu(alpha * A x B^T + bias)
    plain.py --size=256x256x65536 --split=64 > gemm.mlir                             blockIdx.z is a part of K
    plain.py --workgroups=256 > gemm.mlir                                            each computes several tiles
"""
import argparse

from results import ACTIVATIONS, Results

TYPES = {"f16": 2, "bf16": 2, "f8E4M3FNUZ": 1, "f8E4M3FN": 1}  # bytes
SCALED = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}         # bits
BLOCK = 32                                                     # elements along K with one scale
FRAGMENT = 16


class PlainGemm(Results):
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
    `read`: bytes of a row that a lane reads from workgroup memory at once, for one matrix instruction or several; None: for one.
    `split`: parts of K, by the workgroup's id in z, whose sums are added to C by atomics. `workgroups`: so many compute
    all tiles, one after the other; None: as many as tiles. The other arguments are those of Results.
    Constant sizes need not be multiples of the tile: what lies beyond rows and columns is read as zeros and not stored."""

    def __init__(self, element="f16", tile=(128, 128), waves=(2, 2), size=(4096, 4096, 4096), step=64, pad=0, wide=False,
                 name="gemm", result="f32", turned=False, dies=None, fragment=FRAGMENT, scales="staged", shuffled=None,
                 read=None, split=1, workgroups=None, **results):
        super().__init__(result, turned, split > 1, **results)
        self.tile, self.waves, self.name, self.size = tile, waves, name, size
        self.dies, self.fragment, self.split, self.workgroups = dies, fragment, split, workgroups
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
        self.joined = read // self.bytes // self.part if read else 1   # matrix instructions that a read is for
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
        if dies and any(self.tiles()[i] % dies[i] for i in range(2)):
            raise ValueError("{} x {} of C are {} x {} tiles, which {} x {} dies don't share".format(*size[:2], *self.tiles(), *dies))
        if shuffled and (fragment != 16 or any(count * 16 % self.group for count in self.counts)):
            raise ValueError(f"shuffled scales are for 16x16x128 and {self.group} rows and columns of a wave at a time")
        if split > 1 and (size[2] is None or self.scaled or size[2] % (split * self.step)):
            raise ValueError("parts of K are whole iterations, without scales")
        self.lines, self.constants, self.margin = [], set(), 0

    def w(self, text, indent=4):
        self.lines.append(" " * (indent + self.margin) + text)

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
        self.arithmetic(4, ("fk0", "muli", "outer", self.part * (self.steps if self.together else self.joined)))
        self.arithmetic(4, *((f"k{s}", "addi", "fk0", s * (self.part if self.together else self.depth)) for s in range(0, self.steps, self.joined)))

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
        if self.joined > 1:
            first, wide, at = f"{x}{s // self.joined * self.joined}_{i}", f"{self.joined * self.part}x{self.element}", s % self.joined
            if at == 0:
                self.w(f"%all_{first} = vector.load %{x}s[%f{x}{i}, %k{s}] : {place}<{wide}>", 6)
            self.w(f"{name} = vector.extract_strided_slice %all_{first} {{offsets = [{at * self.part}], sizes = [{self.part}], strides = [1]}}"
                   f" : vector<{wide}> to vector<{self.part}x{self.element}>", 6)
            return
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
        if self.workgroups:
            self.w("%first_tile = gpu.block_id x")
            self.w(f"scf.for %id = %first_tile to {self.c(self.tiles()[0] * self.tiles()[1])} step {self.c(self.workgroups)} {{")
            self.margin = 2
        self.workgroup()
        self.places()
        if self.scaled:
            self.scale_places()
        if self.split > 1:
            self.w("%part = gpu.block_id z")
            self.arithmetic(4, ("part_begin", "muli", "part", self.k // self.split))
        bound = "%k_size" if self.k is None else self.c(self.k // self.split)
        if self.k is None:
            self.w(f"%k_size = memref.dim %a, {self.c(1)} : {self.mem['a']}")
        acc = [(i, j) for i in range(self.counts[0]) for j in range(self.counts[1])]
        types = ", ".join(self.sums for _ in acc)
        inits = ", ".join(f"%i{i}_{j} = %zero" for i, j in acc)
        self.w(f"%r:{len(acc)} = scf.for %k = {self.c(0)} to {bound} step {self.c(self.step)} iter_args({inits}) -> ({types}) {{")
        if self.split > 1:
            self.arithmetic(6, ("slice", "addi", "part_begin", "k"))
        else:
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
        if self.workgroups:
            self.margin = 0
            self.w("}")

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
            self.arithmetic(4, ("id_row", "muli", "id_y", tiles[1]), ("id", "addi", "id_row", "id_x"))
        if not self.dies:
            self.arithmetic(4, ("by", "divui", "id", tiles[1]), ("bx", "remui", "id", tiles[1]))
            return
        rows, columns = (tiles[i] // self.dies[i] for i in range(2))  # of a die's block
        self.arithmetic(4,
            ("die", "remui", "id", self.dies[0] * self.dies[1]), ("in_die", "divui", "id", self.dies[0] * self.dies[1]),
            ("die_y", "divui", "die", self.dies[1]), ("die_x", "remui", "die", self.dies[1]),
            ("in_y", "divui", "in_die", columns), ("in_x", "remui", "in_die", columns),
            ("first_y", "muli", "die_y", rows), ("first_x", "muli", "die_x", columns),
            ("by", "addi", "first_y", "in_y"), ("bx", "addi", "first_x", "in_x"))

    def text(self):
        self.body()
        arguments = [f"%{x}: {self.mem[x]} {{llvm.noalias}}" for x in ("a", "b", "sa", "sb", "c") if x in self.mem] + self.arguments(self.size[1])
        head = [f"gpu.module @{self.name}_module {{",
                f"  gpu.func @{self.name}({', '.join(arguments)}) kernel",
                f"      attributes {{gpu.known_block_size = array<i32: {self.lanes}, 1, 1>, inflight.reassociate}} {{"]
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
    parser.add_argument("--read", type=int, help="bytes of a row that a lane reads from workgroup memory at once")
    parser.add_argument("--alpha", action="store_true", help="results are multiplied by an argument")
    parser.add_argument("--bias", action="store_true", help="a value for each column is added")
    parser.add_argument("--activation", choices=ACTIVATIONS)
    parser.add_argument("--split", default=1, type=int, help="parts of K, added up by atomics")
    parser.add_argument("--workgroups", type=int, help="that compute all tiles, one after the other")
    parser.add_argument("--name", default="gemm")
    options = vars(parser.parse_args())
    print(PlainGemm(options.pop("type"), **options).text(), end="")
