"""f32 functions against f64's, in units of the last place of the exact result, over all magnitudes and at special values."""
import sys

import numpy as np

from kernels import Kernels

COUNT = 65536
code = Kernels(sys.argv)
report = len(sys.argv) > 4
rng = np.random.default_rng(11)
f32, f64 = np.float32, np.float64


def any_floats():
    """Half of them of all bit patterns, the rest of moderate size; special values first."""
    x = rng.integers(0, 1 << 32, COUNT, dtype=np.uint32).view(f32)
    x[COUNT // 2:] = rng.uniform(-1, 1, COUNT // 2).astype(f32) * f32(10) ** rng.uniform(-3, 6, COUNT // 2).astype(f32)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 1e-45, -1e-45, 1.1754942e-38, 3.4028235e38, 88.72283, 88.72284,
               -103.97, -103.98, -87.3, 131071.99, 131072, 1 + 2**-23, 1 - 2**-24]
    # Close to multiples of pi/2, and of the largest.
    special += list((np.arange(1, 2000) * (np.pi / 2)).astype(f32)) + [16367173 * 2.0**72, 13253144 * 2.0**-2]
    x[:len(special)] = special
    return x


def check(name, got, exact, bound):
    with np.errstate(all="ignore"):
        rounded = exact.astype(f32)
        got64, size = got.astype(f64), np.maximum(np.abs(exact), 2.0**-126)
        unit = 2.0 ** (np.floor(np.log2(np.where(np.isfinite(size), size, 1))) - 23)
        error = np.abs(got64 - exact) / unit
    special = ~np.isfinite(rounded) | ~np.isfinite(got) | (rounded == 0)
    same = (got == rounded) & (np.signbit(got) == np.signbit(rounded)) | np.isnan(got) & np.isnan(rounded)
    # At the edges of the range a result may be the last finite number, or a denormal.
    near = np.isfinite(exact) & ((np.abs(exact) > 3.4028234e38) | (np.abs(exact) < 1e-44))
    wrong = np.where(special, ~same & ~(near & (error <= bound)), error > bound)
    worst = np.nanmax(np.where(special, 0, error))
    if report:
        print(f"{name}: {worst:.2f} units")
    places = np.flatnonzero(wrong)[:4]
    assert not wrong.any(), f"{name}: {wrong.sum()} wrong: {[(float(X[p]), float(got[p]), float(exact[p])) for p in places]}"


functions = {"sin": (np.sin, 2), "cos": (np.cos, 2), "tan": (np.tan, 2), "exp": (np.exp, 1.5), "log": (np.log, 1.5),
             "log10": (np.log10, 1.5), "sqrt": (np.sqrt, 0.5)}
for name, (function, bound) in functions.items():
    X = any_floats()
    _, got = code.run(name, X, np.zeros(COUNT, f32), grid=str(COUNT // 256))
    with np.errstate(all="ignore"):
        check(name, got, function(X.astype(f64)), bound)

X = any_floats()
Y = rng.permutation(any_floats())
Y[COUNT // 2:] = rng.uniform(-40, 40, COUNT // 2).astype(f32)
Y[COUNT // 2::5] = np.round(Y[COUNT // 2::5])
_, _, got = code.run("powf", X, Y, np.zeros(COUNT, f32), grid=str(COUNT // 256))
with np.errstate(all="ignore"):
    check("powf", got, np.power(X.astype(f64), Y.astype(f64)), 2)

X = any_floats()[:256].reshape(64, 4)
X[0, :] = [1e6, -3e30, 5, 0]
_, got = code.run("vector", X, np.zeros((64, 4), f32))
with np.errstate(all="ignore"):
    exact = np.sin(X.astype(f64)) + np.cos(X.astype(f64))
    assert (np.isnan(got) == np.isnan(exact)).all() and np.nanmax(np.abs(got - exact)) < 4e-7

X = np.arange(COUNT).astype(np.uint16).view(np.float16)
_, got = code.run("half", X, np.zeros(COUNT, np.float16), grid=str(COUNT // 256))
with np.errstate(all="ignore"):
    exact = np.sin(X.astype(f64))
    assert (np.isnan(got) == np.isnan(exact)).all()
    assert np.nanmax(np.abs(got - exact) / np.maximum(np.abs(exact), 6e-5)) < 2**-10
