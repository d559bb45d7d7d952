#!/usr/bin/env python3
"""Kernels in production whose speed others have published, against the timed machine.

    bench/published.py BUILD KERNELS [--only TEXT] [--check]

KERNELS is the folder hsa of AMD's library AITER (github.com/ROCm/aiter), whose code objects are not part of this repository; the
SHA-256 of each is checked, as other versions are other kernels. Compared is the share of the time in which the matrix cores are busy:
it says the same as TFLOP/s but needs no clock, which for such kernels is far below the peak and seldom published. Where only TFLOP/s
are published, the table gives the clock at which the model agrees.
"""
import argparse
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile

import numpy

COUNTERS = "midiareshadi/attn-dsl-bench@94ea7f3, counters_v1.csv: MfmaUtil"
MEDIANS = "tingqli/pyhip@649e124, H3_REPRODUCTION_COMPARISON_REPORT_CURRENT.md: time and sampled clock"
MOONMATH = "moonmath-ai/amd-kernels@5f758e7, README.md"
KITTENS = "HazyResearch/HipKittens@f09e968, analysis"

UNITS = {"MI300X": 304, "MI308X": 80, "MI355X": 256}
FLOPS_A_CYCLE = {"MI300X": 2048, "MI308X": 2048, "MI355X": 4096}  # bf16 products, a compute unit


def pointer(spec):
    return [spec, "i64:0"]


def word(spec):
    return [spec] + 3 * ["i32:0"]


def single(value):
    return "bytes:" + struct.pack("<f", value).hex()


class Attention:
    """Forward attention of [batch, length, heads, 128] in bf16 (the library's csrc/include/mha_fwd.h)."""

    block, rows = 512, 256  # rows: queries of a workgroup, twice as many with a causal mask

    def __init__(self, batch, heads, length, causal=False, grouped=False):
        self.batch, self.heads, self.length, self.causal, self.grouped = batch, heads, length, causal, grouped
        self.shape = f"{batch}x{length}x{heads}x128:bf16"

    def __str__(self):
        return f"B {self.batch} H {self.heads} N {self.length}" + (" causal" if self.causal else "")

    def grid(self):
        tiles = -(-self.length // self.rows)
        if self.causal:
            tiles = -(-tiles // 2)
        return (self.heads, self.batch, tiles) if self.grouped else (tiles, self.heads, self.batch)

    def flops(self):
        return 4 * self.batch * self.heads * self.length ** 2 * 128 // (2 if self.causal else 1)

    def executed(self, counted):
        """Those of the matrix cores: with a mask also what of the diagonal's blocks is thrown away."""
        return counted or self.flops()

    def arguments(self, folder, inputs=None):
        zeros = "zeros:" + self.shape
        row, head = self.heads * 256, 256
        sequence = 0 if self.grouped else self.length * row
        starts = "null"
        if self.grouped:
            starts = os.path.join(folder, "starts.npy")
            numpy.save(starts, numpy.array([0, self.length], dtype=numpy.int32))
        order = 5 if not self.causal or (self.heads % 8 == 0 and self.length <= 16384) else 3
        result = sum(map(pointer, [zeros] + (inputs or 3 * [zeros]) + ["zeros:4:f32"]), []) + word(single(128 ** -0.5))
        for number in (self.length, row, self.rows * row, head, sequence, 1, row, head, sequence, order, 0, self.length, 128, 128, self.heads,
                       row, head, sequence, row, head, sequence):
            result += word(f"i32:{number}")
        return result + 2 * pointer(starts) + word(f"i32:{4 * self.length}") + 2 * pointer(starts)

    def expected(self, q, k, v):
        q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
        scores = q @ k.transpose(0, 1, 3, 2) * 128 ** -0.5
        if self.causal:
            scores = numpy.where(numpy.tril(numpy.ones(scores.shape[-2:], bool)), scores, -numpy.inf)
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        return (weights / weights.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3)


class Gemm:
    """C = A B^T in bf16, 256 x 256 a workgroup (the library's csrc/py_itfs_cu/asm_gemm_a16w16.cu)."""

    block = 256

    def __init__(self, size):
        self.size = size
        self.shape = f"{size}x{size}:bf16"

    def __str__(self):
        return f"M N K {self.size}"

    def grid(self):
        return (self.size // 256, self.size // 256, 1)

    def flops(self):
        return 2 * self.size ** 3

    def executed(self, counted):
        return counted or self.flops()

    def arguments(self, folder, inputs=None):
        zeros, row = "zeros:" + self.shape, 2 * self.size
        a, b = inputs or (zeros, zeros)
        result = pointer(zeros) + pointer("null") + pointer(a) + pointer(b) + word(single(1)) + word(single(0))
        for number in (row, 0, row, 0, row, 0, row, 0, self.size, self.size, self.size, 1, 1):
            result += word(f"i32:{number}")
        return result + pointer("null") + word("i32:0") + pointer("null")

    def expected(self, a, b):
        return a @ b.T


ATTENTION, GEMM = "gfx942/fmha_v3_fwd/", "gfx950/bf16gemm/bf16gemm_bf16_tn_256x256.co"
NEW_ATTENTION = "gfx950/fmha_v3_fwd/fwd_hd128_bf16"
HASHES = {
    "gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_causal_rtna.co": "e2b65a55f340ed8c",
    "gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtna_group.co": "f8d7e1dfc5301ede",
    "gfx942/fmha_v3_fwd/MI308/fwd_hd128_bf16_rtna_group.co": "3687c5610a454572",
    "gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtz.co": "5ad6280d6c9da9fd",
    "gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtna.co": "5a82037e8a112bb4",
    "gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtne.co": "379ccbd65ce645d7",
    "gfx950/bf16gemm/bf16gemm_bf16_tn_256x256.co": "5a700d82272ba857",
    "gfx950/fmha_v3_fwd/fwd_hd128_bf16.co": "f82d0f58029a243b",
    "gfx950/fmha_v3_fwd/fwd_hd128_bf16_causal.co": "2800ae3552b778f1",
}


class Row:
    """`busy`: published share of the matrix cores' time in %. `teraflops`: published rate. `mhz`: the clock it was measured at, if known.
    `counted`: floating-point operations that the counters saw."""

    def __init__(self, device, kernel, problem, source, busy=None, teraflops=None, mhz=None, counted=None):
        self.device, self.kernel, self.problem, self.source = device, kernel, problem, source
        self.busy, self.teraflops, self.mhz, self.counted = busy, teraflops, mhz, counted
        if mhz:
            self.busy = 100 * teraflops * 1e6 / (UNITS[device] * FLOPS_A_CYCLE[device] * mhz)


CAUSAL = ATTENTION + "MI300/fwd_hd128_bf16_causal_rtna.co"
ROWS = [Row("MI300X", CAUSAL, Attention(16, 16, n, causal=True), COUNTERS, busy=busy, counted=counted) for n, busy, counted in (
    (1024, 42.16, 85899345920), (2048, 50.13, 309237645312), (4096, 64.54, 1168231104512), (8192, 67.65, 4535485464576),
    (16384, 72.09, 17867063951360))]
ROWS += [Row("MI308X", ATTENTION + kernel, Attention(1, 14, 63225, grouped=True), MEDIANS, teraflops=teraflops, mhz=mhz)
         for kernel, teraflops, mhz in (("MI300/fwd_hd128_bf16_rtna_group.co", 202.037, 1692.3), ("MI308/fwd_hd128_bf16_rtna_group.co", 149.391, 1788.9))]
ROWS += [Row("MI300X", ATTENTION + f"MI300/fwd_hd128_bf16_{rounding}.co", Attention(1, 16, 131072), MOONMATH, teraflops=140737 / ms)
         for rounding, ms in (("rtz", 239.587), ("rtna", 258.092), ("rtne", 269.278))]
ROWS += [Row("MI355X", GEMM, Gemm(n), KITTENS, teraflops=t) for n, t in ((8192, 1590.8), (16384, 1564.1))]
ROWS += [Row("MI355X", NEW_ATTENTION + ".co", Attention(16, 16, n), KITTENS, teraflops=t) for n, t in ((4096, 1210.7), (8192, 1259.3), (16384, 1282.6))]
ROWS += [Row("MI355X", NEW_ATTENTION + "_causal.co", Attention(16, 16, n, causal=True), KITTENS, teraflops=t) for n, t in ((4096, 1069.0), (8192, 1173.2))]


def run(binary, kernel, problem, arguments, *options):
    command = [binary, "run", kernel, "--grid", ",".join(map(str, problem.grid())), "--block", f"{problem.block},1,1", *options]
    for argument in arguments:
        command += ["--arg", argument]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)
    return result.stderr


def device_cycles(binary, kernel, row, folder):
    """Two workgroups a compute unit: the first finds caches empty, the others are like the second."""
    text = run(binary, kernel, row.problem, row.problem.arguments(folder), "--timed", "--device", row.device, "--sample", "2")
    return int(re.search(r"device: (\d+) cycles", text).group(1))


def to_bf16(values):
    bits = values.astype(numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def from_bf16(bits):
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32).astype(numpy.float64)


def check(binary, kernels, folder):
    """Small shapes, with the results compared."""
    random = numpy.random.default_rng(1)
    small = [(ATTENTION + f"MI300/fwd_hd128_bf16_{mask}{rounding}.co", Attention(2, 2, 512, causal=bool(mask)))
             for mask in ("", "causal_") for rounding in ("rtz", "rtna", "rtne")]
    small += [(NEW_ATTENTION + ".co", Attention(2, 2, 512)), (GEMM, Gemm(512))]
    for path, problem in small:
        shape = tuple(map(int, problem.shape.split(":")[0].split("x")))
        values, files = [], []
        for i in range(2 if isinstance(problem, Gemm) else 3):
            bits = to_bf16(random.standard_normal(shape))
            files.append(os.path.join(folder, f"{i}.npy"))
            numpy.save(files[-1], bits)
            values.append(from_bf16(bits))
        out = os.path.join(folder, "out.npy")
        run(binary, os.path.join(kernels, path), problem, problem.arguments(folder, [f + ":bf16" for f in files]), "--out", "0=" + out)
        got, expected = from_bf16(numpy.load(out).view(numpy.uint16).reshape(shape)), problem.expected(*values)
        error = numpy.abs(got - expected).max() / numpy.abs(expected).max()
        print(f"{path} {problem}: {error:.2g} of the largest result", "" if error < 0.01 else "WRONG", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("kernels")
    parser.add_argument("--only", default="", help="rows with this text in kernel, shape or device")
    parser.add_argument("--check", action="store_true", help="compare results of small shapes instead")
    options = parser.parse_args()
    binary = os.path.join(options.build, "bin", "inflight")
    with tempfile.TemporaryDirectory() as folder:
        if options.check:
            return check(binary, options.kernels, folder)
        print("| device, kernel, shape | model: cycles | matrix cores busy | published | error | TFLOP/s published | at MHz | source |")
        print("|---|---|---|---|---|---|---|---|")
        for row in ROWS:
            name = f"{row.device} {row.kernel.split('/', 1)[1]} {row.problem}"
            if options.only not in name:
                continue
            path = os.path.join(options.kernels, row.kernel)
            digest = hashlib.sha256(open(path, "rb").read()).hexdigest()
            if not digest.startswith(HASHES[row.kernel]):
                sys.exit(f"{path}: another version than the one that was measured")
            cycles = device_cycles(binary, path, row, folder)
            peak = UNITS[row.device] * FLOPS_A_CYCLE[row.device]
            busy = 100 * row.problem.executed(row.counted) / (peak * cycles)
            published = f"{row.busy:.1f} % | {100 * (busy / row.busy - 1):+.1f} %" if row.busy else "- | -"
            rate = f"{row.teraflops:.0f}" if row.teraflops else "-"
            clock = f"{row.mhz:.0f}" if row.mhz else "not known" if not row.teraflops else f"{row.teraflops * cycles / row.problem.flops() * 1e6:.0f} would agree"
            print(f"| {name} | {cycles:,} | {busy:.1f} % | {published} | {rate} | {clock} | {row.source} |", flush=True)


if __name__ == "__main__":
    main()
