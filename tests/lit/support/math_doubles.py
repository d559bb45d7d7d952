"""f64 functions against numpy's long double, in units of the last place of the exact result, over all magnitudes and at
special values; arith.remf of every float against fmod, bit for bit."""
import sys

import numpy as np

from kernels import Kernels, same

COUNT = 16384
code = Kernels(sys.argv)
report = len(sys.argv) > 4
rng = np.random.default_rng(int(sys.argv[5]) if len(sys.argv) > 5 else 23)
f64, wide = np.float64, np.longdouble
assert np.finfo(wide).nmant > 60, "the judge needs the 64 bits of x87's format"
np.seterr(all="ignore")


def any_floats(special=()):
    """A third of all bit patterns, the rest of moderate size and around one; special values first."""
    x = rng.integers(0, 1 << 64, COUNT, dtype=np.uint64).view(f64)
    third = COUNT // 3
    x[third:2 * third] = rng.uniform(-1, 1, third) * 10 ** rng.uniform(-3, 6, third)
    x[2 * third:] = rng.uniform(-2, 2, COUNT - 2 * third)
    x[-(third // 2):] *= 2.0 ** rng.uniform(-30, 0, third // 2)
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 2, -2, 5e-324, -5e-324, 2.2250738585072014e-308,
              1.7976931348623157e308, 709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412,
              1 + 2.0**-52, 1 - 2.0**-53, -1 + 2.0**-53, 2.0**30, 2.0**30 - 2.0**-22, 2.0**28 + 1, *special]
    x[:len(values)] = values
    return x


def check(name, X, got, exact, bound):
    rounded = exact.astype(f64)
    size = np.maximum(np.abs(exact), wide(2)**-1022)
    unit = wide(2) ** (np.floor(np.log2(np.where(np.isfinite(size), size, 1))) - 52)
    error = np.abs(got.astype(wide) - exact) / unit
    special = ~np.isfinite(rounded) | ~np.isfinite(got) | (rounded == 0)
    equal = (got == rounded) & (np.signbit(got) == np.signbit(rounded)) | np.isnan(got) & np.isnan(rounded)
    # At the edges of the range a result may be the last finite number, or a denormal.
    near = np.isfinite(exact) & ((np.abs(exact) > wide(1.79769313486231e308)) | (np.abs(exact) < wide(2)**-1073))
    wrong = np.where(special, ~equal & ~(near & (error <= bound)), error > bound)
    worst = np.nanmax(np.where(special, 0, error))
    if report:
        print(f"{name}: {worst:.2f} units")
    places = np.flatnonzero(wrong)[:4]
    assert not wrong.any(), f"{name}: {wrong.sum()} wrong: {[(f64(X[p]).hex(), f64(got[p]).hex(), f64(exact[p]).hex()) for p in places]}"


# Multiples of pi/2, and what comes closest to one.
turns = list(np.arange(1, 1500) * (np.pi / 2)) + [6381956970095103 * 2.0**797, 2.0**1000, 2.0**40 * np.pi]
functions = {"exp": 1, "exp2": 1, "expm1": 1.5, "log": 1, "log2": 1, "log10": 1, "log1p": 1, "sin": 1, "cos": 1,
             "tan": 2, "tanh": 1, "sinh": 1.5, "cosh": 2, "asin": 1.5, "acos": 1.5, "atan": 1.5, "asinh": 2, "acosh": 2,
             "atanh": 2, "cbrt": 1, "sqrt": 0.5}
inverse = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
for name, bound in functions.items():
    X = any_floats(turns if name in ("sin", "cos", "tan") else ())
    _, got = code.run(name, X, np.zeros(COUNT), grid=str(COUNT // 256))
    check(name, X, got, getattr(np, inverse.get(name, name))(X.astype(wide)), bound)

for name, reference, bound in ("powf", np.power, 1.5), ("atan2", np.arctan2, 2):
    X, Y = any_floats(), rng.permutation(any_floats())
    third = COUNT // 3
    Y[third:2 * third] = rng.uniform(-90, 90, third)
    Y[third:2 * third:3] = np.round(Y[third:2 * third:3])
    X[:400], Y[:400] = np.repeat(X[:20], 20), np.tile(X[:20], 20)
    _, _, got = code.run(name, X, Y, np.zeros(COUNT), grid=str(COUNT // 256))
    check(name, X, got, reference(X.astype(wide), Y.astype(wide)), bound)


def floats(kind, bits):
    """All bit patterns, ratios of moderate size, and multiples."""
    word = {16: np.uint16, 32: np.uint32, 64: np.uint64}[bits]
    return rng.integers(0, 1 << bits, COUNT, dtype=word).view(kind)


for kind, bits in (np.float16, 16), (np.float32, 32), (np.float64, 64):
    X, Y = floats(kind, bits), floats(kind, bits)
    third = COUNT // 3
    Y[:third] = (X[:third] / rng.uniform(1, 100, third)).astype(kind)
    Y[third:2 * third] = (X[third:2 * third] / rng.integers(1, 2000, third)).astype(kind)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, np.finfo(kind).max, np.finfo(kind).tiny,
                        np.finfo(kind).smallest_subnormal, 3, -7.5], kind)
    X[:144], Y[:144] = np.repeat(special, 12), np.tile(special, 12)
    _, _, got = code.run(f"rem_f{bits}", X, Y, np.zeros(COUNT, kind), grid=str(COUNT // 256))
    same(got, np.fmod(X, Y))
    if bits == 32:
        _, _, got = code.run("rem_vectors", X, Y, np.zeros(COUNT, kind), grid=str(COUNT // 1024))
        same(got, np.fmod(X, Y))
X, Y = (rng.integers(0, 1 << 16, COUNT, dtype=np.uint16) for _ in range(2))
_, _, got = code.run("rem_bf16", X, Y, np.zeros(COUNT, np.uint16), grid=str(COUNT // 256))
as_f32 = lambda bits: (bits.astype(np.uint32) << 16).view(np.float32)
same(as_f32(got), np.fmod(as_f32(X), as_f32(Y)))
