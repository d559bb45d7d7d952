#!/usr/bin/env python3
"""The timed machine beside times of AITER's mixtures of experts: the first of their two kernels, in assembly.

    bench/aiter_moe.py INFLIGHT CHECKOUT HSA [--launches N] [--device NAME] [--out TABLE.csv] [OPTION...]

CHECKOUT is a checkout of github.com/ROCm/aiter for its tables (aiter/configs/**/*tuned_fmoe.csv: us1, kernelName1), HSA its folder hsa.
Taken are the kernels with a scale for each token (fmoe_stage1_bf16_pertoken*), launched as csrc/py_itfs_cu/asm_moe_2stage.cu does. Each
token goes to experts that are drawn at random, as AITER's tuner does; its draw isn't known. No number of the model was fitted to these.
Tables of MLA and attention kernels with times aren't in AITER.
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


class Launch:
    def __init__(self, row, code):
        names = ("cu_num", "token", "model_dim", "inter_dim", "expert", "topk", "block_m", "ksplit")
        (self.units, self.tokens, self.width, self.hidden, self.experts, self.topk, self.rows, self.split) = (int(row[name]) for name in names)
        self.code, self.activation = code, ACTIVATIONS[row["act_type"]]
        self.has_weights = "doweight" in code
        self.silicon = float(row["us1"])
        self.key = hashlib.sha1(repr((code, self.tokens, self.width, self.hidden, self.experts, self.topk, row["us1"])).encode()).hexdigest()
        self.device = aiter.DEVICES[self.units]
        self.family = f"fmoe_stage1 {self.device}"
        self.model = {}


def all_launches(checkout, hsa):
    codes = {}
    for table in glob.glob(f"{hsa}/gfx9*/fmoe_2stages/fmoe_stage1_bf16_pertoken*.csv"):
        with open(table) as f:
            for row in csv.DictReader(f):
                if "blockscale" not in row["co_name"]:
                    codes[table.split("/")[-3], row["knl_name"]] = f"{table.split('/')[-3]}/fmoe_2stages/{row['co_name']}", int(row["tile_n"])
    found = {}
    for table in sorted(glob.glob(f"{checkout}/aiter/configs/**/*tuned_fmoe.csv", recursive=True)):
        with open(table) as f:
            for row in csv.DictReader(f):
                chip = "gfx950" if row.get("cu_num") == "256" else "gfx942"
                code = codes.get((chip, row.get("kernelName1")))
                if code and float(row["us1"]) > 0:
                    launch = Launch(row, code[0])
                    launch.columns = code[1]
                    found[launch.key] = launch
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


def run(inflight, hsa, launch, options):
    ids, experts = sorted_tokens(launch)
    valid = len(ids)
    most = aiter.ceildiv(launch.topk * launch.tokens + launch.experts * launch.rows - launch.topk, launch.rows)
    ids += [launch.topk << 24 | launch.tokens] * (most * launch.rows - len(ids))
    experts += [0] * (most - len(experts))
    with tempfile.TemporaryDirectory() as folder:
        t, k, n, e = launch.tokens, launch.width, launch.hidden, launch.experts
        zeros = [f"{t}x{launch.topk}x{n}:u16", f"{t}x{k}:u8", f"{e}x{2 * n}x{k}:u8", f"{t}:f32", f"{e}x{2 * n}:f32", f"{len(ids)}:f32"]
        buffers = ["zeros:" + one for one in zeros] + [save(f"{folder}/{name}.npy", values) for name, values in
                                                       (("valid", [valid, t]), ("ids", ids), ("experts", experts))]
        p = aiter.pointer
        arguments = (p(0) + p(1) + p(2) + p(6) + p(3) + p(4) + aiter.null() + p(7) + p(8)
                     + aiter.words(k, n, t, e, k, k, launch.topk * n * 2, k * n * 2, 2 * n * 4, n * 4, launch.topk, launch.split, launch.activation)
                     + (p(5) if launch.has_weights else aiter.null()))
        grid = (aiter.ceildiv(n, launch.columns), most, 1 << launch.split)
        return aiter.timed(inflight, f"{hsa}/{launch.code}", launch.device, grid, aiter.LAUNCH, aiter.rotated(zeros), arguments, buffers, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("checkout")
    parser.add_argument("hsa")
    parser.add_argument("--launches", type=int, default=0)
    parser.add_argument("--device", default="")
    parser.add_argument("--out")
    arguments, options = parser.parse_known_args()
    launches = [one for one in all_launches(arguments.checkout, arguments.hsa) if arguments.device in one.device]
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
