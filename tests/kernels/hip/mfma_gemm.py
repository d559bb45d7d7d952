import numpy as np


def run(gpu):
    m, n, k = 64, 32, 32
    for name, size in [("F16", 32), ("F16", 16), ("Bf16", 32), ("Bf16", 16), ("F32", 32), ("F32", 16), ("I8", 32), ("I8", 16), ("F64", 16)]:
        if name == "I8":
            a, b = (gpu.rng.integers(-128, 128, s, dtype=np.int8) for s in [(m, k), (n, k)])
        else:
            a, b = (gpu.rng.standard_normal(s) for s in [(m, k), (n, k)])
        given = [a, b]
        if name == "Bf16":
            given = [(x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for x in (a, b)]
            a, b = ((x.astype(np.uint32) << 16).view(np.float32) for x in given)
        elif name != "I8":
            given = [x.astype({"F16": np.float16, "F32": np.float32, "F64": np.float64}[name]) for x in (a, b)]
            a, b = given
        kind = np.int32 if name == "I8" else np.float64
        out = np.zeros((m, n), {"I8": np.int32, "F64": np.float64}.get(name, np.float32))
        kernel = "gemmF64" if name == "F64" else f"gemm<{name}_{size}>"
        gpu.launch(kernel, [*given, out, np.int32(n), np.int32(k)], grid=(n // size, m // size))
        gpu.expect(out, a.astype(kind) @ b.astype(kind).T, atol={"I8": 0, "F64": 1e-13}.get(name, 2e-5), what=kernel)
