"""What an agent does with the tools of `inflight mcp`, without a model: it finds a missing wait, a bank conflict and the tile that suits a GEMM.

    python3 docs/agents/loop.py FOLDER      # a working folder, empty"""
import asyncio
import os
import pathlib
import subprocess
import sys

from mcp import Client, StdioServerParameters

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Agent:
    def __init__(self, client):
        self.client = client

    async def call(self, tool, /, **arguments):
        answer = await self.client.call_tool(tool, arguments)
        if answer.is_error:
            raise RuntimeError(answer.content[0].text)
        return answer.structured_content


async def mend(agent):
    """A transpose that is right a thousand times, and then it isn't."""
    await agent.call("write_file", name="transpose.s", text=(ROOT / "docs/tutorials/transpose.s").read_text())
    found = await agent.call("verify", file="transpose.s")
    for finding in found["result"]["files"][0]["findings"]:
        print(f"transpose.s:{finding['line']}: {finding['rule']}: {finding['message']}; {finding['hint']}")
    await agent.call("mend_waits", source="transpose.s", output="mended.s")
    await agent.call("assemble", source="mended.s", output="mended.hsaco")
    run = await agent.call("run", code="mended.hsaco", grid=[4, 4], args=["random:1024x1024:f32:1", "zeros:1024x1024:f32"])
    print(f"mended.s: {len(run['result']['findings'])} findings in a run with all checks")


async def explain(agent):
    """Where its time goes."""
    launch = {"code": "mended.hsaco", "grid": [32, 32], "args": ["random:1024x1024:f32:1", "zeros:1024x1024:f32"]}
    trace = await agent.call("trace", **launch)
    worst = max(trace["result"]["code"], key=lambda one: one.get("memory", {}).get("conflict_cycles", 0))
    print(f"mended.s: {worst['instruction']}: {worst['memory']['conflict_cycles']} of {worst['memory']['busy_cycles']} cycles of LDS are bank conflicts")
    advice = await agent.call("advise", **launch)
    for one in advice["result"]["advice"]:
        if one["kind"] == "bank-conflicts":
            print(f"mended.s: {100 * one['gain']:.0f} % less time at best: {one['change']}")


async def choose(agent):
    """Compiles, checks and times a GEMM with several tiles."""
    times = {}
    for tile in ("64x64", "128x128", "256x256"):
        rows, columns = map(int, tile.split("x"))
        text = subprocess.run([sys.executable, ROOT / "examples/gemm/plain.py", f"--tile={tile}", "--size=1024x1024x512"],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
        await agent.call("write_file", name=f"gemm-{tile}.mlir", text=text)
        await agent.call("compile", source=f"gemm-{tile}.mlir", output=f"gemm-{tile}.hsaco")
        launch = {"code": f"gemm-{tile}.hsaco", "grid": [1024 // columns, 1024 // rows],
                  "args": ["random:1024x512:f16:1", "random:1024x512:f16:2", "zeros:1024x1024:f32"]}
        times[tile] = (await agent.call("time", **launch, sample=2))["result"]["microseconds"]
        print(f"gemm {tile}: {times[tile]:.1f} us")
    print(f"gemm: {min(times, key=times.get)}")


async def served(folder, *work):
    server = StdioServerParameters(command="inflight", args=["mcp", f"--folder={folder}"], env=dict(os.environ))
    async with Client(server) as client:
        for part in work:
            await part(Agent(client))


if __name__ == "__main__":
    asyncio.run(served(sys.argv[1], mend, explain, choose))
