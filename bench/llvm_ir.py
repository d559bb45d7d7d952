#!/usr/bin/env python3
"""Code that Inflight and LLVM make of the same LLVM IR: kernels that Triton left in its cache.

    llvm_ir.py INFLIGHT FOLDER [--every N] [--all]

FOLDER is a cache ($TRITON_CACHE_DIR) that LLVM's compiler filled: NAME.llir with NAME.amdgcn and NAME.json beside it. Prints instructions, waits, VGPRs
and bytes of scratch of both, and Inflight's time; llc-22's time, too, for text that LLVM 22 reads. Times are processor time with the process's start.
"""
import argparse
import json
import pathlib
import re
import resource
import statistics
import tempfile

import lib

CHIPS = ("gfx90a", "gfx942", "gfx950")


def counts(assembly):
    """Instructions, waits, VGPRs and bytes of scratch, in one file of one kernel."""
    code = assembly[:assembly.index(".amdhsa_kernel")]
    instructions = re.findall(r"^\s+([a-z]+_[a-z0-9_]+)", code, re.M)
    own = [int(re.search(rf"\.{key}: +(\d+)", assembly)[1]) for key in ("vgpr_count", "private_segment_fixed_size")]
    return [len(instructions), instructions.count("s_waitcnt"), *own]


def timed(command):
    """What it printed, and its processor time; a RuntimeError if it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = lib.run(command, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def contracting(text):
    """As inflight.triton hands it over: Triton tells LLVM by an option that products and sums may be fused."""
    return re.sub(r" = (fmul|fadd|fsub) ", r" = \1 contract ", text)


def measure(inflight, source, chip, may_fuse, folder):
    text = source.read_text()
    path = pathlib.Path(folder) / (source.stem + ".ll")
    path.write_text(contracting(text) if may_fuse else text)
    own, seconds = timed([inflight, "compile", "-mcpu=" + chip, "--emit=asm", path, "-o", "-"])
    try:
        llvm_seconds = timed(["llc-22", "-O3", "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + chip, path, "-o", "/dev/null"])[1]
    except RuntimeError:  # a newer release's text
        llvm_seconds = None
    return counts(own), counts(source.with_suffix(".amdgcn").read_text()), seconds, llvm_seconds


def ratio(a, b):
    return a / b if b else float(a > 0) + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, help="one kernel of so many")
    parser.add_argument("--all", action="store_true", help="each kernel, not only the worst")
    options = parser.parse_args()
    rows, refused = [], []
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(options.folder.rglob("*.llir"))[::options.every]:
            told = json.loads(source.with_suffix(".json").read_text())
            if told["arch"] not in CHIPS:
                continue
            name = f"{told['arch']} {source.stem} {source.parent.name[:6]}"
            try:
                rows.append((name, *measure(options.inflight, source, told["arch"], told["enable_fp_fusion"], folder)))
            except RuntimeError as error:
                refused.append(f"{name}: {error}")
    rows.sort(key=lambda row: -ratio(row[1][0], row[2][0]))
    print(f"{'kernel':56} instructions        waits      VGPRs    scratch  seconds (llc)")
    for name, own, llvm, seconds, llvm_seconds in rows if options.all else rows[:12]:
        cells = " ".join(f"{a:5}/{b:<5}" for a, b in zip(own, llvm))
        print(f"{name[:56]:56} {cells} {seconds:6.2f}" + (f" ({llvm_seconds:.2f})" if llvm_seconds else ""))
    for line in refused:
        print("refused:", line)
    if not rows:
        return
    print(f"{len(rows)} compiled, {len(refused)} refused. Inflight's in terms of LLVM's, median and worst:")
    for at, what in enumerate(("instructions", "waits", "VGPRs")):
        ratios = [ratio(own[at], llvm[at]) for _, own, llvm, *_ in rows]
        print(f"  {what:13} {statistics.median(ratios):.3f} {max(ratios):.3f}")
    print(f"  more scratch  {sum(own[3] > llvm[3] for _, own, llvm, *_ in rows)} kernels")
    if times := [seconds / llc for *_, seconds, llc in rows if llc]:
        print(f"  time, of {len(times)}: {statistics.median(times):.3f} {max(times):.3f}")


if __name__ == "__main__":
    main()
