"""Random kernels with vectors, masks, all element types and all memory spaces: what kernels.py --wide makes."""
import numpy as np

from kernels import LANES, Generator, Region

INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
# bf16 is moved and converted, and held as its bits.
TYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "bf16": np.uint16, **FLOATS}
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
WIDTHS = (1, 2, 3, 4, 8)
ids = np.arange(LANES)


def split(kind):
    """Element and number of elements; a vector of one isn't a scalar."""
    if kind.startswith("vector<"):
        count, element = kind[len("vector<"):-1].split("x")
        return element, int(count)
    return kind, 0


def vector(element, count):
    return f"vector<{count}x{element}>" if count else element


def mask_of(kind):
    return vector("i1", split(kind)[1])


def signs(array):
    return array.view(UNSIGNED[array.dtype.itemsize * 8])


class Wide(Generator):
    def __init__(self, seed):
        super().__init__(seed)
        # LLVM's pipeline wants private memory to be named so and to be allocated first, and has no masks of two dimensions.
        self.plain = seed % 4 != 0

    def private_memory(self, region, shape):
        """Name and type."""
        memory = self.fresh()
        type = f"memref<{shape}, #gpu.address_space<private>>" if self.plain else f"memref<{shape}>"
        (self.globals if self.plain else region.lines).append(f"{memory} = memref.alloca() : {type}")
        return memory, type

    def any_kind(self, elements=tuple(TYPES), vectors=True):
        count = self.random.choice((0, 0) + WIDTHS) if vectors else 0
        return vector(self.random.choice(elements), count)

    def kind_in(self, region, elements=tuple(TYPES), vectors=None):
        """A kind that has values, most of the time."""
        kinds = sorted({k for k in region.values.values() if split(k)[0] in elements and
                        (vectors is None or vectors == bool(split(k)[1]))})
        if kinds and self.random.random() < 0.8:
            return self.random.choice(kinds)
        return self.any_kind(elements) if vectors is None else vector(
            self.random.choice(elements), self.random.choice(WIDTHS) if vectors else 0)

    def constant(self, region, kind, value=None):
        element, count = split(kind)
        if value is not None or (not count and element not in ("i8", "bf16", "f64")):
            return super().constant(region, kind, value) if element != "i8" else self.dense(region, kind, [value] * max(count, 1))
        values = []
        for _ in range(max(count, 1)):
            if element == "i1":
                values.append(bool(self.random.getrandbits(1)))
            elif element in INTEGERS:
                bits = INTEGERS[element]
                values.append(self.random.choice([0, 1, -1, 5, -(1 << bits - 1), self.random.getrandbits(bits) - (1 << bits - 1)]))
            else:
                values.append(self.random.choice([0.0, 1.0, -1.5, 0.25, 3.0, -64.0]))
        return self.dense(region, kind, values)

    def dense(self, region, kind, values):
        element, count = split(kind)
        held = np.array(values, TYPES["f32" if element == "bf16" else element])
        if element == "bf16":
            held = (held.view(np.uint32) >> 16).astype(np.uint16)
        literal = [str(v).lower() if element == "i1" else repr(v) for v in values]
        text = f"dense<[{', '.join(literal)}]>" if count else literal[0]
        array = np.broadcast_to(held, (LANES, count)).copy() if count else np.full(LANES, held[0])
        suffix = "" if kind == "i1" else f" : {kind}"
        return self.add(region, kind, f"arith.constant {text}{suffix}", lambda env: array)

    def place(self, region, count):
        """A position below `count` that differs from lane to lane, as an index."""
        x, last = self.pick(region, "i32"), self.constant(region, "i32", 7)
        low = self.add(region, "i32", f"arith.andi {x}, {last} : i32", lambda env: env[x] & 7)
        number = self.constant(region, "i32", count)
        rest = self.add(region, "i32", f"arith.remui {low}, {number} : i32", lambda env: env[low] % count)
        name = self.fresh()
        region.lines.append(f"{name} = arith.index_cast {rest} : i32 to index")
        return name, rest

    def index(self, region, value):
        name = self.fresh()
        region.lines.append(f"{name} = arith.constant {value} : index")
        return name

    # Elementwise operations.
    def vector_integer(self, region):
        kind = self.kind_in(region, tuple(INTEGERS))
        bits, a, b = INTEGERS[split(kind)[0]], self.pick(region, kind), self.pick(region, kind)
        type, unsigned = TYPES[split(kind)[0]], UNSIGNED[bits]
        u = lambda x: x.view(unsigned)
        functions = {"addi": np.add, "subi": np.subtract, "muli": np.multiply, "andi": np.bitwise_and, "ori": np.bitwise_or,
                     "xori": np.bitwise_xor, "maxsi": np.maximum, "minsi": np.minimum,
                     "maxui": lambda x, y: np.maximum(u(x), u(y)).view(type), "minui": lambda x, y: np.minimum(u(x), u(y)).view(type),
                     "shli": lambda x, y: (u(x) << u(y)).view(type), "shrui": lambda x, y: (u(x) >> u(y)).view(type),
                     "shrsi": lambda x, y: x >> y, "divui": lambda x, y: (u(x) // u(y)).view(type)}
        operation = self.random.choice(sorted(functions))
        if operation.startswith("sh"):
            limit = self.splat(region, kind, bits - 1)
            b = self.add(region, kind, f"arith.andi {b}, {limit} : {kind}", lambda env, b=b: env[b] & type(bits - 1))
        elif operation == "divui":
            one = self.splat(region, kind, 1)
            b = self.add(region, kind, f"arith.ori {b}, {one} : {kind}", lambda env, b=b: env[b] | type(1))
        self.add(region, kind, f"arith.{operation} {a}, {b} : {kind}", lambda env: functions[operation](env[a], env[b]))

    def splat(self, region, kind, value):
        return self.dense(region, kind, [value] * max(split(kind)[1], 1))

    def vector_floating(self, region):
        kind = self.kind_in(region, tuple(FLOATS))
        a, b = self.pick(region, kind), self.pick(region, kind)
        functions = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "maxnumf": np.fmax, "minnumf": np.fmin,
                     "maximumf": np.maximum, "minimumf": np.minimum}
        operation = self.random.choice(sorted(functions))
        self.add(region, kind, f"arith.{operation} {a}, {b} : {kind}", lambda env: functions[operation](env[a], env[b]))

    def vector_compare(self, region):
        kind = self.kind_in(region, tuple(INTEGERS) + tuple(FLOATS))
        a, b = self.pick(region, kind), self.pick(region, kind)
        if split(kind)[0] in INTEGERS:
            functions = {"eq": np.equal, "ne": np.not_equal, "slt": np.less, "sge": np.greater_equal,
                         "ult": lambda x, y: signs(x) < signs(y), "uge": lambda x, y: signs(x) >= signs(y)}
            text = "cmpi"
        else:
            nan = lambda x, y: np.isnan(x) | np.isnan(y)
            functions = {"olt": np.less, "oge": np.greater_equal, "une": np.not_equal, "oeq": np.equal,
                         "ult": lambda x, y: np.less(x, y) | nan(x, y), "uno": nan}
            text = "cmpf"
        predicate = self.random.choice(sorted(functions))
        self.add(region, mask_of(kind), f"arith.{text} {predicate}, {a}, {b} : {kind}",
                 lambda env: functions[predicate](env[a], env[b]))

    def logic(self, region):
        kind = self.kind_in(region, ("i1",))
        a, b = self.pick(region, kind), self.pick(region, kind)
        functions = {"andi": np.logical_and, "ori": np.logical_or, "xori": np.logical_xor}
        operation = self.random.choice(sorted(functions))
        self.add(region, kind, f"arith.{operation} {a}, {b} : {kind}", lambda env: functions[operation](env[a], env[b]))

    def vector_choose(self, region):
        kind = self.kind_in(region)
        a, b, count = self.pick(region, kind), self.pick(region, kind), split(kind)[1]
        if count and self.random.random() < 0.6:
            c, masks = self.pick(region, mask_of(kind)), mask_of(kind)
            return self.add(region, kind, f"arith.select {c}, {a}, {b} : {masks}, {kind}",
                            lambda env: np.where(env[c], env[a], env[b]))
        c = self.pick(region, "i1")
        shape = (LANES, 1) if count else LANES
        self.add(region, kind, f"arith.select {c}, {a}, {b} : {kind}", lambda env: np.where(env[c].reshape(shape), env[a], env[b]))

    def vector_convert(self, region):
        pairs = [("i8", "i32", "extsi"), ("i8", "i16", "extui"), ("i16", "i64", "extsi"), ("i32", "i64", "extui"),
                 ("i64", "i8", "trunci"), ("i32", "i16", "trunci"), ("i16", "i8", "trunci"), ("i1", "i8", "extsi"),
                 ("i1", "i64", "extui"), ("i32", "i1", "trunci"), ("f16", "f32", "extf"), ("f32", "f64", "extf"),
                 ("bf16", "f32", "extf"), ("i16", "f32", "sitofp"), ("i8", "f16", "sitofp"), ("i32", "f64", "sitofp"),
                 ("i32", "f32", "uitofp"), ("i1", "f32", "uitofp"), ("i16", "f16", "bitcast"), ("i32", "f32", "bitcast"),
                 ("i16", "bf16", "bitcast"), ("bf16", "i16", "bitcast"), ("f64", "f32", "truncf")]
        source, target, operation = self.random.choice(pairs)
        from_kind = self.kind_in(region, (source,))
        to_kind, a = vector(target, split(from_kind)[1]), self.pick(region, from_kind)

        def function(env):
            x = env[a]
            if operation == "bitcast":
                return x.view(TYPES[target])
            if source == "bf16":
                return (x.astype(np.uint32) << 16).view(np.float32)
            if target == "i1":
                return (x & 1).astype(bool)
            if operation == "extsi" and source == "i1":
                return -x.astype(TYPES[target])
            if operation in ("extui", "uitofp") and source != "i1":
                x = signs(x)
            return x.astype(TYPES[target])
        self.add(region, to_kind, f"arith.{operation} {a} : {from_kind} to {to_kind}", function)

    # Shapes.
    def broadcast(self, region):
        element = split(self.kind_in(region))[0]
        a, count = self.pick(region, element), self.random.choice(WIDTHS)
        kind = vector(element, count)
        self.add(region, kind, f"vector.broadcast {a} : {element} to {kind}", lambda env: np.repeat(env[a][:, None], count, 1))

    def extract(self, region):
        kind = self.kind_in(region, vectors=True)
        element, count = split(kind)
        a = self.pick(region, kind)
        if self.random.random() < 0.5:
            i = self.random.randrange(count)
            return self.add(region, element, f"vector.extract {a}[{i}] : {element} from {kind}", lambda env: env[a][:, i])
        at, number = self.place(region, count)
        self.add(region, element, f"vector.extract {a}[{at}] : {element} from {kind}", lambda env: env[a][ids, env[number]])

    def insert(self, region):
        kind = self.kind_in(region, vectors=True)
        element, count = split(kind)
        a, b = self.pick(region, kind), self.pick(region, element)
        at, number = self.place(region, count)
        fixed = self.random.randrange(count) if self.random.random() < 0.5 else None

        def function(env):
            result = env[a].copy()
            result[ids, env[number] if fixed is None else fixed] = env[b]
            return result
        where = at if fixed is None else fixed
        self.add(region, kind, f"vector.insert {b}, {a} [{where}] : {element} into {kind}", function)

    def rearrange(self, region):
        kind = self.kind_in(region, vectors=True)
        element, count = split(kind)
        a, b, wanted = self.pick(region, kind), self.pick(region, kind), self.random.choice(WIDTHS)
        order = [self.random.randrange(2 * count) for _ in range(wanted)]
        self.add(region, vector(element, wanted), f"vector.shuffle {a}, {b} {order} : {kind}, {kind}",
                 lambda env: np.concatenate([env[a], env[b]], 1)[:, order])

    def slice(self, region):
        if self.plain:
            return self.rearrange(region)
        kind = self.kind_in(region, vectors=True)
        element, count = split(kind)
        wanted = self.random.choice([w for w in WIDTHS if w <= count])
        first = self.random.randint(0, count - wanted)
        a = self.pick(region, kind)
        attributes = f"{{offsets = [{first}], sizes = [{wanted}], strides = [1]}}"
        self.add(region, vector(element, wanted), f"vector.extract_strided_slice {a} {attributes} : {kind} to {vector(element, wanted)}",
                 lambda env: env[a][:, first:first + wanted])

    def reduce(self, region):
        kind = self.kind_in(region, tuple(INTEGERS) + ("i1",), vectors=True)
        element, a = split(kind)[0], self.pick(region, kind)
        functions = {"or": np.bitwise_or, "and": np.bitwise_and, "xor": np.bitwise_xor}
        if element != "i1":
            functions.update({"add": np.add, "mul": np.multiply, "maxsi": np.maximum, "minsi": np.minimum})
        operation = self.random.choice(sorted(functions))
        self.add(region, element, f"vector.reduction <{operation}>, {a} : {kind} into {element}",
                 lambda env: functions[operation].reduce(env[a], axis=1, dtype=TYPES[element]))

    def words(self, region):
        """The bits of a vector as another one's."""
        pairs = [("vector<8xi1>", "vector<1xi8>"), ("vector<4xi8>", "vector<1xi32>"), ("vector<2xi16>", "vector<1xi32>"),
                 ("vector<8xi8>", "vector<4xi16>"), ("vector<4xi16>", "vector<1xi64>"), ("vector<2xi32>", "vector<1xi64>"),
                 ("vector<2xi32>", "vector<4xi16>"), ("vector<8xi16>", "vector<4xi32>"), ("vector<1xi8>", "vector<8xi1>"),
                 ("vector<1xi32>", "vector<4xi8>"), ("vector<1xi64>", "vector<8xi8>")]
        source, target = self.random.choice(pairs)
        a = self.pick(region, source)

        def function(env):
            x = np.ascontiguousarray(env[a])
            if source.endswith("i1>"):
                return np.packbits(x, axis=1, bitorder="little").view(np.int8)
            if target.endswith("i1>"):
                return np.unpackbits(x.view(np.uint8), axis=1, bitorder="little").astype(bool)
            return x.view(TYPES[split(target)[0]])
        self.add(region, target, f"vector.bitcast {a} : {source} to {target}", function)

    # Memory.
    def private(self, region):
        """Two vectors or scalars in private memory, one read back at a place of the lane's own."""
        kind = self.kind_in(region)
        a, b = self.pick(region, kind), self.pick(region, kind)
        memory, type = self.private_memory(region, f"2x{kind}")
        zero, one = self.index(region, 0), self.index(region, 1)
        at, number = self.place(region, 2)
        region.lines += [f"memref.store {a}, {memory}[{zero}] : {type}",
                         f"memref.store {b}, {memory}[{one}] : {type}"]
        shape = (LANES, 1) if split(kind)[1] else LANES
        self.add(region, kind, f"memref.load {memory}[{at}] : {type}",
                 lambda env: np.where(env[number].reshape(shape) == 1, env[b], env[a]))

    def through_lds(self, region):
        kind = self.kind_in(region)
        element, count = split(kind)
        a, memory, shift = self.pick(region, kind), self.fresh(), self.index(region, distance := self.random.randrange(LANES))
        other = self.fresh()
        # Elements of a row, or vectors as elements.
        rows = count and element != "i1" and self.random.random() < 0.5
        type = f"memref<{LANES}x{count}x{element}" if rows else f"memref<{LANES}x{kind}"
        type += ", #gpu.address_space<workgroup>>"
        self.globals.append(f"{memory} = memref.alloc() : {type}")
        region.lines.append(f"{other} = arith.xori %t, {shift} : index")
        if rows:
            zero = self.index(region, 0)
            region.lines += [f"vector.store {a}, {memory}[%t, {zero}] : {type}, {kind}", "gpu.barrier"]
            text = f"vector.load {memory}[{other}, {zero}] : {type}, {kind}"
        else:
            region.lines += [f"memref.store {a}, {memory}[%t] : {type}", "gpu.barrier"]
            text = f"memref.load {memory}[{other}] : {type}"
        self.add(region, kind, text, lambda env: env[a][ids ^ distance])

    def masked_memory(self, region):
        """A masked store to private memory and a masked load of it; often one bit for all elements."""
        element, count = self.random.choice(["i8", "i16", "i32", "f16", "f32"]), self.random.choice((2, 4, 8))
        kind = vector(element, count)
        memory, type = self.private_memory(region, f"{count}x{element}")
        a, b, c = (self.pick(region, kind) for _ in range(3))
        masks, zero = vector("i1", count), self.index(region, 0)
        chosen = []
        for _ in range(2):
            if self.random.random() < 0.5:
                bit = self.pick(region, "i1")
                chosen.append(self.add(region, masks, f"vector.broadcast {bit} : i1 to {masks}",
                                       lambda env, bit=bit: np.repeat(env[bit][:, None], count, 1)))
            else:
                chosen.append(self.pick(region, masks))
        m, n = chosen
        region.lines += [f"vector.store {a}, {memory}[{zero}] : {type}, {kind}",
                         f"vector.maskedstore {memory}[{zero}], {m}, {b} : {type}, {masks}, {kind}"]
        self.add(region, kind, f"vector.maskedload {memory}[{zero}], {n}, {c} : {type}, {masks}, {kind} into {kind}",
                 lambda env: np.where(env[n], np.where(env[m], env[b], env[a]), env[c]))

    def transfer(self, region):
        """Two rows under a mask of two dimensions, from private memory."""
        if self.plain:
            return self.vector_choose(region)
        element, count = self.random.choice(["i8", "i32", "f16", "f32"]), self.random.choice((2, 3, 4))
        kind = vector(element, count)
        memory, type = self.private_memory(region, f"2x{count}x{element}")
        a, b, pad = self.pick(region, kind), self.pick(region, kind), self.pick(region, element)
        pair = f"vector<2x{count}x{element}>"
        zero, one = self.index(region, 0), self.index(region, 1)
        (p, rows), (q, columns) = self.place(region, 3), self.place(region, count + 1)
        mask, read, row = self.fresh(), self.fresh(), self.random.randrange(2)
        region.lines += [f"vector.store {a}, {memory}[{zero}, {zero}] : {type}, {kind}",
                         f"vector.store {b}, {memory}[{one}, {zero}] : {type}, {kind}",
                         f"{mask} = vector.create_mask {p}, {q} : vector<2x{count}xi1>",
                         f"{read} = vector.transfer_read {memory}[{zero}, {zero}], {pad}, {mask} {{in_bounds = [true, true]}} : {type}, {pair}"]
        self.add(region, kind, f"vector.extract {read}[{row}] : {kind} from {pair}",
                 lambda env: np.where((env[rows] > row)[:, None] & (np.arange(count) < env[columns][:, None]),
                                      env[b if row else a], env[pad][:, None]))

    def exchange(self, region):
        kind = self.kind_in(region)
        # Of 'up', LLVM's lowering calls every lane valid.
        a, mode = self.pick(region, kind), self.random.choice(["xor", "down", "idx"] + ["up"] * (not self.plain))
        count = split(kind)[1]
        width = self.random.choice([16, 32, 64, 64])
        distance = self.random.randrange(1, width)
        d, w = self.constant(region, "i32", distance), self.constant(region, "i32", width)
        name, valid, moved = self.fresh(), self.fresh(), self.fresh()
        base, lane = ids & -width, ids & width - 1
        wave = ids & -64
        source = {"xor": ids ^ distance, "up": ids - distance, "down": ids + distance, "idx": wave + distance}[mode]
        good = {"xor": ids >= 0, "up": lane >= distance, "down": lane + distance < width, "idx": ids >= 0}[mode]
        region.lines += [f"{moved}, {valid} = gpu.shuffle {mode} {a}, {d}, {w} : {kind}"]
        if mode in ("up", "down"):
            region.steps.append((valid, lambda env: good))
            region.values[valid] = "i1"
        region.lines.append(f"{name} = arith.select {valid}, {moved}, {a} : {kind}")
        shape = (LANES, 1) if count else LANES
        region.steps.append((name, lambda env: np.where(good.reshape(shape), env[a][np.where(good, source, 0)], env[a])))
        region.values[name] = kind

    # Control flow.
    def branch(self, region, depth):
        kinds = [self.kind_in(region) for _ in range(self.random.randint(1, 2))]
        c = self.pick(region, "i1")
        sides = [Region(region), Region(region)]
        for side in sides:
            self.fill(side, self.random.randint(1, 5), depth + 1)
        yields = [[self.pick(side, kind) for kind in kinds] for side in sides]
        name = self.fresh()
        types = ", ".join(kinds)
        region.lines.append(f"{name}:{len(kinds)} = scf.if {c} -> ({types}) {{")
        for i, side in enumerate(sides):
            region.lines += side.lines + [f"scf.yield {', '.join(yields[i])} : {types}", "} else {" if i == 0 else "}"]

        def function(env):
            inner = [dict(env), dict(env)]
            for side, values in zip(sides, inner):
                side.run(values)
            return [np.where(env[c].reshape((LANES, 1) if split(kind)[1] else LANES), inner[0][a], inner[1][b])
                    for kind, a, b in zip(kinds, *yields)]
        self.results(region, name, kinds, function)

    def results(self, region, name, kinds, function):
        region.steps.append((name, function))
        for i, kind in enumerate(kinds):
            region.steps.append((f"{name}#{i}", lambda env, i=i: env[name][i]))
            region.values[f"{name}#{i}"] = kind

    def loop(self, region, depth):
        kinds = [self.kind_in(region) for _ in range(self.random.randint(1, 3))]
        starts = [self.pick(region, kind) for kind in kinds]
        how = self.random.choice(["constant", "uniform", "divergent"])
        if how == "constant":
            trips = self.constant(region, "i32", self.random.randint(1, 6))
        else:
            x = "%n" if how == "uniform" else self.pick(region, "i32")
            mask = self.constant(region, "i32", 7)
            trips = self.add(region, "i32", f"arith.andi {x}, {mask} : i32", lambda env: env[x] & env[mask])
        body, iv, carried = Region(region), self.fresh(), [self.fresh() for _ in kinds]
        body.values[iv] = "i32"
        body.values.update(zip(carried, kinds))
        self.fill(body, self.random.randint(1, 6), depth + 1)
        # Often what was carried in another place, so that values change places.
        yields = [self.random.choice([c for c, k in zip(carried, kinds) if k == kind]) if self.random.random() < 0.3 else
                  self.pick(body, kind) for kind in kinds]
        zero, one = self.constant(region, "i32", 0), self.constant(region, "i32", 1)
        name = self.fresh()
        pairs, types = ", ".join(f"{c} = {s}" for c, s in zip(carried, starts)), ", ".join(kinds)
        region.lines += [f"{name}:{len(kinds)} = scf.for {iv} = {zero} to {trips} step {one} iter_args({pairs}) -> ({types}) : i32 {{"]
        region.lines += body.lines + [f"scf.yield {', '.join(yields)} : {types}", "}"]

        def function(env):
            values, count = [env[s] for s in starts], env[trips]
            for trip in range(int(count.max(initial=0))):
                inner = dict(env)
                inner[iv] = np.full(LANES, trip, np.int32)
                inner.update(zip(carried, values))
                body.run(inner)
                values = [np.where((trip < count).reshape((LANES, 1) if split(kind)[1] else LANES), inner[y], v)
                          for kind, y, v in zip(kinds, yields, values)]
            return values
        self.results(region, name, kinds, function)

    def fill(self, region, size, depth=0):
        for _ in range(size):
            roll = self.random.random()
            if depth == 0 and roll < 0.06:
                self.through_lds(region)
            elif depth == 0 and roll < 0.12:
                self.exchange(region)
            elif depth < 3 and roll < 0.2:
                self.branch(region, depth)
            elif depth < 3 and roll < 0.27:
                self.loop(region, depth)
            else:
                self.random.choice([self.vector_integer, self.vector_integer, self.vector_floating, self.vector_compare, self.logic,
                                    self.vector_choose, self.vector_convert, self.broadcast, self.extract, self.insert,
                                    self.rearrange, self.slice, self.reduce, self.words, self.private, self.masked_memory,
                                    self.transfer, self.integer, self.choose])(region)

    def kernel(self, name="k"):
        """The function's text, its region, and the names and kinds of its results."""
        body, self.globals = Region(), []
        arguments = []
        for element in ("i8", "i16", "i32", "i64", "f16", "f32", "f64"):
            arguments.append(f"%a_{element}: memref<{LANES}x8x{element}>")
            count = self.random.choice(WIDTHS)
            zero = self.index(body, 0)
            for kind, text in ((element, f"memref.load %a_{element}[%t, {zero}] : memref<{LANES}x8x{element}>"),
                               (vector(element, count), f"vector.load %a_{element}[%t, {zero}] : memref<{LANES}x8x{element}>, "
                                                        f"{vector(element, count)}")):
                self.add(body, kind, text, (lambda env, e=element: env["%a_" + e][:, 0]) if kind == element else
                         (lambda env, e=element, c=count: env["%a_" + e][:, :c]))
        body.values["%n"] = "i32"
        self.fill(body, self.random.randint(10, 45))
        stores, results = [], []
        for i in range(4):
            value = self.random.choice([v for v in body.values if v != "%n"][-12:])
            kind = body.values[value]
            element, count = split(kind)
            stored = value
            memory = {"i1": "i8", "bf16": "i16"}.get(element, element)
            if memory != element:
                stored = self.fresh()
                stores.append(f"{stored} = arith.{'extui' if element == 'i1' else 'bitcast'} {value} : {kind} to {vector(memory, count)}")
            if not count:
                whole = self.fresh()
                stores.append(f"{whole} = vector.broadcast {stored} : {memory} to {vector(memory, 1)}")
                stored = whole
            type, zero = f"memref<{LANES}x{max(count, 1)}x{memory}>", self.fresh()
            arguments.append(f"%o{i}: {type}")
            stores += [f"{zero} = arith.constant 0 : index", f"vector.store {stored}, %o{i}[%t, {zero}] : {type}, {vector(memory, max(count, 1))}"]
            results.append((value, memory, max(count, 1)))
        text = "\n".join([f"gpu.func @{name}({', '.join(arguments + ['%n: i32'])}) kernel attributes "
                          f"{{gpu.known_block_size = array<i32: {LANES}, 1, 1>}} {{", "%t = gpu.thread_id x"] +
                         self.globals + body.lines + stores + ["gpu.return", "}"])
        return text, body, results

    def module(self):
        kernels = [self.kernel(f"k{i}") for i in range(self.random.randint(1, 3))]
        return "gpu.module @m {\n" + "\n".join(text for text, _, _ in kernels) + "\n}\n", kernels


def inputs(seed):
    rng = np.random.default_rng(seed)
    env = {}
    for element in ("i8", "i16", "i32", "i64", "f16", "f32", "f64"):
        if element in INTEGERS:
            bits = INTEGERS[element]
            env["%a_" + element] = rng.integers(-2**(bits - 1), 2**(bits - 1) - 1, (LANES, 8)).astype(TYPES[element])
        else:
            env["%a_" + element] = rng.uniform(-4, 4, (LANES, 8)).astype(TYPES[element])
    env["%n"] = np.full(LANES, seed % 11, np.int32)
    return env
