#!/usr/bin/env python3
"""Random kernels, compiled and run by Inflight and evaluated by numpy.

    tests/random/kernels.py INFLIGHT FIRST_SEED COUNT [--wide] [--llvm UPSTREAM_COMPILE] [--keep DIR] [--chip CHIP] [--max-registers S,V,A]

Each kernel is a random graph of integer and floating-point operations with branches and loops that lanes take differently,
exchanges through LDS and between lanes, and vectors. Operations with undefined results (division by zero, wide shifts) are
kept defined by their operands. A campaign is a large COUNT; the tests replay a few seeds.
--wide makes modules of several kernels with vectors, masks, all element types and all memory spaces (wide.py). --llvm runs what
LLVM's own pipeline makes of the same module, too (bench/compile_upstream.cpp), and holds it against numpy.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

LANES = 128
NUMPY = {"i32": np.int32, "i64": np.int64, "i16": np.int16, "f32": np.float32, "f16": np.float16, "i1": np.bool_}
BITS = {"i16": 16, "i32": 32, "i64": 64}


class Region:
    """Operations of a block: text, and functions from an environment of arrays to a result."""

    def __init__(self, parent=None):
        self.lines, self.steps = [], []
        self.values = dict(parent.values) if parent else {}  # name -> type

    def run(self, env):
        for name, function in self.steps:
            env[name] = function(env)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.globals = []

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def pick(self, region, kind):
        names = [n for n, t in region.values.items() if t == kind]
        return self.random.choice(names[-12:]) if names else self.constant(region, kind)

    def add(self, region, kind, text, function):
        name = self.fresh()
        region.lines.append(f"{name} = {text}")
        region.steps.append((name, function))
        region.values[name] = kind
        return name

    def constant(self, region, kind, value=None):
        if kind == "i1":
            value = bool(self.random.getrandbits(1))
            return self.add(region, kind, f"arith.constant {str(value).lower()}", lambda env: np.full(LANES, value))
        if kind in BITS:
            if value is None:
                bits = BITS[kind]
                value = self.random.choice([0, 1, -1, 7, 64, 255, -(1 << bits - 1), (1 << bits - 1) - 1,
                                            self.random.getrandbits(bits) - (1 << bits - 1)])
            return self.add(region, kind, f"arith.constant {value} : {kind}", lambda env: np.full(LANES, value, NUMPY[kind]))
        value = self.random.choice([0.0, 1.0, -1.5, 0.25, 3.0, -64.0])
        return self.add(region, kind, f"arith.constant {value!r} : {kind}", lambda env: np.full(LANES, value, NUMPY[kind]))

    # Each of these adds one operation.
    def integer(self, region):
        kind = self.random.choice(["i32", "i32", "i64", "i16"])
        bits, a, b = BITS[kind], self.pick(region, kind), self.pick(region, kind)
        unsigned = {16: np.uint16, 32: np.uint32, 64: np.uint64}[bits]
        operation = self.random.choice(["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minui", "shli", "shrui", "shrsi",
                                        "divui", "remui", "divsi", "remsi"])
        u = lambda x: x.view(unsigned)
        simple = {"addi": lambda x, y: x + y, "subi": lambda x, y: x - y, "muli": lambda x, y: x * y, "andi": lambda x, y: x & y,
                  "ori": lambda x, y: x | y, "xori": lambda x, y: x ^ y, "maxsi": np.maximum,
                  "minui": lambda x, y: np.minimum(u(x), u(y)).view(NUMPY[kind])}
        if operation in simple:
            function = simple[operation]
        elif operation.startswith("sh"):
            mask = self.constant(region, kind, bits - 1)
            b = self.add(region, kind, f"arith.andi {b}, {mask} : {kind}", lambda env, b=b, m=mask: env[b] & env[m])
            function = {"shli": lambda x, y: (u(x) << u(y)).view(NUMPY[kind]), "shrui": lambda x, y: (u(x) >> u(y)).view(NUMPY[kind]),
                        "shrsi": lambda x, y: x >> y}[operation]
        else:
            # A positive divisor, now and then a constant one.
            if self.random.random() < 0.4:
                b = self.constant(region, kind, self.random.choice([1, 2, 3, 7, 10, 64, 100, 12345 & (1 << bits - 1) - 1]))
            else:
                mask, one = self.constant(region, kind, 0xff), self.constant(region, kind, 1)
                low = self.add(region, kind, f"arith.andi {b}, {mask} : {kind}", lambda env, b=b, m=mask: env[b] & env[m])
                b = self.add(region, kind, f"arith.addi {low}, {one} : {kind}", lambda env, l=low, o=one: env[l] + env[o])
            wide = np.int64 if bits < 64 else object

            def truncated(x, y, remainder):
                x, y = x.astype(object), y.astype(object)
                q = np.array([abs(int(i)) // int(j) * (1 if i >= 0 else -1) for i, j in zip(x, y)], dtype=object)
                return (x - q * y if remainder else q).astype(NUMPY[kind])
            function = {"divui": lambda x, y: (u(x) // u(y)).view(NUMPY[kind]), "remui": lambda x, y: (u(x) % u(y)).view(NUMPY[kind]),
                        "divsi": lambda x, y: truncated(x, y, False), "remsi": lambda x, y: truncated(x, y, True)}[operation]
        self.add(region, kind, f"arith.{operation} {a}, {b} : {kind}", lambda env, f=function, a=a, b=b: f(env[a], env[b]))

    def floating(self, region):
        kind = self.random.choice(["f32", "f32", "f16"])
        a, b = self.pick(region, kind), self.pick(region, kind)
        operation = self.random.choice(["addf", "subf", "mulf", "maxnumf", "minnumf", "negf"])
        if operation == "negf":
            return self.add(region, kind, f"arith.negf {a} : {kind}", lambda env: -env[a])
        function = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "maxnumf": np.fmax, "minnumf": np.fmin}[operation]
        self.add(region, kind, f"arith.{operation} {a}, {b} : {kind}", lambda env: function(env[a], env[b]))

    def compare(self, region):
        if self.random.random() < 0.5:
            kind = self.random.choice(["i32", "i64", "i16"])
            predicate, function = self.random.choice([("eq", np.equal), ("ne", np.not_equal), ("slt", np.less), ("sge", np.greater_equal)])
            a, b = self.pick(region, kind), self.pick(region, kind)
            return self.add(region, "i1", f"arith.cmpi {predicate}, {a}, {b} : {kind}", lambda env: function(env[a], env[b]))
        a, b = self.pick(region, "f32"), self.pick(region, "f32")
        nan = lambda env: np.isnan(env[a]) | np.isnan(env[b])
        predicate, function = self.random.choice([("olt", lambda env: env[a] < env[b]), ("oge", lambda env: env[a] >= env[b]),
                                                  ("une", lambda env: env[a] != env[b]), ("ult", lambda env: (env[a] < env[b]) | nan(env))])
        self.add(region, "i1", f"arith.cmpf {predicate}, {a}, {b} : f32", function)

    def choose(self, region):
        kind = self.random.choice(["i32", "i64", "f32", "f16", "i16", "i1"])
        c, a, b = self.pick(region, "i1"), self.pick(region, kind), self.pick(region, kind)
        self.add(region, kind, f"arith.select {c}, {a}, {b} : {kind}", lambda env: np.where(env[c], env[a], env[b]))

    def convert(self, region):
        source, target, operation = self.random.choice([("i32", "i64", "extsi"), ("i32", "i64", "extui"), ("i64", "i32", "trunci"),
                                                        ("i16", "i32", "extsi"), ("i32", "i16", "trunci"), ("i32", "f32", "bitcast"),
                                                        ("f16", "f32", "extf"), ("i1", "i32", "extui"), ("f16", "i16", "bitcast")])
        a = self.pick(region, source)

        def function(env):
            x = env[a]
            if operation == "bitcast":
                return x.view(NUMPY[target])
            if operation == "extui" and source == "i32":
                return x.view(np.uint32).astype(np.int64)
            return x.astype(NUMPY[target])
        self.add(region, target, f"arith.{operation} {a} : {source} to {target}", function)

    def branch(self, region, depth):
        kind = self.random.choice(["i32", "f32", "i64"])
        c = self.pick(region, "i1")
        sides = [Region(region), Region(region)]
        for side in sides:
            self.fill(side, self.random.randint(1, 5), depth + 1)
        yields = [self.pick(side, kind) for side in sides]
        name = self.fresh()
        region.lines.append(f"{name} = scf.if {c} -> ({kind}) {{")
        for i, side in enumerate(sides):
            region.lines += side.lines + [f"scf.yield {yields[i]} : {kind}", "} else {" if i == 0 else "}"]

        def function(env):
            results = []
            for side, value in zip(sides, yields):
                inner = dict(env)
                side.run(inner)
                results.append(inner[value])
            return np.where(env[c], *results)
        region.steps.append((name, function))
        region.values[name] = kind

    def loop(self, region, depth):
        kinds = [self.random.choice(["i32", "f32", "i64"]) for _ in range(self.random.randint(1, 3))]
        starts = [self.pick(region, kind) for kind in kinds]
        how = self.random.choice(["constant", "uniform", "divergent"])
        if how == "constant":
            trips = self.constant(region, "i32", self.random.randint(1, 6))
        else:
            x = "%n" if how == "uniform" else self.pick(region, "i32")
            mask = self.constant(region, "i32", 7)
            trips = self.add(region, "i32", f"arith.andi {x}, {mask} : i32", lambda env: env[x] & env[mask])
        body = Region(region)
        iv = self.fresh()
        carried = [self.fresh() for _ in kinds]
        body.values[iv] = "i32"
        body.values.update(zip(carried, kinds))
        self.fill(body, self.random.randint(1, 6), depth + 1)
        yields = [self.pick(body, kind) for kind in kinds]
        zero, one = self.constant(region, "i32", 0), self.constant(region, "i32", 1)
        name = self.fresh()
        pairs = ", ".join(f"{c} = {s}" for c, s in zip(carried, starts))
        types = ", ".join(kinds)
        region.lines += [f"{name}:{len(kinds)} = scf.for {iv} = {zero} to {trips} step {one} iter_args({pairs}) -> ({types}) : i32 {{"]
        region.lines += body.lines + [f"scf.yield {', '.join(yields)} : {types}", "}"]

        def function(env):
            values, count = [env[s] for s in starts], env[trips]
            for trip in range(int(count.max(initial=0))):
                inner = dict(env)
                inner[iv] = np.full(LANES, trip, np.int32)
                inner.update(zip(carried, values))
                body.run(inner)
                values = [np.where(trip < count, inner[y], v) for y, v in zip(yields, values)]
            return values
        region.steps.append((name, function))
        for i, kind in enumerate(kinds):
            part = f"{name}#{i}"
            region.steps.append((part, lambda env, i=i: env[name][i]))
            region.values[part] = kind

    def through_lds(self, region):
        kind = self.random.choice(["i32", "f32", "i64", "f16"])
        a = self.pick(region, kind)
        memory, index = self.fresh(), self.fresh()
        shift = self.random.randint(0, LANES - 1)
        type = f"memref<{LANES}x{kind}, #gpu.address_space<workgroup>>"
        self.globals.append(f"{memory} = memref.alloc() : {type}")
        s, m = self.fresh(), self.fresh()
        region.lines += [f"memref.store {a}, {memory}[%t] : {type}", "gpu.barrier", f"{s} = arith.constant {shift} : index",
                         f"{m} = arith.xori %t, {s} : index"]
        self.add(region, kind, f"memref.load {memory}[{m}] : {type}", lambda env: env[a][np.arange(LANES) ^ shift])

    def shuffle(self, region):
        kind = self.random.choice(["i32", "f32"])
        a, distance, width = self.pick(region, kind), self.random.randint(1, 63), self.constant(region, "i32", 64)
        d = self.constant(region, "i32", distance)
        name, valid = self.fresh(), self.fresh()
        region.lines.append(f"{name}, {valid} = gpu.shuffle xor {a}, {d}, {width} : {kind}")
        region.steps.append((name, lambda env: env[a][np.arange(LANES) ^ distance]))
        region.values[name] = kind

    def fill(self, region, size, depth=0):
        for _ in range(size):
            roll = self.random.random()
            if depth == 0 and roll < 0.05:
                self.through_lds(region)
            elif depth == 0 and roll < 0.1:
                self.shuffle(region)
            elif depth < 3 and roll < 0.16:
                self.branch(region, depth)
            elif depth < 3 and roll < 0.22:
                self.loop(region, depth)
            else:
                self.random.choice([self.integer, self.integer, self.floating, self.compare, self.choose, self.convert])(region)

    def kernel(self):
        body = Region()
        inputs = {}
        for kind in ("i32", "i64", "f32", "f16", "i16"):
            body.lines.append(f"%in_{kind} = memref.load %a_{kind}[%t] : memref<{LANES}x{kind}>")
            body.values[f"%in_{kind}"] = kind
        body.values["%n"] = "i32"
        self.fill(body, self.random.randint(10, 60))
        # One result of each type: the latest value and one more.
        stores, results = [], []
        for kind in ("i32", "i64", "f32"):
            names = [n for n, t in body.values.items() if t == kind]
            name = self.random.choice(names[-3:])
            stores.append(f"memref.store {name}, %o_{kind}[%t] : memref<{LANES}x{kind}>")
            results.append(name)
        arguments = [f"%a_{k}: memref<{LANES}x{k}>" for k in ("i32", "i64", "f32", "f16", "i16")] + ["%n: i32"]
        arguments += [f"%o_{k}: memref<{LANES}x{k}>" for k in ("i32", "i64", "f32")]
        text = "\n".join(["gpu.module @m {", f"gpu.func @k({', '.join(arguments)}) kernel attributes "
                          f"{{gpu.known_block_size = array<i32: {LANES}, 1, 1>}} {{", "%t = gpu.thread_id x"] +
                         self.globals + body.lines + stores + ["gpu.return", "}", "}", ""])
        return text, body, results


def compiled(command):
    """None, or what went wrong."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return f"{' '.join(command)}\n{done.stderr[-2000:]}" if done.returncode else None


def difference(results):
    """The first of (name, got, expected) that differs; NaNs equal each other."""
    for i, (name, got, expected) in enumerate(results):
        same = (got == expected) | ((got != got) & (expected != expected))
        if not same.all():
            at = tuple(int(k) for k in np.argwhere(~same)[0])
            return f"result {i} ({name}), lane {at[0]}: {got[at]!r}, expected {expected[at]!r}"
    return None


def check(inflight, seed, chip, directory, extra, upstream=None):
    """None, or what differs; a text that begins with LLVM: is about LLVM's code alone."""
    text, body, results = Generator(seed).kernel()
    path = os.path.join(directory, f"{seed}.{chip}")
    with open(path + ".mlir", "w") as file:
        file.write(text)
    rng = np.random.default_rng(seed)
    env = {"%in_i32": rng.integers(-2**31, 2**31, LANES).astype(np.int32), "%in_i64": rng.integers(-2**63, 2**63 - 1, LANES),
           "%in_f32": rng.uniform(-4, 4, LANES).astype(np.float32), "%in_f16": rng.uniform(-4, 4, LANES).astype(np.float16),
           "%in_i16": rng.integers(-2**15, 2**15, LANES).astype(np.int16), "%n": np.full(LANES, seed % 11, np.int32)}
    arguments = []
    for name in ("i32", "i64", "f32", "f16", "i16"):
        np.save(f"{path}.{name}.npy", env["%in_" + name])
        arguments += ["--arg", f"{path}.{name}.npy"]
    arguments += ["--arg", f"i32:{seed % 11}"]
    for i, kind in enumerate(("i32", "i64", "f32")):
        arguments += ["--arg", f"zeros:{LANES}:{kind}", "--out", f"{6 + i}={path}.{i}.npy"]
    with np.errstate(all="ignore"):
        body.run(env)
    run = lambda code: compiled([inflight, "run", code, "--kernel", "k", "--block", str(LANES)] + arguments)
    outputs = lambda: [(name, np.load(f"{path}.{i}.npy"), env[name]) for i, name in enumerate(results)]
    return compare(inflight, path, chip, extra, upstream, run, outputs)


def compare(inflight, path, chip, extra, upstream, run, outputs):
    ours, theirs = path + ".hsaco", path + ".llvm.hsaco"
    problem = compiled([inflight, "compile", "--verify-each", f"-mcpu={chip}", path + ".mlir", "-o", ours] + extra)
    problem = problem or run(ours) or difference(outputs())
    if problem or not upstream:
        return problem
    if compiled([upstream, chip, path + ".mlir", theirs]):
        return "LLVM: doesn't compile it"
    problem = run(theirs) or difference(outputs())
    return f"LLVM: {problem}" if problem else None


def check_wide(inflight, seed, chip, directory, extra, upstream=None):
    import wide
    text, kernels = wide.Wide(seed).module()
    path = os.path.join(directory, f"{seed}.{chip}")
    with open(path + ".mlir", "w") as file:
        file.write(text)
    env = wide.inputs(seed)
    arguments = []
    for name, array in env.items():
        if name != "%n":
            np.save(f"{path}.{name[3:]}.npy", array)
            arguments += ["--arg", f"{path}.{name[3:]}.npy"]
    for i in range(len(kernels)):
        _, body, results = kernels[i]
        command = [inflight, "run", "CODE", "--kernel", f"k{i}", "--block", str(LANES)] + arguments
        for k, (_, memory, count) in enumerate(results):
            command += ["--arg", f"zeros:{LANES}x{count}:{memory}", "--out", f"{7 + k}={path}.{i}.{k}.npy"]
        kernels[i] = (command + ["--arg", f"i32:{seed % 11}"], body, results)
    with np.errstate(all="ignore"):
        values = []
        for _, body, _ in kernels:
            values.append(dict(env))
            body.run(values[-1])

    def run(code):
        for command, _, _ in kernels:
            if problem := compiled([code if word == "CODE" else word for word in command]):
                return problem
        return None

    def outputs():
        for i, (_, _, results) in enumerate(kernels):
            for k, (name, memory, count) in enumerate(results):
                expected = values[i][name].reshape(LANES, count)
                got = np.load(f"{path}.{i}.{k}.npy")
                yield f"k{i} {name}", got, expected.astype(got.dtype) if expected.dtype == bool else expected.view(got.dtype)
    return compare(inflight, path, chip, extra, upstream, run, outputs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inflight")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--chip")
    parser.add_argument("--no-schedule", action="store_true")
    parser.add_argument("--max-registers", help="as inflight compile takes it: a small number makes every kernel spill")
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--llvm", metavar="UPSTREAM_COMPILE")
    arguments = parser.parse_args()
    extra = ["--no-schedule"] if arguments.no_schedule else []
    if arguments.max_registers:
        extra.append("--max-registers=" + arguments.max_registers)
    chips = [arguments.chip] if arguments.chip else ["gfx90a", "gfx942", "gfx950"]
    failures = refused = 0
    with tempfile.TemporaryDirectory() as scratch:
        directory = arguments.keep or scratch
        os.makedirs(directory, exist_ok=True)
        for seed in range(arguments.first, arguments.first + arguments.count):
            chip = chips[seed % len(chips)]
            one = check_wide if arguments.wide else check
            problem = one(arguments.inflight, seed, chip, directory, extra, arguments.llvm)
            if problem == "LLVM: doesn't compile it":
                refused += 1
            elif problem:
                failures += 1
                print(f"seed {seed}, {chip}: {problem}")
    print(f"{arguments.count - failures} of {arguments.count} agree" + (f", {refused} of which LLVM doesn't compile" if refused else ""))
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
