"""Random computations on i1 and vectors of it, compiled, run and compared with numpy: every lane must get its own truth values.

    lane_masks.py INFLIGHT CHIP PREFIX [SEED] [COUNT]
"""
import random
import subprocess
import sys

import numpy as np

inflight, chip, prefix = sys.argv[1:4]
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
count = int(sys.argv[5]) if len(sys.argv) > 5 else 24
LANES = 64
BOUND = 37  # an argument, so that nothing folds


class Kernel:
    """One kernel's text, and for each value what it is in every lane: an array of LANES rows."""

    def __init__(self, rng, name):
        self.rng, self.lines, self.next = rng, [], 0
        self.width = rng.choice([1, 2, 3, 4, 8, 16, 32])
        self.type = f"vector<{self.width}xi1>"
        self.name = name
        t = np.arange(LANES)
        self.emit("%t = gpu.thread_id x")
        for i in range(max(self.width, 4)):
            self.emit(f"%c{i} = arith.constant {i} : index")
        self.scalars, self.vectors, self.places = [], [], []
        for divisor in (1, 3, 5, 7):
            d = self.define(f"arith.constant {divisor} : index")
            q = self.define(f"arith.divui %t, {d} : index")
            w = self.define(f"arith.constant {self.width} : index")
            p = self.define(f"arith.remui {q}, {w} : index")
            self.places.append((p, t // divisor % self.width))
            bit = self.define(f"arith.andi {q}, %c1 : index")
            s = self.define(f"arith.cmpi ne, {bit}, %c0 : index")
            self.scalars.append((s, (t // divisor) % 2 != 0))
            numbers = self.define(f"vector.broadcast {p} : index to vector<{self.width}xindex>")
            order = self.define(f"arith.constant dense<{list(range(self.width))}> : vector<{self.width}xindex>")
            relation, compare = rng.choice([("eq", np.equal), ("ult", np.less), ("uge", np.greater_equal)])
            v = self.define(f"arith.cmpi {relation}, {numbers}, {order} : vector<{self.width}xindex>")
            self.vectors.append((v, compare((t // divisor % self.width)[:, None], np.arange(self.width)[None])))
        s = self.define("arith.cmpi slt, %t, %n : index")
        self.scalars.append((s, t < BOUND))
        s = self.define("arith.cmpi sgt, %n, %c3 : index")
        self.scalars.append((s, np.full(LANES, BOUND > 3)))

    def emit(self, line):
        self.lines.append(line)

    def define(self, what):
        self.next += 1
        self.emit(f"%v{self.next} = {what}")
        return f"%v{self.next}"

    def scalar(self):
        return self.rng.choice(self.scalars)

    def vector(self):
        return self.rng.choice(self.vectors)

    def both(self, a, b):
        name, function = self.rng.choice([("andi", np.logical_and), ("ori", np.logical_or), ("xori", np.logical_xor)])
        return self.define(f"arith.{name} {a[0]}, {b[0]} : {self.type}"), function(a[1], b[1])

    def select(self):
        a, b = self.vector(), self.vector()
        if self.rng.random() < 0.5:
            c = self.scalar()
            return self.define(f"arith.select {c[0]}, {a[0]}, {b[0]} : {self.type}"), np.where(c[1][:, None], a[1], b[1])
        c = self.vector()
        v = self.define(f"arith.select {c[0]}, {a[0]}, {b[0]} : {self.type}, {self.type}")
        return v, np.where(c[1], a[1], b[1])

    def conditional(self):
        c, a, b = self.scalar(), self.vector(), self.vector()
        v = self.define(f"scf.if {c[0]} -> ({self.type}) {{")
        x = self.both(a, b)
        self.emit(f"scf.yield {x[0]} : {self.type}\n}} else {{")
        y = self.both(b, self.vector())
        self.emit(f"scf.yield {y[0]} : {self.type}\n}}")
        return v, np.where(c[1][:, None], x[1], y[1])

    def loop(self):
        """As many iterations as the lane's number in steps of 9, so that lanes leave at different times."""
        a, b = self.vector(), self.vector()
        self.next += 1
        carried = f"%carried{self.next}"
        step = self.define("arith.constant 9 : index")
        v = self.define(f"scf.for %i{self.next} = %c0 to %t step {step} iter_args({carried} = {a[0]}) -> ({self.type}) {{")
        x = self.define(f"arith.xori {carried}, {b[0]} : {self.type}")
        self.emit(f"scf.yield {x} : {self.type}\n}}")
        trips = -(-np.arange(LANES) // 9)
        return v, a[1] ^ (b[1] & (trips % 2 == 1)[:, None])

    def extract(self):
        a, p = self.vector(), self.rng.choice(self.places)
        s = self.define(f"vector.extract {a[0]}[{p[0]}] : i1 from {self.type}")
        self.scalars.append((s, a[1][np.arange(LANES), p[1]]))
        return self.broadcast()

    def broadcast(self):
        s = self.scalar()
        return self.define(f"vector.broadcast {s[0]} : i1 to {self.type}"), np.repeat(s[1][:, None], self.width, 1)

    def insert(self):
        a, s, p = self.vector(), self.scalar(), self.rng.choice(self.places)
        v = self.define(f"vector.insert {s[0]}, {a[0]} [{p[0]}] : i1 into {self.type}")
        result = a[1].copy()
        result[np.arange(LANES), p[1]] = s[1]
        return v, result

    def shuffle(self):
        a, b = self.vector(), self.vector()
        order = [self.rng.randrange(2 * self.width) for _ in range(self.width)]
        v = self.define(f"vector.shuffle {a[0]}, {b[0]} {order} : {self.type}, {self.type}")
        return v, np.concatenate([a[1], b[1]], 1)[:, order]

    def bits(self):
        """As the bits of integers, increased by one, and back."""
        if self.width % 8:
            return self.both(self.vector(), self.vector())
        a, bits = self.vector(), 32 if self.width % 32 == 0 else 8
        words = f"vector<{self.width // bits}xi{bits}>"
        packed = self.define(f"vector.bitcast {a[0]} : {self.type} to {words}")
        one = self.define(f"arith.constant dense<1> : {words}")
        more = self.define(f"arith.addi {packed}, {one} : {words}")
        v = self.define(f"vector.bitcast {more} : {words} to {self.type}")
        as_words = np.packbits(a[1], axis=1, bitorder="little").view(np.uint32 if bits == 32 else np.uint8) + 1
        as_words = as_words.astype(np.uint32 if bits == 32 else np.uint8)
        return v, np.unpackbits(as_words.view(np.uint8), axis=1, bitorder="little").astype(bool)

    def memory_of_vectors(self):
        a, b, s = self.vector(), self.vector(), self.scalar()
        m = self.define(f"memref.alloca() : memref<2x{self.type}>")
        self.emit(f"memref.store {a[0]}, {m}[%c0] : memref<2x{self.type}>")
        self.emit(f"memref.store {b[0]}, {m}[%c1] : memref<2x{self.type}>")
        at = self.define(f"arith.index_castui {s[0]} : i1 to index")
        return self.define(f"memref.load {m}[{at}] : memref<2x{self.type}>"), np.where(s[1][:, None], b[1], a[1])

    def memory_of_bits(self):
        a, s, p = self.vector(), self.scalar(), self.rng.choice(self.places)
        m = self.define(f"memref.alloca() : memref<{self.width}xi1>")
        self.emit(f"vector.store {a[0]}, {m}[%c0] : memref<{self.width}xi1>, {self.type}")
        self.emit(f"memref.store {s[0]}, {m}[{p[0]}] : memref<{self.width}xi1>")
        result = a[1].copy()
        result[np.arange(LANES), p[1]] = s[1]
        return self.define(f"vector.load {m}[%c0] : memref<{self.width}xi1>, {self.type}"), result

    def two_dimensions(self):
        a, b, c = self.vector(), self.vector(), self.scalar()
        pair = f"vector<2x{self.width}xi1>"
        x = self.define(f"vector.broadcast {a[0]} : {self.type} to {pair}")
        y = self.define(f"vector.broadcast {b[0]} : {self.type} to {pair}")
        z = self.define(f"arith.select {c[0]}, {x}, {y} : {pair}")
        return self.define(f"vector.extract {z}[1] : {self.type} from {pair}"), np.where(c[1][:, None], a[1], b[1])

    def reduce(self):
        a = self.vector()
        kind, function = self.rng.choice([("or", np.any), ("and", np.all)])
        s = self.define(f"vector.reduction <{kind}>, {a[0]} : {self.type} into i1")
        self.scalars.append((s, function(a[1], axis=1)))
        return self.broadcast()

    def text(self):
        forms = [self.select, self.conditional, self.loop, self.extract, self.insert, self.shuffle, self.bits,
                 self.memory_of_vectors, self.memory_of_bits, self.two_dimensions, self.reduce]
        for _ in range(5):
            self.vectors.append(self.rng.choice(forms)())
        self.result = self.vectors[-1][1]
        byte = f"vector<{self.width}xi8>"
        memory = f"memref<{LANES}x{self.width}xi8>"
        e = self.define(f"arith.extui {self.vectors[-1][0]} : {self.type} to {byte}")
        self.emit(f"vector.store {e}, %o[%t, %c0] : {memory}, {byte}")
        head = (f"gpu.func @{self.name}(%n: index, %o: {memory}) kernel "
                f"attributes {{gpu.known_block_size = array<i32: {LANES}, 1, 1>}} {{")
        return "\n".join([head, *self.lines, "gpu.return", "}"])


kernels = [Kernel(random.Random(f"{seed}/{i}"), f"k{i}") for i in range(count)]
with open(f"{prefix}.mlir", "w") as file:
    file.write("gpu.module @m {\n" + "\n".join(k.text() for k in kernels) + "\n}\n")
subprocess.run([inflight, "compile", f"-mcpu={chip}", f"{prefix}.mlir", "-o", f"{prefix}.hsaco"], check=True)
wrong = 0
for k in kernels:
    subprocess.run([inflight, "run", f"{prefix}.hsaco", "--kernel", k.name, "--arg", f"i64:{BOUND}", "--arg",
                    f"zeros:{LANES}x{k.width}:i8", "--out", f"1={prefix}.npy", "--check=all"], check=True)
    if not (np.load(f"{prefix}.npy") == k.result).all():
        wrong += 1
        print(f"{chip}: seed {seed}, {k.name} ({k.type}): lanes differ")
sys.exit(wrong != 0)
