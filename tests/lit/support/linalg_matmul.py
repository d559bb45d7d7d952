"""Compiles, runs and compares functions that multiply matrices: python linalg_matmul.py INFLIGHT FOLDER CHIP [COUNT SEED]

With a count, of random operations, sizes and layouts.
"""
import os
import random
import re
import subprocess
import sys

import numpy as np

inflight, folder, chip = sys.argv[1:4]
BYTES = {"f32": np.float32, "f16": np.float16, "i8": np.int8}
NN = "mk,kn->mn"


def body(element, total):
    """Of a linalg.generic: products of what is extended, added to the sum."""
    extend = {"f32": None, "i8": "extsi"}.get(element, "extf")
    factors = ["%x", "%y"]
    lines = []
    if extend:
        lines = [f"      %e{i} = arith.{extend} {factors[i]} : {element} to {total}" for i in range(2)]
        factors = ["%e0", "%e1"]
    suffix = "i" if total == "i32" else "f"
    lines += [f"      %p = arith.mul{suffix} {factors[1]}, {factors[0]} : {total}", f"      %s = arith.add{suffix} %p, %z : {total}",
              f"      linalg.yield %s : {total}"]
    return f"{{\n    ^bb0(%x: {element}, %y: {element}, %z: {total}):\n" + "\n".join(lines) + "\n    }"


def operation(form, spec, types, element, total, fills):
    """The lines that compute C."""
    parts = re.split(",|->", spec)
    loops = sorted({name for part in parts for name in part}, key="bcmnk".index)
    maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(part)})>" for part in parts)
    kinds = ", ".join(f'"{"parallel" if name in parts[2] else "reduction"}"' for name in loops)
    zero = f"  %zero = arith.constant {'0' if total == 'i32' else '0.0'} : {total}\n"
    ins = f"ins(%a, %b : {types['a']}, {types['b']}) outs(%c : {types['c']})"
    if form == "vector":
        vectors = {name: kind.replace("memref", "vector") for name, kind in types.items()}
        at = {name: "[" + ", ".join(["%c0"] * len(part)) + "]" for name, part in zip("abc", parts)}
        inside = {name: "{in_bounds = [" + ", ".join(["true"] * len(part)) + "]}" for name, part in zip("abc", parts)}
        lines = zero + f"  %c0 = arith.constant 0 : index\n  %none = arith.constant {'0' if element == 'i8' else '0.0'} : {element}\n"
        for name in "ab":
            lines += f"  %v{name} = vector.transfer_read %{name}{at[name]}, %none {inside[name]} : {types[name]}, {vectors[name]}\n"
        if fills:
            lines += f"  %vc = arith.constant dense<{'0' if total == 'i32' else '0.0'}> : {vectors['c']}\n"
        else:
            lines += f"  %vc = vector.transfer_read %c{at['c']}, %zero {inside['c']} : {types['c']}, {vectors['c']}\n"
        return lines + (f"  %r = vector.contract {{indexing_maps = [{maps}], iterator_types = [{kinds}], kind = #vector.kind<add>}} %va, %vb, %vc : "
                        f"{vectors['a']}, {vectors['b']} into {vectors['c']}\n"
                        f"  vector.transfer_write %r, %c{at['c']} {inside['c']} : {vectors['c']}, {types['c']}\n")
    lines = zero + f"  linalg.fill ins(%zero : {total}) outs(%c : {types['c']})\n" if fills else ""
    if form == "generic":
        return lines + f"  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {ins} {body(element, total)}\n"
    usual = spec in (NN, "bmk,bkn->bmn") and form != "contract"
    return lines + f"  linalg.{form} {'' if usual else f'indexing_maps = [{maps}] '}{ins}\n"


def check(element, spec, sizes, fills=True, dynamic=False, tile=None, form="matmul"):
    """`spec`: the dimensions of A, B and C as numpy's einsum has them; k is summed over, n counts C's last dimension or m does."""
    rng = np.random.default_rng(sum(sizes.values()))
    a, b, c = re.split(",|->", spec)
    memory = {"a": rng.integers(-3, 4, [sizes[name] for name in a]), "b": rng.integers(-3, 4, [sizes[name] for name in b])}
    total = "i32" if element == "i8" else "f32"
    before = rng.integers(-9, 10, [sizes[name] for name in c]).astype(np.int32 if total == "i32" else np.float32)
    wanted = (np.einsum(spec, memory["a"], memory["b"]) + (0 if fills else before)).astype(before.dtype)
    memory["c"] = before
    types = {}
    for name, data in memory.items():
        kind = total if name == "c" else element
        types[name] = f"memref<{'x'.join('?' if dynamic else str(size) for size in data.shape)}x{kind}>"
        if kind == "bf16":
            data = (data.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        np.save(os.path.join(folder, name + ".npy"), np.ascontiguousarray(data if kind == "bf16" or name == "c" else data.astype(BYTES[kind])))
    text = (f"func.func @product({', '.join(f'%{name}: {type}' for name, type in types.items())}) {{\n"
            f"{operation(form, spec, types, element, total, fills)}  return\n}}\n")
    source, code, out = (os.path.join(folder, name) for name in ("product.mlir", "product.hsaco", "out.npy"))
    with open(source, "w") as file:
        file.write(text)
    options = ["--tile={}x{}".format(*tile)] if tile else []
    done = subprocess.run([inflight, "compile", f"-mcpu={chip}", "--remarks", *options, source, "-o", code], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stderr}\n{text}")
    rows, columns = map(int, re.search(r"lanes computes (\d+) x (\d+) of the result", done.stderr).groups())
    arguments = []
    for name, data in memory.items():
        kind = total if name == "c" else element
        file = os.path.join(folder, name + ".npy")
        arguments += ["--arg", file if kind.startswith("i") or name == "c" else f"{file}:{kind}"]
    across = c[-1]
    down = a[-1] if across == "n" and a[-1] != "k" else b[-1] if across == "m" and b[-1] != "k" else "m" if across == "n" else "n"
    matrices = int(np.prod([sizes[name] for name in c if name not in (across, down)]))
    grid = f"{-(-sizes[across] // columns)},{-(-sizes[down] // rows)},{matrices}"
    subprocess.run([inflight, "run", code, "--grid", grid, *arguments, "--check=all", "--out", f"2={out}"], check=True,
                   stdout=subprocess.DEVNULL)
    got = np.load(out)
    shape = " ".join(f"{name}{size}" for name, size in sizes.items())
    print(form, element, spec, shape, f"{rows}x{columns}", "right" if (got == wanted).all() else f"{(got != wanted).sum()} of {wanted.size} differ")


def mnk(m, n, k, **more):
    return {"m": m, "n": n, "k": k, **more}


SPECS = (NN, "mk,nk->mn", "km,kn->mn", "km,nk->mn", "mk,kn->nm", "bmk,bkn->bmn", "bmk,kn->bmn", "mbk,bnk->mbn", "bcmk,cnk->bcmn", "mk,bkn->bmn",
         "bkm,bkn->bnm")
if len(sys.argv) > 4:
    choose = random.Random(sys.argv[5])
    for _ in range(int(sys.argv[4])):
        side = lambda: choose.choice((16 * choose.randint(1, 12), choose.randint(1, 200)))
        spec = choose.choice(SPECS)
        sizes = mnk(side(), side(), side(), **{name: choose.randint(1, 4) for name in "bc" if name in spec})
        dynamic = choose.random() < 0.2
        form = choose.choice(["generic", "contract"] + (["matmul"] if spec in SPECS[:4] else []) + ([] if dynamic else ["vector"]))
        check(choose.choice(("f32", "f16", "bf16", "i8")), spec, sizes, choose.random() < 0.5,
              dynamic, choose.choice((None, (16 * choose.randint(1, 8), 16 * choose.randint(1, 8)))), form)
    sys.exit()
check("f32", NN, mnk(128, 128, 64))
check("f16", "mk,nk->mn", mnk(128, 256, 192), fills=False)
check("bf16", "km,kn->mn", mnk(64, 128, 128))
check("i8", "km,nk->mn", mnk(128, 128, 256))
check("f16", NN, mnk(100, 72, 40), fills=False)   # beyond rows, columns and K, by vectors
check("f32", "km,kn->mn", mnk(33, 17, 5))         # and by elements
check("f16", "mk,nk->mn", mnk(16, 130, 65))
check("i8", NN, mnk(5, 300, 70), fills=False)
check("f16", "mk,nk->mn", mnk(128, 96, 64), tile=(64, 48))
check("f16", "mk,nk->mn", mnk(256, 16, 64), tile=(256, 16))
check("f16", NN, mnk(256, 256, 64), tile=(256, 256))
check("f16", NN, mnk(130, 70, 50), dynamic=True)
check("f16", "bmk,bkn->bmn", mnk(64, 96, 64, b=3), form="batch_matmul")
check("i8", "bmk,bnk->bmn", mnk(70, 64, 64, b=2), form="batch_matmul", fills=False)
check("f16", "bcmk,bcnk->bcmn", mnk(32, 64, 64, b=2, c=3), form="generic")
check("bf16", "mbk,bkn->mbn", mnk(64, 48, 40, b=3), form="contract", dynamic=True)  # matrices between rows
check("f16", "bmk,kn->bmn", mnk(48, 64, 64, b=4), form="generic", fills=False)       # one B for all
check("f32", "mk,kn->nm", mnk(48, 80, 36), form="generic")                           # C transposed
check("f16", "mk,nk->mn", mnk(64, 64, 64), form="vector")
check("bf16", "bmk,bkn->bmn", mnk(32, 48, 64, b=2), form="vector", fills=False)
