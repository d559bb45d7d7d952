"""Kernels of random index arithmetic in loops: sums, products, quotients and remainders of ids, counters and arguments, against Python's.

    index_sums.py INFLIGHT FOLDER CHIP COUNT SEED
"""
import os
import random
import subprocess
import sys

import numpy as np

LANES, BLOCKS, WORD = 128, 2, 1 << 64


def signed(x):
    return (x + WORD // 2) % WORD - WORD // 2


def truncated(a, b):
    return abs(a) // b * (1 if a >= 0 else -1)


OPERATIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divui": lambda a, b: a % WORD // b,
    "remui": lambda a, b: a % WORD % b,
    "divsi": truncated,
    "remsi": lambda a, b: a - truncated(a, b) * b,
    "floordivsi": lambda a, b: a // b,
}


class Kernel:
    """A loop that stores random sums; `values`: names and what they are, of a block, an iteration and a lane."""

    def __init__(self, choose):
        self.choose, self.lines, self.constants = choose, [], set()
        self.size = choose.choice((8, 33, 64, 100))
        self.first, self.step = choose.choice(((0, 64), (0, 32), (64, 16), (-64, 64), (0, 6), (8, 24)))
        self.trips = choose.randint(1, 5)
        self.last = self.first + self.step * self.trips - choose.randint(0, 3)
        self.values = [("%t", lambda b, k, t: t), ("%b", lambda b, k, t: b), ("%k", lambda b, k, t: k), ("%n", lambda b, k, t: self.size)]
        for _ in range(choose.randint(2, 6)):
            self.add()
            self.add_quotient()

    def constant(self, value):
        self.constants.add(value)
        return f"%c{value}".replace("-", "m"), lambda b, k, t, value=value: value

    def apply(self, kind, first, second):
        (name, value), other, operation = first, second, OPERATIONS[kind]
        result = f"%v{len(self.lines)}"
        self.lines.append(f"{result} = arith.{kind} {name}, {other[0]} : index")
        self.values.append((result, lambda b, k, t: signed(operation(value(b, k, t), other[1](b, k, t)))))
        return self.values[-1]

    def add_quotient(self):
        """Of a sum of a multiple and something small, most often."""
        divisor = self.choose.choice((2, 4, 8, 16, 32, 64))
        multiple = self.choose.choice(self.values[:3])
        if self.choose.random() < 0.7:
            multiple = self.apply("muli", multiple, self.constant(self.choose.choice((divisor, 64, 2))))
        rest = self.choose.choice(self.values[:3])
        if self.choose.random() < 0.4:
            rest = self.apply("remui", rest, self.constant(divisor))
        if self.choose.random() < 0.3:
            rest = self.apply("addi", rest, self.constant(self.choose.choice((divisor, 7, 64))))
        total = self.apply("addi", *self.choose.sample((multiple, rest), 2))
        for _ in range(self.choose.randint(1, 2)):
            self.apply(self.choose.choice(list(OPERATIONS)[3:]), total, self.constant(divisor))

    def add(self):
        kind = self.choose.choice(("addi", "addi", "addi", "subi", "muli", "muli", "divide", "divide", "divide"))
        name, value = self.choose.choice(self.values[-5:] if self.choose.random() < 0.6 else self.values)
        if kind == "divide":
            kind = self.choose.choice(list(OPERATIONS)[3:])
            other = self.constant(self.choose.choice((1, 2, 4, 8, 16, 32, 64, 3, 10)))
        elif kind == "muli":
            other = self.choose.choice((("%n", lambda b, k, t: self.size), self.constant(self.choose.choice((2, 4, 32, 64, 5)))))
        else:
            other = self.choose.choice([*self.values, self.constant(self.choose.choice((1, 7, 32, 64)))])
        self.apply(kind, (name, value), other)

    def text(self):
        stored = self.values[-3:]
        constants = [f"    %c{c} = arith.constant {c} : index".replace("%c-", "%cm") for c in sorted({0, 1, 2, *self.constants})]
        body = [f"      {line}" for line in self.lines]
        for i, (name, _) in enumerate(stored):
            body += [f"      %w{i} = arith.index_cast %{name[1:]} : index to i64",
                     f"      memref.store %w{i}, %o[%c{i}, %b, %i, %t] : memref<3x{BLOCKS}x{self.trips}x{LANES}xi64>"]
        return "\n".join([
            "gpu.module @m {", f"  gpu.func @k(%n: index, %o: memref<3x{BLOCKS}x{self.trips}x{LANES}xi64>) kernel attributes "
            f"{{gpu.known_block_size = array<i32: {LANES}, 1, 1>}} {{", *constants, f"    %first = arith.constant {self.first} : index",
            f"    %last = arith.constant {self.last} : index", f"    %step = arith.constant {self.step} : index", "    %t = gpu.thread_id x",
            "    %b = gpu.block_id x", "    %end = scf.for %k = %first to %last step %step iter_args(%i = %c0) -> (index) {", *body,
            "      %next = arith.addi %i, %c1 : index", "      scf.yield %next : index", "    }", "    gpu.return", "  }", "}"])

    def wanted(self):
        counters = range(self.first, self.last, self.step)
        return np.array([[[[value(b, k, t) for t in range(LANES)] for k in counters] for b in range(BLOCKS)] for _, value in self.values[-3:]])


def main(inflight, folder, chip, count, seed):
    for number in range(int(count)):
        kernel = Kernel(random.Random(f"{seed}.{number}"))
        source, code, out = (os.path.join(folder, name) for name in ("k.mlir", "k.hsaco", "o.npy"))
        with open(source, "w") as file:
            file.write(kernel.text())
        subprocess.run([inflight, "compile", f"-mcpu={chip}", source, "-o", code], check=True)
        wanted = kernel.wanted()
        subprocess.run([inflight, "run", code, "--grid", str(BLOCKS), "--check=all", "--arg", f"i64:{kernel.size}", "--arg",
                        f"zeros:{'x'.join(map(str, (3, BLOCKS, kernel.trips, LANES)))}:i64", "--out", f"1={out}"], check=True, stdout=subprocess.DEVNULL)
        got = np.load(out)[:, :, :wanted.shape[2]]
        assert (got == wanted).all(), (seed, number, kernel.text())


if __name__ == "__main__":
    main(*sys.argv[1:])
