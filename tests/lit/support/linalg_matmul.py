"""Compiles, runs and compares functions that multiply matrices by linalg.matmul: python linalg_matmul.py INFLIGHT FOLDER CHIP [COUNT SEED]

With a count, of random sizes and layouts.
"""
import os
import random
import re
import subprocess
import sys

import numpy as np

inflight, folder, chip = sys.argv[1:4]
BYTES = {"f32": np.float32, "f16": np.float16, "i8": np.int8}
MAPS = {"NT": ("(m, n, k) -> (m, k)", "(m, n, k) -> (n, k)"), "TN": ("(m, n, k) -> (k, m)", "(m, n, k) -> (k, n)"),
        "TT": ("(m, n, k) -> (k, m)", "(m, n, k) -> (n, k)"), "NN": None}


def check(element, m, n, k, layout="NN", fills=True, dynamic=False, tile=None):
    """A and B as `layout` has them: T of A has K first, T of B K last."""
    rng = np.random.default_rng(m * n + k)
    a, b = rng.integers(-3, 4, (m, k)), rng.integers(-3, 4, (k, n))
    total = "i32" if element == "i8" else "f32"
    before = rng.integers(-9, 10, (m, n)).astype(np.int32 if total == "i32" else np.float32)
    wanted = (a @ b + (0 if fills else before)).astype(before.dtype)
    memory = {"a": a.T if layout[0] == "T" else a, "b": b.T if layout[1] == "T" else b, "c": before}
    types = {}
    for name, data in memory.items():
        kind = total if name == "c" else element
        types[name] = f"memref<{'x'.join('?' if dynamic else str(size) for size in data.shape)}x{kind}>"
        if kind == "bf16":
            data = (data.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        np.save(os.path.join(folder, name + ".npy"), np.ascontiguousarray(data if kind == "bf16" or name == "c" else data.astype(BYTES[kind])))
    maps = "".join(f"affine_map<{each}>, " for each in MAPS[layout]) if MAPS[layout] else ""
    indexing = f"indexing_maps = [{maps}affine_map<(m, n, k) -> (m, n)>] " if maps else ""
    zero = f"  %z = arith.constant {'0' if total == 'i32' else '0.0'} : {total}\n  linalg.fill ins(%z : {total}) outs(%c : {types['c']})\n"
    text = (f"func.func @product({', '.join(f'%{name}: {type}' for name, type in types.items())}) {{\n{zero if fills else ''}"
            f"  linalg.matmul {indexing}ins(%a, %b : {types['a']}, {types['b']}) outs(%c : {types['c']})\n  return\n}}\n")
    source, code, out = (os.path.join(folder, name) for name in ("product.mlir", "product.hsaco", "out.npy"))
    with open(source, "w") as file:
        file.write(text)
    options = ["--tile={}x{}".format(*tile)] if tile else []
    done = subprocess.run([inflight, "compile", f"-mcpu={chip}", "--remarks", *options, source, "-o", code], check=True, capture_output=True, text=True)
    rows, columns = map(int, re.search(r"lanes computes (\d+) x (\d+) of the result", done.stderr).groups())
    arguments = []
    for name, data in memory.items():
        kind = total if name == "c" else element
        file = os.path.join(folder, name + ".npy")
        sizes = data.shape if dynamic else ()
        arguments += ["--arg", file if kind.startswith("i") or name == "c" else f"{file}:{kind}"]
    grid = f"{-(-n // columns)},{-(-m // rows)}"
    subprocess.run([inflight, "run", code, "--grid", grid, *arguments, "--check=all", "--out", f"2={out}"], check=True,
                   stdout=subprocess.DEVNULL)
    got = np.load(out)
    print(element, m, n, k, layout, f"{rows}x{columns}", "right" if (got == wanted).all() else f"{(got != wanted).sum()} of {wanted.size} differ")


if len(sys.argv) > 4:
    choose = random.Random(sys.argv[5])
    for _ in range(int(sys.argv[4])):
        side = lambda: choose.choice((16 * choose.randint(1, 12), choose.randint(1, 200)))
        check(choose.choice(("f32", "f16", "bf16", "i8")), side(), side(), side(), choose.choice(list(MAPS)), choose.random() < 0.5,
              choose.random() < 0.2, choose.choice((None, (16 * choose.randint(1, 8), 16 * choose.randint(1, 8)))))
    sys.exit()
check("f32", 128, 128, 64)
check("f16", 128, 256, 192, "NT", fills=False)
check("bf16", 64, 128, 128, "TN")
check("i8", 128, 128, 256, "TT")
check("f16", 100, 72, 40, fills=False)   # beyond rows, columns and K, by vectors
check("f32", 33, 17, 5, "TN")            # and by elements
check("f16", 16, 130, 65, "NT")
check("i8", 5, 300, 70, fills=False)
check("f16", 128, 96, 64, "NT", tile=(64, 48))
check("f16", 256, 16, 64, "NT", tile=(256, 16))
check("f16", 256, 256, 64, tile=(256, 256))
check("f16", 130, 70, 50, dynamic=True)
