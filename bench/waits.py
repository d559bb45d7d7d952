#!/usr/bin/env python3
"""Wait insertion side by side with LLVM's, on the same machine code, and the whole tool with LLVM's parser and disassembler.

    bench/waits.py BUILD [--sizes 10000,100000,1000000] [--chip gfx942] [--llvm /usr/lib/llvm-22/bin] [--repeat 3]

Generates kernels as MIR: straight code, 1 in 50 instructions a loop's end, and loops nested six deep. LLVM's pass "SI insert wait
instructions" is timed by llc -time-passes (processor time); the same code, printed as assembly with LLVM's waits, is stripped of its waits
and given new ones: `waits-speed` says how long the fixpoint took, and the whole plan with waits before loops and at joins. Then whole
processes: `inflight waits --insert` of the text against llvm-mc, `inflight waits` of the object against llvm-objdump -d. Times are
the least of the repetitions.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time


def reg(first, count):
    return "$vgpr" + "_vgpr".join(str(first + i) for i in range(count))


def areg(first, count):
    return "$agpr" + "_agpr".join(str(first + i) for i in range(count))


def instructions(count, rng):
    """Loads into rotating registers, their uses some instructions later, matrix and vector arithmetic, LDS and stores."""
    pending = []
    slot = 0
    for i in range(count):
        kind = rng.random()
        if kind < 0.08:
            into = 32 + 4 * (slot % 24)
            slot += 1
            pending.append(into)
            yield f"{reg(into, 4)} = GLOBAL_LOAD_DWORDX4 $vgpr0_vgpr1, {16 * (i % 200)}, 0, implicit $exec"
        elif kind < 0.16:
            into = 32 + 4 * (slot % 24)
            slot += 1
            pending.append(into)
            yield f"{reg(into, 4)} = DS_READ_B128_gfx9 $vgpr2, {16 * (i % 500)}, 0, implicit $exec"
        elif kind < 0.18:
            yield f"GLOBAL_STORE_DWORDX4 $vgpr0_vgpr1, {reg(8 + 4 * (i % 4), 4)}, {16 * (i % 200)}, 0, implicit $exec"
        elif kind < 0.20:
            yield f"DS_WRITE_B128_gfx9 $vgpr2, {reg(8 + 4 * (i % 4), 4)}, {16 * (i % 500)}, 0, implicit $exec"
        elif kind < 0.22:
            yield f"$sgpr{4 + i % 8} = S_ADD_I32 $sgpr{4 + i % 8}, 3, implicit-def $scc"
        elif kind < 0.40 and pending:
            source = pending.pop(0)
            yield f"{areg(16 * (i % 4), 16)} = V_MFMA_F32_32X32X8F16_e64 {reg(source, 2)}, {reg(source + 2, 2)}, {areg(16 * (i % 4), 16)}, 0, 0, 0, implicit $mode, implicit $exec"
        else:
            yield f"$vgpr{8 + i % 16} = V_ADD_U32_e32 $vgpr{8 + (i + 5) % 16}, $vgpr{8 + (i + 9) % 16}, implicit $exec"


def mir(shape, count, seed=1):
    rng = random.Random(seed)
    body = list(instructions(count, rng))
    blocks, edges = [], []
    if shape == "straight":
        blocks, edges = [body], [None]
    elif shape == "loops":
        blocks = [body[i:i + 50] for i in range(0, len(body), 50)]
        edges = [i for i in range(len(blocks))]
    else:  # six deep, one nest after the other of 13 blocks
        blocks = [body[i:i + 50] for i in range(0, len(body), 50)]
        edges = [i - 2 * (i % 13 - 6) + 1 if 6 < i % 13 else None for i in range(len(blocks))]
    text = ["--- |\n  target triple = \"amdgcn-amd-amdhsa\"\n  define amdgpu_kernel void @k() { ret void }\n...\n---\nname: k\ntracksRegLiveness: false\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |"]
    for i, (block, back) in enumerate(zip(blocks, edges)):
        last = i + 1 == len(blocks)
        successors = ([] if back is None or last else [back]) + ([] if last else [i + 1])
        text.append(f"  bb.{i}:")
        if successors:
            text.append("    successors: " + ", ".join(f"%bb.{s}" for s in successors))
        text += ["    " + line for line in block]
        if last:
            text.append("    S_ENDPGM 0")
        elif back is not None:
            text.append("    S_CMP_LG_U32 $sgpr4, 7, implicit-def $scc")
            text.append(f"    S_CBRANCH_SCC1 %bb.{back}, implicit $scc")
    return "\n".join(text) + "\n...\n"


def timed(command):
    begin = time.perf_counter()
    run = subprocess.run(command, stdout=subprocess.DEVNULL if "objdump" in command[0] else subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):  # 1: findings
        sys.exit(f"{' '.join(command)}\n{run.stderr[:2000]}")
    return time.perf_counter() - begin, run


def llvm_pass(options, path):
    best = None
    for _ in range(options.repeat):
        _, run = timed([f"{options.llvm}/llc", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={options.chip}", "-run-pass=si-insert-waitcnts", "-time-passes", path, "-o", os.devnull])
        for line in run.stderr.splitlines():
            if "wait instructions" in line.lower() or "si-insert-waitcnts" in line.lower():
                times = re.findall(r"(\d+\.\d+) \(", line)
                seconds = float(times[2])  # user and system
                best = seconds if best is None else min(best, seconds)
                break
    return best


def write_inputs(options, shape, size, source, text):
    """The code as MIR, and as LLVM's assembly with its waits."""
    with open(source, "w") as file:
        file.write(mir(shape, size))
    timed([f"{options.llvm}/llc", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={options.chip}", "-start-before=si-insert-waitcnts", source, "-o", text])
    with open(text) as file:  # what llc writes for this bare function its own assembler doesn't take
        lines = [line for line in file if "amdhsa_user_sgpr_count" not in line]
    with open(text, "w") as file:
        file.writelines(lines)


def our_times(build, text, repeat):
    """Seconds of the fixpoint and of the whole plan."""
    runs = [timed([os.path.join(build, "bench/waits-speed"), text])[1].stdout for _ in range(repeat)]
    return [min(float(re.search(name + r" ([\d.]+) ms", run).group(1)) for run in runs) / 1000 for name in ("fixpoint", "plan")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--shapes", default="straight,loops,nested")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    inflight = os.path.join(options.build, "bin/inflight")
    least = lambda command: min((timed(command) for _ in range(options.repeat)), key=lambda t: t[0])
    print(f"{'code':<10}{'instructions':>13} | {'LLVM M/s':>9}{'ours':>9}{'ratio':>7}{'plan':>9}{'ratio':>7} | {'llvm-mc s':>10}{'ours s':>8}{'ratio':>7} | {'objdump s':>10}{'ours s':>8}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as directory:
        for shape in options.shapes.split(","):
            for size in map(int, options.sizes.split(",")):
                source, text, code = (os.path.join(directory, f"k.{e}") for e in ("mir", "s", "o"))
                write_inputs(options, shape, size, source, text)
                theirs = llvm_pass(options, source)
                mc, _ = least([f"{options.llvm}/llvm-mc", "-triple=amdgcn-amd-amdhsa", f"-mcpu={options.chip}", "-filetype=obj", text, "-o", code])
                ours, _ = least([inflight, "waits", "--insert", text, "-o", os.devnull])
                fixpoint, plan = our_times(options.build, text, options.repeat)
                dump, _ = least([f"{options.llvm}/llvm-objdump", "-d", "--no-show-raw-insn", code])
                verify, _ = least([inflight, "waits", code])
                row = f"{shape:<10}{size:>13} | {size / theirs / 1e6:>9.2f}{size / fixpoint / 1e6:>9.2f}{theirs / fixpoint:>7.1f}{size / plan / 1e6:>9.2f}{theirs / plan:>7.1f} | {mc:>10.2f}{ours:>8.2f}{ours / mc:>7.2f} | {dump:>10.2f}{verify:>8.2f}{verify / dump:>7.2f}"
                print(row, flush=True)


if __name__ == "__main__":
    main()
