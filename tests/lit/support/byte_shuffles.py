"""vector.shuffle of bytes and halves by random masks, against numpy.

    byte_shuffles.py INFLIGHT CHIP PREFIX
"""
import random
import subprocess
import sys

import numpy as np
from kernels import Kernels

inflight, chip, prefix = sys.argv[1:4]
LANES = 64
random.seed(1)
cases = []
for bits in (8, 16):
    for size in (2, 4, 8, 16):
        for _ in range(6):
            # Runs and single elements, from both sources; sometimes whole words.
            mask = [random.randrange(2 * size) for _ in range(random.choice([2, 4, 8]))]
            if random.random() < 0.4:
                first = random.randrange(size)
                mask = [(first + i) % (2 * size) for i in range(len(mask))]
            cases.append((bits, size, mask))


def kernel(number, bits, size, mask):
    source, target = f"vector<{size}xi{bits}>", f"vector<{len(mask)}xi{bits}>"
    memory, results = f"memref<{LANES}x{size}xi{bits}>", f"memref<{LANES}x{len(mask)}xi{bits}>"
    return f"""gpu.func @shuffle{number}(%a: {memory}, %b: {memory}, %c: {results}) kernel attributes {{gpu.known_block_size = array<i32: {LANES}, 1, 1>}} {{
      %t = gpu.thread_id x
      %zero = arith.constant 0 : index
      %x = vector.load %a[%t, %zero] : {memory}, {source}
      %y = vector.load %b[%t, %zero] : {memory}, {source}
      %z = vector.shuffle %x, %y {mask} : {source}, {source}
      vector.store %z, %c[%t, %zero] : {results}, {target}
      gpu.return
    }}"""


with open(f"{prefix}.mlir", "w") as file:
    file.write("gpu.module @m {\n" + "\n".join(kernel(i, *case) for i, case in enumerate(cases)) + "\n}\n")
subprocess.run([inflight, "compile", "-mcpu=" + chip, "--verify-each", f"{prefix}.mlir", "-o", f"{prefix}.hsaco"], check=True)
code = Kernels(["", inflight, f"{prefix}.hsaco", prefix])
numbers = np.random.default_rng(1)
for i, (bits, size, mask) in enumerate(cases):
    dtype = np.int8 if bits == 8 else np.int16
    a, b = (numbers.integers(-2**(bits - 1), 2**(bits - 1), (LANES, size), dtype) for _ in range(2))
    got = code.run(f"shuffle{i}", a, b, np.zeros((LANES, len(mask)), dtype))[2]
    assert (got == np.concatenate([a, b], axis=1)[:, mask]).all(), (bits, size, mask, a[0], b[0], got[0])
