"""Kernels that don't fit the register file: `make` writes them, `check` compares the results."""
import importlib.util
import os
import sys

import numpy as np

COUNT = 180


def spill():
    memref = f"memref<{COUNT}x1024xf32>"
    lines = ["gpu.module @m {", f"gpu.func @spill(%a: {memref}, %b: {memref}) kernel attributes "
             "{gpu.known_block_size = array<i32: 1024, 1, 1>} {", "%t = gpu.thread_id x"]
    for i in range(COUNT):
        lines += [f"%c{i} = arith.constant {i} : index", f"%v{i} = memref.load %a[%c{i}, %t] : {memref}"]
    # No sum can be made before the barrier.
    lines += ["gpu.barrier", f"%z = memref.load %b[%c0, %t] : {memref}"]
    for i in range(COUNT):
        lines += [f"%w{i} = arith.addf %v{i}, %z : f32", f"memref.store %w{i}, %b[%c{i}, %t] : {memref}"]
    return "\n".join(lines + ["gpu.return", "}", "}"])


def accumulators(examples):
    spec = importlib.util.spec_from_file_location("generate", os.path.join(examples, "gemm", "generate.py"))
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return generate.generate("agpr", "f16", 2, 256, 2, 2, 256, 256, 128)


mode, prefix = sys.argv[1:3]
if mode == "make":
    open(prefix + ".spill.mlir", "w").write(spill())
    open(prefix + ".agpr.mlir", "w").write(accumulators(sys.argv[3]))
elif mode == "check-spill":
    a, b = (np.load(f"{prefix}.{i}.npy") for i in range(2))
    assert (a == b).all()
else:
    a, b, c = (np.load(f"{prefix}.{i}.npy").astype(np.float64) for i in range(3))
    assert np.abs(a @ b.T - c).max() < 1e-4
