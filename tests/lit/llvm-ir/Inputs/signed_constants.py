"""Module, input and results of signed-constants.test: 256 numbers by 128 divisors, quotients before remainders."""
import sys

import numpy as np

rng = np.random.default_rng(23)
LEAST = -(1 << 31)
divisors = [3, 5, 6, 7, 9, 10, 11, 12, 25, 65, 100, 125, 625, 641, 1000, 0x55555556, 0x7FFFFFFF, 0x7FFFFFFE, 0x40000001, 0x3FFFFFFF]
divisors += [-d for d in divisors] + [-0x7FFFFFFF - 1]
divisors += [int(d) for d in rng.integers(3, 1 << 31, 256) >> rng.integers(0, 28, 256) if d & (d - 1) and d > 2][: 128 - len(divisors)]
numbers = np.concatenate([[0, 1, -1, LEAST, LEAST + 1, 0x7FFFFFFF, 2, -2], rng.integers(LEAST, 1 << 31, 248) >> rng.integers(0, 31, 248)]).astype(np.int32)

lines = ['target triple = "amdgcn-amd-amdhsa"', "declare i32 @llvm.amdgcn.workitem.id.x()", "declare i32 @llvm.amdgcn.workgroup.id.x()"]
for kernel, index in (("lanes", "workitem"), ("waves", "workgroup")):
    lines += [f"define amdgpu_kernel void @{kernel}(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {{",
              f"  %i = call i32 @llvm.amdgcn.{index}.id.x()", "  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i",
              "  %x = load i32, ptr addrspace(1) %p, !invariant.load !0", "  %o = getelementptr i32, ptr addrspace(1) %out, i32 %i"]
    for k, d in enumerate(divisors):
        for part, name in ((0, "sdiv"), (1, "srem")):
            lines += [f"  %{name}{k} = {name} i32 %x, {d}",
                      f"  %at.{name}{k} = getelementptr i32, ptr addrspace(1) %o, i32 {(part * len(divisors) + k) * 256}",
                      f"  store i32 %{name}{k}, ptr addrspace(1) %at.{name}{k}"]
    lines += ["  ret void", "}"]
lines += ["!0 = !{}"]
open(f"{sys.argv[1]}.ll", "w").write("\n".join(lines) + "\n")

out = np.zeros((2, 128, 256), np.int32)
wide = numbers.astype(np.int64)
for k, d in enumerate(divisors):
    quotient = np.sign(wide) * np.sign(d) * (np.abs(wide) // abs(d))
    out[0, k], out[1, k] = quotient, wide - quotient * d
assert len(divisors) == 128
np.save(f"{sys.argv[1]}.in.npy", numbers)
np.save(f"{sys.argv[1]}.out.npy", out.reshape(-1))
