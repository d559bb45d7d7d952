#!/usr/bin/env python3
"""Random LLVM IR on integers of 33 to 256 bits, compiled, run and evaluated with Python's integers: every lane gets the same.

    big_integers.py INFLIGHT SEED COUNT [--chip gfx942] [--keep DIR]

Each kernel loads a few integers a lane, computes with them and stores all that it computed. Amounts of shifts are in range and divisors aren't zero, so that
every result is defined. Needs libinflight.so (INFLIGHT_LIBRARY).
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import inflight  # noqa: E402

LANES, SLOT = 64, 32  # bytes that each value has in memory
SIZES = (33, 40, 48, 57, 63, 65, 72, 96, 100, 127, 128, 128, 128, 160, 192, 256)
PREDICATES = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
              "ge": lambda a, b: a >= b}


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a, b):
    """Towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


class Kernel:
    def __init__(self, rng, name):
        self.rng, self.lines, self.values, self.inputs, self.count = rng, [], [], [], 0
        for bits in rng.sample(SIZES, 3) + rng.sample((8, 32, 64), 1):
            self.load(bits)
        self.wide, self.narrow = self.number(128), self.number(48)  # arguments
        self.values += [("%wide", 128, [self.wide] * LANES), ("%narrow", 48, [self.narrow] * LANES)]
        for _ in range(rng.randint(3, 10)):
            rng.choice((self.arithmetic, self.arithmetic, self.shift, self.cast, self.cast, self.comparison, self.division, self.intrinsic, self.vector,
                        self.branch))()
        stores = []
        for number, (value, bits, _) in enumerate(self.values):
            stores += [f"%o{number} = getelementptr i8, ptr addrspace(1) %to, i64 {number * SLOT}", f"store i{bits} {value}, ptr addrspace(1) %o{number}, align 4"]
        slots = len(self.values)
        body = "\n  ".join([f"%begin = mul i32 %lane, {len(self.inputs) * SLOT}", "%from = getelementptr i8, ptr addrspace(1) %in, i32 %begin",
                            f"%result = mul i32 %lane, {slots * SLOT}", "%to = getelementptr i8, ptr addrspace(1) %out, i32 %result", *self.lines, *stores])
        self.text = (f"define amdgpu_kernel void @{name}(ptr addrspace(1) %in, ptr addrspace(1) %out, i128 %wide, i48 %narrow) {{\n"
                     f"  %lane = call i32 @llvm.amdgcn.workitem.id.x()\n  {body}\n  ret void\n}}\n")

    def define(self, what, bits, lanes):
        self.count += 1
        self.lines.append(f"%v{self.count} = {what}")
        self.values.append((f"%v{self.count}", bits, [lane & (1 << bits) - 1 for lane in lanes]))
        return self.values[-1]

    def extra(self, what):
        """A value that isn't stored."""
        self.count += 1
        self.lines.append(f"%v{self.count} = {what}")
        return f"%v{self.count}"

    def number(self, bits):
        """Small ones, large ones, and those with long runs of bits."""
        full = (1 << bits) - 1
        return self.rng.choice((self.rng.getrandbits(bits), self.rng.getrandbits(bits), self.rng.getrandbits(self.rng.randint(1, bits)), full, 1 << bits - 1,
                                (1 << self.rng.randint(0, bits - 1)) - 1, full ^ (1 << self.rng.randint(0, bits - 1)) - 1, 0))

    def load(self, bits):
        at = len(self.inputs)
        lanes = [self.number(bits) for _ in range(LANES)]
        self.inputs.append(lanes)
        pointer = self.extra(f"getelementptr i8, ptr addrspace(1) %from, i64 {at * SLOT}")
        self.define(f"load i{bits}, ptr addrspace(1) {pointer}, align {self.rng.choice((1, 2, 4, 8))}", bits, lanes)

    def any(self, bits=None):
        """A value, made to have so many bits if there is none."""
        if bits is None:
            return self.rng.choice(self.values)
        have = [one for one in self.values if one[1] == bits]
        if have and self.rng.random() < 0.8:
            return self.rng.choice(have)
        if self.rng.random() < 0.3:
            constant = self.number(bits)
            return str(constant), bits, [constant] * LANES
        value, size, lanes = self.rng.choice(self.values)
        if size == bits:
            return value, size, lanes
        return self.define(f"{'zext' if size < bits else 'trunc'} i{size} {value} to i{bits}", bits, lanes)

    def arithmetic(self):
        a, bits, x = self.any()
        b, _, y = self.any(bits)
        name, f = self.rng.choice((("add", int.__add__), ("sub", int.__sub__), ("mul", int.__mul__), ("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)))
        self.define(f"{name} i{bits} {a}, {b}", bits, map(f, x, y))

    def shift(self):
        a, bits, x = self.any()
        if self.rng.random() < 0.5:
            amount = self.rng.randrange(bits)
            b, y = str(amount), [amount] * LANES
        else:
            b, _, y = self.any(bits)
            mask = (1 << bits.bit_length() - 1) - 1
            b, _, y = self.define(f"and i{bits} {b}, {mask}", bits, [lane & mask for lane in y])
        name = self.rng.choice(("shl", "lshr", "ashr"))
        f = {"shl": lambda u, v: u << v, "lshr": lambda u, v: u >> v, "ashr": lambda u, v: signed(u, bits) >> v}[name]
        self.define(f"{name} i{bits} {a}, {b}", bits, map(f, x, y))

    def cast(self):
        a, bits, x = self.any()
        to = self.rng.choice(SIZES + (16, 32, 64))
        if to == bits:
            return
        name = "trunc" if to < bits else self.rng.choice(("zext", "sext"))
        self.define(f"{name} i{bits} {a} to i{to}", to, [signed(lane, bits) for lane in x] if name == "sext" else x)

    def comparison(self):
        a, bits, x = self.any()
        b, _, y = self.any(bits)
        relation = self.rng.choice(list(PREDICATES))
        sign = "" if relation in ("eq", "ne") else self.rng.choice("us")
        of = (lambda v: signed(v, bits)) if sign == "s" else (lambda v: v)
        holds = [PREDICATES[relation](of(u), of(v)) for u, v in zip(x, y)]
        condition = self.extra(f"icmp {sign}{relation} i{bits} {a}, {b}")
        c, size, z = self.any()
        d, _, w = self.any(size)
        self.define(f"select i1 {condition}, i{size} {c}, i{size} {d}", size, [p if h else q for h, p, q in zip(holds, z, w)])

    def division(self):
        a, bits, x = self.any()
        b, _, y = self.any(bits)
        name = self.rng.choice(("udiv", "urem", "sdiv", "srem"))
        b, _, y = self.define(f"or i{bits} {b}, 2", bits, [lane | 2 for lane in y])
        if name[0] == "s":  # the least number by minus one has no quotient
            b, _, y = self.define(f"and i{bits} {b}, {(1 << bits - 1) - 1}", bits, [lane & (1 << bits - 1) - 1 for lane in y])
            x, y = [signed(lane, bits) for lane in x], [signed(lane, bits) for lane in y]
        whole = list(map(quotient, x, y))
        self.define(f"{name} i{bits} {a}, {b}", bits, whole if name[1:] == "div" else [u - q * v for u, v, q in zip(x, y, whole)])

    def intrinsic(self):
        a, bits, x = self.any()
        name = self.rng.choice(("umin", "umax", "smin", "smax", "ctpop", "ctlz", "cttz", "fshl", "fshr"))
        if name[0] in "us":
            b, _, y = self.any(bits)
            of = (lambda v: signed(v, bits)) if name[0] == "s" else (lambda v: v)
            choose = min if name.endswith("min") else max
            self.define(f"call i{bits} @llvm.{name}.i{bits}(i{bits} {a}, i{bits} {b})", bits, [choose((u, v), key=of) for u, v in zip(x, y)])
        elif name[0] == "f":
            b, _, y = self.any(bits)
            amount = self.rng.randrange(2 * bits)
            up = amount % bits if name == "fshl" else bits - amount % bits
            self.define(f"call i{bits} @llvm.{name}.i{bits}(i{bits} {a}, i{bits} {b}, i{bits} {amount})", bits,
                        [((u << bits | v) << up) >> bits for u, v in zip(x, y)])
        else:
            f = {"ctpop": lambda v: v.bit_count() if hasattr(v, "bit_count") else bin(v).count("1"), "ctlz": lambda v: bits - v.bit_length(),
                 "cttz": lambda v: (v & -v).bit_length() - 1 if v else bits}[name]
            flag = "" if name == "ctpop" else ", i1 false"
            self.define(f"call i{bits} @llvm.{name}.i{bits}(i{bits} {a}{flag})", bits, map(f, x))

    def vector(self):
        a, bits, x = self.any()
        element = self.rng.choice((8, 16, 32, 64))
        if bits % element or bits == element:
            return
        vector = self.extra(f"bitcast i{bits} {a} to <{bits // element} x i{element}>")
        index = self.rng.randrange(bits // element)
        piece = self.define(f"extractelement <{bits // element} x i{element}> {vector}, i32 {index}", element, [lane >> index * element for lane in x])
        other = self.rng.randrange(bits // element)
        changed = self.extra(f"insertelement <{bits // element} x i{element}> {vector}, i{element} {piece[0]}, i32 {other}")
        mask = (1 << element) - 1 << other * element
        self.define(f"bitcast <{bits // element} x i{element}> {changed} to i{bits}", bits, [u & ~mask | p << other * element for u, p in zip(x, piece[2])])

    def branch(self):
        """Lanes go two ways, and a loop."""
        a, bits, x = self.any()
        b, _, y = self.any(bits)
        self.count += 1
        n, odd = self.count, [lane & 1 for lane in range(LANES)]
        self.lines += [f"%odd{n} = trunc i32 %lane to i1", f"br label %enter{n}", f"enter{n}:", f"br i1 %odd{n}, label %loop{n}, label %leave{n}", f"loop{n}:",
                       f"%i{n} = phi i32 [ 0, %enter{n} ], [ %next{n}, %loop{n} ]", f"%s{n} = phi i{bits} [ {a}, %enter{n} ], [ %t{n}, %loop{n} ]",
                       f"%t{n} = add i{bits} %s{n}, {b}", f"%next{n} = add i32 %i{n}, 1", f"%more{n} = icmp ult i32 %next{n}, 3",
                       f"br i1 %more{n}, label %loop{n}, label %leave{n}", f"leave{n}:"]
        self.define(f"phi i{bits} [ {b}, %enter{n} ], [ %t{n}, %loop{n} ]", bits, [u + 3 * v if o else v for o, u, v in zip(odd, x, y)])

    def buffers(self):
        data = np.zeros((LANES, len(self.inputs), SLOT), np.uint8)
        for slot, lanes in enumerate(self.inputs):
            for lane, value in enumerate(lanes):
                data[lane, slot] = np.frombuffer(value.to_bytes(SLOT, "little"), np.uint8)
        return data, np.zeros((LANES, len(self.values), SLOT), np.uint8)

    def wrong(self, out):
        """The first value that isn't as it should be."""
        for slot, (value, bits, lanes) in enumerate(self.values):
            for lane, expected in enumerate(lanes):
                got = int.from_bytes(out[lane, slot].tobytes(), "little") & (1 << bits) - 1
                if got != expected:
                    return f"{value} (i{bits}), lane {lane}: {got:#x}, not {expected:#x}"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inflight")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--keep", type=pathlib.Path, help="where programs go that fail")
    options = parser.parse_args()
    failed = 0
    context = inflight.Context()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            kernel = Kernel(random.Random(seed), "k")
            source, output = pathlib.Path(folder, "k.ll"), pathlib.Path(folder, "k.hsaco")
            source.write_text("declare i32 @llvm.amdgcn.workitem.id.x()\n" + kernel.text)
            done = subprocess.run([options.inflight, "compile", "-mcpu=" + options.chip, source, "-o", output], capture_output=True, text=True)
            said = done.stderr.splitlines()[0] if done.returncode else None
            if not said:
                inputs, results = kernel.buffers()
                launched = next(iter(context.load(output.read_bytes()).kernels.values()))
                segment = b"".join(value.to_bytes(size, "little") for value, size in ((inputs.ctypes.data, 8), (results.ctypes.data, 8), (kernel.wide, 16), (kernel.narrow, 8)))
                launched.launch(1, (LANES, 1, 1), kernarg=segment, buffers=[inputs, results])
                said = kernel.wrong(results)
            if said:
                failed += 1
                print(f"seed {seed}: {said}", flush=True)
                if options.keep:
                    options.keep.mkdir(exist_ok=True)
                    (options.keep / f"{seed}.ll").write_text(source.read_text())
    print(f"{options.count - failed} of {options.count} right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
