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
        self.scalars, self.vectors, self.places, self.shared = [], [], [], []
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

    def nested(self):
        """A loop in a branch in a loop, all of which lanes take differently, with two vectors and a scalar carried."""
        a, b, c, d = self.vector(), self.vector(), self.scalar(), self.scalar()
        self.next += 1
        i, j, k, x, y, s = (f"%{name}{self.next}" for name in "ijkxys")
        step = self.define("arith.constant 17 : index")
        v, types = f"%nest{self.next}", f"({self.type}, {self.type}, i1)"
        carried = f"{x} = {a[0]}, {y} = {b[0]}, {s} = {c[0]}"
        self.emit(f"{v}:3 = scf.for {i} = %c0 to %t step {step} iter_args({carried}) -> {types} {{")
        inner = self.define(f"scf.if {s} -> ({self.type}) {{")
        z = self.define(f"scf.for {j} = %c0 to {i} step {step} iter_args({k} = {x}) -> ({self.type}) {{")
        w = self.define(f"arith.xori {k}, {y} : {self.type}")
        self.emit(f"scf.yield {w} : {self.type}\n}}\nscf.yield {z} : {self.type}\n}} else {{\nscf.yield {y} : {self.type}\n}}")
        flipped = self.define(f"arith.xori {s}, {d[0]} : i1")
        self.emit(f"scf.yield {inner}, {x}, {flipped} : {self.type}, {self.type}, i1\n}}")
        first, second, third = a[1].copy(), b[1].copy(), c[1].copy()
        for lane in range(LANES):
            for trip, _ in enumerate(range(0, lane, 17)):
                taken = first[lane] ^ second[lane] if trip % 2 else first[lane]
                first[lane], second[lane] = (taken if third[lane] else second[lane]), first[lane].copy()
                third[lane] ^= d[1][lane]
        self.vectors.append((f"{v}#1", second))
        self.scalars.append((f"{v}#2", third))
        return f"{v}#0", first

    def polled(self):
        """An scf.while that passes a vector on, as often as the lane's number is divisible by two."""
        a, b = self.vector(), self.vector()
        self.next += 1
        n = self.next
        types = f"({self.type}, index)"
        self.emit(f"%w{n}:2 = scf.while (%p{n} = {a[0]}, %q{n} = %t) : {types} -> {types} {{")
        odd = self.define(f"arith.andi %q{n}, %c1 : index")
        even = self.define(f"arith.cmpi eq, {odd}, %c0 : index")
        positive = self.define(f"arith.cmpi ugt, %q{n}, %c0 : index")
        again = self.define(f"arith.andi {even}, {positive} : i1")
        half = self.define(f"arith.shrui %q{n}, %c1 : index")
        self.emit(f"scf.condition({again}) %p{n}, {half} : {self.type}, index\n}} do {{\n"
                  f"^bb0(%r{n}: {self.type}, %h{n}: index):")
        x = self.define(f"arith.xori %r{n}, {b[0]} : {self.type}")
        self.emit(f"scf.yield {x}, %h{n} : {self.type}, index\n}}")
        trips = np.array([(lane & -lane).bit_length() - 1 if lane else 0 for lane in range(LANES)])
        return f"%w{n}#0", a[1] ^ (b[1] & (trips % 2 == 1)[:, None])

    def switch(self):
        a, b, c, p = self.vector(), self.vector(), self.vector(), self.rng.choice(self.places)
        v = self.define(f"scf.index_switch {p[0]} -> {self.type}")
        self.emit(f"case 0 {{\nscf.yield {a[0]} : {self.type}\n}}\ncase 2 {{\nscf.yield {b[0]} : {self.type}\n}}\n"
                  f"default {{\nscf.yield {c[0]} : {self.type}\n}}")
        return v, np.where((p[1] == 0)[:, None], a[1], np.where((p[1] == 2)[:, None], b[1], c[1]))

    def half_words(self):
        """Two vectors of eight as the bits of one i16, turned by three, and back."""
        if self.width != 8:
            return self.select()
        a, b = self.vector(), self.vector()
        wide = self.define(f"vector.shuffle {a[0]}, {b[0]} {list(range(16))} : {self.type}, {self.type}")
        word = self.define(f"vector.bitcast {wide} : vector<16xi1> to vector<1xi16>")
        left, right = (self.define(f"arith.constant dense<{n}> : vector<1xi16>") for n in (3, 13))
        up = self.define(f"arith.shli {word}, {left} : vector<1xi16>")
        down = self.define(f"arith.shrui {word}, {right} : vector<1xi16>")
        turned = self.define(f"arith.ori {up}, {down} : vector<1xi16>")
        back = self.define(f"vector.bitcast {turned} : vector<1xi16> to vector<16xi1>")
        v = self.define(f"vector.extract_strided_slice {back} {{offsets = [4], sizes = [8], strides = [1]}} "
                        f": vector<16xi1> to {self.type}")
        return v, np.roll(np.concatenate([a[1], b[1]], 1), 3, 1)[:, 4:12]

    def masked_transfer(self):
        """A mask of two dimensions with other bounds in each lane chooses what is read and what is written."""
        w, pair = self.width, f"vector<2x{self.width}x"
        p, q = self.rng.choice(self.places), self.rng.choice(self.places)
        mask = self.define(f"vector.create_mask {p[0]}, {q[0]} : {pair}i1>")
        memory = f"memref<2x{w}xi8>"
        m = self.define(f"memref.alloca() : {memory}")
        a = self.vector()
        e = self.define(f"arith.extui {a[0]} : {self.type} to vector<{w}xi8>")
        for row in ("%c0", "%c1"):
            self.emit(f"vector.store {e}, {m}[{row}, %c0] : {memory}, vector<{w}xi8>")
        one = self.define("arith.constant 1 : i8")
        bounds = "{in_bounds = [true, true]}"
        r = self.define(f"vector.transfer_read {m}[%c0, %c0], {one}, {mask} {bounds} : {memory}, {pair}i8>")
        zeros = self.define(f"arith.constant dense<0> : {pair}i8>")
        other = self.define(f"vector.create_mask {q[0]}, {p[0]} : {pair}i1>")
        self.emit(f"vector.transfer_write {zeros}, {m}[%c0, %c0], {other} {bounds} : {pair}i8>, {memory}")
        s = self.define(f"vector.transfer_read {m}[%c0, %c0], {one} {bounds} : {memory}, {pair}i8>")
        x = self.define(f"arith.xori {r}, {s} : {pair}i8>")
        y = self.define(f"arith.cmpi ne, {x}, {zeros} : {pair}i8>")
        covers = lambda rows, columns, row: (rows > row)[:, None] & (np.arange(w)[None] < columns[:, None])
        read = lambda row: np.where(covers(p[1], q[1], row), a[1], True)
        written = lambda row: np.where(covers(q[1], p[1], row), False, a[1])
        row = self.rng.randrange(2)
        return self.define(f"vector.extract {y}[{row}] : {self.type} from {pair}i1>"), read(row) ^ written(row)

    def through_lds(self):
        """Another lane's vector, by workgroup memory; one wave needs no barrier but the compiler's waits."""
        a, m = self.vector(), f"%lds{len(self.shared)}"
        memory = f"memref<{LANES}x{self.type}, #gpu.address_space<workgroup>>"
        self.shared.append(f"{m} = memref.alloc() : {memory}")
        self.emit(f"memref.store {a[0]}, {m}[%t] : {memory}\ngpu.barrier")
        other = self.define("arith.constant 21 : index")
        at = self.define(f"arith.xori %t, {other} : index")
        return self.define(f"memref.load {m}[{at}] : {memory}"), a[1][np.arange(LANES) ^ 21]

    def chosen_numbers(self):
        """A vector of masks chooses between vectors of other elements."""
        kind = self.rng.choice(["i8", "i16", "i32", "i64", "f16", "f32"])
        a, type = self.vector(), f"vector<{self.width}x{kind}>"
        zero = "0" if kind[0] == "i" else "0.0"
        x = self.define(f"arith.constant dense<{zero}> : {type}")
        y = self.define(f"arith.constant dense<{zero.replace('0', '1', 1)}> : {type}")
        chosen = self.define(f"arith.select {a[0]}, {x}, {y} : {self.type}, {type}")
        compare = "cmpi eq" if kind[0] == "i" else "cmpf oeq"
        return self.define(f"arith.{compare}, {chosen}, {x} : {type}"), a[1]

    def text(self):
        forms = [self.select, self.conditional, self.loop, self.extract, self.insert, self.shuffle, self.bits,
                 self.memory_of_vectors, self.memory_of_bits, self.two_dimensions, self.reduce, self.nested, self.polled,
                 self.switch, self.half_words, self.masked_transfer, self.through_lds, self.chosen_numbers]
        for _ in range(5):
            self.vectors.append(self.rng.choice(forms)())
        self.result = self.vectors[-1][1]
        byte = f"vector<{self.width}xi8>"
        memory = f"memref<{LANES}x{self.width}xi8>"
        e = self.define(f"arith.extui {self.vectors[-1][0]} : {self.type} to {byte}")
        self.emit(f"vector.store {e}, %o[%t, %c0] : {memory}, {byte}")
        head = (f"gpu.func @{self.name}(%n: index, %o: {memory}) kernel "
                f"attributes {{gpu.known_block_size = array<i32: {LANES}, 1, 1>}} {{")
        return "\n".join([head, *self.shared, *self.lines, "gpu.return", "}"])


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
