#!/usr/bin/env python3
"""Writes memory-bound kernels as a kernel language writes them: 16 bytes a lane and load, each byte of memory read once where a row fits registers.

    plain.py softmax --size=8192x4096 > softmax.mlir
    plain.py transpose --type=f32 --size=4096x8192 --pad=1 > transpose.mlir

KERNELS says what each computes. A row is a workgroup's, in vectors of 16 bytes, a lane's beside its neighbour's. Rows needn't be multiples of the workgroup: what
lies beyond the end is read as a value that changes nothing and not stored. What the compiler makes of the order of loads, of waits and registers is its business.
"""
import argparse

BYTES = {"f32": 4, "f16": 2, "f8E4M3FNUZ": 1, "f8E4M3FN": 1, "i8": 1}
LARGEST = {"f8E4M3FNUZ": 240.0, "f8E4M3FN": 448.0, "i8": 127.0}
LOG2E = 1.4426950408889634
EPSILON = 1e-5


class Kernel:
    """`size`: rows, columns. `arguments`: name, shape and type of each, outputs last. `groups`: the grid."""

    element = "f16"
    outputs = 1
    dynamic = False

    def __init__(self, size, lanes=256, vector=16):
        self.rows, self.columns = size
        self.lanes, self.width = lanes, vector // BYTES[self.element]
        self.lines, self.count = [], 0

    def text(self):
        self.lines = []
        self.body()
        arguments = ", ".join(f"%{name}: {self.memory(name)}" for name, _, _ in self.arguments)
        return "\n".join([f"gpu.module @{self.name}_module {{", f"  gpu.func @{self.name}({arguments}) kernel",
                          f"      attributes {{gpu.known_block_size = array<i32: {self.lanes}, 1, 1>}} {{", *self.lines,
                          "    gpu.return", "  }", "}"]) + "\n"

    @property
    def name(self):
        return type(self).__name__.lower()

    def memory(self, name):
        shape, element = next((shape, element) for other, shape, element in self.arguments if other == name)
        return f"memref<{'x'.join('?' if self.dynamic else str(length) for length in shape)}x{element}>"

    def w(self, text):
        self.lines.append("    " + text)

    def op(self, text):
        """A new value."""
        self.count += 1
        self.w(f"%{self.count} = {text}")
        return f"%{self.count}"

    def index(self, value):
        return self.op(f"arith.constant {value} : index")

    def constant(self, value, type):
        return self.op(f"arith.constant {f'dense<{value}>' if type.startswith('vector') else value} : {type}")

    def vector(self, element):
        return f"vector<{self.width}x{element}>"

    def splat(self, scalar, element="f32"):
        return self.op(f"vector.broadcast {scalar} : {element} to {self.vector(element)}")

    def wide(self, value):
        return self.op(f"arith.extf {value} : {self.vector('f16')} to {self.vector('f32')}")

    def binary(self, op, left, right, type=None):
        return self.op(f"{op} {left}, {right} : {type or self.vector('f32')}")

    def unary(self, op, value, type=None):
        return self.op(f"{op} {value} : {type or self.vector('f32')}")

    def exp2(self, value, type=None):
        """By the instruction alone: results below the normal numbers are zero."""
        return self.op(f"math.exp2 {value} fastmath<afn> : {type or self.vector('f32')}")

    def add_index(self, left, right):
        return self.binary("arith.addi", left, right, "index")

    def scaled(self, value, factor):
        return self.binary("arith.muli", value, self.index(factor), "index")


class Rows(Kernel):
    """Kernels that have a row a workgroup. `dynamic`: numbers of rows and columns are the launch's, `size` is the largest."""

    def __init__(self, size, dynamic=False, **more):
        super().__init__(size, **more)
        self.dynamic = dynamic
        self.looped = 0  # columns that aren't parts of their own

    @property
    def groups(self):
        return self.rows

    def begin(self):
        self.lane, self.row = self.op("gpu.thread_id x"), self.op("gpu.block_id x")
        self.first = self.scaled(self.lane, self.width)
        self.offsets = range(self.looped, self.columns, self.lanes * self.width)
        self.starts = [self.add_index(self.first, self.index(offset)) for offset in self.offsets]
        self.end = self.op(f"memref.dim %from, {self.index(1)} : {self.memory('from')}") if self.dynamic else self.index(self.columns)

    def is_inside(self, part):
        return not self.dynamic and self.offsets[part] + self.lanes * self.width <= self.columns

    def load(self, name, part, beyond="0.0", in_row=True):
        """A lane's part of the row, or of a vector as long as that."""
        at, type = ("%row_, " if in_row else "") + self.starts[part], f"{self.memory(name)}, {self.vector('f16')}"
        at = at.replace("%row_", self.row)
        if self.is_inside(part):
            return self.op(f"vector.load %{name}[{at}] : {type}")
        return self.op(f"vector.transfer_read %{name}[{at}], {self.constant(beyond, 'f16')} {{in_bounds = [false]}} : {type}")

    def store(self, name, part, value, element="f16"):
        at = f"{self.row}, {self.starts[part]}"
        if self.is_inside(part):
            self.w(f"vector.store {value}, %{name}[{at}] : {self.memory(name)}, {self.vector(element)}")
        else:
            self.w(f"vector.transfer_write {value}, %{name}[{at}] {{in_bounds = [false]}} : {self.vector(element)}, {self.memory(name)}")

    def reduce(self, kind, values):
        """Of all elements of the workgroup's vectors: `kind` is add or maxnumf, as operations on vectors have it."""
        op = {"add": "arith.addf", "maxnumf": "arith.maxnumf"}[kind]
        total = values[0]
        for value in values[1:]:
            total = self.binary(op, total, value)
        return self.reduce_lanes(kind, self.op(f"vector.reduction <{kind}>, {total} : {self.vector('f32')} into f32"))

    def reduce_lanes(self, kind, mine):
        wave = self.op(f"gpu.subgroup_reduce {kind} {mine} : (f32) -> f32")
        waves = self.lanes // 64
        if waves == 1:
            return wave
        lds = f"memref<{waves}xf32, #gpu.address_space<workgroup>>"
        shared = self.op(f"memref.alloc() : {lds}")
        number = self.binary("arith.divui", self.lane, self.index(64), "index")
        self.w(f"memref.store {wave}, {shared}[{number}] : {lds}")
        self.w("gpu.barrier")
        all = self.op(f"vector.load {shared}[{self.index(0)}] : {lds}, vector<{waves}xf32>")
        return self.op(f"vector.reduction <{kind}>, {all} : vector<{waves}xf32> into f32")

    def narrow(self, value):
        return self.op(f"arith.truncf {value} : {self.vector('f32')} to {self.vector('f16')}")


class Copy(Kernel):
    """to = from, a vector of 16 bytes a lane."""

    def __init__(self, size, element="f32", **more):
        self.element = element
        super().__init__(size, **more)
        self.arguments = [("from", size, element), ("to", size, element)]

    @property
    def groups(self):
        return -(-self.rows * self.columns // (self.lanes * self.width))

    def body(self):
        group, lane = self.op("gpu.block_id x"), self.op("gpu.thread_id x")
        element = self.add_index(self.scaled(group, self.lanes * self.width), self.scaled(lane, self.width))
        flat = f"memref<{self.rows * self.columns}x{self.element}>"
        names = [name for name, _, _ in self.arguments]
        self.flat = {name: self.op(f"memref.collapse_shape %{name} [[0, 1]] : {self.memory(name)} into {flat}") for name in names}
        type = f"{flat}, {self.vector(self.element)}"
        values = [self.op(f"vector.load {self.flat[name]}[{element}] : {type}") for name in names[:-1]]
        self.w(f"vector.store {self.combine(values)}, {self.flat[names[-1]]}[{element}] : {type}")

    def combine(self, values):
        return values[0]


class Vadd(Copy):
    """to = a + b."""

    def __init__(self, size, element="f32", **more):
        super().__init__(size, element, **more)
        self.arguments = [("a", size, element), ("b", size, element), ("to", size, element)]

    def combine(self, values):
        return self.binary("arith.addf", *values, self.vector(self.element))


class Softmax(Rows):
    """Of each row of f16, in f32."""

    def __init__(self, size, **more):
        super().__init__(size, **more)
        self.arguments = [("from", size, "f16"), ("to", size, "f16")]

    def body(self):
        self.begin()
        values = [self.wide(self.load("from", part, "0xFC00")) for part in range(len(self.starts))]
        log2e = self.constant(LOG2E, self.vector("f32"))
        most = self.splat(self.reduce("maxnumf", values))
        powers = [self.exp2(self.binary("arith.mulf", self.binary("arith.subf", value, most), log2e)) for value in values]
        one = self.constant("1.0", "f32")
        inverse = self.splat(self.binary("arith.divf", one, self.reduce("add", powers), "f32"))
        for part, power in enumerate(powers):
            self.store("to", part, self.narrow(self.binary("arith.mulf", power, inverse)))


class OnlineSoftmax(Rows):
    """The same of rows that registers don't hold: a loop finds maximum and sum together, a second one reads the row again."""

    def __init__(self, size, **more):
        super().__init__(size, **more)
        self.arguments = [("from", size, "f16"), ("to", size, "f16")]
        self.looped = self.columns - self.columns % (self.lanes * self.width)

    def power(self, value, most, vector=True):
        """exp(value - most)."""
        type = self.vector("f32") if vector else "f32"
        factor = self.splat(self.log2e) if vector else self.log2e
        shifted = self.binary("arith.subf", value, self.splat(most) if vector else most, type)
        return self.exp2(self.binary("arith.mulf", shifted, factor, type), type)

    def update(self, most, sum, value):
        """The lane's maximum and sum with another vector."""
        of_vector = self.op(f"vector.reduction <maxnumf>, {value} : {self.vector('f32')} into f32")
        larger = self.binary("arith.maxnumf", most, of_vector, "f32")
        before = self.binary("arith.mulf", sum, self.power(most, larger, vector=False), "f32")
        added = self.op(f"vector.reduction <add>, {self.power(value, larger)} : {self.vector('f32')} into f32")
        return larger, self.binary("arith.addf", before, added, "f32")

    def loop(self, carried, types, body):
        """`carried`: the values before the loop; `body` gives those after an iteration, for which it gets the row's place."""
        self.count += 1
        results, at = f"%{self.count}", f"%at{self.count}"
        names = [f"%carried{self.count}_{i}" for i in range(len(carried))]
        inits = ", ".join(f"{name} = {value}" for name, value in zip(names, carried))
        begin, end, step = (self.index(value) for value in (0, self.looped, self.lanes * self.width))
        head = f"{results}:{len(carried)} = " if carried else ""
        self.w(f"{head}scf.for {at} = {begin} to {end} step {step}" + (f" iter_args({inits}) -> ({', '.join(types)})" if carried else "") + " {")
        after = body(self.add_index(self.first, at), *names)
        if carried:
            self.w(f"scf.yield {', '.join(after)} : {', '.join(types)}")
        self.w("}")
        return [f"{results}#{i}" for i in range(len(carried))]

    def body(self):
        self.begin()
        self.log2e = self.constant(LOG2E, "f32")
        type = f"{self.memory('from')}, {self.vector('f16')}"
        load = lambda at: self.wide(self.op(f"vector.load %from[{self.row}, {at}] : {type}"))  # noqa: E731
        state = [self.constant("-3.0e38", "f32"), self.constant("0.0", "f32")]
        state = self.loop(state, ["f32", "f32"], lambda at, most, sum: self.update(most, sum, load(at)))
        rest = [self.wide(self.load("from", part, "0xFC00")) for part in range(len(self.starts))]
        for value in rest:
            state = self.update(*state, value)
        most = self.reduce_lanes("maxnumf", state[0])
        sum = self.reduce_lanes("add", self.binary("arith.mulf", state[1], self.power(state[0], most, vector=False), "f32"))
        inverse = self.splat(self.binary("arith.divf", self.constant("1.0", "f32"), sum, "f32"))
        result = lambda value: self.narrow(self.binary("arith.mulf", self.power(value, most), inverse))  # noqa: E731
        self.loop([], [], lambda at: self.w(f"vector.store {result(load(at))}, %to[{self.row}, {at}] : {type}"))
        for part, value in enumerate(rest):
            self.store("to", part, result(value))


class Layernorm(Rows):
    """(x - mean) / sqrt(variance + EPSILON) * scale + shift of each row of f16, in f32."""

    def __init__(self, size, **more):
        super().__init__(size, **more)
        self.arguments = [("from", size, "f16"), ("scale", size[1:], "f16"), ("shift", size[1:], "f16"), ("to", size, "f16")]

    def mean(self, values):
        return self.binary("arith.divf", self.reduce("add", values), self.length, "f32")

    def body(self):
        self.begin()
        parts = range(len(self.starts))
        self.length = self.op(f"arith.uitofp {self.op(f'arith.index_cast {self.end} : index to i32')} : i32 to f32")
        values = [self.wide(self.load("from", part)) for part in parts]
        scales = [self.load("scale", part, in_row=False) for part in parts]
        shifts = [self.load("shift", part, in_row=False) for part in parts]
        mean = self.splat(self.mean(values))
        centred = [self.binary("arith.subf", value, mean) for value in values]
        for part in parts:
            if not self.is_inside(part):
                left = self.binary("arith.subi", self.end, self.starts[part], "index")
                mask = self.op(f"vector.create_mask {left} : {self.vector('i1')}")
                zeros = self.constant("0.0", self.vector("f32"))
                centred[part] = self.op(f"arith.select {mask}, {centred[part]}, {zeros} : {self.vector('i1')}, {self.vector('f32')}")
        squares = self.constant("0.0", self.vector("f32"))
        for value in centred:
            squares = self.op(f"math.fma {value}, {value}, {squares} : {self.vector('f32')}")
        variance = self.mean([squares])
        stable = self.binary("arith.addf", variance, self.constant(f"{EPSILON:.9e}", "f32"), "f32")
        inverse = self.splat(self.unary("math.rsqrt", stable, "f32"))
        for part in parts:
            normal = self.binary("arith.mulf", centred[part], inverse)
            result = self.op(f"math.fma {normal}, {self.wide(scales[part])}, {self.wide(shifts[part])} : {self.vector('f32')}")
            self.store("to", part, self.narrow(result))


class Quantise(Rows):
    """Each row of f16 in 8 bits an element, and its scale: the largest magnitude over the largest that the type holds."""

    outputs = 2

    def __init__(self, size, to="i8", **more):
        super().__init__(size, **more)
        self.to = to
        self.arguments = [("from", size, "f16"), ("to", size, to), ("scale", size[:1], "f32")]

    def body(self):
        self.begin()
        values = [self.wide(self.load("from", part)) for part in range(len(self.starts))]
        most = self.reduce("maxnumf", [self.unary("math.absf", value) for value in values])
        most = self.binary("arith.maxnumf", most, self.constant("1.0e-12", "f32"), "f32")
        largest = self.constant(LARGEST[self.to], "f32")
        inverse = self.splat(self.binary("arith.divf", largest, most, "f32"))
        is_first = self.binary("arith.cmpi eq,", self.lane, self.index(0), "index")
        self.w(f"scf.if {is_first} {{")
        self.w(f"  memref.store {self.binary('arith.divf', most, largest, 'f32')}, %scale[{self.row}] : {self.memory('scale')}")
        self.w("}")
        for part, value in enumerate(values):
            self.store("to", part, self.in_8_bits(self.binary("arith.mulf", value, inverse)), self.to)

    def in_8_bits(self, value):
        types = f"{self.vector('f32')} to {self.vector(self.to)}"
        if self.to != "i8":
            return self.op(f"arith.truncf {value} : {types}")
        return self.op(f"arith.fptosi {self.unary('math.roundeven', value)} : {types}")


class Rope(Kernel):
    """Rotary embedding: columns are heads of `dim` f16, of which one half is rotated against the other by the row's angles. A row a workgroup."""

    def __init__(self, size, dim=128, **more):
        super().__init__(size, **more)
        self.dim = dim
        heads = (self.rows, self.columns // dim, dim)
        angles = (self.rows, dim // 2)
        self.arguments = [("from", heads, "f16"), ("cos", angles, "f16"), ("sin", angles, "f16"), ("to", heads, "f16")]

    @property
    def groups(self):
        return self.rows

    def body(self):
        lane, row = self.op("gpu.thread_id x"), self.op("gpu.block_id x")
        per_head = self.index(self.dim // 2 // self.width)
        in_half = self.scaled(self.binary("arith.remui", lane, per_head, "index"), self.width)
        in_other = self.add_index(in_half, self.index(self.dim // 2))
        first = self.binary("arith.divui", lane, per_head, "index")
        heads = self.lanes * self.width * 2 // self.dim  # of all lanes at a time
        cos, sin = (self.wide(self.op(f"vector.load %{name}[{row}, {in_half}] : {self.memory(name)}, {self.vector('f16')}")) for name in ("cos", "sin"))
        type = f"{self.memory('from')}, {self.vector('f16')}"
        numbers = [self.add_index(first, self.index(head)) for head in range(0, self.columns // self.dim, heads)]
        halves = [[self.wide(self.op(f"vector.load %from[{row}, {head}, {at}] : {type}")) for at in (in_half, in_other)] for head in numbers]
        for head, (x, y) in zip(numbers, halves):
            left = self.binary("arith.subf", self.binary("arith.mulf", x, cos), self.binary("arith.mulf", y, sin))
            right = self.binary("arith.addf", self.binary("arith.mulf", y, cos), self.binary("arith.mulf", x, sin))
            for value, at in ((left, in_half), (right, in_other)):
                narrow = self.op(f"arith.truncf {value} : {self.vector('f32')} to {self.vector('f16')}")
                self.w(f"vector.store {narrow}, %to[{row}, {head}, {at}] : {type}")


class Transpose(Kernel):
    """Tiles of 64 x 64 through workgroup memory, `pad` elements between its rows."""

    TILE = 64

    def __init__(self, size, element="f16", pad=0, **more):
        self.element, self.pad = element, pad
        super().__init__(size, **more)
        self.arguments = [("from", size, element), ("to", size[::-1], element)]

    @property
    def groups(self):
        return self.columns // self.TILE * self.rows // self.TILE

    def body(self):
        lds = f"memref<{self.TILE}x{self.TILE + self.pad}x{self.element}, #gpu.address_space<workgroup>>"
        tile, vector = self.op(f"memref.alloc() : {lds}"), self.vector(self.element)
        lane, group = self.op("gpu.thread_id x"), self.op("gpu.block_id x")
        across = self.index(self.columns // self.TILE)
        row0 = self.scaled(self.binary("arith.divui", group, across, "index"), self.TILE)
        column0 = self.scaled(self.binary("arith.remui", group, across, "index"), self.TILE)
        per_row = self.index(self.TILE // self.width)
        row = self.binary("arith.divui", lane, per_row, "index")
        column = self.scaled(self.binary("arith.remui", lane, per_row, "index"), self.width)
        rows = [self.add_index(row, self.index(i)) for i in range(0, self.TILE, self.lanes * self.width // self.TILE)]
        at = self.add_index(column0, column)
        values = [self.op(f"vector.load %from[{self.add_index(row0, r)}, {at}] : {self.memory('from')}, {vector}") for r in rows]
        for r, value in zip(rows, values):
            self.w(f"vector.store {value}, {tile}[{r}, {column}] : {lds}, {vector}")
        self.w("gpu.barrier")
        at = self.add_index(row0, column)
        of_column = [self.add_index(column, self.index(i)) for i in range(self.width)]
        for r in rows:
            elements = [self.op(f"memref.load {tile}[{c}, {r}] : {lds}") for c in of_column]
            value = self.op(f"vector.from_elements {', '.join(elements)} : {vector}")
            self.w(f"vector.store {value}, %to[{self.add_index(column0, r)}, {at}] : {self.memory('to')}, {vector}")


KERNELS = {kind.__name__.lower(): kind for kind in (Copy, Vadd, Softmax, OnlineSoftmax, Layernorm, Quantise, Rope, Transpose)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", choices=KERNELS)
    parser.add_argument("--size", default="8192x4096")
    parser.add_argument("--type", choices=BYTES)
    parser.add_argument("--pad", type=int)
    parser.add_argument("--lanes", type=int, default=256, help="of a workgroup")
    parser.add_argument("--vector", type=int, default=16, help="bytes that a lane loads at once")
    a = parser.parse_args()
    more = {"lanes": a.lanes, "vector": a.vector}
    if a.type:
        more["to" if a.kernel == "quantise" else "element"] = a.type
    if a.pad is not None:
        more["pad"] = a.pad
    print(KERNELS[a.kernel](tuple(map(int, a.size.split("x"))), **more).text(), end="")


if __name__ == "__main__":
    main()
