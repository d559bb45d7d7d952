"""Compiles and runs gpu.shuffle in all its modes, with constant and other distances and widths, on all types, and checks
each lane's partner and what `valid` says."""
import random
import subprocess
import sys

import numpy as np

inflight, chip, t = sys.argv[1:4]
lanes = np.arange(64)


def run(text, kernel, arguments, outputs):
    """The arrays that the arguments with these numbers hold afterwards."""
    with open(f"{t}.mlir", "w") as file:
        file.write(text)
    subprocess.run([inflight, "compile", f"-mcpu={chip}", f"{t}.mlir", "-o", f"{t}.hsaco"], check=True)
    command = [inflight, "run", f"{t}.hsaco", "--kernel", kernel]
    for i, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            np.save(f"{t}.{i}.npy", argument)
            argument = f"{t}.{i}.npy"
        command += ["--arg", argument]
    for i in outputs:
        command += ["--out", f"{i}={t}.out{i}.npy"]
    subprocess.run(command, check=True)
    return [np.load(f"{t}.out{i}.npy") for i in outputs]


def every_distance():
    lines = ["gpu.module @m {", "gpu.func @k(%from: memref<64xf32>, %to: memref<64x64xf32>) "
             "kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {",
             "%w = arith.constant 64 : i32", "%t = gpu.thread_id x", "%v = memref.load %from[%t] : memref<64xf32>"]
    for d in range(1, 64):
        lines += [f"%i{d} = arith.constant {d} : index", f"%d{d} = arith.constant {d} : i32",
                  f"%v{d}, %p{d} = gpu.shuffle xor %v, %d{d}, %w : f32",
                  f"memref.store %v{d}, %to[%i{d}, %t] : memref<64x64xf32>"]
    text = "\n".join(lines + ["gpu.return", "}", "}"])
    result, = run(text, "k", ["arange:64:f32", "zeros:64x64:f32"], [1])
    for d in range(1, 64):
        assert (result[d] == lanes ^ d).all(), f"{chip}: distance {d}"


# The type that is exchanged, the integers in memory, and how many.
types = [("i1", "i8", 1), ("i8", "i8", 1), ("i16", "i16", 1), ("i32", "i32", 1), ("i64", "i64", 1), ("i24", "i32", 1),
         ("f16", "i16", 1), ("bf16", "i16", 1), ("f32", "i32", 1), ("f64", "i64", 1), ("f8E4M3FN", "i8", 1),
         ("vector<2xf16>", "i16", 2), ("vector<4xbf16>", "i16", 4), ("vector<3xi8>", "i8", 3), ("vector<4xf32>", "i32", 4),
         ("vector<5xi1>", "i8", 5), ("vector<2xf64>", "i64", 2), ("vector<8xi4>", "i8", 8)]


def bits_of(type):
    element = type.split("x")[-1].strip(">")
    return 8 if element.startswith("f8") else int(element.lstrip("ibf"))


def convert(type, memory, count, value, back, name):
    """From memory's type or back; text."""
    bits, wide = bits_of(type), int(memory[1:])
    element = type.split("x")[-1].strip(">")
    shape = (lambda e: f"vector<{count}x{e}>") if count > 1 else (lambda e: e)
    steps = []
    if bits < wide:
        steps.append(("extui", element, memory) if back else ("trunci", memory, element))
    elif not element.startswith("i"):
        steps.append(("bitcast", element, memory) if back else ("bitcast", memory, element))
    for k, (operation, source, target) in enumerate(steps):
        return f"{name} = arith.{operation} {value} : {shape(source)} to {shape(target)}", name
    return "", value


def mixed(seed):
    rng = random.Random(f"{seed}/{chip}")
    type, memory, count = rng.choice(types)
    buffer = f"memref<64x{count}x{memory}>"
    moved = f"vector<{count}x{memory}>"
    cases = []
    text = ["gpu.module @m {",
            f"gpu.func @k(%from: {buffer}, %to: memref<8x64x{count}x{memory}>, %valid: memref<8x64xi8>, %ds: memref<8x64xi32>, "
            "%ws: memref<8xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {",
            "%t = gpu.thread_id x"] + [f"%c{i} = arith.constant {i} : index" for i in range(8)]
    text.append(f"%m = vector.load %from[%t, %c0] : {buffer}, {moved}")
    value = "%m"
    if count == 1:
        text.append(f"%m1 = vector.extract %m[0] : {memory} from {moved}")
        value = "%m1"
    line, value = convert(type, memory, count, value, False, "%v")
    text.append(line)
    distances = np.zeros((8, 64), np.int32)
    widths = np.zeros(8, np.int32)
    for i in range(8):
        mode = rng.choice(["xor", "up", "down", "idx"])
        width = rng.choice([1, 2, 4, 8, 16, 32, 64, 64, 64, 24, 48])
        distance = rng.choice([rng.randrange(width), rng.randrange(width), 1 % width, 0, rng.randrange(64), -1 % 64])
        how = rng.choice(["constant", "constant", "uniform", "each"])
        distances[i], widths[i] = distance, width
        if how == "each":
            distances[i] = [rng.randrange(64) for _ in range(64)]
        if how == "constant":
            text += [f"%d{i} = arith.constant {distance} : i32", f"%w{i} = arith.constant {width} : i32"]
        else:
            text += [f"%d{i} = memref.load %ds[%c{i}, {'%t' if how == 'each' else '%c0'}] : memref<8x64xi32>",
                     f"%w{i} = memref.load %ws[%c{i}] : memref<8xi32>"]
        text.append(f"%r{i}, %p{i} = gpu.shuffle {mode} {value}, %d{i}, %w{i} : {type}")
        line, result = convert(type, memory, count, f"%r{i}", True, f"%s{i}")
        text.append(line)
        if count == 1:
            text.append(f"%b{i} = vector.broadcast {result} : {memory} to {moved}")
            result = f"%b{i}"
        text += [f"vector.store {result}, %to[%c{i}, %t, %c0] : memref<8x64x{count}x{memory}>, {moved}",
                 f"%q{i} = arith.extui %p{i} : i1 to i8", f"memref.store %q{i}, %valid[%c{i}, %t] : memref<8x64xi8>"]
        cases.append(mode)
    text = "\n".join(text + ["gpu.return", "}", "}"])
    numbers = np.random.default_rng(seed).integers(0, 1 << 63, (64, count)).astype(f"int{memory[1:]}")
    wide = int(memory[1:])
    if bits_of(type) < wide:
        numbers &= (1 << bits_of(type)) - 1
    to, valid = run(text, "k", [numbers, np.zeros((8, 64, count), numbers.dtype), "zeros:8x64:i8", distances, widths], [1, 2])
    for i, mode in enumerate(cases):
        width, d = int(widths[i]), distances[i]
        power = width & (width - 1) == 0
        base = lanes & -width if power else 0 * lanes
        source = {"xor": lanes ^ d, "up": lanes - d, "down": lanes + d, "idx": d}[mode]
        if mode == "xor":
            source = base + ((lanes - base) ^ d)
        good = (source >= base) & (source < base + width) & (lanes < base + width)
        if mode == "idx":
            good = (d < base + width) & (lanes < base + width)
        what = f"{chip}: seed {seed}, case {i}: {mode} {type}, width {width}, distance {d[0]}"
        assert (valid[i] == good).all(), f"{what}: valid {valid[i]}, expected {good.astype(int)}"
        assert (to[i][good] == numbers[source[good]]).all(), what


if len(sys.argv) > 4:
    for seed in range(int(sys.argv[4]), int(sys.argv[5])):
        mixed(seed)
else:
    every_distance()
    for seed in range(8):
        mixed(seed)
