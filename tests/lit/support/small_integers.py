"""Makes bytes of which every value is in every place of a word, and compares their conversions with numpy's.

    small_integers.py make FILE
    small_integers.py check PREFIX
    small_integers.py random INFLIGHT FOLDER CHIP COUNT SEED     kernels of random operations on vectors of bytes, with fields of words
"""
import os
import random
import subprocess
import sys

import numpy as np

lane = np.arange(256)
BYTES = np.stack([lane, lane * 7 + 1, lane * 13 + 5, lane * 29 + 3], axis=1).astype(np.uint8)

if sys.argv[1] == "make":
    np.save(sys.argv[2], BYTES.view(np.int8))
    sys.exit()


def bfloats(numbers):
    return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.int16)  # exact


CONVERSIONS = {"f16": lambda x: x.astype(np.float16).view(np.int16), "bf16": bfloats, "f32": lambda x: x.astype(np.float32).view(np.int32)}


def one(choose):
    """A kernel's text, the integers that its results are stored as, and what those are."""
    n = choose.choice((4, 8, 12, 16))
    loaded = BYTES.reshape(64, 16)[:, :n]
    values, lines, stores = [("%v", loaded.view(np.int8))], [], []

    def add(text, value):
        lines.append(f"    %r{len(lines)} = {text}")
        values.append((f"%r{len(lines) - 1}", value.astype(np.int8)))

    for _ in range(choose.randint(3, 10)):
        (a, x), (b, y) = choose.choice(values), choose.choice(values)
        kind = f"vector<{n}xi8>"
        amounts = [choose.randint(0, 7)] * n if choose.random() < 0.8 else [choose.randint(0, 7) for _ in range(n)]
        operation = choose.choice(("shli", "shrsi", "shrui", "both", "andi", "ori", "xori", "addi", "shuffle"))
        if operation in ("shli", "shrsi", "shrui", "both"):
            lines.append(f"    %r{len(lines)} = arith.constant dense<[{', '.join(map(str, amounts))}]> : {kind}")
            by, s = f"%r{len(lines) - 1}", np.array(amounts, np.int8)
            if operation == "both":
                lines.append(f"    %r{len(lines)} = arith.shli {a}, {by} : {kind}")
                a, x, operation = f"%r{len(lines) - 1}", (x << s).astype(np.int8), "shrsi"
            value = x << s if operation == "shli" else x >> s if operation == "shrsi" else x.astype(np.uint8) >> s.astype(np.uint8)
            add(f"arith.{operation} {a}, {by} : {kind}", value)
        elif operation == "shuffle":
            mask = [choose.randint(0, 2 * n - 1) for _ in range(n)]
            add(f"vector.shuffle {a}, {b} [{', '.join(map(str, mask))}] : {kind}, {kind}", np.concatenate([x, y], 1)[:, mask])
        else:
            add(f"arith.{operation} {a}, {b} : {kind}", {"andi": x & y, "ori": x | y, "xori": x ^ y, "addi": x + y}[operation])
    wanted = []
    for a, x in choose.sample(values, min(3, len(values))):
        to, sign = choose.choice(list(CONVERSIONS)), choose.random() < 0.6
        integer = "i32" if to == "f32" else "i16"
        i = len(wanted)
        wanted.append((integer, CONVERSIONS[to](x if sign else x.astype(np.uint8))))
        stores += [f"    %f{i} = arith.{'si' if sign else 'ui'}tofp {a} : vector<{n}xi8> to vector<{n}x{to}>",
                   f"    %b{i} = arith.bitcast %f{i} : vector<{n}x{to}> to vector<{n}x{integer}>",
                   f"    vector.store %b{i}, %o{i}[%t, %c0] : memref<64x{n}x{integer}>, vector<{n}x{integer}>"]
    outs = "".join(f", %o{i}: memref<64x{n}x{integer}> {{llvm.noalias}}" for i, (integer, _) in enumerate(wanted))
    return "\n".join([f"gpu.module @m {{\n  gpu.func @k(%a: memref<64x16xi8> {{llvm.noalias}}{outs}) kernel attributes {{gpu.known_block_size = array<i32: 64, 1, 1>}} {{",
                      "    %c0 = arith.constant 0 : index", "    %t = gpu.thread_id x",
                      f"    %v = vector.load %a[%t, %c0] : memref<64x16xi8>, vector<{n}xi8>", *lines, *stores, "    gpu.return", "  }", "}"]), wanted


if sys.argv[1] == "random":
    inflight, folder, chip, count, seed = sys.argv[2:]
    place = lambda name: os.path.join(folder, name)
    np.save(place("a.npy"), BYTES.reshape(64, 16).view(np.int8))
    for i in range(int(count)):
        text, wanted = one(random.Random(int(seed) + i))
        with open(place("k.mlir"), "w") as file:
            file.write(text)
        subprocess.run([inflight, "compile", f"-mcpu={chip}", place("k.mlir"), "-o", place("k.hsaco")], check=True)
        outs = [word for j, (integer, value) in enumerate(wanted) for word in
                ("--arg", f"zeros:{value.shape[0]}x{value.shape[1]}:{integer}", "--out", f"{j + 1}={place(f'{j}.npy')}")]
        subprocess.run([inflight, "run", place("k.hsaco"), "--grid", "1", "--arg", place("a.npy"), *outs, "--check=all"], check=True)
        for j, (_, value) in enumerate(wanted):
            assert (np.load(place(f"{j}.npy")) == value).all(), f"seed {int(seed) + i}, result {j}:\n{text}"
    print(count, "right")
    sys.exit()

signed = BYTES.view(np.int8)


def same(name, *wanted):
    got = np.load(f"{sys.argv[2]}.{name}.npy")
    for part, want in zip(got, wanted, strict=True):
        assert part.shape == want.shape and part.tobytes() == want.tobytes(), f"{name}: {part[(part != want).any(-1)][:4]}"


def nibbles(low, high):
    return np.stack([low, high], axis=-1).reshape(256, 8).astype(np.float16)


for name, kind in (("half", np.float16), ("single", np.float32)):
    same(name, signed.astype(kind), BYTES.astype(kind))
same("bfloat", bfloats(signed), bfloats(BYTES))
up = (BYTES << 4).astype(np.uint8)
same("nibbles", nibbles(up.view(np.int8) >> 4, signed >> 4), nibbles(up >> 4, BYTES >> 4))
same("shifted", (signed << 3).astype(np.int8), signed >> 3, up.view(np.int8) >> 3, signed >> np.array([1, 2, 3, 0], np.int8))
with np.errstate(over="ignore"):
    same("words", signed.view(np.int16).astype(np.float16), BYTES.view(np.uint16).astype(np.float16))
down = BYTES.view(np.uint32) >> np.array([4, 8, 20, 30], np.uint32)
same("fields", (down & np.array([255, 255, 15, 255])).astype(np.float32), down.astype(np.uint8).view(np.int8).astype(np.float32))
