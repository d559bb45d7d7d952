import math

import numpy as np


def run(gpu):
    with np.errstate(all="ignore"):
        for kind, kernel, tolerance in [(np.float32, "in_single", 1e-6), (np.float64, "in_double", 2e-15)]:
            n = 128
            x = np.concatenate([np.linspace(-12, 12, 64), gpu.rng.standard_normal(56), [1e5, -3e4, 0.5, -0.5, 1e-6, -1e-6, 1e-3, 20]]).astype(kind)
            x[x == 0] = 1
            out = np.zeros((30, n), kind)
            gpu.launch(kernel, [x, out, np.uint32(n)], grid=2)
            d, i = x.astype(np.float64), np.arange(n)
            p, each = np.abs(d), lambda f, v: np.array([f(float(t)) for t in v])
            seven = float(kind(0.7))
            want = [np.exp(d), np.log(p), np.sin(d), np.cos(d), np.tan(d), np.arctan(d), np.sinh(d), np.tanh(d), np.cbrt(d), each(math.erf, d), np.expm1(d),
                    np.log1p(p), np.sqrt(p), p ** float(kind(1.7)), np.log2(p), 10.0 ** d, np.arcsin((x / (1 + np.abs(x))).astype(np.float64)),
                    np.arccosh((1 + np.abs(x)).astype(np.float64)), np.hypot(d, 3), np.arctan2(d, -2), np.fmod(d, seven),
                    each(lambda t: math.remainder(t, seven), d), np.ldexp(d, i % 40 - 20), np.floor(np.log2(p)),
                    np.sign(d) * np.floor(p + 0.5) + np.trunc(d) + np.rint(d), np.nextafter(x, kind(100)), -p / 3,
                    each(math.lgamma, (np.abs(x) + kind(1)).astype(np.float64)), d ** (i % 7 - 3.0),
                    np.array([math.sin(math.pi * math.fmod(t, 2)) + math.cos(math.pi * math.fmod(t, 2)) for t in d])]
            for row, (got, expected) in enumerate(zip(out, want)):
                # Values near a zero of the sum or difference have only an absolute accuracy.
                gpu.expect(got, np.array(expected).astype(kind), rtol=4 * tolerance, atol=tolerance, what=f"{kernel} row {row}")
