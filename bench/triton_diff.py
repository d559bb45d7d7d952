#!/usr/bin/env python3
"""`inflight diff` of what two versions of Triton make of the same kernels, held against llvm-readelf.

    bench/triton_diff.py INFLIGHT OLD-PYTHON NEW-PYTHON [FOLDER]

Each Python has a Triton (scripts/triton-matrix.sh says how they are installed). 54 kernels are compiled with both, compared,
and every figure that the code object's notes have is read from them again by llvm-readelf. Then a wait for vmcnt(0) is put into one
kernel and a spill into the notes of another: they have to be the only two that changed.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

COMPILE = r'''
import importlib.util, os, sys
import triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
kernels = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernels)
for name, (signature, constants, warps) in kernels.TABLE.items():
    for chip in ("gfx90a", "gfx942", "gfx950"):
        source = ASTSource(getattr(kernels, name), signature=signature, constexprs=constants)
        made = triton.compile(source, target=GPUTarget("hip", chip, 64), options={"num_warps": warps})
        folder = os.path.join(sys.argv[2], chip)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + ".hsaco"), "wb") as f:
            f.write(made.asm["hsaco"])
'''

HEAD = "import triton\nimport triton.language as tl\nTABLE = {}\n"
VADD = """
@triton.jit
def vadd_{b}(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)
TABLE["vadd_{b}"] = (dict(x="*fp32", y="*fp32", z="*fp32", n="i32", B="constexpr"), dict(B={b}), {w})
"""
SOFTMAX = """
@triton.jit
def softmax_{b}(x, y, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + i, e / tl.sum(e, 0), mask=i < n)
TABLE["softmax_{b}"] = (dict(x="*fp32", y="*fp32", n="i32", B="constexpr"), dict(B={b}), {w})
"""
MATMUL = """
@triton.jit
def matmul_{m}_{n}_{k}_{w}(a, b, c, K, lda, ldb, ldc, M: tl.constexpr, N: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, B)
    sum = tl.zeros((M, N), dtype=tl.float32)
    for s in range(0, K, B):
        sum += tl.dot(tl.load(a + i[:, None] * lda + (s + k)[None, :]), tl.load(b + (s + k)[:, None] * ldb + j[None, :]))
    tl.store(c + i[:, None] * ldc + j[None, :], sum)
TABLE["matmul_{m}_{n}_{k}_{w}"] = (
    dict(a="*fp16", b="*fp16", c="*fp32", K="i32", lda="i32", ldb="i32", ldc="i32", M="constexpr", N="constexpr", B="constexpr"),
    dict(M={m}, N={n}, B={k}), {w})
"""


def kernels():
    text = HEAD
    for b in (64, 256, 512, 1024, 2048):
        text += VADD.format(b=b, w=min(8, b // 64))
    for b in (64, 256, 1024, 4096, 8192):
        text += SOFTMAX.format(b=b, w=4)
    for m, n, k, w in ((32, 32, 32, 4), (64, 64, 32, 4), (64, 64, 64, 4), (128, 64, 32, 4), (128, 128, 32, 8),
                       (128, 128, 64, 8), (256, 128, 32, 8), (256, 256, 32, 8)):
        text += MATMUL.format(m=m, n=n, k=k, w=w)
    return text


def notes(path, kernel):
    """What the notes have of a kernel, by the names of `inflight diff`."""
    text = subprocess.run(["llvm-readelf-22" if shutil.which("llvm-readelf-22") else "llvm-readelf", "--notes", path],
                          capture_output=True, text=True, check=True).stdout
    for part in re.split(r"\n  - (?=\.)", text):
        if re.search(rf"\.name:\s+{re.escape(kernel)}$", part, re.M):
            value = lambda name: int(re.search(rf"^\s*{re.escape(name)}:\s+(\d+)", part, re.M).group(1))
            agprs = value(".agpr_count")
            return {"vgprs": value(".vgpr_count"), "agprs": agprs, "sgprs": value(".sgpr_count"),
                    "vgpr_spills": value(".vgpr_spill_count"), "sgpr_spills": value(".sgpr_spill_count"),
                    "scratch_bytes": value(".private_segment_fixed_size"), "lds_bytes": value(".group_segment_fixed_size")}
    raise SystemExit(f"{path}: no kernel {kernel} in its notes")


def diff(inflight, old, new, *options):
    run = subprocess.run([inflight, "diff", "--format=json", *options, old, new], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def main():
    inflight = os.path.abspath(sys.argv[1])
    folder = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else tempfile.mkdtemp(prefix="triton-diff-")
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "kernels.py")
    open(source, "w").write(kernels())
    sides = {}
    for side, python in (("old", sys.argv[2]), ("new", sys.argv[3])):
        sides[side] = os.path.join(folder, side)
        if not os.path.isdir(sides[side]):
            subprocess.run([python, "-c", COMPILE, source, sides[side]], check=True,
                           env={**os.environ, "TRITON_CACHE_DIR": os.path.join(folder, "cache-" + side)})
    changes = diff(inflight, sides["old"], sides["new"])["changes"]
    compared = wrong = 0
    for change in changes:
        for side, figures in (("old", change["before"]), ("new", change["after"])):
            name, chip = change["kernel"], change["chip"]
            for figure, value in notes(os.path.join(sides[side], chip, name + ".hsaco"), name).items():
                compared += 1
                if figures[figure] != value:
                    wrong += 1
                    print(f"WRONG {side} {name} {chip} {figure}: {figures[figure]}, the notes have {value}")
    print(f"{len(changes)} kernels changed; {compared} figures, {wrong} not those of the notes")
    return inject(inflight, folder, sides["new"]) or wrong != 0


def inject(inflight, folder, before):
    after = os.path.join(folder, "injected")
    shutil.rmtree(after, ignore_errors=True)
    shutil.copytree(before, after)
    edits = {"matmul_128_128_32_8": lambda text: re.sub(r"(\n\s*s_barrier)", r"\n\ts_waitcnt vmcnt(0)\1", text),
             "softmax_1024": lambda text: text.replace("vgpr_spill_count: 0", "vgpr_spill_count: 2")}
    for name, edit in edits.items():
        path = os.path.join(after, "gfx942", name + ".hsaco")
        text = subprocess.run([inflight, "dis", path, "-o", "-"], capture_output=True, text=True, check=True).stdout
        changed = edit(text)
        assert changed != text, name
        open(path + ".s", "w").write(changed)
        subprocess.run([inflight, "asm", path + ".s", "-o", path], check=True)
        os.remove(path + ".s")
    rows = [change["kernel"] for change in diff(inflight, before, after)["changes"]]
    print("after the injections:", ", ".join(rows))
    return sorted(rows) != sorted(edits)


sys.exit(main())
