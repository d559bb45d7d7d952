"""Arithmetic on halves and bfloats: every class of number against every other, and random bits; what numpy makes of them.

    short_arithmetic.py make PATH
    short_arithmetic.py check INFLIGHT CODE PATH
"""
import subprocess
import sys

import numpy as np

COUNT = 4096
ODD = [0, 1, 0x7F, 0x80, 0x3F80, 0x3C00, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7F7F, 0x7F80, 0x7F81, 0x7FBF, 0x7FC0, 0x7FFF]
ODD += [0x8000 | bits for bits in ODD]


def numbers(seed):
    """Pairs: all of the odd ones, then random ones."""
    generator = np.random.default_rng(seed)
    a, b = generator.integers(0, 1 << 16, (2, COUNT), dtype=np.uint16)
    pairs = np.array([(x, y) for x in ODD for y in ODD], dtype=np.uint16)
    a[:len(pairs)], b[:len(pairs)] = pairs.T
    return a, b


def single(bfloats):
    return (bfloats.astype(np.uint32) << 16).view(np.float32)


def rounded(singles):
    """To the nearest bfloat, of two as near the even one; bits, 0x7fc0 for each NaN."""
    bits = singles.view(np.uint32).astype(np.uint64)
    return np.where(np.isnan(singles), 0x7FC0, (bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def same(name, got, wanted, is_nan):
    got, wanted = (np.where(is_nan(x), 0x7FFF, x) for x in (got, wanted))
    assert (got == wanted).all(), (name, [(i, hex(got[i]), hex(wanted[i])) for i in np.flatnonzero(got != wanted)[:5]])


def run(inflight, code, kernel, *arguments):
    command = [inflight, "run", code, "--kernel", kernel, "--grid", str(COUNT // 256 if kernel == "rounded" else COUNT // 1024), "--check=all"]
    for argument in arguments:
        command += ["--arg", argument]
    out = f"{code}.{kernel}.npy"
    subprocess.run([*command, "--out", f"{len(arguments) - 1}={out}"], check=True)
    return np.load(out)


def check(inflight, code, path):
    a, b = numbers(1)
    x, y = a.view(np.float16), b.view(np.float16)
    repeated = np.repeat(y[:COUNT // 4], 4)
    files = [f"{path}.a.npy", f"{path}.b.npy"]
    got = run(inflight, code, "halves", *files, f"zeros:2x{COUNT}:i16").view(np.uint16).reshape(2, COUNT)
    half_nan = lambda bits: (bits & 0x7FFF) > 0x7C00
    for i, wanted in enumerate((x - y, x - repeated)):
        same(f"halves {i}", got[i], wanted.view(np.uint16), half_nan)
    x, y = single(a), single(b)
    got = run(inflight, code, "bfloats", *files, f"zeros:3x{COUNT}:i16").view(np.uint16).reshape(3, COUNT)
    bfloat_nan = lambda bits: (bits & 0x7FFF) > 0x7F80
    for i, wanted in enumerate((x + y, x - y, x * y)):
        same(f"bfloats {i}", got[i], rounded(wanted), bfloat_nan)
    x = np.load(f"{path}.singles.npy")
    got = run(inflight, code, "rounded", f"{path}.singles.npy", f"zeros:{COUNT}:i16").view(np.uint16)
    same("rounded", got, rounded(x), bfloat_nan)


if __name__ == "__main__":
    np.seterr(all="ignore")
    if sys.argv[1] == "make":
        a, b = numbers(1)
        np.save(f"{sys.argv[2]}.a.npy", a.view(np.int16))
        np.save(f"{sys.argv[2]}.b.npy", b.view(np.int16))
        low, _ = numbers(2)
        singles = a.astype(np.uint32) << 16 | low
        singles[:4] = 0x7FFFFFFF, 0xFFFFFFFF, 0x7F800001, 0x7FFF8000
        np.save(f"{sys.argv[2]}.singles.npy", singles.view(np.float32))
    else:
        check(*sys.argv[2:])
