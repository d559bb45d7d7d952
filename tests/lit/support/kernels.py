"""Runs kernels on the machine and gives their buffers back.

    code = Kernels(sys.argv)          # inflight, code object, prefix of temporary files
    x, y = code.run("copy", x, y)     # arrays are buffers, strings are passed on as they are
"""
import subprocess

import numpy as np


class Kernels:
    def __init__(self, argv):
        self.inflight, self.code, self.prefix = argv[1:4]

    def run(self, kernel, *arguments, grid=None, block=None, lds=None):
        command = [self.inflight, "run", self.code, "--kernel", kernel, "--threads", "1"]
        if grid:
            command += ["--grid", grid]
        if block:
            command += ["--block", block]
        if lds:
            command += ["--lds", str(lds)]
        outputs = []
        for i, argument in enumerate(arguments):
            if isinstance(argument, np.ndarray):
                place = f"{self.prefix}.{kernel}.{i}"
                np.save(f"{place}.npy", argument)
                outputs.append(f"{place}.out.npy")
                command += ["--out", f"{i}={place}.out.npy"]
                argument = f"{place}.npy"
            command += ["--arg", argument]
        subprocess.run(command, check=True, timeout=120)
        results = [np.load(file) for file in outputs]
        return results[0] if len(results) == 1 else results


def bf16_to_f32(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def f32_to_bf16(values):
    """Rounds to nearest even; a NaN stays one."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)


def same(got, expected, rtol=0, atol=0):
    """Equal element for element; NaNs equal each other, zeros differ by their sign."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, (got.shape, expected.shape)
    equal = got == expected
    if np.issubdtype(got.dtype, np.floating):
        if rtol or atol:
            equal |= np.abs(got.astype(np.float64) - expected) <= atol + rtol * np.abs(expected.astype(np.float64))
        else:
            equal &= np.signbit(got) == np.signbit(expected)
        equal |= np.isnan(got) & np.isnan(expected)
    if not equal.all():
        places = np.argwhere(~equal)[:4]
        pairs = [(tuple(int(i) for i in p), got[tuple(p)], expected[tuple(p)]) for p in places]
        raise AssertionError(f"{(~equal).sum()} differ; place, got, expected: {pairs}")
