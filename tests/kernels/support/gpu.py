"""What a kernel's reference sees: launches on the machine and comparisons with numpy."""
import os
import re
import subprocess

import numpy as np


class Mismatch(Exception):
    """A launch failed or gave other values than the reference."""


class Local:
    """A pointer to `bytes` of local memory."""

    def __init__(self, bytes):
        self.bytes = bytes


class Gpu:
    def __init__(self, inflight, chip, level, directory, threads=1, checks=None, known=None, delivery=None):
        self.inflight, self.chip, self.level, self.directory, self.threads = inflight, chip, level, directory, threads
        self.code = os.path.join(directory, "kernel.co")
        self.rng = np.random.default_rng(12345)
        self.instructions = 0
        self.delivery = delivery  # as `inflight run --delivery` takes it
        self.checks, self.known = checks, known or {}  # what `inflight run --check` takes; kernel: rule that finds a fault of the compiler

    def launch(self, kernel, args, grid=None, block=64, lanes=None, lds=0, options=()):
        """Arrays are buffers and hold what the kernel left there afterwards; numpy scalars and bytes (structures) are values.
        `lanes`, instead of `grid`, may be no multiple of the block."""
        def triple(value):
            return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)

        command = [self.inflight, "run", self.code, "--kernel", kernel, "--block", triple(block), "--threads", str(self.threads), "--stats"]
        command += ["--global", triple(lanes)] if lanes is not None else ["--grid", triple(1 if grid is None else grid)]
        command += ["--lds", str(lds)] if lds else []
        command += [f"--check={self.checks}"] if self.checks else []
        command += [f"--delivery={self.delivery}"] if self.checks and self.delivery else []
        command += list(options)
        buffers = []
        for index, value in enumerate(args):
            if isinstance(value, np.ndarray):
                path = os.path.join(self.directory, f"{index}.npy")
                plain = value.view(np.float32 if value.dtype == np.complex64 else np.uint8 if value.dtype.fields else value.dtype)
                np.save(path, plain)
                command += ["--arg", path, "--out", f"{index}={path}.out"]
                buffers.append((value, path + ".out"))
            elif isinstance(value, Local):
                command += ["--arg", f"lds:{value.bytes}"]
            else:  # a value of any type is its bytes
                command += ["--arg", "bytes:" + (value if isinstance(value, bytes) else value.tobytes()).hex()]
        result = subprocess.run(command, capture_output=True, text=True, timeout=100)
        findings = set(re.findall(r"error: .* \[([a-z-]+)\]$", result.stderr, re.M))
        if result.returncode and not (result.returncode == 1 and findings == {self.known.get(kernel)}):
            raise Mismatch(f"{' '.join(command)}\n{result.stderr.strip()}")
        if match := re.search(r"(\d+) instructions", result.stderr):
            self.instructions += int(match[1])
        for value, path in buffers:
            value.view(np.uint8).reshape(-1)[:] = np.load(path).view(np.uint8).reshape(-1)

    def expect(self, got, want, rtol=0, atol=0, what="result"):
        got, want = np.asarray(got), np.asarray(want)
        if got.shape != want.shape:
            raise Mismatch(f"{what}: shape {got.shape}, expected {want.shape}")
        if rtol == 0 and atol == 0:
            same = (got == want) | ((got != got) & (want != want))
        else:
            same = np.isclose(got.astype(np.float64) if got.dtype.kind == "f" else got,
                              want, rtol=rtol, atol=atol, equal_nan=True)
        if not same.all():
            wrong = np.argwhere(~same)
            place = tuple(wrong[0])
            raise Mismatch(f"{what}: {len(wrong)} of {got.size} differ, first at {[int(x) for x in place]}: got {got[place]}, expected {want[place]}")
