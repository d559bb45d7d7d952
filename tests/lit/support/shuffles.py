"""Compiles and runs gpu.shuffle xor at every distance in a wave and checks each lane's partner."""
import subprocess
import sys

import numpy as np

inflight, chip, t = sys.argv[1:4]
lines = ["gpu.module @m {",
         "gpu.func @k(%from: memref<64xf32>, %to: memref<64x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {",
         "%w = arith.constant 64 : i32", "%t = gpu.thread_id x", "%v = memref.load %from[%t] : memref<64xf32>"]
for d in range(1, 64):
    lines += [f"%i{d} = arith.constant {d} : index", f"%d{d} = arith.constant {d} : i32",
              f"%v{d}, %p{d} = gpu.shuffle xor %v, %d{d}, %w : f32",
              f"memref.store %v{d}, %to[%i{d}, %t] : memref<64x64xf32>"]
lines += ["gpu.return", "}", "}"]
with open(f"{t}.mlir", "w") as file:
    file.write("\n".join(lines))
subprocess.run([inflight, "compile", f"-mcpu={chip}", f"{t}.mlir", "-o", f"{t}.hsaco"], check=True)
subprocess.run([inflight, "run", f"{t}.hsaco", "--kernel", "k", "--arg", "arange:64:f32", "--arg", "zeros:64x64:f32",
                "--out", f"1={t}.npy"], check=True)
result = np.load(f"{t}.npy")
lanes = np.arange(64)
for d in range(1, 64):
    assert (result[d] == lanes ^ d).all(), f"{chip}: distance {d}"
