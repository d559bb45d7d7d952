#!/usr/bin/env python3
"""Random chains of matrix instructions, compiled and run by Inflight in this process.

    tests/random/matrix_chains.py LIBINFLIGHT FIRST_SEED COUNT [--chip CHIP] [--keep DIR]

Each kernel has a few sums, each a row of matrix instructions on one accumulator, of any shape and type that the chip has. Their
factors come from few fragments: one may be both factors, or a factor of several sums in different places; they are loaded where
they are used or long before, in loops and branches, or come from other lanes through LDS, with barriers in between.

Seeds are of two kinds. Even ones have small integers for floats, so that sums are exact in any order, and may say that the order
doesn't matter (inflight.reassociate): numpy judges. Odd ones have floats of any size and don't say so: what is right, to the
last bit, is what single instructions give, each launched as a kernel of its own, one after the other: in which order one of them
adds is the hardware's.
"""
import argparse
import collections
import os
import random
import sys

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests/lit/support")]
import mfma  # noqa: E402

CHIPS = ["gfx90a", "gfx950", "gfx942", "gfx950"]  # in turn: only one joins instructions
POOL = 6    # fragments in memory of a type
WAVES = 2   # a wave's fragments begin one further than those of the wave before
Kind = collections.namedtuple("Kind", "a b part m k blocks")  # types of A and B; elements of a lane; rows, depth and blocks


def kinds(chip):
    """All matrix instructions with unscaled factors; more than once those that are joined to deeper ones."""
    new, newest = chip != "gfx90a", chip == "gfx950"
    result = [Kind("f32", "f32", 1, *shape) for shape in ((4, 1, 16), (16, 1, 4), (32, 1, 2), (16, 4, 1), (32, 2, 1))]
    result += [Kind("f64", "f64", 1, *shape) for shape in ((16, 4, 1), (4, 4, 4))]
    usual = ((4, 4, 16), (16, 4, 4), (32, 4, 2))
    deep = 4 * [(4, 16, 16, 1), (4, 32, 8, 1)] + ([(8, 16, 32, 1), (8, 32, 16, 1)] if newest else [])
    for kind in ("f16", "bf16"):
        result += [Kind(kind, kind, 4, *shape) for shape in usual] + [Kind(kind, kind, *shape) for shape in deep]
    result += [Kind("i8", "i8", 4, *shape) for shape in usual]
    deep = 4 * [(8, 16, 32, 1), (8, 32, 16, 1)] + ([(16, 16, 64, 1), (16, 32, 32, 1)] if newest else [])
    result += [Kind("i8", "i8", *shape) for shape in (deep if new else [])]
    # Of half the depth: other chips than gfx90a do them by deeper ones.
    result += [Kind("i8", "i8", 4, *shape) for shape in ((16, 16, 1), (32, 8, 1))]
    result += [Kind("bf16", "bf16", 2, *shape) for shape in ((4, 2, 16), (16, 2, 4), (32, 2, 2), (16, 8, 1), (32, 4, 1))]
    floats = {"gfx942": ("f8E4M3FNUZ", "f8E5M2FNUZ"), "gfx950": ("f8E4M3FN", "f8E5M2")}.get(chip, ())
    result += 2 * [Kind(a, b, 8, *shape) for a in floats for b in floats for shape in ((16, 32, 1), (32, 16, 1))]
    return result


def vector(part, element):
    return element if part == 1 else f"vector<{part}x{element}>"


def sum_of(kind):
    return {"i8": "i32", "f64": "f64"}.get(kind.a, "f32")


def results(kind):
    """Elements of the accumulator that a lane has."""
    return kind.m * kind.m * kind.blocks // 64


def instruction(kind, a, b, c):
    blocks = f" {{ blocks = {kind.blocks} : i32 }}" if kind.blocks > 1 else ""
    types = f"{vector(kind.part, kind.a)}, {vector(kind.part, kind.b)}, {vector(results(kind), sum_of(kind))}"
    return f"amdgpu.mfma {kind.m}x{kind.m}x{kind.k} {a} * {b} + {c}{blocks} blgp = none : {types}"


def float8(element):
    """The value of each of the 256 codes."""
    mantissa = 3 if "E4M3" in element else 2
    bias = {3: 7, 2: 15}[mantissa] + ("UZ" in element)
    codes = np.arange(256)
    exponent, fraction = codes >> mantissa & (0x7f >> mantissa), codes & ((1 << mantissa) - 1)
    value = np.where(exponent, (1 + fraction / 2.0 ** mantissa) * 2.0 ** (exponent - bias), fraction * 2.0 ** (1 - bias - mantissa))
    return np.where(codes & 128, -value, value)


class Data:
    """Fragments of a type: what is in memory, and numbers that numpy multiplies."""

    def __init__(self, rng, element, shape, exact):
        if element in ("i8", "i32"):
            kind = {"i8": np.int8, "i32": np.int32}[element]
            self.memory = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind, endpoint=True)
            self.numbers = self.memory.astype(np.int64)
            return
        small = rng.integers(-3, 4, shape).astype(float)
        if element.startswith("f8"):
            values = float8(element)
            # Neither NaN nor infinite, in any of the formats.
            usual = np.flatnonzero((np.abs(values) < 16) & (np.abs(values) > 2.0 ** -6))
            code_of = {value: code for code, value in enumerate(values) if abs(value) < 4 and code != 128}
            self.memory = np.vectorize(code_of.get)(small).astype(np.uint8) if exact else rng.choice(usual, shape).astype(np.uint8)
            self.numbers = values[self.memory]
            return
        if not exact:
            small = rng.normal(size=shape) * 2.0 ** rng.integers(-5, 6, shape)
        kind = {"f16": np.float16, "f64": np.float64}.get(element, np.float32)
        self.memory = small.astype(kind)
        if element == "bf16":
            self.memory = (self.memory.view(np.uint32) >> 16).astype(np.uint16)
            self.numbers = (self.memory.astype(np.uint32) << 16).view(np.float32).astype(float)
        else:
            self.numbers = self.memory.astype(float)


class Numpy:
    """Sums of small integers. Values are numbers."""

    def start(self, data):
        return data.numbers

    def multiply(self, kind, a, b, c):
        return np.stack([mfma.multiply(kind.m, kind.blocks, a[w], b[w], c[w], kind.a == "f64") for w in range(len(a))])

    def differs(self, got, value):
        return not np.array_equal(got, value.astype(np.int32) if got.dtype == np.int32 else value)


class Singles:
    """Instructions one after the other. Values are what is in memory."""

    def __init__(self, inflight, chip):
        self.inflight, self.chip, self.kernels = inflight, chip, {}

    def start(self, data):
        return data.memory

    def multiply(self, kind, a, b, c):
        kernel = self.kernels.get(kind)
        if kernel is None:
            types = [(name, vector(part, element)) for name, part, element in
                     (("a", kind.part, kind.a), ("b", kind.part, kind.b), ("c", results(kind), sum_of(kind)))]
            memory = "memref<{}x64x{}>".format
            arguments = ", ".join(f"%{x}s: {memory(WAVES, t)}" for x, t in types) + f", %o: {memory(WAVES, types[2][1])}"
            lines = [f"%{x} = memref.load %{x}s[%w, %lane] : {memory(WAVES, t)}" for x, t in types]
            lines += [f"%r = {instruction(kind, '%a', '%b', '%c')}", f"memref.store %r, %o[%w, %lane] : {memory(WAVES, types[2][1])}"]
            kernel = self.kernels[kind] = self.inflight.load(self.inflight.compile(module(arguments, lines, ""), self.chip))["k"]
        result = np.zeros_like(c)
        padded = [np.concatenate([x] + [x[:1]] * (WAVES - len(x))) for x in (a, b, c)]
        whole = np.zeros_like(padded[2])
        kernel[1, 64 * WAVES](*map(np.ascontiguousarray, padded), whole)
        result[...] = whole[:len(c)]
        return result

    def differs(self, got, value):
        return got.tobytes() != value.tobytes()


def module(arguments, lines, attributes, waves=WAVES):
    return "\n".join(["gpu.module @m {", f"  gpu.func @k({arguments}) kernel",
                      f"      attributes {{gpu.known_block_size = array<i32: {64 * waves}, 1, 1>{attributes}}} {{",
                      "    %t = gpu.thread_id x", "    %wave = arith.constant 64 : index",
                      "    %lane = arith.remui %t, %wave : index", "    %w = arith.divui %t, %wave : index",
                      *("    " + line for line in lines), "    gpu.return", "  }", "}"]) + "\n"


class Body:
    """Operations of a block: text, and functions on an environment. `fragments`: names and types of what is in registers."""

    def __init__(self, outer=None):
        self.lines, self.steps = [], []
        self.fragments = list(outer.fragments) if outer else []
        self.sums = dict(outer.sums) if outer else {}  # number -> name

    def run(self, env):
        for step in self.steps:
            step(env)


class Generator:
    def __init__(self, seed, chip):
        self.random, self.chip, self.exact = random.Random(seed), chip, seed % 2 == 0
        self.rng = np.random.default_rng(seed)
        self.waves = self.random.choice([1, 1, WAVES])
        self.count = 0
        self.fresh_share = self.random.choice([0.3, 0.6, 0.95])  # of the factors: loaded where they are used
        chosen = self.random.choice(kinds(chip))
        # Sums of one kind mostly; else of several that share factors, or don't.
        others = [chosen]
        if self.random.random() < 0.3:
            others = [kind for kind in kinds(chip) if {kind.a, kind.b} & {chosen.a, chosen.b} and kind.part == chosen.part]
        self.kinds = [chosen] + [self.random.choice(others) for _ in range(self.random.randrange(4))]
        self.pools = {}    # (part, element) -> argument
        self.data = []
        self.arguments, self.outputs = [], []
        self.lds = []
        self.trips = self.random.randrange(4)
        self.flag = self.random.randrange(2)

    def fresh(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def argument(self, data, kind):
        self.data.append(data)
        self.arguments.append(f"%m{len(self.data)}: {kind}")
        return f"%m{len(self.data)}"

    def pool(self, part, element):
        if (part, element) not in self.pools:
            shape = (POOL + WAVES + 4, 64, part)
            data = Data(self.rng, element, shape, self.exact)
            kind = f"memref<{shape[0]}x64x{vector(part, element)}>"
            self.pools[part, element] = (self.argument(data, kind), kind, data)
        return self.pools[part, element]

    def load(self, body, type, counter=None):
        memory, kind, data = self.pool(*type)
        first, at, name = self.random.randrange(POOL), self.fresh("i"), self.fresh("f")
        constant = self.fresh("c")
        body.lines += [f"{constant} = arith.constant {first} : index", f"{at} = arith.addi {constant}, %w : index"]
        if counter and self.random.random() < 0.8:
            moved = self.fresh("i")
            body.lines.append(f"{moved} = arith.addi {at}, {counter} : index")
            at = moved
        else:
            counter = None
        body.lines.append(f"{name} = memref.load {memory}[{at}, %lane] : {kind}")

        def run(env):
            begin = first + (env[counter] if counter else 0)
            env[name] = env["judge"].start(data)[begin:begin + self.waves]
        body.steps.append(run)
        body.fragments.append((name, type))
        return name

    def stage(self, body, name, type):
        """Another lane's fragment, through LDS."""
        memory, there, moved, total, place = (self.fresh(x) for x in ("lds", "f", "i", "c", "i"))
        lanes = 64 * self.waves
        shift, kind = self.random.randrange(lanes), f"memref<{lanes}x{vector(*type)}, #gpu.address_space<workgroup>>"
        self.lds.append(f"{memory} = memref.alloc() : {kind}")
        constant = self.fresh("c")
        body.lines += [f"{constant} = arith.constant {shift} : index", f"{total} = arith.constant {lanes} : index",
                       f"{moved} = arith.addi %t, {constant} : index", f"{place} = arith.remui {moved}, {total} : index",
                       "gpu.barrier", f"memref.store {name}, {memory}[%t] : {kind}", "gpu.barrier",
                       f"{there} = memref.load {memory}[{place}] : {kind}"]

        def run(env):
            value = env[name]
            env[there] = np.roll(value.reshape(lanes, -1), -shift, 0).reshape(value.shape)
        body.steps.append(run)
        body.fragments.append((there, type))
        return there

    def factor(self, body, type, counter):
        known = [name for name, of in body.fragments if of == type]
        if not known or self.random.random() < self.fresh_share:
            name = self.load(body, type, counter)
        else:
            name = self.random.choice(known[-4:])
        return self.stage(body, name, type) if self.random.random() < 0.08 else name

    def multiply(self, body, number, counter):
        kind = self.kinds[number]
        a = self.factor(body, (kind.part, kind.a), counter)
        b = a if kind.a == kind.b and self.random.random() < 0.3 else self.factor(body, (kind.part, kind.b), counter)
        self.add(body, number, a, b)

    def add(self, body, number, a, b):
        kind, before, name = self.kinds[number], body.sums[number], self.fresh("s")
        body.lines.append(f"{name} = {instruction(kind, a, b, before)}")

        def run(env):
            env[name] = env["judge"].multiply(kind, env[a], env[b], env[before])
        body.steps.append(run)
        body.sums[number] = name

    def tile(self, body, counter):
        """Steps of sums that share factors, as a GEMM has them."""
        number = self.random.randrange(len(self.kinds))
        like = [other for other in body.sums if self.kinds[other] == self.kinds[number]]
        kind = self.kinds[number]
        for _ in range(self.random.choice([2, 2, 4, 4, 3])):
            left = [self.factor(body, (kind.part, kind.a), counter) for _ in range(2)]
            right = [self.factor(body, (kind.part, kind.b), counter) for _ in range(2)]
            if kind.a == kind.b and self.random.random() < 0.1:
                right = left
            for i, other in enumerate(like):
                self.add(body, other, left[i % 2], right[i // 2 % 2])

    def store(self, body, number):
        kind, name = self.kinds[number], body.sums[number]
        data = np.zeros((self.waves, 64, results(kind)), {"i32": np.int32, "f64": np.float64}.get(sum_of(kind), np.float32))
        type = f"memref<{self.waves}x64x{vector(results(kind), sum_of(kind))}>"
        output = self.argument(data, type)
        body.lines.append(f"memref.store {name}, {output}[%w, %lane] : {type}")
        at = len(self.outputs)
        self.outputs.append(data)
        body.steps.append(lambda env: env["stored"].__setitem__(at, env[name]))

    def carried(self, body, inner):
        """Sums that `inner` changed: number, type, name before and after."""
        return [(number, vector(results(self.kinds[number]), sum_of(self.kinds[number])), body.sums[number], inner.sums[number]) for number in body.sums]

    def loop(self, body, depth):
        counter, inner = self.fresh("k"), Body(body)
        names = {number: self.fresh("s") for number in body.sums}
        inner.sums = dict(names)
        self.fill(inner, depth + 1, counter)
        carried = self.carried(body, inner)
        types = ", ".join(type for _, type, _, _ in carried)
        inits = ", ".join(f"{names[number]} = {before}" for number, _, before, _ in carried)
        result = self.fresh("r")
        trips, bound = self.trips, "%trips"
        if self.random.random() < 0.5:
            trips = self.random.randrange(1, 5)
            bound = self.fresh("c")
            body.lines.append(f"{bound} = arith.constant {trips} : index")
        many = len(carried) > 1
        body.lines += [f"{result}{f':{len(carried)}' if many else ''} = scf.for {counter} = %zero to {bound} step %one iter_args({inits}) -> ({types}) {{",
                       *("  " + line for line in inner.lines),
                       f"  scf.yield {', '.join(after for _, _, _, after in carried)} : {types}", "}"]

        def run(env):
            for number, _, before, _ in carried:
                env[names[number]] = env[before]
            for i in range(trips):
                env[counter] = i
                inner.run(env)
                for value, (number, _, _, _) in zip([env[after] for _, _, _, after in carried], carried):
                    env[names[number]] = value
            for i, (number, _, _, _) in enumerate(carried):
                env[f"{result}#{i}" if many else result] = env[names[number]]
        body.steps.append(run)
        for i, (number, _, _, _) in enumerate(carried):
            body.sums[number] = f"{result}#{i}" if many else result

    def branch(self, body, depth, counter):
        sides = []
        for _ in range(2):
            side = Body(body)
            for _ in range(self.random.randrange(3)):
                self.multiply(side, self.random.choice(list(side.sums)), counter)
            sides.append(side)
        carried = [self.carried(body, side) for side in sides]
        types = ", ".join(type for _, type, _, _ in carried[0])
        result, many = self.fresh("r"), len(carried[0]) > 1
        lines = [f"{result}{f':{len(carried[0])}' if many else ''} = scf.if %flag -> ({types}) {{"]
        for i, side in enumerate(sides):
            lines += ["} else {"] if i else []
            lines += ["  " + line for line in side.lines] + [f"  scf.yield {', '.join(after for _, _, _, after in carried[i])} : {types}"]
        body.lines += lines + ["}"]
        taken = 0 if self.flag else 1

        def run(env):
            sides[taken].run(env)
            for i, (_, _, _, after) in enumerate(carried[taken]):
                env[f"{result}#{i}" if many else result] = env[after]
        body.steps.append(run)
        for i, (number, _, _, _) in enumerate(carried[0]):
            body.sums[number] = f"{result}#{i}" if many else result

    def fill(self, body, depth, counter=None):
        for _ in range(self.random.randrange(2, 9 if depth == 0 else 6)):
            number = self.random.choice(list(body.sums))
            choice = self.random.random()
            if choice < 0.55:
                for _ in range(self.random.choice([1, 2, 2, 4, 4, 8])):
                    self.multiply(body, number, counter)
            elif choice < 0.75:
                self.tile(body, counter)
            elif choice < 0.80:
                body.lines.append(self.random.choice(["gpu.barrier", "amdgpu.sched_barrier allow = <none>"]))
            elif choice < 0.85 and depth == 0:
                self.store(body, number)
            elif choice < 0.93 and depth < 2 and len(body.lines) < 80:
                self.loop(body, depth)
            elif choice < 0.96:
                self.branch(body, depth, counter)
            elif body.fragments:
                name, type = self.random.choice(body.fragments)
                self.stage(body, name, type)

    def kernel(self):
        """MLIR, and a function from a judge to what is stored."""
        body = Body()
        for number, kind in enumerate(self.kinds):
            name, element, count = self.fresh("s"), sum_of(kind), results(kind)
            if self.random.random() < 0.4:
                self.start(body, name, element, count)
            else:
                data = Data(self.rng, element, (self.waves, 64, count), self.exact)
                type = f"memref<{self.waves}x64x{vector(count, element)}>"
                memory = self.argument(data, type)
                body.lines.append(f"{name} = memref.load {memory}[%w, %lane] : {type}")
                body.steps.append(lambda env, name=name, data=data: env.__setitem__(name, env["judge"].start(data)))
            body.sums[number] = name
        self.fill(body, 0)
        for number in body.sums:
            self.store(body, number)
        arguments = ", ".join(self.arguments + ["%trips: index", "%chosen: i32"])
        head = ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index", "%none = arith.constant 0 : i32",
                "%flag = arith.cmpi ne, %chosen, %none : i32", *self.lds]
        # Whether the order matters is the producer's to say.
        attributes = ", inflight.reassociate" if self.exact and self.random.random() < 0.8 else ""

        def expected(judge):
            env = {"judge": judge, "stored": {}}
            body.run(env)
            return [env["stored"][i] for i in range(len(self.outputs))]
        return module(arguments, head + body.lines, attributes, self.waves), expected

    def start(self, body, name, element, count):
        zero = "0" if element == "i32" else "0.0"
        type = vector(count, element)
        body.lines.append(f"{name} = arith.constant {zero if count == 1 else f'dense<{zero}>'} : {type}")
        data = Data(self.rng, element, (self.waves, 64, count), self.exact)
        data.memory, data.numbers = np.zeros_like(data.memory), np.zeros_like(data.numbers)
        body.steps.append(lambda env: env.__setitem__(name, env["judge"].start(data)))


def check(inflight, seed, chip, singles, keep):
    """What is wrong, or None."""
    made = Generator(seed, chip)
    text, expected = made.kernel()
    if keep:
        with open(os.path.join(keep, f"{seed}.mlir"), "w") as file:
            file.write(f"// RUN: -mcpu={chip}, {made.waves} waves, trips {made.trips}, flag {made.flag}\n{text}")
    code = inflight.load(inflight.compile(text, chip, name=f"{seed}.mlir"))
    arguments = [data.memory if isinstance(data, Data) else data for data in made.data]
    delivery = random.Random(seed).choice([None, "latest", "random:1"])
    found = code["k"][1, 64 * made.waves](*arguments, made.trips, made.flag, checks="all", delivery=delivery).findings
    code.close()
    if found:
        return f"the run finds: {found[0]}"
    judge = Numpy() if made.exact else singles
    for i, (got, value) in enumerate(zip(made.outputs, expected(judge))):
        if judge.differs(got, value):
            return f"result {i}: {np.count_nonzero(got != value)} of {got.size} differ"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--chip", help="instead of all in turn")
    parser.add_argument("--keep", help="a folder for the kernels")
    options = parser.parse_args()
    os.environ["INFLIGHT_LIBRARY"] = options.library
    import inflight

    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    singles = {chip: Singles(inflight, chip) for chip in set(CHIPS)}
    failures = 0
    for seed in range(options.first, options.first + options.count):
        chip = options.chip or CHIPS[seed // 2 % len(CHIPS)]
        try:
            problem = check(inflight, seed, chip, singles[chip], options.keep)
        except inflight.Error as error:
            problem = str(error).strip()
        if problem:
            failures += 1
            print(f"seed {seed}, {chip}: {problem}", flush=True)
        if (seed + 1 - options.first) % 1000 == 0:
            print(f"{seed + 1 - options.first} of {options.count}, {failures} differ", flush=True)
    print(f"{options.count - failures} of {options.count} agree")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
