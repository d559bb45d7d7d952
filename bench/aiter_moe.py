#!/usr/bin/env python3
"""The timed machine beside times of AITER's mixtures of experts: kernels of a single stage, and the first of two stages, in assembly.

    bench/aiter_moe.py INFLIGHT CHECKOUT HSA [--launches N] [--device NAME] [--kind NAME] [--out TABLE.csv] [OPTION...]

CHECKOUT is a checkout of github.com/ROCm/aiter for its tables (aiter/configs/**/*tuned_fmoe.csv: us1, kernelName1), HSA its folder hsa.
Kernels are launched as csrc/py_itfs_cu/asm_fmoe.cu and asm_moe_2stage.cu do. Each token goes to experts that are drawn at random, as
AITER's tuner does; its draw isn't known. No number of the model was fitted to these. Rows that repeat the time of another number of
tokens, which can't be right for both, are left out but for the largest. Second stages are kernels of other libraries whose code objects
aren't in AITER, and its tables of MLA and attention have no times.
"""
import argparse
import collections
import concurrent.futures
import csv
import glob
import hashlib
import os
import random
import struct
import tempfile

import aiter

ACTIVATIONS = {"ActivationType.Silu": 0, "ActivationType.Gelu": 1}
BLOCK = 128  # values that share a scale, where blocks have one
FP4_BLOCK = 32
FLAGS_BYTES = 8  # of a token, behind the result: workgroups that take tokens' experts as they are wait for each other there


class Launch:
    def __init__(self, row, code, kernel):
        names = ("cu_num", "token", "model_dim", "inter_dim", "expert", "topk", "block_m", "ksplit")
        (self.units, self.tokens, self.width, self.hidden, self.experts, self.topk, self.rows, self.split) = (int(row[name]) for name in names)
        self.code, self.activation = code, ACTIVATIONS[row["act_type"]]
        self.has_weights = "doweight" in code
        self.is_whole = "/fmoe/" in code  # else the first of two stages
        self.has_blocks = "blockscale" in code
        self.is_fp4 = "MXfp4" in code
        self.columns = int(kernel["subGU_n" if self.is_whole else "tile_n"])
        self.persistent = int(kernel["tg_num_perCU"]) * self.units if kernel.get("ps") == "1" else 0  # workgroups
        self.is_flat = kernel.get("flat") == "1"  # takes tokens' experts as they are, not sorted
        self.takes_bf16 = "blockscaleBf16" in code or (self.is_fp4 and self.is_flat)  # and quantises by itself
        self.silicon = float(row["us1"])
        self.alike = code, self.units, self.width, self.hidden, self.experts, self.topk, row["us1"]
        self.key = hashlib.sha1(repr((code, self.tokens, *self.alike[2:])).encode()).hexdigest()
        self.device = aiter.DEVICES[self.units]
        kind = "fmoe_stage1" if not self.is_whole else "fmoe, tokens not sorted," if self.is_flat else "fmoe"
        self.family = f"{kind} {'scales of blocks ' if self.has_blocks else ''}{self.device}"
        self.model = {}


def all_launches(checkout, hsa):
    """Each once; of those that have one time for several numbers of tokens, the one with most."""
    codes = {}
    for table in glob.glob(f"{hsa}/gfx9*/fmoe_2stages/*.csv") + glob.glob(f"{hsa}/gfx9*/fmoe/*/*.csv"):
        folder = os.path.relpath(os.path.dirname(table), hsa)
        with open(table) as f:
            for row in csv.DictReader(f):
                codes[folder.split("/")[0], row["knl_name"]] = f"{folder}/{row['co_name']}", row
    found = {}
    for table in sorted(glob.glob(f"{checkout}/aiter/configs/**/*tuned_fmoe.csv", recursive=True)):
        with open(table) as f:
            for row in csv.DictReader(f):
                chip = "gfx950" if row.get("cu_num") == "256" else "gfx942"
                code = codes.get((chip, row.get("kernelName1")))
                if code and float(row["us1"]) > 0:
                    launch = Launch(row, *code)
                    if launch.alike not in found or launch.tokens > found[launch.alike].tokens:
                        found[launch.alike] = launch
    return list(found.values())


def sorted_tokens(launch):
    """Tokens by expert in blocks of `rows`, as moe_sorting leaves them, and the expert of each block."""
    draw, of = random.Random(0), collections.defaultdict(list)
    for token in range(launch.tokens):
        for slot, expert in enumerate(draw.sample(range(launch.experts), launch.topk)):
            of[expert].append(slot << 24 | token)
    ids, experts = [], []
    for expert in sorted(of):
        blocks = aiter.ceildiv(len(of[expert]), launch.rows)
        ids += of[expert] + [launch.topk << 24 | launch.tokens] * (blocks * launch.rows - len(of[expert]))
        experts += [expert] * blocks
    return ids, experts


def save(path, values):
    """numpy's format, of 32-bit integers."""
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}i", *values))
    return path


def expert_ids(launch):
    """Experts of each token, likewise, as they are."""
    draw = random.Random(0)
    return [expert for _ in range(launch.tokens) for expert in draw.sample(range(launch.experts), launch.topk)]


def stage1(launch, blocks):
    """csrc/py_itfs_cu/asm_moe_2stage.cu"""
    t, k, n, e, p = launch.tokens, launch.width, launch.hidden, launch.experts, aiter.pointer
    scales = (k // BLOCK, 2 * n // BLOCK * (k // BLOCK)) if launch.has_blocks else (1, 2 * n)  # of a token, of an expert
    out = f"{t + aiter.ceildiv(4 * t, BLOCK)}x{launch.topk}x{n}:u8" if launch.has_blocks else f"{t}x{launch.topk}x{n}:u16"
    zeros = [out, f"{t}x{k}:u8", f"{e}x{2 * n}x{k}:u8", f"{scales[0]}x{t}:f32", f"{e}x{scales[1]}:f32", f"{blocks * launch.rows}:f32"]
    arguments = (p(0) + p(1) + p(2) + p(6) + p(3) + p(4) + aiter.null() + p(7) + p(8)
                 + aiter.words(k, n, t, e, k, k, launch.topk * n * (1 if launch.has_blocks else 2), k * n * 2, scales[1] * 4, n * 4, launch.topk,
                               launch.split, launch.activation)
                 + (p(5) if launch.has_weights else aiter.null()))
    return zeros, arguments, (aiter.ceildiv(n, launch.columns), blocks, 1 << launch.split)


def whole(launch, blocks):
    """csrc/py_itfs_cu/asm_fmoe.cu"""
    t, k, n, e, p = launch.tokens, launch.width, launch.hidden, launch.experts, aiter.pointer
    part = 2 if launch.is_fp4 else 1  # values of a byte
    if launch.is_fp4:
        token, first, second, kind = k // FP4_BLOCK, 2 * n * k // FP4_BLOCK, k * n // FP4_BLOCK, "u8"
    elif launch.has_blocks:
        token, first, second, kind = k // BLOCK, 2 * n // BLOCK * (k // BLOCK), k // BLOCK * (n // BLOCK), "f32"
    else:
        token, first, second, kind = 1, 2 * n, k, "f32"
    bytes_ = 1 if kind == "u8" else 4
    x = f"{t}x{k}:u16" if launch.takes_bf16 else f"{t}x{k // part}:u8"
    row = k * 2 if launch.takes_bf16 else k // part
    out = t * k + (FLAGS_BYTES // 2 * t if launch.is_flat else 0)
    zeros = [f"{out}:u16", x, f"{e}x{2 * n}x{k // part}:u8", f"{t}x{token}:{kind}", f"{e}x{first}:{kind}", f"{blocks * launch.rows}:f32",
             f"{e}x{k}x{n // part}:u8", f"{e}x{second}:{kind}"]
    valid, ids, experts = (p(8), p(9), p(10)) if not launch.is_flat else (p(8), p(8), p(8))
    parts = aiter.ceildiv(n, launch.columns)
    workgroups = launch.persistent // parts * parts
    arguments = (p(0) + p(1) + p(2) + valid + p(6) + p(3) + p(4) + p(7) + aiter.null() + ids + p(5) + experts
                 + aiter.words(k, n, t, e, row, k // part, n // part, k * 2, 2 * n * k // part, k * n // part, first * bytes_, second * bytes_, n * 4,
                               launch.topk, workgroups, parts))
    if launch.is_flat:
        return zeros, arguments, (parts, launch.topk, t)
    return zeros, arguments, (launch.persistent, 1, 1) if workgroups else (parts, blocks, 1)


def run(inflight, hsa, launch, options):
    if launch.is_flat:
        blocks, integers = launch.topk * launch.tokens, {"experts": expert_ids(launch)}
    else:
        ids, experts = sorted_tokens(launch)
        blocks = aiter.ceildiv(launch.topk * launch.tokens + launch.experts * launch.rows - launch.topk, launch.rows)
        valid = [len(ids), launch.tokens]
        ids += [launch.topk << 24 | launch.tokens] * (blocks * launch.rows - len(ids))
        integers = {"valid": valid, "ids": ids, "experts": experts + [0] * (blocks - len(experts))}
    zeros, arguments, grid = whole(launch, blocks) if launch.is_whole else stage1(launch, blocks)
    # Kernels of a single stage add to the result, which torch clears.
    overhead = aiter.LAUNCH + (aiter.cleared(launch.tokens * launch.width * 2) if launch.is_whole else 0)
    with tempfile.TemporaryDirectory() as folder:
        buffers = ["zeros:" + one for one in zeros] + [save(f"{folder}/{name}.npy", values) for name, values in integers.items()]
        return aiter.timed(inflight, f"{hsa}/{launch.code}", launch.device, grid, overhead, aiter.rotated(zeros), arguments, buffers, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("checkout")
    parser.add_argument("hsa")
    parser.add_argument("--launches", type=int, default=0)
    parser.add_argument("--device", default="")
    parser.add_argument("--kind", default="", help="part of a family's name, such as blocks")
    parser.add_argument("--out")
    arguments, options = parser.parse_known_args()
    launches = [one for one in all_launches(arguments.checkout, arguments.hsa) if arguments.device in one.device and arguments.kind in one.family]
    launches = aiter.spread(launches, arguments.launches)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for one, model in zip(launches, pool.map(lambda one: run(arguments.inflight, arguments.hsa, one, options), launches)):
            one.model = aiter.flat(model)
    if arguments.out:
        with open(arguments.out, "w", newline="") as f:
            writer = csv.writer(f, lineterminator="\n")
            names = sorted({name for one in launches for name in one.model})
            writer.writerow(["code_object", "units", "tokens", "width", "hidden", "experts", "topk", "rows", "silicon_us"] + names)
            for one in launches:
                writer.writerow([one.code, one.units, one.tokens, one.width, one.hidden, one.experts, one.topk, one.rows, one.silicon]
                                + [one.model.get(name) for name in names])
    print(aiter.summary(launches))
    print(aiter.printed(launches))


if __name__ == "__main__":
    main()
