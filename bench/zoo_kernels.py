"""Matrix products in the forms in which people write them, as plain MLIR: bench/gemm_zoo.py compiles and runs them.

C = A B, sums in f32 (i32 of integers). A workgroup computes a tile of C; a loop over K brings slices of A and B to workgroup memory, between two
barriers, and multiplies what it reads back. A Form says how the rest is written.
"""
import dataclasses
import itertools
import math
import random
import re

import numpy as np

BYTES = {"f16": 2, "bf16": 2, "i8": 1, "f8": 1}
ELEMENTS = {"f8": {"gfx942": "f8E4M3FNUZ", "gfx950": "f8E4M3FN"}}
LDS_BYTES = {"gfx90a": 65536, "gfx942": 65536, "gfx950": 163840}
LANES = 64


@dataclasses.dataclass(frozen=True)
class Form:
    """`tile`: rows and columns of C; `waves` likewise; `step`: of K in an iteration; `layout`: of A and B, N: rows of A, columns of B after one another,
    as NT has K innermost in both; `weights`: of B if it is stored in 4 or 8 bits, with `group` along K having one scale, and `zeros`: zero points;
    `gather`: rows of A are taken by an array of their numbers; `sums`: where the loop keeps them; `rest`: of K beyond whole steps."""
    element: str = "f16"
    tile: tuple = (128, 128)
    waves: tuple = (2, 2)
    step: int = 32
    fragment: int = 16
    layout: str = "NT"
    weights: int = 0
    group: int = 128
    zeros: bool = False
    gather: bool = False
    loop: str = "for"       # affine, while
    sums: str = "carried"   # memref
    batch: bool = False
    split: int = 1
    rest: int = 0
    epilogue: str = "none"  # f16, relu, bias, residual
    pad: int = 0
    dynamic: bool = False

    def name(self):
        parts = [f"{self.element}_{self.tile[0]}x{self.tile[1]}_{self.waves[0]}x{self.waves[1]}_k{self.step}"]
        for field in dataclasses.fields(self)[4:]:
            value = getattr(self, field.name)
            if value != field.default and not (field.name in ("group", "zeros") and not self.weights):
                parts.append(str(value) if isinstance(value, str) else field.name if value is True else f"{field.name}{value}")
        return "_".join(parts)

    def integer(self):
        return self.element == "i8"

    def lanes(self):
        return LANES * self.waves[0] * self.waves[1]

    def depth(self, chip):
        """Of K in a matrix instruction."""
        if BYTES[self.element] == 2:
            return (16 if self.fragment == 16 else 8) * (2 if chip == "gfx950" and self.step >= 32 else 1)
        narrow = 1 if chip == "gfx90a" else 2
        return (16 if self.fragment == 16 else 8) * narrow * (2 if chip == "gfx950" and self.integer() and self.step >= 64 else 1)

    def chunk(self, rows):
        """Elements of a slice with so many rows that a lane loads at once."""
        return min(16 // BYTES[self.element], rows * self.step // self.lanes())

    def obstacle(self, chip):
        """Why there is no such kernel; empty if there is."""
        if self.element == "f8" and chip not in ELEMENTS["f8"]:
            return "no such type"
        if self.weights and (self.element not in ("f16", "bf16") or self.layout[1] != "T" or self.rest or self.group % self.step and self.step % self.group):
            return "weights of few bits have K innermost, in whole groups"
        if self.gather and self.layout[0] != "N":
            return "rows that are gathered are contiguous"
        if self.rest and (self.layout != "NT" or self.pad):
            return "K ends within a step where it is innermost"
        if any(self.tile[i] % (self.waves[i] * self.fragment) for i in range(2)) or self.step % self.depth(chip):
            return "tiles are whole fragments"
        if any(rows * self.step % self.lanes() or self.chunk(rows) < 1 or rows * self.step % (self.lanes() * self.chunk(rows)) for rows in self.tile):
            return "slices are whole loads"
        if self.weights and (self.chunk(self.tile[1]) < 4 or self.chunk(self.tile[1]) % 4):
            return "weights are unpacked by dwords"
        if any((self.step if transposed else rows) % self.chunk(rows)
               for rows, transposed in zip(self.tile, (self.layout[0] == "N", self.layout[1] == "T"))):
            return "rows are whole loads"
        if sum(self.tile) * (self.step + self.pad) * BYTES[self.element] > LDS_BYTES[chip]:
            return "too much workgroup memory"
        if self.tile[0] * self.tile[1] // self.lanes() > 256 or self.split > 1 and self.integer():
            return "too many registers"
        if self.epilogue != "none" and (self.integer() or self.split > 1):
            return "no such epilogue"
        return ""


class Kernel:
    """The text for `shape` (M, N and K) on a chip, and what it computes."""

    def __init__(self, form, chip, shape):
        self.form, self.chip, self.m, self.n, self.k = form, chip, *shape
        self.element = ELEMENTS.get(form.element, {}).get(chip, form.element)
        self.sum = "i32" if form.integer() else "f32"
        self.result = "f16" if form.epilogue == "f16" else self.sum
        self.count = form.fragment * form.fragment // LANES
        self.sums = f"vector<{self.count}x{self.sum}>"
        self.depth = form.depth(chip)
        self.part = self.depth * form.fragment // LANES
        self.batches = 2 if form.batch else 1
        self.lines, self.constants, self.fresh, self.margin = [], set(), 0, 4

    # The text.
    def w(self, text):
        self.lines.append(" " * self.margin + text)

    def c(self, value):
        self.constants.add(value)
        return f"%c{value}"

    def op(self, name, *operands, kind="index"):
        self.fresh += 1
        self.w(f"%v{self.fresh} = arith.{name} {', '.join(self.c(each) if isinstance(each, int) else each for each in operands)} : {kind}")
        return f"%v{self.fresh}"

    def value(self, text):
        self.fresh += 1
        self.w(f"%v{self.fresh} = {text}")
        return f"%v{self.fresh}"

    def memory(self, *sizes, element=None):
        sizes = ["?"] * len(sizes) if self.form.dynamic else sizes
        return "memref<" + "".join(f"{size}x" for size in ((self.batches,) if self.form.batch else ()) + tuple(sizes)) + f"{element or self.element}>"

    def at(self, *indices):
        return f"[{', '.join((['%batch'] if self.form.batch else []) + list(indices))}]"

    def declare(self):
        form = self.form
        a = (self.m, self.k) if form.layout[0] == "N" else (self.k, self.m)
        b = (self.n, self.k) if form.layout[1] == "T" else (self.k, self.n)
        self.types = {"a": self.memory(*a), "b": self.memory(*b)}
        if form.weights:
            self.types["b"] = self.memory(self.n, self.k * form.weights // 8, element="i8")
            self.types["scale"] = self.memory(self.n, self.k // form.group)
            if form.zeros:
                self.types["zero"] = self.memory(self.n, self.k // form.group)
        if form.gather:
            self.types["rows"] = f"memref<{self.m}xi32>"
        if form.epilogue == "bias":
            self.types["bias"] = f"memref<{self.n}xf32>"
        if form.epilogue == "residual":
            self.types["residual"] = self.memory(self.m, self.n, element="f32")
        self.types["c"] = self.memory(self.m, self.n, element=self.result)
        self.lds = {}
        for x, rows, inner in (("a", form.tile[0], form.layout[0] == "N"), ("b", form.tile[1], form.layout[1] == "T")):
            shape = (rows, form.step + form.pad) if inner else (form.step, rows + form.pad)
            self.lds[x] = f"memref<{shape[0]}x{shape[1]}x{self.element}, #gpu.address_space<workgroup>>"

    def stage(self, x, k):
        """A slice from memory to workgroup memory."""
        form = self.form
        rows, first = (form.tile[0], "%row0") if x == "a" else (form.tile[1], "%col0")
        inner = form.layout[0] == "N" if x == "a" else form.layout[1] == "T"
        chunk, columns = form.chunk(rows), form.step if inner else rows
        kind = f"vector<{chunk}x{self.element}>"
        for i, (row, column, source) in enumerate(self.places[x]):
            outer, along = (source, self.op("addi", k, column)) if inner else (self.op("addi", k, row), source)
            if x == "b" and form.weights:
                value = self.unpack(outer, along, chunk)
            elif form.rest:
                value = self.value(f"vector.transfer_read %{x}{self.at(outer, along)}, %nothing {{in_bounds = [false]}} : {self.types[x]}, {kind}")
            else:
                value = self.value(f"vector.load %{x}{self.at(outer, along)} : {self.types[x]}, {kind}")
            self.w(f"vector.store {value}, %{x}s[{row}, {column}] : {self.lds[x]}, {kind}")

    def unpack(self, row, column, chunk):
        """Weights as numbers of the matrix instructions' type."""
        form, element = self.form, self.element
        wide, bytes = f"vector<{chunk}xi8>", f"vector<{chunk // 2}xi8>"
        if form.weights == 8:
            whole = self.value(f"vector.load %b{self.at(row, column)} : {self.types['b']}, {wide}")
        else:
            packed = self.value(f"vector.load %b{self.at(row, self.op('divui', column, 2))} : {self.types['b']}, {bytes}")
            four = self.value(f"arith.constant dense<4> : {bytes}")
            high = self.op("shrsi", packed, four, kind=bytes)
            low = self.op("shrsi", self.op("shli", packed, four, kind=bytes), four, kind=bytes)
            whole = self.value(f"vector.interleave {low}, {high} : {bytes} -> {wide}")
        group = self.op("divui", column, form.group)
        kind = f"vector<{chunk}x{element}>"
        value = self.value(f"arith.sitofp {whole} : {wide} to {kind}")
        for name, operation in (("zero", "subf"), ("scale", "mulf")):
            if name in self.types:
                one = self.value(f"memref.load %{name}{self.at(row, group)} : {self.types[name]}")
                value = self.op(operation, value, self.value(f"vector.broadcast {one} : {element} to {kind}"), kind=kind)
        return value

    def find_places(self):
        form = self.form
        self.places = {}
        for x, rows, inner, first in (("a", form.tile[0], form.layout[0] == "N", "%row0"), ("b", form.tile[1], form.layout[1] == "T", "%col0")):
            chunk, columns = form.chunk(rows), form.step if inner else rows
            self.places[x] = []
            for i in range(rows * form.step // (form.lanes() * chunk)):
                flat = self.op("muli", self.op("addi", "%t", i * form.lanes()), chunk)
                row, column = self.op("divui", flat, columns), self.op("remui", flat, columns)
                source = self.op("addi", first, row if inner else column)
                if x == "a" and form.gather:
                    number = self.value(f"memref.load %rows[{source}] : {self.types['rows']}")
                    source = self.value(f"arith.index_cast {number} : i32 to index")
                self.places[x].append((row, column, source))

    def factor(self, x, i, s):
        """A lane's part of fragment i in slice s of an iteration's K."""
        inner = self.form.layout[0] == "N" if x == "a" else self.form.layout[1] == "T"
        row = self.op("addi", f"%{x}_row", i * self.form.fragment)
        k = self.op("addi", "%part", s * self.depth)
        kind = f"vector<{self.part}x{self.element}>"
        if inner:
            return self.value(f"vector.load %{x}s[{row}, {k}] : {self.lds[x]}, {kind}")
        each = [self.value(f"memref.load %{x}s[{self.op('addi', k, e)}, {row}] : {self.lds[x]}") for e in range(self.part)]
        return self.value(f"vector.from_elements {', '.join(each)} : {kind}")

    def multiply(self, sums):
        form = self.form
        kind = f"vector<{self.part}x{self.element}>"
        for s in range(form.step // self.depth):
            factors = {x: [self.factor(x, i, s) for i in range(count)] for x, count in zip("ab", self.counts)}
            for i, j in itertools.product(*map(range, self.counts)):
                sums[i, j] = self.value(f"amdgpu.mfma {form.fragment}x{form.fragment}x{self.depth} {factors['a'][i]} * {factors['b'][j]} + {sums[i, j]} "
                                        f"blgp = none : {kind}, {kind}, {self.sums}")
        return sums

    def loop(self, body):
        """The loop over K around `body`, which takes and gives sums by fragment. Returns what is left of them."""
        form, order = self.form, list(itertools.product(*map(range, self.counts)))
        size, types = len(order), ", ".join([self.sums] * len(order))
        kept = form.sums == "carried"
        if not kept:
            shape = f"memref<{size}x{self.count}x{self.sum}, #gpu.address_space<private>>"
            self.w(f"%kept = memref.alloca() : {shape}")
            for i in range(size):
                self.w(f"vector.store %no_sums, %kept[{self.c(i)}, {self.c(0)}] : {shape}, {self.sums}")
        lower, upper = ("%k_begin", "%k_end") if form.split > 1 or form.dynamic else (self.c(0), self.c(self.k))
        arguments = ", ".join(f"%i{i} = %no_sums" for i in range(size))
        results = f"%r:{size} = " if kept else ""
        if form.loop == "while":
            assert kept
            self.w(f"%r:{size + 1} = scf.while (%kw = {lower}, {', '.join(f'%w{i} = %no_sums' for i in range(size))}) : (index, {types}) -> (index, {types}) {{")
            self.w(f"  %more = arith.cmpi slt, %kw, {upper} : index")
            self.w(f"  scf.condition(%more) %kw, {', '.join(f'%w{i}' for i in range(size))} : index, {types}")
            self.w("} do {")
            self.w(f"^bb0(%k: index, {', '.join(f'%i{i}: {self.sums}' for i in range(size))}):")
        elif form.loop == "affine":
            bounds = f"{0} to {self.k}" if lower != "%k_begin" else f"affine_map<(d0) -> (d0)>({lower}) to affine_map<(d0) -> (d0)>({upper})"
            self.w(f"{results}affine.for %k = {bounds} step {form.step}" + (f" iter_args({arguments}) -> ({types})" if kept else "") + " {")
        else:
            self.w(f"{results}scf.for %k = {lower} to {upper} step {self.c(form.step)}" + (f" iter_args({arguments}) -> ({types})" if kept else "") + " {")
        self.margin += 2
        sums = dict(zip(order, (f"%i{i}" for i in range(size))))

        def loaded():
            if kept:
                return sums
            return {at: self.value(f"vector.load %kept[{self.c(i)}, {self.c(0)}] : {shape}, {self.sums}") for i, at in enumerate(order)}
        new = body("%k", loaded)
        if not kept:
            for i, at in enumerate(order):
                self.w(f"vector.store {new[at]}, %kept[{self.c(i)}, {self.c(0)}] : {shape}, {self.sums}")
        elif form.loop == "while":
            following = self.op("addi", "%k", form.step)
            self.w(f"scf.yield {following}, {', '.join(new[at] for at in order)} : index, {types}")
        else:
            self.w(f"{form.loop if form.loop == 'affine' else 'scf'}.yield {', '.join(new[at] for at in order)} : {types}")
        self.margin -= 2
        self.w("}")
        if not kept:
            return loaded()
        return {at: f"%r#{i + (form.loop == 'while')}" for i, at in enumerate(order)}

    def store(self, sums):
        form = self.form
        for (i, j), value in sums.items():
            column = self.op("addi", "%c_column", j * form.fragment)
            for e in range(self.count):
                row = self.op("addi", "%c_row", i * form.fragment + (e // 4 * 8 + e % 4 if form.fragment == 32 else e))
                one = self.value(f"vector.extract {value}[{e}] : {self.sum} from {self.sums}")
                at = self.at(row, column)
                if form.epilogue == "relu":
                    one = self.op("maximumf", one, "%none", kind="f32")
                elif form.epilogue == "bias":
                    one = self.op("addf", one, self.value(f"memref.load %bias[{column}] : {self.types['bias']}"), kind="f32")
                elif form.epilogue == "residual":
                    one = self.op("addf", one, self.value(f"memref.load %residual{at} : {self.types['residual']}"), kind="f32")
                elif form.epilogue == "f16":
                    one = self.value(f"arith.truncf {one} : f32 to f16")
                if form.split > 1:
                    self.value(f"memref.atomic_rmw addf {one}, %c{at} : (f32, {self.types['c']}) -> f32")
                else:
                    self.w(f"memref.store {one}, %c{at} : {self.types['c']}")

    def body(self):
        form = self.form
        self.declare()
        self.counts = [form.tile[i] // form.waves[i] // form.fragment for i in range(2)]
        for x, kind in self.lds.items():
            self.w(f"%{x}s = memref.alloc() : {kind}")
        for name, text in (("t", "thread_id x"), ("bx", "block_id x"), ("by", "block_id y"), ("bz", "block_id z")):
            self.w(f"%{name} = gpu.{text}")
        if form.batch:
            self.w(f"%batch = arith.remui %bz, {self.c(self.batches)} : index")

        def named(name, operation, *operands):
            self.w(f"%{name} = arith.{operation} {', '.join(self.c(each) if isinstance(each, int) else each for each in operands)} : index")
        named("row0", "muli", "%by", form.tile[0])
        named("col0", "muli", "%bx", form.tile[1])
        lane, wave = self.op("remui", "%t", LANES), self.op("divui", "%t", LANES)
        inner, outer = self.op("remui", lane, form.fragment), self.op("divui", lane, form.fragment)
        wave_row = self.op("muli", self.op("divui", wave, form.waves[1]), form.tile[0] // form.waves[0])
        wave_column = self.op("muli", self.op("remui", wave, form.waves[1]), form.tile[1] // form.waves[1])
        named("a_row", "addi", wave_row, inner)
        named("b_row", "addi", wave_column, inner)
        named("part", "muli", outer, self.part)
        named("c_row", "addi", self.op("addi", "%row0", wave_row), self.op("muli", outer, 4))
        named("c_column", "addi", self.op("addi", "%col0", wave_column), inner)
        if form.split > 1:
            each = self.k // form.split
            named("k_begin", "muli", self.op("divui", "%bz", self.batches), each)
            named("k_end", "addi", "%k_begin", each)
        elif form.dynamic:
            named("k_begin", "addi", 0, 0)
            dimension = (1 if form.layout[0] == "N" else 0) + form.batch
            self.w(f"%k_end = memref.dim %a, {self.c(dimension)} : {self.types['a']}")
        self.find_places()

        def iteration(k, sums):
            self.stage("a", k)
            self.stage("b", k)
            self.w("gpu.barrier")
            new = self.multiply(dict(sums()))
            self.w("gpu.barrier")
            return new
        self.store(self.loop(iteration))

    def text(self):
        self.body()
        arguments = ", ".join(f"%{name}: {kind} {{llvm.noalias}}" for name, kind in self.types.items())
        zero = "0" if self.form.integer() else "0.0"
        head = ["gpu.module @zoo {", f"  gpu.func @gemm({arguments}) kernel",
                f"      attributes {{gpu.known_block_size = array<i32: {self.form.lanes()}, 1, 1>, inflight.reassociate}} {{",
                *(f"    %c{value} = arith.constant {value} : index" for value in sorted(self.constants)),
                f"    %none = arith.constant {zero} : {self.sum}", f"    %nothing = arith.constant {zero} : {self.element}",
                f"    %no_sums = arith.constant dense<{zero}> : {self.sums}"]
        return "\n".join(head + self.lines + ["    gpu.return", "  }", "}"]) + "\n"

    # What it computes.
    def grid(self):
        return self.n // self.form.tile[1], self.m // self.form.tile[0], self.batches * self.form.split

    def shapes(self):
        """Of the arguments, as inflight takes them."""
        if not hasattr(self, "types"):
            self.declare()
        form, sizes = self.form, {}
        whole = (self.batches,) if form.batch else ()
        sizes["a"] = whole + ((self.m, self.k) if form.layout[0] == "N" else (self.k, self.m))
        sizes["b"] = whole + ((self.n, self.k) if form.layout[1] == "T" else (self.k, self.n))
        if form.weights:
            sizes["b"] = whole + (self.n, self.k * form.weights // 8)
        sizes["scale"] = sizes["zero"] = whole + (self.n, self.k // form.group)
        sizes["rows"], sizes["bias"] = (self.m,), (self.n,)
        sizes["residual"] = sizes["c"] = whole + (self.m, self.n)
        return {name: ("x".join(map(str, sizes[name])), kind[kind.rindex("x") + 1:-1]) for name, kind in self.types.items()}

    def bytes(self, name):
        """Of an argument in memory; 0 if there is none of that name."""
        if name not in self.shapes():
            return 0
        sizes, kind = self.shapes()[name]
        return math.prod(map(int, sizes.split("x"))) * int(re.match("b?[fi](\\d+)", kind)[1]) // 8

    def inputs(self, seed):
        """Of each argument but C: what is in memory. Small numbers, whose sums are exact in any order. Then what C must be."""
        rng, form = np.random.default_rng(seed), self.form
        whole = (self.batches,)
        data = {"a": rng.integers(-2, 3, whole + (self.m, self.k)), "b": rng.integers(-2, 3, whole + (self.n, self.k))}
        b = data["b"].astype(np.float64)
        memory = {}
        if form.weights:
            low = -8 if form.weights == 4 else -12
            numbers = rng.integers(low, -low, whole + (self.n, self.k))
            scale = 2.0 ** rng.integers(-2, 2, whole + (self.n, self.k // form.group))
            zero = rng.integers(-2, 3, scale.shape) if form.zeros else np.zeros(scale.shape)
            b = (numbers - np.repeat(zero, form.group, -1)) * np.repeat(scale, form.group, -1)
            memory["b"] = numbers.astype(np.int8)
            if form.weights == 4:
                memory["b"] = ((numbers[..., 0::2] & 15) | (numbers[..., 1::2] & 15) << 4).astype(np.uint8).view(np.int8)
            memory["scale"], memory["zero"] = self.encode(scale), self.encode(zero)
        else:
            memory["b"] = self.encode(data["b"] if form.layout[1] == "T" else data["b"].swapaxes(1, 2))
        memory["a"] = self.encode(data["a"] if form.layout[0] == "N" else data["a"].swapaxes(1, 2))
        a = data["a"].astype(np.float64)
        if form.gather:
            memory["rows"] = rng.integers(0, self.m, self.m).astype(np.int32)
            a = a[:, memory["rows"]]
        wanted = a @ b.swapaxes(1, 2)
        if form.epilogue == "relu":
            wanted = np.maximum(wanted, 0)
        elif form.epilogue == "bias":
            memory["bias"] = rng.integers(-4, 5, self.n).astype(np.float32)
            wanted = wanted + memory["bias"]
        elif form.epilogue == "residual":
            memory["residual"] = rng.integers(-4, 5, wanted.shape).astype(np.float32)
            wanted = wanted + memory["residual"]
        wanted = wanted.astype({"i32": np.int32, "f32": np.float32, "f16": np.float16}[self.result])
        shape = {name: tuple(map(int, sizes.split("x"))) for name, (sizes, _) in self.shapes().items()}
        return {name: np.ascontiguousarray(memory[name]).reshape(shape[name]) for name in self.types if name != "c"}, wanted.reshape(shape["c"])

    def encode(self, numbers):
        """In the bits of the matrix instructions' type."""
        numbers = np.asarray(numbers, np.float32)
        if self.form.element == "f16":
            return numbers.astype(np.float16)
        if self.form.element == "bf16":
            return (numbers.view(np.uint32) >> 16).astype(np.uint16)  # exact
        if self.form.element == "i8":
            return numbers.astype(np.int8)
        bias = 0x08 if self.element == "f8E4M3FNUZ" else 0  # one more in the exponent
        bits = np.select([abs(numbers) == 2, abs(numbers) == 1], [0x40 + bias, 0x38 + bias], 0)
        return (bits + np.where(numbers < 0, 0x80, 0)).astype(np.uint8)


def whole_k(form, steps):
    """K of about so many steps, as the form has it: of parts, of whole groups, with a rest."""
    unit = math.lcm(form.step, form.group if form.weights else form.step) * form.split
    return max(-(-form.step * steps // unit), 1) * unit + form.rest


def forms(chip):
    """The zoo, in a fixed order."""
    found = []

    def add(*choices, **values):
        """All combinations of the values, each of which is one or a list."""
        names = list(values)
        for each in itertools.product(*(value if isinstance(value, list) else [value] for value in values.values())):
            form = dataclasses.replace(Form(), **dict(zip(names, each)))
            if not form.obstacle(chip) and form not in found:
                found.append(form)
    # Tiles, with the waves that suit them, steps of 64 and 128 bytes.
    for tile, waves in (((32, 32), (1, 1)), ((32, 64), (1, 2)), ((64, 64), (1, 1)), ((64, 64), (2, 2)), ((64, 128), (2, 2)), ((128, 64), (2, 2)),
                        ((96, 128), (2, 2)), ((128, 128), (2, 2)), ((128, 256), (2, 4)), ((256, 128), (4, 2)), ((192, 256), (2, 4)),
                        ((256, 224), (4, 2)), ((256, 256), (2, 4)), ((256, 256), (2, 2)), ((160, 160), (2, 2))):
        add(tile=tile, waves=waves, step=[32, 64], element=["f16", "bf16"])
        add(tile=tile, waves=waves, step=[64, 128], element=["i8", "f8"])
    add(tile=(128, 128), step=[16, 128], element=["f16", "bf16"])
    layouts = ["NN", "TN", "TT"]
    for tile, waves in (((128, 128), (2, 2)), ((256, 256), (2, 4)), ((64, 128), (2, 2))):
        add(tile=tile, waves=waves, layout=layouts, step=[32, 64], element=["f16", "bf16"])
        add(tile=tile, waves=waves, layout=layouts, step=64, element=["i8", "f8"])
    for tile, waves in (((128, 128), (2, 2)), ((256, 256), (2, 4)), ((32, 128), (1, 4))):
        add(tile=tile, waves=waves, weights=[8, 4], group=[32, 64, 128], zeros=[False, True], step=64)
        add(tile=tile, waves=waves, weights=[8, 4], step=32, element="bf16")
        add(tile=tile, waves=waves, gather=True, step=[32, 64], element=["f16", "i8"])
        add(tile=tile, waves=waves, gather=True, weights=[8, 4], step=64)
        add(tile=tile, waves=waves, loop=["affine", "while"], step=[32, 64])
        add(tile=tile, waves=waves, sums="memref", loop=["for", "affine"], step=[32, 64])
        add(tile=tile, waves=waves, rest=[8, 5, 24], step=[32, 64])
        add(tile=tile, waves=waves, epilogue=["f16", "relu", "bias", "residual"], step=64)
        add(tile=tile, waves=waves, batch=True, step=[32, 64], layout=["NT", "NN"])
        add(tile=tile, waves=waves, split=[2, 4], step=64)
        add(tile=tile, waves=waves, dynamic=True, step=[32, 64], layout=["NT", "NN"])
        add(tile=tile, waves=waves, pad=8, step=[32, 64])
        add(tile=tile, waves=waves, fragment=32, step=[32, 64], element=["f16", "i8"])
    for tile, waves in (((16, 256), (1, 4)), ((16, 64), (1, 4)), ((32, 256), (1, 4))):
        add(tile=tile, waves=waves, step=[64, 128], weights=[0, 8])
        add(tile=tile, waves=waves, step=128, split=4)
    return found


def random_form(chip, rng):
    """Of any combination."""
    while True:
        form = Form(element=rng.choice(list(BYTES)), tile=(rng.choice((16, 32, 48, 64, 96, 128)), rng.choice((16, 32, 64, 80, 128))),
                    waves=(rng.choice((1, 2)), rng.choice((1, 2, 4))), step=rng.choice((16, 32, 64, 128)), fragment=rng.choice((16, 16, 32)),
                    layout=rng.choice(("NT", "NT", "NN", "TN", "TT")), weights=rng.choice((0, 0, 4, 8)), group=rng.choice((32, 64, 128)),
                    zeros=rng.random() < 0.5, gather=rng.random() < 0.3, loop=rng.choice(("for", "for", "affine", "while")),
                    sums=rng.choice(("carried", "carried", "memref")), batch=rng.random() < 0.2, split=rng.choice((1, 1, 1, 2)),
                    rest=rng.choice((0, 0, 0, 1, 5, 8, 16)), epilogue=rng.choice(("none", "none", "f16", "relu", "bias", "residual")),
                    pad=rng.choice((0, 0, 8)), dynamic=rng.random() < 0.2)
        if not form.obstacle(chip) and not (form.loop == "while" and form.sums == "memref") and not (form.rest and form.split > 1):
            return form


def random_forms(chip, seed, count):
    return [random_form(chip, random.Random(f"{chip} {seed + i}")) for i in range(count)]
