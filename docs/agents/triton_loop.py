"""Makes a Triton kernel faster by the tools of `inflight mcp`, without a model: where its time goes, what would help, which configuration is best and right.

    python3 docs/agents/triton_loop.py FOLDER      # a working folder, empty"""
import asyncio
import pathlib
import subprocess
import sys

import numpy

from loop import served

CHIP, SIZE = "gfx942", 512
FOLDER = pathlib.Path(sys.argv[1])


def compiled(tile, stages):
    """What the agent does by itself: Triton's compiler, which needs no GPU, leaves a code object in the working folder. Bytes of LDS."""
    words = [pathlib.Path(__file__).with_name("triton_gemm.py"), CHIP, str(tile), "32", str(stages), FOLDER / f"gemm-{tile}-{stages}.hsaco"]
    return int(subprocess.run([sys.executable, "-W", "ignore", *words], stdout=subprocess.PIPE, text=True, check=True).stdout)


def make_data():
    random = numpy.random.default_rng(1)
    a, b = (random.integers(-8, 8, (SIZE, SIZE)).astype(numpy.float16) for _ in range(2))
    for name, value in (("a", a), ("b", b), ("c", a.astype(numpy.float32) @ b.astype(numpy.float32))):
        numpy.save(FOLDER / f"{name}.npy", value)


async def optimise(agent):
    args = ["a.npy", "b.npy", f"zeros:{SIZE}x{SIZE}:f32", f"i32:{SIZE}", "zeros:1:u32", "zeros:1:u32"]  # Triton's scratch memory comes last
    choices = [{"tile": tile, "stages": stages, "shared": compiled(tile, stages)} for tile in (32, 64, 128) for stages in (1, 2)]
    guess = {"code": "gemm-128-1.hsaco", "args": args, "grid": [SIZE // 128] * 2, "block": [256], "lds": choices[4]["shared"]}
    before = (await agent.call("time", **guess))["result"]
    print(f"tile 128, 1 stage: {before['microseconds']:.1f} us")
    trace = (await agent.call("trace", **guess, top=3))["result"]
    for one in trace["code"]:
        print(f"  {one['cycles']} cycles at {one['instruction']}")
    search = (await agent.call("tune", source="gemm-${tile}-${stages}.hsaco", choices=choices, grid=[f"{SIZE} // tile"] * 2, block=[256], lds="shared", args=args, chip=CHIP,
                               sample=0, expect={2: "c.npy"}, output="best.hsaco"))["result"]
    for trial in search["trials"]:
        print(f"tile {trial['parameters']['tile']}, stages {trial['parameters']['stages']}: {trial['microseconds']:.1f} us, {trial['state']}")
    findings = (await agent.call("verify", file="best.hsaco"))["result"]["files"][0]["findings"]
    best = search["best"]
    print(f"best.hsaco: {before['microseconds'] / best['microseconds']:.1f} times as fast, {len(findings)} findings, results as numpy's")


make_data()
asyncio.run(served(FOLDER, optimise))
