"""A GEMM in Triton, compiled without a GPU: writes the code object of one configuration and prints its bytes of LDS.

    python3 docs/agents/triton_gemm.py CHIP TILE STEP STAGES FILE"""
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget


@triton.jit
def gemm(a, b, c, size, TILE: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(1) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(0) * TILE + tl.arange(0, TILE)
    steps = tl.arange(0, STEP)
    sums = tl.zeros((TILE, TILE), tl.float32)
    for k in range(0, size, STEP):
        left = tl.load(a + rows[:, None] * size + k + steps[None, :])
        right = tl.load(b + (k + steps[:, None]) * size + columns[None, :])
        sums = tl.dot(left, right, sums)
    tl.store(c + rows[:, None] * size + columns[None, :], sums)


chip, tile, step, stages = sys.argv[1], *map(int, sys.argv[2:5])
aligned = [["tt.divisibility", 16]]
source = triton.compiler.ASTSource(gemm, signature={"a": "*fp16", "b": "*fp16", "c": "*fp32", "size": "i32", "TILE": "constexpr", "STEP": "constexpr"},
                                   constexprs={"TILE": tile, "STEP": step}, attrs={(place,): aligned for place in range(4)})
compiled = triton.compile(source, target=GPUTarget("hip", chip, 64), options={"num_warps": 4, "num_stages": stages})
with open(sys.argv[5], "wb") as file:
    file.write(compiled.asm["hsaco"])
print(compiled.metadata.shared)
