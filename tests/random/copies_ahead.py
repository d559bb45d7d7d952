#!/usr/bin/env python3
"""Random kernels whose loops stage tiles in LDS, so that copies run ahead: compiled and run by Inflight, evaluated by numpy.

    tests/random/copies_ahead.py INFLIGHT FIRST_SEED COUNT [--group N] [--keep DIR] [--chip CHIP]

libinflight.so is the one of INFLIGHT's build.

A kernel has a loop of 0 to 11 iterations, over constant bounds or those of the launch, negative ones too, that copies one to three
tiles of global memory to LDS and reads them back. Rows are sums of the counter, the lane's row, the workgroup's or an outer loop's
place, paddings and loaded indices, each of any sign; lanes whose guards don't hold get zeros or a padding. `--group` kernels are one
module; library and runs are in this process, with all checks. A campaign is a large COUNT; the tests replay a few seeds."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
WORDS = {"i32": np.int32, "f32": np.float32, "i16": np.int16, "f16": np.float16, "i8": np.int8}
AHEAD, UNCHECKED = "tiles are copied by LDS DMA", "copies ahead aren't checked"


def wrapped(values):
    return np.asarray(values, np.int64)


class Value:
    """An index: its name, and its numbers in all lanes from the iteration's environment."""

    def __init__(self, name, at):
        self.name, self.at = name, at


class Tile:
    """A tile's shape, where it comes from, and its guards: attributes, as they are chosen."""


class Kernel:
    def __init__(self, seed, name):
        self.random, self.name, self.count, self.seed = random.Random(seed), name, 0, seed
        self.lines, self.constants, self.indent = [], {}, 2
        self.generate()

    # Text and meaning at once.
    def w(self, line):
        self.lines.append("  " * self.indent + line)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def c(self, number, kind="index"):
        name = f"%c{'m' if number < 0 else ''}{abs(number)}_{kind}"
        self.constants[name] = f"{name} = arith.constant {number} : {kind}"
        return Value(name, lambda env: wrapped(number))

    def op(self, operation, a, b):
        functions = {"addi": lambda x, y: x + y, "subi": lambda x, y: x - y, "muli": lambda x, y: x * y, "divui": lambda x, y: x // y,
                     "remui": lambda x, y: x % y, "xori": lambda x, y: x ^ y, "minui": np.minimum, "maxsi": np.maximum}
        b = self.c(b) if isinstance(b, int) else b
        name = self.fresh()
        self.w(f"{name} = arith.{operation} {a.name}, {b.name} : index")
        return Value(name, lambda env: wrapped(functions[operation](a.at(env), b.at(env))))

    def sum(self, parts):
        """In a random order and association."""
        parts = list(parts)
        self.random.shuffle(parts)
        while len(parts) > 1:
            i = self.random.randrange(len(parts) - 1)
            a, b = parts[i], parts[i + 1]
            if self.random.random() < 0.15:
                zero = self.c(0)
                b = self.op("subi", zero, b)
                parts[i:i + 2] = [self.op("subi", a, b)]
            else:
                parts[i:i + 2] = [self.op("addi", a, b)]
        return parts[0]

    def compare(self, predicate, a, b, narrow=False):
        kind, names = "index", [a.name, b.name]
        if narrow:
            kind = "i32"
            names = []
            for value in (a, b):
                names.append(self.fresh())
                self.w(f"{names[-1]} = arith.index_cast {value.name} : index to i32")
        functions = {"slt": lambda x, y: x < y, "sge": lambda x, y: x >= y, "ult": lambda x, y: x.astype(np.uint64) < y.astype(np.uint64)}
        name = self.fresh()
        self.w(f"{name} = arith.cmpi {predicate}, {names[0]}, {names[1]} : {kind}")
        return Value(name, lambda env: functions[predicate](a.at(env), b.at(env)))

    def both(self, a, b):
        name = self.fresh()
        self.w(f"{name} = arith.andi {a.name}, {b.name} : i1")
        return Value(name, lambda env: a.at(env) & b.at(env))

    # The kernel.
    def generate(self):
        r = self.random
        self.lanes = r.choice([64, 128, 256])
        self.blocks = r.choice([1, 1, 2, 3])
        self.outer = r.choice([0, 0, 0, 0, 1, 2, 3])
        self.step = r.choice([1, 1, 2, 3, 8, 16, 32])
        self.trips = r.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 11])
        self.lower = self.step * r.choice([0, 0, 0, 1, -1, -2, -5, -11]) + r.choice([0, 0, 0, 3, -3])
        self.runtime = r.choice(["none", "none", "upper", "upper", "both"])
        slack = r.randrange(self.step) if self.trips else -r.randrange(3 * self.step)
        self.upper = self.lower + self.step * (self.trips - 1) + 1 + slack if self.trips else self.lower + slack
        self.pad = r.choice([0, 1, 3, 8, 24, -5])
        self.holes = r.randrange(0, max(self.trips, 1) + 2)  # counters from which on nothing is loaded, in iterations
        self.list = np.random.default_rng(self.seed).integers(-6, 40, max(self.trips, 1)).astype(np.int32)
        self.places = {"t": Value("%t", lambda env: env["t"]), "b": Value("%b", lambda env: wrapped(env["b"])),
                       "p": Value("%p", lambda env: wrapped(self.pad)), "n": Value("%n", lambda env: wrapped(self.upper)),
                       "l": Value("%l", lambda env: wrapped(self.lower)), "m": Value("%m", lambda env: wrapped(self.holes)),
                       "k": Value("%k", lambda env: wrapped(env["k"])), "j": Value("%j", lambda env: wrapped(env["j"]))}
        self.noalias = r.random() < 0.5
        self.tiles = [self.tile(i) for i in range(r.choice([1, 1, 2, 3]))]
        self.indent = 3 if self.outer else 2
        self.body()

    def tile(self, i):
        """Its place in LDS: rows of columns, by vectors that lanes load."""
        r, tile = self.random, Tile()
        tile.kind = r.choice(["i32", "i32", "f32", "f16", "i16", "i8"])
        tile.bytes = np.dtype(WORDS[tile.kind]).itemsize
        tile.vector = r.choice([v for v in (1, 2, 4, 8, 16) if 2 <= v * tile.bytes <= 16 and (v * tile.bytes >= 4 or r.random() < 0.3)])
        tile.stores = r.choice([1, 1, 2, 4])
        per_row = r.choice([2, 4, 4, 8, 8, 16, 16, 3])
        pieces = self.lanes * tile.stores
        if pieces % per_row:
            per_row = 4
        tile.per_row, tile.rows, tile.columns = per_row, pieces // per_row, per_row * tile.vector
        tile.gap = r.choice([0, 0, 0, 1, 2]) * max(tile.vector, 1)
        tile.swizzled = r.random() < 0.4 and per_row & (per_row - 1) == 0
        tile.name, tile.memory = f"%a{i}", f"%lds{i}"
        tile.alloc = f"memref<{tile.rows}x{tile.columns + tile.gap}x{tile.kind}, #gpu.address_space<workgroup>>"
        tile.type = tile.kind if tile.vector == 1 else f"vector<{tile.vector}x{tile.kind}>"
        return tile

    def environments(self):
        """Of a workgroup: what lanes and counters are, in the order in which iterations come."""
        for j in range(max(self.outer, 1)):
            for i in range(self.trips):
                yield i, j, self.lower + i * self.step

    def every(self, function):
        """A function of the environment in all workgroups and iterations."""
        values = [np.broadcast_to(function({"t": np.arange(self.lanes), "b": b, "k": k, "j": j, "i": i}), self.lanes)
                  for b in range(self.blocks) for i, j, k in self.environments()]
        return np.array(values) if values else np.zeros((1, self.lanes), np.int64)

    def moving(self, tile):
        """What the place in global memory has besides the lane's own: values, some of which change from iteration to iteration."""
        r, parts = self.random, []
        k = self.places["k"]
        how = r.choice(["counter", "counter", "counter", "from the lower bound", "divided", "none"])
        if how == "from the lower bound":
            k = self.op("subi", k, self.places["l"] if self.runtime == "both" else self.lower)
        elif how == "divided":
            bits = r.randrange(1, 4)
            k = self.op("subi", self.op("divui", self.op("addi", k, 1 << 20), 1 << bits), 1 << 20 - bits)
        if how != "none":
            parts.append(self.op("muli", k, r.choice([1, 1, 1, 2, -1])) if r.random() < 0.4 else k)
        if r.random() < 0.3:
            parts.append(self.op("muli", self.places["b"], r.choice([1, 4, 16, -3])))
        if self.outer and r.random() < 0.6:
            parts.append(self.op("muli", self.places["j"], r.choice([2, 8, -8])))
        if r.random() < 0.35:
            parts.append(self.op("subi", self.c(0), self.places["p"]))
        elif r.random() < 0.3:
            parts.append(self.c(r.choice([-1, 5, -24, 13])))
        return parts

    def body(self):
        self.header_end = len(self.lines)
        for tile in self.tiles:
            tile.sources = [self.place(tile, i) for i in range(tile.stores)]
        self.lanes_end = len(self.lines)
        self.own = self.random.random() < 0.3
        reads = [(tile, self.read_place(tile)) for tile in self.tiles for _ in range(self.random.choice([1, 1, 2]))]
        self.before = self.lines
        self.lines = []
        self.indent += 1
        for tile in self.tiles:
            self.load_and_store(tile)
        if self.own:
            row = self.op("remui", self.op("addi", self.places["k"], 1 << 16), 64)
            self.w(f"%own = memref.load %w[{row.name}, %t] : memref<64x{self.lanes}xi32>")
            self.own_row = row
        self.w("gpu.barrier")
        sum = "%acc"
        for tile, place in reads:
            sum = self.read(tile, place, sum)
        if self.own:
            name = self.fresh()
            self.w(f"{name} = arith.xori {sum}, %own : i32")
            sum = name
        self.w("gpu.barrier")
        self.reads, self.result = reads, sum

    def place(self, tile, i):
        """Row and column in the tile of a store: of all iterations."""
        position = self.places["t"] if i == 0 else self.op("addi", self.places["t"], i * self.lanes)
        row, piece = self.op("divui", position, tile.per_row), self.op("remui", position, tile.per_row)
        column = self.op("muli", piece, tile.vector)
        stored = column
        if tile.swizzled:
            stored = self.op("muli", self.op("xori", piece, self.op("remui", row, tile.per_row)), tile.vector)
        return row, column, stored

    def read_place(self, tile):
        r = self.random
        wide = r.choice([v for v in (1, 2, 4) if tile.columns % v == 0 and v <= tile.vector])
        count = tile.rows * tile.columns // wide
        lane = self.places["t"]
        if r.random() < 0.4:
            row = self.op("remui", lane, tile.rows)
            column = self.op("remui", self.op("divui", lane, tile.rows), tile.columns // wide)
            return row, self.op("muli", column, wide), wide
        position = r.choice([lambda: lane, lambda: lane, lambda: self.op("xori", lane, 1 << r.randrange(5)),
                             lambda: self.op("subi", self.c(count - 1), lane), lambda: self.op("addi", lane, 64),
                             lambda: self.op("muli", lane, r.choice([3, 5, 17]))])()
        position = self.op("remui", position, count)
        row = self.op("divui", position, tile.columns // wide)
        column = self.op("muli", self.op("remui", position, tile.columns // wide), wide)
        return row, column, wide

    # Loads with their guards.
    def load_and_store(self, tile):
        r = self.random
        tile.along = r.choice(["rows", "rows", "columns"])
        tile.indexed = r.choice([None, None, None, "outside", "inside"]) if self.trips else None
        tile.guard = r.choice(["none", "ult", "ult", "slt", "pair", "pair", "i32", "clamp", "flag"])
        tile.form = r.choice(["branch", "branch", "branch", "select", "masked"]) if tile.vector > 1 else r.choice(["branch", "branch", "select"])
        tile.edge = r.choice([None, None, "create_mask", "transfer_read"]) if tile.vector > 1 else None
        tile.padding = r.choice(["0"] * 7 + ["-0"]) if tile.kind in ("f32", "f16") else "0"
        if tile.indexed == "inside" or tile.guard == "flag":
            tile.form = "branch"
        moving = self.moving(tile)
        number = None
        if tile.indexed:
            number = self.op("divui", self.op("subi", self.places["k"], self.places["l"]), self.step)
            tile.flag = self.compare(r.choice(["slt", "ult"]), number, self.places["m"])
        elif tile.guard == "flag":
            number = self.op("divui", self.op("subi", self.places["k"], self.places["l"]), self.step)
            tile.flag = self.compare("slt", number, self.places["m"])
        if tile.indexed == "outside":
            last = self.op("minui", number, len(self.list) - 1)
            moving.append(self.list_element(last))
        tile.loads = []
        for source in tile.sources:
            self.one(tile, source, moving, number)

    def scaled(self, tile, part):
        return self.op("muli", part, tile.vector) if tile.vector > 1 else part

    def list_element(self, number):
        loaded, name = self.fresh(), self.fresh()
        self.w(f"{loaded} = memref.load %x[{number.name}] : memref<?xi32>")
        self.w(f"{name} = arith.index_cast {loaded} : i32 to index")
        return Value(name, lambda env: wrapped(self.list[np.clip(number.at(env), 0, len(self.list) - 1)]))

    def one(self, tile, source, moving, number):
        r = self.random
        row_parts, column_parts = [source[0]], [source[1]]
        if tile.along == "rows":
            row_parts += moving
        else:
            # Whole vectors, so that masks are of all elements or none.
            for part in moving:
                column_parts.append(self.scaled(tile, part))
        inside = tile.indexed == "inside"
        holds = [tile.flag] if tile.indexed or tile.guard == "flag" else []
        if inside:
            self.open_branch(tile, tile.flag)
            element = self.list_element(number)
            if tile.along == "rows":
                row_parts.append(element)
            else:
                column_parts.append(self.scaled(tile, element))
        row, column = self.sum(row_parts), self.sum(column_parts)
        rows, columns = self.every(row.at), self.every(column.at)
        active = np.ones_like(rows, bool)
        for hold in holds:
            active &= np.broadcast_to(self.every(hold.at), active.shape).astype(bool)
        # All that is loaded has to be in memory; what is guarded may be cut off.
        first = not tile.loads
        lowest = lambda values: int(values[active].min(initial=0))
        highest = lambda values: int(values[active].max(initial=0))
        if first:
            may_be_negative = tile.guard in ("ult", "pair") and tile.along == "rows"
            spread = 8 if tile.indexed and tile.along == "rows" else 0
            tile.shift = [0 if may_be_negative else spread - lowest(rows), -(lowest(columns) // tile.vector) * tile.vector]
        # The other stores of the tile are near the first one.
        shifted_row = self.op("addi", row, tile.shift[0]) if tile.shift[0] else row
        shifted_column = self.op("addi", column, tile.shift[1]) if tile.shift[1] else column
        rows, columns = self.every(shifted_row.at), self.every(shifted_column.at)
        if first:
            reach = highest(rows) + tile.rows + 1
            cut = tile.guard in ("ult", "slt", "pair", "i32", "clamp")
            tile.memory_rows = max(1, reach - (r.choice([0, 0, 1, 5, 17, reach // 2]) if cut else 0)) if reach > 0 else 1
            wide = highest(columns) + tile.vector + tile.columns
            tile.memory_columns = -(-max(wide, tile.vector) // tile.vector) * tile.vector
            if tile.edge:
                tile.memory_columns = max(tile.vector, tile.memory_columns - tile.vector * r.choice([0, 1, 3]))
            elif r.random() < 0.3 and tile.bytes * tile.vector % 4 == 0:
                tile.memory_columns += 4 // tile.bytes
            tile.static = r.random() < 0.8
            tile.source = f"memref<{f'{tile.memory_rows}x{tile.memory_columns}' if tile.static else '?x?'}x{tile.kind}>"
        ends = self.c(tile.memory_rows) if tile.static or r.random() < 0.5 else Value(f"{tile.name}_rows", lambda env: wrapped(tile.memory_rows))
        if tile.guard == "ult":
            holds.append(self.compare("ult", shifted_row, ends))
        elif tile.guard == "slt":
            holds.append(self.compare("slt", shifted_row, ends))
        elif tile.guard == "i32":
            holds.append(self.compare("slt", shifted_row, ends, narrow=True))
        elif tile.guard == "pair":
            holds.append(self.both(self.compare("sge", shifted_row, self.c(0)), self.compare("slt", shifted_row, ends)))
        at = shifted_row
        if tile.guard == "clamp" or (tile.form == "select" and tile.guard != "none"):
            # What is loaded unconditionally has to be there.
            at = self.op("minui", self.op("maxsi", shifted_row, 0), self.op("subi", ends, 1))
        self.emit_load(tile, source, at, shifted_column, holds[1:] if inside else holds, holds, inside)

    def zero(self, tile):
        number = {"0": "0.0", "-0": "-0.0"}[tile.padding] if tile.kind in ("f32", "f16") else "0"
        name = self.fresh()
        if tile.vector == 1:
            self.w(f"{name} = arith.constant {number} : {tile.kind}")
        else:
            self.w(f"{name} = arith.constant dense<{number}> : {tile.type}")
        return name

    def open_branch(self, tile, flag):
        tile.result = self.fresh()
        self.w(f"{tile.result} = scf.if {flag.name} -> ({tile.type}) {{")
        self.indent += 1

    def close_branch(self, tile, value, result):
        self.w(f"scf.yield {value} : {tile.type}")
        self.indent -= 1
        self.w("} else {")
        self.indent += 1
        self.w(f"scf.yield {self.zero(tile)} : {tile.type}")
        self.indent -= 1
        self.w("}")
        return result

    def emit_load(self, tile, source, row, column, tests, holds, inside):
        outer = tile.result if inside else None
        test = None
        for hold in tests:
            test = hold if test is None else self.both(test, hold)
        masks = []
        branches = test is not None and tile.form == "branch"
        if branches:
            self.open_branch(tile, test)
            result = tile.result
        value, place = self.fresh(), f"{tile.name}[{row.name}, {column.name}] : {tile.source}"
        edge = None
        if tile.edge:
            limit = tile.memory_columns
            edge = lambda env, c=column, limit=limit: c.at(env) < limit
        if tile.edge == "transfer_read" and tile.static and not (tile.form == "masked" and test is not None):
            padding = self.fresh()
            number = {"0": "0.0", "-0": "-0.0"}[tile.padding] if tile.kind in ("f32", "f16") else "0"
            self.w(f"{padding} = arith.constant {number} : {tile.kind}")
            self.w(f"{value} = vector.transfer_read {place.split(' : ')[0]}, {padding} {{in_bounds = [false]}} : {tile.source}, {tile.type}")
        elif tile.edge or (tile.form == "masked" and test is not None):
            if tile.edge:
                left, mask = self.fresh(), self.fresh()
                ends = self.c(tile.memory_columns).name if tile.static else f"{tile.name}_columns"
                self.w(f"{left} = arith.subi {ends}, {column.name} : index")
                self.w(f"{mask} = vector.create_mask {left} : vector<{tile.vector}xi1>")
                masks.append(mask)
            if tile.form == "masked" and test is not None:
                mask = self.fresh()
                self.w(f"{mask} = vector.broadcast {test.name} : i1 to vector<{tile.vector}xi1>")
                masks.append(mask)
            if len(masks) == 2:
                mask = self.fresh()
                self.w(f"{mask} = arith.andi {masks[0]}, {masks[1]} : vector<{tile.vector}xi1>")
                masks = [mask]
            zero = self.zero(tile)
            self.w(f"{value} = vector.maskedload {place.split(' : ')[0]}, {masks[0]}, {zero} : {tile.source}, vector<{tile.vector}xi1>, "
                   f"{tile.type} into {tile.type}")
        elif tile.vector == 1:
            self.w(f"{value} = memref.load {place}")
        else:
            self.w(f"{value} = vector.load {place}, {tile.type}")
        if branches:
            value = self.close_branch(tile, value, result)
        elif test is not None and tile.form == "select":
            name, zero = self.fresh(), self.zero(tile)
            self.w(f"{name} = arith.select {test.name}, {value}, {zero} : {tile.type}")
            value = name
        if inside:
            value = self.close_branch(tile, value, outer)
        row_in, _, stored = source
        operation = "memref.store" if tile.vector == 1 else "vector.store"
        self.w(f"{operation} {value}, {tile.memory}[{row_in.name}, {stored.name}] : {tile.alloc}" + ("" if tile.vector == 1 else f", {tile.type}"))
        tile.loads.append((row, column, holds, edge, row_in, stored))

    def read(self, tile, place, sum):
        row, column, wide = place
        value = self.fresh()
        at = f"{tile.memory}[{row.name}, {column.name}] : {tile.alloc}"
        self.w(f"{value} = memref.load {at}" if wide == 1 else f"{value} = vector.load {at}, vector<{wide}x{tile.kind}>")
        for i in range(wide):
            element = value
            if wide > 1:
                element = self.fresh()
                self.w(f"{element} = vector.extract {value}[{i}] : {tile.kind} from vector<{wide}x{tile.kind}>")
            bits = 8 * tile.bytes
            if tile.kind[0] == "f":
                name = self.fresh()
                self.w(f"{name} = arith.bitcast {element} : {tile.kind} to i{bits}")
                element = name
            if bits < 32:
                name = self.fresh()
                self.w(f"{name} = arith.extui {element} : i{bits} to i32")
                element = name
            scaled, next = self.fresh(), self.fresh()
            three = self.c(3, "i32").name
            self.w(f"{scaled} = arith.muli {sum}, {three} : i32")
            self.w(f"{next} = arith.addi {scaled}, {element} : i32")
            sum = next
        return sum

    # As a whole.
    def text(self):
        noalias = " {llvm.noalias}" if self.noalias else ""
        arguments = [f"{tile.name}: {tile.source}{noalias}" for tile in self.tiles]
        arguments += [f"%w: memref<64x{self.lanes}xi32>", "%x: memref<?xi32>", f"%o: memref<?x{self.lanes}xi32>{noalias}",
                      "%p: index", "%l: index", "%n: index", "%m: index"]
        dynamic = "inflight.dynamic_buffers, " if self.random.random() < 0.8 else ""
        out = [f"gpu.func @{self.name}({', '.join(arguments)}) kernel attributes {{{dynamic}gpu.known_block_size = array<i32: {self.lanes}, 1, 1>}} {{",
               "  %t = gpu.thread_id x", "  %b = gpu.block_id x"]
        lower = "%l" if self.runtime == "both" else self.c(self.lower).name
        upper = "%n" if self.runtime != "none" else self.c(self.upper).name
        step, zero, one, outer = self.c(self.step).name, self.c(0).name, self.c(1).name, self.c(max(self.outer, 1)).name
        start = self.c(7, "i32").name
        for tile in self.tiles:
            self.before.insert(0, f"  {tile.memory} = memref.alloc() : {tile.alloc}")
            if not tile.static:
                self.before.insert(0, f"  {tile.name}_rows = memref.dim {tile.name}, {zero} : {tile.source}")
                self.before.insert(0, f"  {tile.name}_columns = memref.dim {tile.name}, {one} : {tile.source}")
        out += ["  " + line for line in self.constants.values()] + self.before
        if self.outer:
            out.append(f"  scf.for %j = {zero} to {outer} step {one} {{")
        out.append(f"  %sum = scf.for %k = {lower} to {upper} step {step} iter_args(%acc = {start}) -> (i32) {{")
        out += self.lines + [f"    scf.yield {self.result} : i32", "  }"]
        out.append(f"  %ob = arith.muli %b, {outer} : index")
        out.append(f"  %oj = arith.addi %ob, {'%j' if self.outer else zero} : index")
        out.append(f"  memref.store %sum, %o[%oj, %t] : memref<?x{self.lanes}xi32>")
        if self.outer:
            out.append("  }")
        return "\n".join(out + ["  gpu.return", "}", ""])

    def data(self):
        rng = np.random.default_rng(self.seed)
        for tile in self.tiles:
            bits = rng.integers(0, 256, tile.memory_rows * tile.memory_columns * tile.bytes).astype(np.uint8)
            tile.data = bits.view(f"u{tile.bytes}").reshape(tile.memory_rows, tile.memory_columns)
        self.w_data = rng.integers(-2**31, 2**31, (64, self.lanes)).astype(np.int32)

    def tile_of(self, tile, env):
        lds = np.zeros((tile.rows, tile.columns + tile.gap), tile.data.dtype)
        zero = np.array(-0.0 if tile.padding == "-0" else 0, WORDS[tile.kind]).view(tile.data.dtype)
        lanes = np.arange(self.lanes)
        wide = lambda values: np.broadcast_to(values, self.lanes)
        for row, column, holds, edge, row_in, stored in tile.loads:
            held = np.ones(self.lanes, bool)
            for hold in holds:
                held &= wide(hold.at(env))
            if edge:
                held &= wide(edge(env))
            rows, columns = wide(row.at(env)), wide(column.at(env))
            row_to, column_to = wide(row_in.at(env)), wide(stored.at(env))
            for v in range(tile.vector):
                value = np.full(self.lanes, zero)
                value[held] = tile.data[rows[held], columns[held] + v]
                lds[row_to[lanes], column_to[lanes] + v] = value
        return lds

    def expected(self):
        outer = max(self.outer, 1)
        out = np.zeros((self.blocks * outer, self.lanes), np.uint32)
        for b in range(self.blocks):
            for j in range(outer):
                acc = np.full(self.lanes, 7, np.uint32)
                for i in range(self.trips):
                    env = {"t": np.arange(self.lanes), "b": b, "j": j, "k": self.lower + i * self.step, "i": i}
                    contents = {tile.name: self.tile_of(tile, env) for tile in self.tiles}
                    for tile, (row, column, wide) in self.reads:
                        for v in range(wide):
                            element = contents[tile.name][row.at(env), column.at(env) + v].astype(np.uint32)
                            acc = acc * np.uint32(3) + element
                    if self.own:
                        acc = acc ^ self.w_data[self.own_row.at(env), np.arange(self.lanes)].view(np.uint32)
                out[b * outer + j] = acc
        return out.view(np.int32)

    def is_defined(self):
        """Whether all that is loaded is in memory."""
        for tile in self.tiles:
            for row, column, holds, edge, _, _ in tile.loads:
                held = self.every(row.at) * 0 == 0
                for hold in holds:
                    held &= np.broadcast_to(self.every(hold.at), held.shape).astype(bool)
                if edge:
                    held &= self.every(edge).astype(bool)
                if self.trips == 0:
                    continue
                rows, columns = self.every(row.at)[held], self.every(column.at)[held]
                if len(rows) and (rows.min() < 0 or rows.max() >= tile.memory_rows or columns.min() < 0 or
                                  columns.max() + tile.vector > tile.memory_columns):
                    return False
                if tile.form == "select" or tile.guard == "clamp":
                    loaded = self.every(column.at)
                    if edge:
                        loaded = loaded[self.every(edge).astype(bool)]
                    if len(loaded.ravel()) and (loaded.min() < 0 or loaded.max() + tile.vector > tile.memory_columns):
                        return False
                    rows = self.every(row.at)
                    if rows.min() < 0 or rows.max() >= tile.memory_rows:
                        return False
        return True


def kernels_from(first, count):
    made = []
    for seed in range(first, first + count):
        kernel = None
        for attempt in range(20):
            kernel = Kernel(seed * 20 + attempt, f"k{seed}")
            if kernel.is_defined():
                break
        else:
            continue
        kernel.number = seed
        kernel.data()
        kernel.source = kernel.text()
        made.append(kernel)
    return made


def compiled(inflight, path, kernels, chip, extra):
    """The code, messages, and what went wrong."""
    with open(path + ".mlir", "w") as file:
        file.write("gpu.module @m {\n" + "".join(kernel.source for kernel in kernels) + "}\n")
    command = [inflight, "compile", f"-mcpu={chip}", "--verify-each", "--remarks", path + ".mlir", "-o", path + ".hsaco"] + extra
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stderr, " ".join(command)


def run(module, kernel, delivery):
    """None, or what went wrong."""
    import inflight
    out = np.zeros((kernel.blocks * max(kernel.outer, 1), kernel.lanes), np.int32)
    arguments = [tile.data.view(WORDS[tile.kind]) for tile in kernel.tiles] + [kernel.w_data, kernel.list, out]
    arguments += [kernel.pad, kernel.lower, kernel.upper, kernel.holes]
    try:
        module[kernel.name][(kernel.blocks, kernel.lanes)](*arguments, checks="all", delivery=delivery, threads=1)
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"[:600]
    expected = kernel.expected()
    wrong = out != expected
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        return f"{int(wrong.sum())} of {out.size} differ, the first at {at}: {out[at]}, expected {expected[at]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--group", type=int, default=16)
    parser.add_argument("--keep")
    parser.add_argument("--chip")
    arguments = parser.parse_args()
    build = os.path.dirname(os.path.dirname(os.path.abspath(arguments.inflight)))
    os.environ.setdefault("INFLIGHT_LIBRARY", os.path.join(build, "lib", "libinflight.so"))
    import inflight
    chips = [arguments.chip] if arguments.chip else ["gfx90a", "gfx942", "gfx950"]
    failures = ran = ahead = unchecked = 0
    with tempfile.TemporaryDirectory() as scratch:
        directory = arguments.keep or scratch
        os.makedirs(directory, exist_ok=True)
        for group, first in enumerate(range(arguments.first, arguments.first + arguments.count, arguments.group)):
            kernels = kernels_from(first, min(arguments.group, arguments.first + arguments.count - first))
            choose = random.Random(first)
            chip, stages = choose.choice(chips), choose.choice([0, 0, 1, 2, 3, 4])
            extra = [f"--stages={stages}"] if stages else []
            path = os.path.join(directory, f"{first}.{chip}")
            status, messages, command = compiled(arguments.inflight, path, kernels, chip, extra)
            if status:
                failures += 1
                print(f"{command}\n{messages[-1500:]}")
                continue
            ahead += messages.count(AHEAD)
            unchecked += messages.count(UNCHECKED)
            with open(path + ".hsaco", "rb") as file:
                module = inflight.load(file.read())
            for kernel in kernels:
                problem = run(module, kernel, choose.choice(["latest", "random:1"]))
                ran += 1
                if problem:
                    failures += 1
                    print(f"seed {kernel.number}, {chip}, {extra}: {problem}", flush=True)
            module.close()
    print(f"{ran} kernels, {ahead} loops with copies ahead, of which --verify-each leaves {unchecked} unchecked, {failures} problems")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
