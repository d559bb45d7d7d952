#!/usr/bin/env python3
"""How long an editor waits for `inflight lsp`: kernels of many lines, typed into.

    bench/lsp.py [--build build] [--lines 20000] [--changes 20] [FILE ...]

Of each file, or of two made from examples (a kernel whose loop is written out, and many kernels in one file): the time from opening it to the first diagnostics, from a
change in its middle to the diagnostics of that version (median, worst, and the server's processor time, which a busy host doesn't change), and of the inlay hints of 100
lines after a change; the server's memory at the end."""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lit/lsp/Inputs"))
from client import Client, lines  # noqa: E402


def compiled(example):
    return subprocess.run(["inflight", "compile", "-mcpu=gfx942", "--emit=asm", str(ROOT / "examples" / example), "-o", "-"], capture_output=True, text=True, check=True).stdout


def written_out(text, count):
    """The first loop's body as often as it takes to have `count` lines."""
    split = text.splitlines()
    for end, line in enumerate(split):
        label = re.match(r"\s*s_cbranch_\w+ (\S+)", line)
        if label and f"{label[1]}:" in split[:end]:
            begin = split.index(f"{label[1]}:")
            body = [line for line in split[begin + 1 : end] if not re.match(r"\S+:|\s*s_c?branch", line)]
            return "\n".join(split[:end] + body * ((count - len(split)) // len(body)) + split[end:]) + "\n"
    sys.exit("no loop")


def many(text, name, count):
    """The kernel under as many names as it takes to have `count` lines; the assembler takes metadata once."""
    text = re.sub(r"\.amdgpu_metadata.*\.end_amdgpu_metadata\n", "", text, flags=re.S)
    head, *body = text.splitlines()
    labels = re.sub(r"\.L(\w+)", r".L\1_@", "\n".join(body))
    kernel = re.sub(rf"\b{name}\b", f"{name}_@", labels)
    return "\n".join([head] + [kernel.replace("_@", f"_{i}") for i in range(count // len(body))]) + "\n"


def measure(name, text, changes):
    client = Client("-mcpu=gfx942")
    client.start()
    uri = "file:///bench.s"
    begin = time.perf_counter()
    found = client.open(uri, text)
    first = time.perf_counter() - begin
    split = text.splitlines(keepends=True)
    middle = len(split) // 2
    clock = ~client.process.pid << 3 | 2  # of that process: clock_getcpuclockid(3)
    typed, taken, hinted = [], [], []
    for version in range(2, changes + 2):
        changed = "".join(split[:middle] + [f"  s_nop {version % 8}\n"] + split[middle:])
        begin, before = time.perf_counter(), time.clock_gettime(clock)
        client.change(uri, changed, version)
        client.diagnostics(uri, version)
        typed.append(time.perf_counter() - begin)
        taken.append(time.clock_gettime(clock) - before)
        begin = time.perf_counter()
        client.request("textDocument/inlayHint", lines(uri, middle, middle + 100))
        hinted.append(time.perf_counter() - begin)
    memory = int(re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{client.process.pid}/status").read_text())[1]) // 1024
    client.stop()
    ms = lambda seconds: f"{seconds * 1000:.0f}"
    print(f"{name}: {len(split)} lines, {len(found)} findings: first {ms(first)} ms; after a change {ms(statistics.median(typed))} ms, at most {ms(max(typed))}, "
          f"processor {ms(statistics.median(taken))}; hints {ms(statistics.median(hinted))} ms, at most {ms(max(hinted))}; {memory} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--lines", type=int, default=20000)
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    os.environ["PATH"] = f"{pathlib.Path(arguments.build).resolve()}/bin:{os.environ['PATH']}"
    for file in arguments.files:
        measure(file, pathlib.Path(file).read_text(), arguments.changes)
    if not arguments.files:
        measure("a loop written out", written_out(compiled("flash_attention/flash_attention_d128_causal.mlir"), arguments.lines), arguments.changes)
        measure("many kernels", many(compiled("flash_attention/flash_attention_d128_causal.mlir"), "flash_attention_d128_causal", arguments.lines), arguments.changes)


main()
