"""Random C++ programs without undefined behaviour, in terms of support/program.h.

A kernel is a sequence of phases with barriers between them; a phase is a function of one lane with its state. Operations
between lanes stand between phases. A reducer can leave out each numbered statement: what remains compiles or doesn't, but stays
defined, for the host's and the chip's state begin with the same values.
"""
import random

UNSIGNED, SIGNED = ["u8", "u16", "u32", "u64"], ["i8", "i16", "i32", "i64"]
INTEGERS, FLOATS = UNSIGNED + SIGNED, ["f16", "bf", "f32", "f64"]
BITS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64, "i128": 128, "u128": 128,
        "f16": 16, "bf": 16, "f32": 32, "f64": 64}
SCALARS = ["u32"] * 6 + ["i32"] * 5 + ["u64", "i64"] * 3 + ["u8", "i8", "u16", "i16"] * 2 + ["f32"] * 5 + ["f64"] * 3 + \
          ["f16"] * 3 + ["bf"] * 2 + ["i128", "u128"]
VECTOR_ELEMENTS = INTEGERS + ["f16", "f32", "f32", "f64", "bf", "u32", "i16", "u16", "f16", "u8"]
WHOLE = INTEGERS + ["i128", "u128"]
INLINE_FLOATS = ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494309189532", "0.0"]


def is_vector(kind):
    return "x" in kind


def element(kind):
    return kind.split("x")[0]


def width(kind):
    return int(kind.split("x")[1])


class Statement:
    """Lines before, inner statements, lines after; `number` is None for what can't be left out."""

    def __init__(self, number, before, inner=(), after=()):
        self.number, self.before, self.inner, self.after = number, before, list(inner), after

    def render(self, dropped, lines, indent):
        if self.number in dropped:
            return
        lines += [indent + line for line in self.before]
        for statement in self.inner:
            statement.render(dropped, lines, indent + "  ")
        lines += [indent + line for line in self.after]


class Scope:
    def __init__(self, parent=None):
        self.variables = list(parent.variables) if parent else []  # (text, kind, whether it can be assigned)
        self.arrays = list(parent.arrays) if parent else []        # (name, kind, a power of two)
        self.in_phase = parent.in_phase if parent else False
        self.in_loop = parent.in_loop if parent else False
        self.depth = parent.depth + 1 if parent else 0
        self.phase = parent.phase if parent else 0


class Kernel:
    """One kernel, named by its seed. `plain`: without what Inflight's compiler of LLVM IR refuses: numbers of 128 bits, recursion, pointers to
    functions and generic ones to private memory."""

    def __init__(self, seed, plain=False):
        self.seed, self.random = seed, random.Random(seed * 2654435761 + 17)
        self.plain = plain
        self.scalars, self.whole = ([kind for kind in kinds if not plain or BITS[kind] < 128] for kinds in (SCALARS, WHOLE))
        self.names = self.statements = 0
        self.functions = []   # (name, result, parameters)
        self.tables = []
        self.parts = []       # text and statements before the kernel, in order
        self.wide_left = 2    # divisions and conversions of 128 bits become long code
        self.space = f"k{seed}"
        for _ in range(self.random.randint(0, 4)):
            self.function()
        if self.random.random() < 0.4 and not plain:
            self.recursion()
        if self.random.random() < 0.4 and not plain:
            self.table()
        self.kernel()

    # Names and choices.

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def number(self):
        self.statements += 1
        return self.statements

    def chance(self, probability):
        return self.random.random() < probability

    def choose(self, *options):
        return self.random.choice(options)

    def kind(self):
        if self.chance(0.22):
            return f"{self.random.choice(VECTOR_ELEMENTS)}x{self.choose(2, 2, 3, 4, 4, 8, 16)}"
        return self.random.choice(self.scalars)

    # Expressions.

    def literal(self, kind):
        if is_vector(kind):
            if self.chance(0.5):
                return f"{kind}({self.literal(element(kind))})"
            return f"{kind}{{{', '.join(self.literal(element(kind)) for _ in range(width(kind)))}}}"
        bits = BITS[kind]
        if kind in FLOATS:
            if self.chance(0.5):
                return f"{kind}({self.random.choice(INLINE_FLOATS)})"
            return f"{kind}({self.choose(self.random.uniform(-8, 8), 1e4, 3e-7, 65504.0, 100.25, 1 / 3)!r})"
        value = self.choose(self.random.randint(-16, 64), self.random.randint(-16, 64), self.random.getrandbits(min(bits, 32)), self.random.getrandbits(min(bits, 64)),
                            1 << self.random.randrange(min(bits, 64)), (1 << self.random.randrange(1, min(bits, 63))) - 1, 10, 100, 1000, 0xff00ff, 0xffffffff)
        value &= (1 << min(bits, 64)) - 1
        return f"{kind}({value:#x}{'ul' if value > 0x7fffffff else ''})"

    def leaf(self, scope, kind):
        same = [text for text, k, _ in scope.variables if k == kind]
        arrays = [name for name in scope.arrays if name[1] == kind]
        if arrays and self.chance(0.3):
            name, _, size = self.random.choice(arrays)
            return f"{name}[{self.index(scope, size)}]"
        if same and self.chance(0.8):
            return self.random.choice(same)
        if scope.in_phase and self.chance(0.35):
            return self.memory_read(scope, kind)
        if self.chance(0.6):
            return self.conversion(scope, kind, 0)
        return self.literal(kind)

    def index(self, scope, size):
        """An index below `size`, a power of two."""
        if self.chance(0.3):
            return str(self.random.randrange(size))
        return f"{self.expression(scope, 'u32', 1)} & {size - 1}"

    def memory_read(self, scope, kind):
        if is_vector(kind):
            if element(kind) in FLOATS or width(kind) == 3 or BITS[element(kind)] * width(kind) > 128:
                return self.literal(kind)
        size = BITS[kind] // 8 if not is_vector(kind) else BITS[element(kind)] * width(kind) // 8
        place, limit = self.choose(("c.in", "inBytes"), ("c.in", "inBytes"), ("c.mem", "memBytes"), ("OWN", "ownBytes"))
        bytes_ = {"inBytes": 256, "memBytes": 256, "ownBytes": 48}[limit]
        how = self.choose("load", "loadAligned", "loadAligned", "loadVolatile") if place != "c.in" and not is_vector(kind) and BITS[kind] <= 64 else \
            self.choose("load", "loadAligned")
        if how == "load":
            offset = f"{self.random.randrange(bytes_ - size + 1)}" if self.chance(0.5) else \
                f"{self.expression(scope, 'u32', 0)} % {bytes_ - size + 1}"
        else:
            offset = f"{size * self.random.randrange(bytes_ // size)}" if self.chance(0.6) else \
                f"{self.expression(scope, 'u32', 0)} % {bytes_ // size} * {size}"
        return f"{how}<{kind}>({place} + {offset})"

    def conversion(self, scope, kind, depth):
        """A value of another type, made one of `kind`."""
        if is_vector(kind):
            inner, n = element(kind), width(kind)
            others = [(t, k) for t, k, _ in scope.variables if is_vector(k)]
            same_width = [t for t, k in others if width(k) == n and element(k) in INTEGERS and inner in INTEGERS]
            if same_width and self.chance(0.5):
                return f"__builtin_convertvector({self.random.choice(same_width)}, {kind})"
            elements = [(t, k) for t, k in others if element(k) == inner]
            if elements and self.chance(0.6):
                text, k = self.random.choice(elements)
                picks = ", ".join(str(self.random.randrange(2 * width(k))) for _ in range(n))
                return f"__builtin_shufflevector({text}, {self.value_or_literal(scope, k)}, {picks})"
            if n in (2, 4, 8) and inner in INTEGERS and BITS[inner] * n <= 64 and self.chance(0.4):
                return f"__builtin_bit_cast({kind}, u{BITS[inner] * n}({self.expression(scope, f'u{BITS[inner] * n}', depth)}))"
            return f"{kind}({self.expression(scope, inner, depth)})"
        if self.chance(0.25):
            vectors = [(t, k) for t, k, _ in scope.variables if is_vector(k) and element(k) == kind]
            if vectors:
                text, k = self.random.choice(vectors)
                if width(k) != 3 and self.chance(0.5):
                    return f"{text}[{self.index(scope, width(k))}]"
                return f"{text}[{self.random.randrange(width(k))}]"
        other = self.random.choice(self.scalars)
        if other in ("i128", "u128") or kind in ("i128", "u128"):
            if other in FLOATS or kind in FLOATS:
                if not self.wide_left or other in ("f16", "bf") or kind in ("f16", "bf"):
                    other = "u64"
                else:
                    self.wide_left -= 1
        value = self.expression(scope, other, depth)
        if kind in FLOATS:
            if other in FLOATS:
                return f"{kind}(f32({value}))" if {kind, other} == {"f16", "bf"} else f"{kind}({value})"
            if self.chance(0.4) and BITS[kind] == BITS.get(other):
                return f"fromBits(BitsOf<{kind}>::type({value}), {kind}())"
            return f"bf(f32({value}))" if kind == "bf" else f"f16(f32({value}))" if kind == "f16" else f"{kind}({value})"
        if other in FLOATS:
            return f"{kind}(bits({value}))" if self.chance(0.4) else f"toInt<{kind}>({value})"
        return f"{kind}({value})"

    def value_or_literal(self, scope, kind):
        same = [text for text, k, _ in scope.variables if k == kind]
        return self.random.choice(same) if same else self.literal(kind)

    def expression(self, scope, kind, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf(scope, kind)
        calls = [f for f in self.functions if f[1] == kind]
        if calls and self.chance(0.3) and scope.depth < 3:
            name, _, parameters = self.random.choice(calls)
            return f"{name}({', '.join(self.expression(scope, k, depth - 1) for k in parameters)})"
        if self.chance(0.12):
            return self.conversion(scope, kind, depth - 1)
        if self.chance(0.1):
            return f"({self.condition(scope, depth - 1)} ? {self.expression(scope, kind, depth - 1)} : {self.expression(scope, kind, depth - 1)})"
        if is_vector(kind):
            return self.vector_operation(scope, kind, depth - 1)
        return self.float_operation(scope, kind, depth - 1) if kind in FLOATS else self.integer_operation(scope, kind, depth - 1)

    def integer_operation(self, scope, kind, depth):
        a, b = self.expression(scope, kind, depth), self.expression(scope, kind, depth)
        bits, wide = BITS[kind], BITS[kind] == 128
        amount = lambda: self.literal("u32") if self.chance(0.4) else self.expression(scope, "u32", 0)
        if self.chance(0.5):
            op = self.choose("+", "-", "*", "&", "|", "^", "+", "-")
            return f"{kind}({a} {op} {b})"
        names = ["min_", "max_", "med3", "shl", "shr", "not", "neg", "div", "rem", "constant", "field", "checked", "andnot", "mask24", "bool", "lshladd"]
        if kind in ("u32", "i32", "u64", "i64"):
            names.append("mulhi_")
        if kind[0] == "u":
            names += ["clz_", "ctz_", "popcount_"]
            if not wide:
                names += ["rotate", "bitreverse_"]
                if bits > 8:
                    names.append("bswap_")
        if kind == "u32":
            names += ["amd"] * 3 + ["funnel"]
        if kind == "i32":
            names += ["amd"]
        if wide and not self.wide_left:
            names = [n for n in names if n not in ("div", "rem", "constant", "checked")]
        name = self.random.choice(names)
        if wide and name in ("div", "rem", "constant", "checked"):
            self.wide_left -= 1
        if name in ("min_", "max_", "mulhi_"):
            return f"{kind}({name}({a}, {b}))"
        if name == "med3":
            return f"med3_({a}, {b}, {self.expression(scope, kind, 0)})"
        if name in ("clz_", "ctz_", "popcount_"):
            return f"{kind}({name}({a}))"
        if name in ("bitreverse_", "bswap_"):
            return f"{name}({a})"
        if name in ("shl", "shr"):
            return f"{name}_({a}, {amount()})"
        if name == "lshladd":
            return f"{kind}(shl_({a}, {self.random.randrange(5)}) + {b})"
        if name == "rotate":
            return f"rotate_({a}, {amount()})"
        if name == "field":
            return f"field_({a}, {amount()}, {amount()})"
        if name == "not":
            return f"{kind}(~{a})"
        if name == "neg":
            return f"{kind}(-{a})"
        if name == "andnot":
            return f"{kind}(({a} & {b}) | (~{a} & {self.expression(scope, kind, 0)}))"
        if name == "mask24":
            if kind[0] == "u":
                # clang (19 and 22) forgets the masks of a 64-bit product that is added to (v_mad_u64_u32 of the whole registers).
                more = f" + {self.leaf(scope, kind)}" if bits < 64 else ""
                return f"{kind}(({a} & 0xffffff) * ({b} & 0xffffff){more})"
            return f"{kind}(shr_(shl_({a}, 8), 8) * shr_(shl_({b}, 8), 8))"
        if name in ("div", "rem"):
            return f"{name}_({a}, {b})"
        if name == "constant":
            divisor = self.choose(2, 3, 5, 7, 10, 16, 100, 127)
            return f"{kind}({a} {self.choose('/', '%')} {kind}({divisor}))"
        if name == "checked":
            return f"checked{self.choose('Add', 'Sub', 'Mul')}({a}, {b})"
        if name == "bool":
            return f"{kind}({self.condition(scope, depth)})"
        if name == "funnel":
            return f"funnel_({a}, {b}, {amount()})"
        c = self.expression(scope, kind, 0)
        if kind == "u32":
            return f"{self.choose('ubfe_', 'perm_', 'alignbit_', 'alignbyte_', 'sad_', 'sad16_', 'msad_', 'lerp_', 'udot4_', 'udot4sat_', 'udot8_')}({a}, {b}, {c})"
        if self.chance(0.4):
            return f"sbfe_({a}, {self.expression(scope, 'u32', 0)}, {amount()})"
        return f"{self.choose('sdot4_', 'sdot4sat_', 'sdot8_')}({a}, {b}, {c})"

    def float_operation(self, scope, kind, depth):
        a, b = self.expression(scope, kind, depth), self.expression(scope, kind, depth)
        if self.chance(0.5):
            return f"{kind}({a} {self.choose('+', '-', '*')} {b})"
        names = ["/", "sqrt_", "fmin_", "fmax_", "abs_", "neg", "copysign_", "floor_", "ceil_", "trunc_", "rint_", "clamp"]
        if kind != "bf":
            names += ["fma_", "fma_"]
        if kind in ("f32", "f64"):
            names.append("ldexp_")
        name = self.random.choice(names)
        if name == "/":
            return f"{kind}({a} / {b})"
        if name == "neg":
            return f"{kind}(-{a})"
        if name == "clamp":
            return f"fmin_(fmax_({a}, {kind}(0.0)), {kind}(1.0))"
        if name == "sqrt_":
            return f"sqrt_(abs_({a}))"
        if name == "fma_":
            return f"fma_({a}, {b}, {self.expression(scope, kind, 0)})"
        if name == "ldexp_":
            return f"ldexp_({a}, {self.expression(scope, 'i32', 0)})"
        return f"{name}({a}, {b})" if name in ("fmin_", "fmax_", "copysign_") else f"{name}({a})"

    def vector_operation(self, scope, kind, depth):
        a, b, inner = self.expression(scope, kind, depth), self.expression(scope, kind, 0), element(kind)
        if inner in FLOATS:
            names = ["+", "-", "*", "*", "abs", "minmax"] + (["fma"] if inner not in ("bf", "f16") else []) + ["swizzle"]
        else:
            names = ["+", "-", "*", "&", "|", "^", "~", "<<", ">>", "min", "max", "sat", "select", "swizzle", "div"]
        name = self.random.choice(names)
        if name in "+-*&|^":
            return f"({a} {name} {b})"
        if name == "~":
            return f"(~{a})"
        if name == "abs":
            return f"abs_({a})"
        if name == "minmax":
            return f"({a} < {b} ? {a} : {b})"
        if name == "fma":
            return f"__builtin_elementwise_fma({a}, {b}, {self.leaf(scope, kind)})"
        if name in ("<<", ">>"):
            return f"({a} {name} ({b} & {kind}({BITS[inner] - 1})))"
        if name in ("min", "max"):
            return f"__builtin_elementwise_{name}({a}, {b})"
        if name == "sat":
            return f"__builtin_elementwise_{self.choose('add', 'sub')}_sat({a}, {b})"
        if name == "select":
            return f"({a} {self.choose('<', '==', '>=')} {b} ? {a} : {self.leaf(scope, kind)})"
        if name == "div":
            if width(kind) <= 4 and inner[0] == "u" and self.wide_left:
                self.wide_left -= 1
                return f"({a} {self.choose('/', '%')} ({b} | {kind}(1)))"
            return f"({a} / {kind}({self.choose(3, 7, 10)}))"
        picks = ", ".join(str(self.random.randrange(2 * width(kind))) for _ in range(width(kind)))
        return f"__builtin_shufflevector({a}, {b}, {picks})"

    def condition(self, scope, depth):
        if depth > 0 and self.chance(0.2):
            return f"({self.condition(scope, depth - 1)} {self.choose('&&', '||')} {self.condition(scope, depth - 1)})"
        kind = self.random.choice(self.scalars)
        if self.chance(0.25):
            return f"(({self.expression(scope, 'u32', depth)} & {self.choose(1, 3, 7)}) == 0)"
        if kind in FLOATS and self.chance(0.2):
            return f"unordered_({self.leaf(scope, kind)}, {self.leaf(scope, kind)})"
        return f"({self.expression(scope, kind, depth)} {self.choose('<', '>', '<=', '>=', '==', '!=')} {self.expression(scope, kind, 0)})"

    # Statements.

    def declare(self, scope, statements, count):
        for _ in range(count):
            kind, name = self.kind(), self.fresh("v")
            prefix = "volatile " if not is_vector(kind) and kind in INTEGERS and self.chance(0.06) else ""
            statements.append(Statement(self.number(), [f"{prefix}{kind} {name} = {self.expression(scope, kind, 1)};"]))
            scope.variables.append((name, kind, True))
        if self.chance(0.35):
            kind, name, size = self.kind(), self.fresh("a"), self.choose(2, 4, 8, 16)
            statements.append(Statement(self.number(), [f"{kind} {name}[{size}];",
                                               f"for (u32 i = 0; i < {size}; ++i)", f"  {name}[i] = {self.expression(scope, kind, 1)};"]))
            scope.arrays.append((name, kind, size))
        if self.chance(0.15):
            self.structure(scope, statements)

    def structure(self, scope, statements):
        """A local structure, perhaps with bit-fields."""
        name, members = self.fresh("t"), []
        for _ in range(self.random.randint(2, 5)):
            member = self.fresh("m")
            if self.chance(0.4):
                kind = self.random.choice(["u32", "i32", "u64", "i64", "u16"])
                members.append((kind, f"{member} : {self.random.randint(1, BITS[kind])}", member))
            else:
                kind = self.kind()
                members.append((kind, member, member))
        text = " ".join(f"{kind} {declared};" for kind, declared, _ in members)
        statements.append(Statement(self.number(), [f"struct {{ {text} }} {name};"] + [f"{name}.{member} = {self.expression(scope, kind, 1)};" for kind, _, member in members]))
        scope.variables += [(f"{name}.{member}", kind, True) for kind, declared, member in members if ":" not in declared]
        # A bit-field binds to no reference, but the sum with zero is a value.
        for kind, declared, member in members:
            if ":" in declared:
                scope.variables.append((f"{name}.{member}", "field " + kind, True))
                scope.variables.append((f"{kind}({name}.{member})", kind, False))

    def assignment(self, scope):
        targets = [(t, k) for t, k, assignable in scope.variables if assignable]
        if scope.arrays and self.chance(0.2):
            name, kind, size = self.random.choice(scope.arrays)
            return [f"{name}[{self.index(scope, size)}] = {self.expression(scope, kind, 2)};"]
        text, kind = self.random.choice(targets)
        kind = kind.removeprefix("field ")
        if is_vector(kind) and self.chance(0.3):
            place = self.index(scope, width(kind)) if width(kind) != 3 else self.random.randrange(3)
            return [f"{text}[{place}] = {self.expression(scope, element(kind), 2)};"]
        if kind in self.whole and self.chance(0.2):
            return [f"{text} {self.choose('+=', '-=', '^=', '|=', '&=')} {self.expression(scope, kind, 2)};"]
        return [f"{text} = {self.expression(scope, kind, self.choose(1, 2, 3))};"]

    def memory_write(self, scope):
        roll = self.random.random()
        if roll < 0.2:
            return [f"{self.choose('LDS', '(*c.shared)')}.slot[{scope.phase & 1}][c.lane][{self.index(scope, 4)}] = {self.expression(scope, 'u32', 2)};"]
        if roll < 0.35:
            return [f"count({self.choose('LDS', '(*c.shared)')}, {scope.phase & 1}, {self.random.randrange(20) if self.chance(0.8) else self.expression(scope, 'u32', 0) + ' % 20'}, "
                    f"{self.expression(scope, 'u32', 2)});"]
        place, limit = self.choose(("c.mem", 256), ("OWN", 48))
        if roll < 0.5:
            kind = self.choose("u32", "i32", "u64", "i64")
            size = BITS[kind] // 8
            targets = [t for t, k, assignable in scope.variables if assignable and k == kind] + ["(void)0, " + kind + "(0)"]
            offset = f"{size * self.random.randrange(limit // size)}" if self.chance(0.6) else f"{self.expression(scope, 'u32', 0)} % {limit // size} * {size}"
            operation = self.choose("Add", "Sub", "And", "Or", "Xor", "Min", "Max", "Swap", "Cas")
            operands = ", ".join(self.expression(scope, kind, 1) for _ in range(2 if operation == "Cas" else 1))
            call = f"atomic{operation}(({kind} *)({place} + {offset}), {operands});"
            targets.pop()
            return [f"{self.random.choice(targets)} = {call}" if targets and self.chance(0.7) else call]
        kind = self.kind()
        if is_vector(kind) and (element(kind) in FLOATS or width(kind) == 3 or BITS[element(kind)] * width(kind) > 128):
            kind = "u32x4"
        size = BITS[element(kind)] * width(kind) // 8 if is_vector(kind) else BITS[kind] // 8
        how = self.choose("store", "storeAligned", "storeAligned", "storeVolatile" if not is_vector(kind) and size <= 8 else "storeAligned")
        if how == "store":
            offset = f"{self.random.randrange(limit - size + 1)}" if self.chance(0.5) else f"{self.expression(scope, 'u32', 1)} % {limit - size + 1}"
        else:
            offset = f"{size * self.random.randrange(limit // size)}" if self.chance(0.5) else f"{self.expression(scope, 'u32', 1)} % {limit // size} * {size}"
        return [f"{how}<{kind}>({place} + {offset}, {self.expression(scope, kind, 2)});"]

    def shared_read(self, scope):
        kinds = {"u32": ["slot", "count32"], "u64": ["count64"], "f32": ["countF"], "f64": ["countD"]}
        targets = [(t, k) for t, k, assignable in scope.variables if assignable and k in kinds]
        if not targets:
            return self.assignment(scope)
        text, kind = self.random.choice(targets)
        member, where, side = self.random.choice(kinds[kind]), self.choose("LDS", "(*c.shared)"), 1 - (scope.phase & 1)
        if member == "slot":
            lane = self.choose(f"(c.lane ^ {self.random.randrange(64)})", f"(c.lane + {self.random.randrange(256)}) % c.lanes", f"{self.expression(scope, 'u32', 1)} % c.lanes")
            return [f"{text} = {where}.slot[{side}][{lane}][{self.index(scope, 4)}];"]
        index = self.random.randrange(10) if member.startswith("count3") or member.startswith("count6") else 0
        return [f"{text} = {kind}({text} + {where}.{member}[{side}][{index}]);"]

    def block(self, scope, size):
        return [self.statement(scope) for _ in range(size)]

    def statement(self, scope):
        number, roll = self.number(), self.random.random()
        nested = Scope(scope)
        if scope.depth < 3 and roll < 0.2:
            after = ["}"]
            inner = self.block(nested, self.random.randint(1, 4))
            if self.chance(0.4):
                inner += [Statement(None, ["} else {"])] + self.block(nested, self.random.randint(1, 3))
            return Statement(number, [f"if ({self.condition(scope, 2)}) {{"], inner, after)
        if scope.depth < 3 and roll < 0.32:
            counter = self.fresh("it")
            nested.in_loop = True
            nested.variables.append((counter, "u32", False))
            trips = self.choose(str(self.random.randint(1, 5)), f"(c.u0 & 7)" if scope.in_phase else "3", f"({self.expression(scope, 'u32', 1)} & 7)")
            limit = self.fresh("n")
            return Statement(number, [f"for (u32 {counter} = 0, {limit} = {trips}; {counter} < {limit}; ++{counter}) {{"],
                             self.block(nested, self.random.randint(1, 4)), ["}"])
        if scope.depth < 3 and roll < 0.36:
            counter = self.fresh("it")
            nested.in_loop = True
            return Statement(number, [f"for (u32 {counter} = 0;; ++{counter}) {{", f"  if ({counter} >= {self.random.randint(1, 9)} || {self.condition(scope, 1)})", "    break;"],
                             self.block(nested, self.random.randint(1, 3)), ["}"])
        if scope.depth < 3 and roll < 0.42:
            cases = self.choose(3, 4, 8, 12)
            inner = []
            nested.in_loop = False
            for case in range(cases):
                inner.append(Statement(None, [f"case {case if cases < 8 else case * self.choose(1, 1, 5) % 61 if False else case}:"]))
                inner += self.block(nested, self.random.randint(1, 2))
                if self.chance(0.8):
                    inner.append(Statement(None, ["break;"]))
            return Statement(number, [f"switch ({self.expression(scope, 'u32', 1)} % {cases + 1}) {{"], inner, ["}"])
        if scope.in_loop and roll < 0.48:
            return Statement(number, [f"if ({self.condition(scope, 1)})", f"  {self.choose('break', 'continue')};"])
        if scope.in_phase and roll < 0.66:
            writes = self.memory_write(scope)
            if writes[0].startswith("count(") and scope.in_loop:  # the sums of floats would grow
                writes = self.assignment(scope)
            return Statement(number, writes)
        if scope.in_phase and roll < 0.75:
            return Statement(number, self.shared_read(scope))
        return Statement(number, self.assignment(scope))

    # Functions.

    def function(self):
        name, result = self.fresh("fn"), self.kind()
        parameters = [self.kind() for _ in range(self.random.randint(1, 5))]
        scope, statements = Scope(), []
        scope.depth = 1
        names = [self.fresh("p") for _ in parameters]
        scope.variables = [(n, k, True) for n, k in zip(names, parameters)]
        self.declare(scope, statements, self.random.randint(0, 2))
        statements += self.block(scope, self.random.randint(1, 5))
        statements.append(Statement(None, [f"return {self.expression(scope, result, 2)};"]))
        text = ", ".join(f"{k} {n}" for n, k in zip(names, parameters))
        self.parts.append(Statement(self.number(), [f"FN {self.choose('NOINLINE ', '', 'NOINLINE ')}{result} {name}({text}) {{"], statements, ["}"]))
        self.functions.append((name, result, parameters))

    def recursion(self):
        name, kind, other = self.fresh("r"), self.random.choice(["u32", "i64", "f32", "u64x2"]), self.random.choice(self.scalars)
        scope, statements = Scope(), []
        scope.depth = 2
        scope.variables = [("x", kind, True), ("y", other, True)]
        saved, self.functions = self.functions, []
        self.declare(scope, statements, 1)
        statements += self.block(scope, 2)
        inner = f"{name}(n - 1, {self.expression(scope, kind, 1)}, {self.expression(scope, other, 1)})"
        after = f"return {inner} {'+' if kind != 'f32' else '*'} x;"
        self.functions = saved
        self.parts.append(Statement(self.number(), [f"FN NOINLINE {kind} {name}(u32 n, {kind} x, {other} y) {{", "  if (n == 0)", "    return x;"],
                                    statements + [Statement(None, [after])], ["}"]))
        wrapper = self.fresh("fn")
        self.parts.append(Statement(self.number(), [f"FN {kind} {wrapper}(u32 n, {kind} x, {other} y) {{ return {name}(n & 3, x, y); }}"]))
        self.functions.append((wrapper, kind, ["u32", kind, other]))

    def table(self):
        kind, other = self.random.choice(["u32", "f32", "u64", "u32x2"]), self.random.choice(self.scalars)
        entries, saved = [], self.functions
        self.functions = []
        for _ in range(4):
            scope = Scope()
            scope.depth = 2
            scope.variables = [("x", kind, True), ("y", other, True)]
            name = self.fresh("e")
            body = self.block(scope, self.random.randint(0, 2)) + [Statement(None, [f"return {self.expression(scope, kind, 2)};"])]
            self.parts.append(Statement(self.number(), [f"FN NOINLINE {kind} {name}({kind} x, {other} y) {{"], body, ["}"]))
            entries.append(name)
        self.functions = saved
        table, wrapper = self.fresh("table"), self.fresh("fn")
        self.parts.append(Statement(self.number(), [f"DATA {self.choose('const ', '')}auto (*{table}[4])({kind}, {other}) -> {kind} = {{{', '.join(entries)}}};"
                                           .replace("const auto (*", "auto (*const "),
                                           f"FN {kind} {wrapper}(u32 i, {kind} x, {other} y) {{ return {table}[i & 3](x, y); }}"]))
        self.functions.append((wrapper, kind, ["u32", kind, other]))

    def kernel(self):
        self.lanes = self.choose(64, 64, 128, 256)
        self.groups = self.choose(1, 2)
        phases = self.choose(1, 2, 2, 3)
        state = [(self.fresh("s"), self.kind()) for _ in range(self.random.randint(4, 9))]
        state += [("w0", "u32"), ("w1", "u32"), ("w2", "u32")]
        self.parts.insert(0, Statement(None, ["struct State {"] + [f"  {kind} {name};" for name, kind in state] + ["};"]))
        self.parts.insert(0, Statement(None, ["#ifdef __AMDGCN__", "__attribute__((shared)) static Lds lds;", "#define LDS lds", "#define OWN lds.own[c.lane]", "#else",
                                              "static Lds *ldsOfGroup;", "#define LDS (*ldsOfGroup)", "#define OWN ldsOfGroup->own[c.lane]", "#endif"]))
        uniform = [("c.u0", "u32", False), ("c.u1", "u32", False), ("c.u2", "u64", False), ("c.u3", "f32", False), ("c.u4", "f64", False),
                   ("c.lane", "u32", False), ("c.group", "u32", False)]
        self.between = []
        for phase in range(phases):
            scope, statements = Scope(), []
            scope.in_phase, scope.phase = True, phase
            scope.variables = list(uniform)
            if phase == 0:  # the state isn't read before it is written
                for name, kind in state:
                    statements.append(Statement(self.number(), [f"s.{name} = {self.expression(scope, kind, 1)};"]))
                    scope.variables.append((f"s.{name}", kind, True))
            else:
                scope.variables += [(f"s.{name}", kind, True) for name, kind in state]
            self.declare(scope, statements, self.random.randint(1, 5))
            statements += self.block(scope, self.random.randint(3, 9))
            for name, kind in self.random.sample(state, min(len(state), 4)):
                statements.append(Statement(self.number(), [f"s.{name} = {self.expression(scope, kind, 1)};"]))
            if phase == phases - 1:
                place = 0
                for name, kind in state:
                    elements = [f"s.{name}[{i}]" for i in range(width(kind))] if is_vector(kind) else [f"s.{name}"]
                    for text in elements:
                        statements.append(Statement(self.number(), [f"c.out[{place}] = u64(bits({text}));"]))
                        place += 1
                        if kind in ("i128", "u128"):
                            statements.append(Statement(self.number(), [f"c.out[{place}] = u64({text} >> 64);"]))
                            place += 1
                self.outputs = place
            self.parts.append(Statement(None, [f"FN {self.choose('', '', '' if self.plain else 'NOINLINE ')}void phase{phase}(State &s, Lane &c) {{"], statements, ["}"]))
            waves = []
            for _ in range(self.random.randint(0, 3) if phase < phases - 1 else 0):
                waves.append(Statement(self.number(), [self.wave_operation()]))
            self.between.append(waves)

    def wave_operation(self):
        to, a, b = (self.choose("w0", "w1", "w2") for _ in range(3))
        name = self.choose("bpermute_", "permute_", "readlane_", "readfirstlane_", "ballot_", "mbcnt_", "swizzle_", "dpp_", "dpp_", "dpp_")
        if name == "swizzle_":
            name += f"<{self.choose(self.random.randrange(0x8000), 0x8000 | self.random.randrange(256))}>"
        if name == "dpp_":
            control = self.choose(self.random.randrange(256), 0x100 + self.random.randint(1, 15), 0x110 + self.random.randint(1, 15), 0x120 + self.random.randint(1, 15),
                                  0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x150 + self.random.randrange(16))
            name += f"<{control}, {self.choose(15, 15, self.random.randrange(16))}, {self.choose(15, 15, self.random.randrange(16))}, {self.choose('true', 'false')}>"
        return f"WAVE(({name}), {to}, {a}, {b});"

    def text(self, dropped=()):
        lines = [f"namespace {self.space} {{"]
        for part in self.parts:
            part.render(dropped, lines, "")
        arguments = "const u8 *in, u8 *mem, u64 *out, Shared *shared, u32 u0, u32 u1, u64 u2, f32 u3, f64 u4"
        device, host = [], []
        for phase, waves in enumerate(self.between):
            between = []
            for statement in waves:
                statement.render(dropped, between, "  ")
            device += [f"  phase{phase}(s, c);"] + between + ["  barrier();"]
            host += ["  for (u32 i = 0; i < lanes; ++i)", f"    phase{phase}(states[i], lane[i]);"] + between
        lines += ["#ifdef __AMDGCN__", f'extern "C" __attribute__((global, amdgpu_flat_work_group_size({self.lanes}, {self.lanes}))) void {self.space}({arguments}) {{',
                  "  u32 i = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x(), lanes = __builtin_amdgcn_workgroup_size_x(), global = group * lanes + i;",
                  f"  Lane c = {{in + global * inBytes, mem + global * memBytes, out + global * {self.outputs}, shared + group, i, lanes, group, u0, u1, u2, u3, u4}};",
                  "  State s = {};" if dropped else "  State s;", "  start(lds, shared[group], i, c.in);", "  barrier();"] + device + ["  finish(lds, shared[group], i);", "}"]
        lines += ["#else", f'extern "C" void {self.space}({arguments}) {{', f"  constexpr u32 lanes = {self.lanes};",
                  f"  for (u32 group = 0; group < {self.groups}; ++group) {{", "  static Lds space;", "  static State states[lanes];", "  Lane lane[lanes];", "  ldsOfGroup = &space;",
                  "  for (u32 i = 0; i < lanes; ++i) {", "    u32 global = group * lanes + i;",
                  f"    lane[i] = {{in + global * inBytes, mem + global * memBytes, out + global * {self.outputs}, shared + group, i, lanes, group, u0, u1, u2, u3, u4}};", "  }",
                  "  for (u32 i = 0; i < lanes; ++i)", "    states[i] = {}, start(space, shared[group], i, lane[i].in);"]
        lines += host + ["  for (u32 i = 0; i < lanes; ++i)", "    finish(space, shared[group], i);", "  }", "}", "#endif", "#undef LDS", "#undef OWN", "}", ""]
        return "\n".join(lines)


def program(kernels, dropped=()):
    return '#include "program.h"\n' + "\n".join(k.text(dropped) for k in kernels)
