"""Divisions of 64 bits, and conversions that want one rounding, against exact arithmetic.

    wide_integers.py INFLIGHT CHIP PREFIX
"""
import subprocess
import sys
from fractions import Fraction

import numpy as np
from kernels import Kernels

LANES = 1024
inflight, chip, prefix = sys.argv[1:4]
random = np.random.default_rng(1)
DIVISORS = [None, 3, 7, 641, 2**32 - 1, 2**32 + 1, -7, 10**18, 4096, 2**40, 5 * 2**33]
DIVISIONS = ["divui", "remui", "divsi", "remsi"]
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}  # digits, exponents
CONVERSIONS = [(op, f"i{bits}", to) for op in ("sitofp", "uitofp") for bits in (32, 64) for to in FORMATS]
CONVERSIONS += [("truncf", "f64", to) for to in ("f16", "bf16", "f32")]


def kernel(name, arguments, body):
    return f"""gpu.func @{name}({arguments}) kernel attributes {{gpu.known_block_size = array<i32: 256, 1, 1>}} {{
      %lane = gpu.thread_id x
      %block = gpu.block_id x
      %size = arith.constant 256 : index
      %first = arith.muli %block, %size : index
      %i = arith.addi %first, %lane : index
      {body}
      gpu.return
    }}"""


def division(op, number, divisor):
    memory = f"memref<{LANES}xi64>"
    b = f"memref.load %b[%i] : {memory}" if divisor is None else f"arith.constant {divisor} : i64"
    return kernel(f"{op}{number}", f"%a: {memory}, %b: {memory}, %c: {memory}", f"""%x = memref.load %a[%i] : {memory}
      %y = {b}
      %z = arith.{op} %x, %y : i64
      memref.store %z, %c[%i] : {memory}""")


def conversion(op, source, target):
    return kernel(f"{op}_{source}_{target}", f"%a: memref<{LANES}x{source}>, %c: memref<{LANES}x{target}>",
                  f"""%x = memref.load %a[%i] : memref<{LANES}x{source}>
      %z = arith.{op} %x : {source} to {target}
      memref.store %z, %c[%i] : memref<{LANES}x{target}>""")


def number(bits):
    """Of any length, with edges."""
    edges = [0, 1, 2, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 - 1, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 2**11, 2**64 - 1]
    if random.integers(4) == 0:
        return edges[random.integers(len(edges))] % 2**bits
    return int.from_bytes(random.bytes(8), "little") >> (64 - int(random.integers(1, bits + 1)))


def signed(x, bits=64):
    return x - 2**bits if x >= 2**(bits - 1) else x


def divided(op, a, b):
    if op.endswith("ui"):
        return a // b if op == "divui" else a % b
    a, b = signed(a), signed(b)
    quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
    return (quotient if op == "divsi" else a - quotient * b) % 2**64


def check_division(code, op, index, divisor):
    b = [number(64) or 1 if divisor is None else divisor % 2**64 for _ in range(LANES)]
    # Every other one near a multiple.
    a = [number(64) if i % 2 else (y * number(40) + int(random.integers(-1, 2))) % 2**64 for i, y in enumerate(b)]
    if op.endswith("si"):
        a = [1 if x == 2**63 and y == 2**64 - 1 else x for x, y in zip(a, b)]
    expected = np.array([divided(op, x, y) for x, y in zip(a, b)], dtype=np.uint64)
    memory = [np.array(v, dtype=np.uint64).view(np.int64) for v in (a, b, [0] * LANES)]
    got = code.run(f"{op}{index}", *memory, grid=str(LANES // 256))[2].view(np.uint64)
    wrong = np.flatnonzero(got != expected)
    assert not len(wrong), (op, divisor, [(a[i], b[i], int(got[i]), int(expected[i])) for i in wrong[:4]])


def nearest(x, digits, least, greatest):
    """To nearest even, from a Fraction, as Python's floats are."""
    if x == 0:
        return 0.0
    size = abs(x)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2)**exponent > size
    unit = Fraction(2)**(max(exponent, least) - digits + 1)
    rounded = round(size / unit) * unit
    return (-1 if x < 0 else 1) * (float("inf") if rounded >= Fraction(2)**(greatest + 1) else float(rounded))


def half_way(x, bits):
    """A number of `bits` bits that is half way between two of a narrow format, or next to that."""
    digits = int(random.choice([8, 11, 24]))
    if bits <= digits + 1:
        return x
    return (x >> (bits - digits) << (bits - digits)) + (1 << (bits - digits - 1)) + int(random.integers(-1, 2))


def check_conversion(code, op, source, target):
    if source == "f64":
        limit = FORMATS[target][2]
        a = np.ldexp(random.standard_normal(LANES), random.integers(-min(limit + 12, 140), limit, LANES))
        fraction, exponent = np.frexp(a[::2])
        digits = FORMATS[target][0]
        a[::2] = np.ldexp(np.floor(fraction * 2**digits) + 0.5, exponent - digits)
        a[::4] = np.nextafter(a[::4], np.inf)
        values = [Fraction(float(x)) for x in a]
    else:
        bits = int(source[1:])
        words = [number(bits) for _ in range(LANES)]
        words = [half_way(x, x.bit_length()) % 2**bits if i % 2 else x for i, x in enumerate(words)]
        a = np.array(words, dtype=np.uint64).astype(f"u{bits // 8}").view(f"i{bits // 8}")
        values = [Fraction(signed(x, bits) if op == "sitofp" else x) for x in words]
    rounded = np.array([nearest(x, *FORMATS[target]) for x in values])
    if target == "bf16":
        expected = (rounded.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    else:
        expected = rounded.astype(f"f{int(target[1:]) // 8}").view(f"u{int(target[1:]) // 8}")
    got = code.run(f"{op}_{source}_{target}", a, np.zeros_like(expected), grid=str(LANES // 256))[1]
    wrong = np.flatnonzero(got != expected)
    assert not len(wrong), (op, source, target, [(values[i], got[i], expected[i]) for i in wrong[:4]])


kernels = [division(op, i, divisor) for op in DIVISIONS for i, divisor in enumerate(DIVISORS)]
kernels += [conversion(*which) for which in CONVERSIONS]
with open(f"{prefix}.mlir", "w") as file:
    file.write("gpu.module @m {\n" + "\n".join(kernels) + "\n}\n")
subprocess.run([inflight, "compile", "-mcpu=" + chip, "--verify-each", f"{prefix}.mlir", "-o", f"{prefix}.hsaco"], check=True)
code = Kernels(["", inflight, f"{prefix}.hsaco", prefix])
for op in DIVISIONS:
    for i, divisor in enumerate(DIVISORS):
        check_division(code, op, i, divisor)
for which in CONVERSIONS:
    check_conversion(code, *which)
