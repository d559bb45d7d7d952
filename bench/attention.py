#!/usr/bin/env python3
"""How busy the matrix cores are in attention forward that was written without asynchronous copies (examples/flash_attention/plain.py).

    bench/attention.py build/bin/inflight [build/bench/upstream-compile] [--chips gfx950,gfx942] [--dims 64,128] [--heads 16] [--length 4096]
                       [--causal off,on] [--check] [--json FILE]

Each kernel is compiled with its copies as they are written (--async-copies=off), with copies ahead, and by LLVM's own pipeline, and runs on the timed model:
the workgroups that one compute unit holds at a time. "run" is the share of the run's cycles in which the matrix cores work, from the first wave's begin to
the last one's end; "steady" that of the time in which all waves are there, without the first sixth of it, in which they come to their loops, and the last.
--check compares results of a smaller size with the host's, in doubles, instead.
"""
import argparse
import gzip
import json
import os
import sys
import tempfile

import lib
import numpy

sys.path.insert(0, os.path.join(lib.ROOT, "examples/flash_attention"))
from plain import Attention  # noqa: E402


def series(trace, name):
    return [(event["ts"], next(iter(event["args"].values()))) for event in trace if event["ph"] == "C" and event["name"] == name]


def steady(trace):
    waves, busy = series(trace, "waves"), series(trace, "MFMA busy")
    most = max(count for _, count in waves)
    begin = next(at for at, count in waves if count == most)
    end = next((at for at, count in waves if at > begin and count < most), waves[-1][0])
    margin = (end - begin) / 6
    inside = [share for at, share in busy if begin + margin <= at <= end - margin]
    return sum(inside) / len(inside) / 100


def measure(inflight, code, kernel, folder):
    shape, perfetto = f"{kernel.heads}x{kernel.length}x{kernel.dim}", os.path.join(folder, "trace.json.gz")
    arguments = lib.arguments([f"random:{shape}:f16:{seed}" for seed in (1, 2, 3)] + [f"zeros:{shape}:f32"])
    report = json.loads(lib.run([inflight, "trace", code, "--grid", kernel.grid(), *arguments, "--sample", "1", "--report=json", "--perfetto", perfetto]).stdout)
    with gzip.open(perfetto) as file:
        trace = json.load(file)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    return {"cycles": report["cycles"], "run": report["pipes"]["MFMA"]["percent"] / 100, "steady": steady(events)}


def expected(q, k, v, causal):
    scores = numpy.einsum("hid,hjd->hij", q.astype("f8"), k.astype("f8")) / q.shape[-1] ** 0.5
    if causal:
        scores = numpy.where(numpy.tril(numpy.ones(scores.shape[1:])) > 0, scores, -numpy.inf)
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v.astype("f8")


def check(inflight, code, kernel, folder):
    """The largest error, with all checks of the machine."""
    random = numpy.random.default_rng(1)
    files, values = [], []
    for name in "qkv":
        values.append(random.standard_normal((kernel.heads, kernel.length, kernel.dim)).astype("f2"))
        files.append(os.path.join(folder, name + ".npy"))
        numpy.save(files[-1], values[-1])
    out = os.path.join(folder, "o.npy")
    arguments = lib.arguments([file + ":f16" for file in files] + [f"zeros:{kernel.heads}x{kernel.length}x{kernel.dim}:f32"])
    lib.run([inflight, "run", code, "--grid", kernel.grid(), *arguments, "--check=all", "--out", "3=" + out])
    return {"error": float(abs(numpy.load(out).reshape(values[0].shape) - expected(*values, kernel.causal)).max())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("upstream", nargs="?")
    parser.add_argument("--chips", default="gfx950,gfx942")
    parser.add_argument("--dims", default="64,128")
    parser.add_argument("--heads", default=16, type=int)
    parser.add_argument("--length", default=4096, type=int)
    parser.add_argument("--causal", default="off,on")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    a = parser.parse_args()
    table = []
    for chip in a.chips.split(","):
        ways = {"as written": [a.inflight, "compile", f"-mcpu={chip}", "--async-copies=off"], "copies ahead": [a.inflight, "compile", f"-mcpu={chip}"]}
        if a.upstream:
            ways["LLVM 22"] = [a.upstream, chip]
        for dim in map(int, a.dims.split(",")):
            for causal in (text == "on" for text in a.causal.split(",")):
                kernel = Attention(2 if a.check else a.heads, 512 if a.check else a.length, dim, causal=causal, transposes=chip == "gfx950")
                for way, command in ways.items():
                    row = {"chip": chip, "dim": dim, "causal": causal, "way": way}
                    with tempfile.TemporaryDirectory() as folder:
                        try:
                            row |= (check if a.check else measure)(a.inflight, lib.compile(command, kernel.text(), folder), kernel, folder)
                            what = f"largest error {row['error']:.1e}" if a.check else f"{row['cycles']:9,} {row['run']:6.0%} {row['steady']:6.0%}"
                        except RuntimeError as error:
                            row["error"] = what = str(error)
                    print(f"{chip:7} {dim:4} {'causal' if causal else '':7} {way:13} {what}", flush=True)
                    table.append(row)
    lib.write_json(a.json, table)


if __name__ == "__main__":
    main()
