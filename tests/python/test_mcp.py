"""inflight mcp: its tools by the SDK's client over standard input and output, what they refuse, and that nothing outlives its limits."""
import asyncio
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy
import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "bin" / "inflight"
ENVIRONMENT = {**os.environ, "INFLIGHT_PYTHON": sys.executable, "PATH": f"{COMMAND.parent}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
VADD = {"grid": [4], "args": ["random:1000:f32:1", "random:1000:f32:2", "zeros:1000:f32"]}
FOREVER = """.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl forever
.p2align 8
.type forever,@function
forever:
  s_add_u32 s4, s4, 1
  s_branch forever
.rodata
.p2align 6
.amdhsa_kernel forever
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: forever
    .symbol: forever.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 1
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
"""


def served(folder, work, *options):
    """What `work(call, client)` returns; call(tool, ...) gives the answer, or the error's text."""
    async def go():
        async with Client(StdioServerParameters(command=str(COMMAND), args=["mcp", f"--folder={folder}", *options], env=ENVIRONMENT)) as client:
            async def call(tool, /, **arguments):
                answer = await client.call_tool(tool, arguments)
                return answer.content[0].text if answer.is_error else answer.structured_content

            return await work(call, client)

    return asyncio.run(go())


def check_schema(name, value):
    sys.path.insert(0, str(ROOT / "tests" / "lit" / "support"))
    from schemas import Schemas

    Schemas(str(ROOT / "data" / "schemas")).check(name, value, name)


def processes_of(folder):
    """Commands that run in the folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").resolve() == folder and (process / "exe").resolve() == COMMAND:
                found.append(process.name)
        except OSError:
            pass
    return found


def test_tools(tmp_path):
    """From a source to a bug found, mended, run, timed and explained; answers are as docs/json.md says."""
    numpy.save(tmp_path / "a.npy", numpy.arange(1000, dtype=numpy.float32))
    numpy.save(tmp_path / "sum.npy", 2 * numpy.arange(1000, dtype=numpy.float32))
    numpy.save(tmp_path / "other.npy", numpy.ones(1000, dtype=numpy.float32))
    summed = {"grid": [4], "args": ["a.npy", "a.npy", "zeros:1000:f32"]}

    async def work(call, client):
        names = {tool.name for tool in (await client.list_tools()).tools}
        await call("write_file", name="vadd.mlir", text=(ROOT / "examples" / "vadd" / "vadd.mlir").read_text())
        made = await call("compile", source="vadd.mlir", output="vadd.hsaco")
        check_schema("info", made["result"])
        assert made["result"]["files"][0]["kernels"][0]["name"] == "vadd"
        assert (await call("disassemble", code="vadd.hsaco", output="vadd.s"))["lines"] > 20
        text = (await call("read_file", name="vadd.s"))["text"]
        await call("write_file", name="broken.s", text="".join(line + "\n" for line in text.splitlines() if "s_waitcnt vmcnt(0)" not in line))

        found = await call("verify", file="broken.s")
        check_schema("waits", found["result"])
        assert found["status"] == 1 and [one["rule"] for one in found["result"]["files"][0]["findings"]] == ["missing-wait"]
        assert (await call("verify", file="broken.s", explain=True))["result"]["files"][0]["waits"]
        await call("assemble", source="broken.s", output="broken.hsaco")
        run = await call("run", code="broken.hsaco", **VADD)
        check_schema("findings", run["result"])
        assert run["status"] == 1 and {one["rule"] for one in run["result"]["findings"]} == {"in-flight"}
        assert run["result"]["findings"][0]["line"] > 1

        mended = await call("mend_waits", source="broken.s", output="mended.s")
        check_schema("waits-diff", mended["result"])
        assert (await call("verify", file="mended.s"))["status"] == 0
        await call("assemble", source="mended.s", output="mended.hsaco")
        right = await call("run", code="mended.hsaco", **summed, expect={"2": "sum.npy"}, out={"2": "got.npy"})
        assert right["status"] == 0 and not right["result"]["findings"]
        assert (numpy.load(tmp_path / "got.npy") == numpy.load(tmp_path / "sum.npy")).all()
        wrong = await call("run", code="mended.hsaco", **summed, expect={"2": "other.npy"})
        assert wrong["status"] == 1 and "1000 of 1000 elements differ" in wrong["messages"][-1]

        for tool, schema in (("time", "time"), ("trace", "trace"), ("advise", "advise")):
            check_schema(schema, (await call(tool, code="vadd.hsaco", **VADD))["result"])
        check_schema("diff", (await call("diff", old="broken.hsaco", new="vadd.hsaco"))["result"])
        check_schema("info", (await call("info", code="vadd.hsaco"))["result"])
        assert any("while" in line for line in (await call("explain", word="missing-wait"))["lines"])
        assert "did you mean 'missing-wait'" in await call("explain", word="missing-wiat")
        assert "vadd.hsaco" in [one["file"] for one in (await call("list_files"))["files"]]
        return names

    assert served(tmp_path, work) == {"write_file", "read_file", "list_files", "compile", "assemble", "disassemble", "info", "verify", "mend_waits", "run", "time", "trace",
                                      "advise", "tune", "diff", "explain"}


def test_refused(tmp_path):
    """Names that lead out of the folder or would be options, and what the verbs say of broken input."""
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "secret.npy").write_bytes(b"no")
    (folder / "link.npy").symlink_to(tmp_path / "secret.npy")
    (folder / "out").symlink_to(tmp_path)
    (folder / "junk.hsaco").write_bytes(bytes(range(256)) * 40)

    async def work(call, client):
        for name in ("../secret.npy", str(tmp_path / "secret.npy"), "link.npy", "out/secret.npy"):
            assert "isn't in the working folder" in await call("read_file", name=name)
            assert "isn't in the working folder" in await call("write_file", name=name, text="x")
            assert "isn't in the working folder" in await call("run", code="junk.hsaco", grid=[1], args=[name])
        assert "validation error" in (await call("run", code="junk.hsaco", grid=[1], args=[], out={f"0={tmp_path}/x": "x.npy"})).lower()
        assert "neither FILE.npy" in await call("run", code="junk.hsaco", grid=[1], args=["../secret.npy:f32,x"])
        assert "don't begin with '-'" in await call("write_file", name="--help", text="x")
        assert "no file 'none.s'" in await call("verify", file="none.s")
        assert "error:" in await call("info", code="junk.hsaco")
        assert "error:" in await call("run", code="junk.hsaco", grid=[1], args=[])
        await call("write_file", name="bad.mlir", text="gpu.module @m {")
        assert "bad.mlir:1" in await call("compile", source="bad.mlir", output="bad.hsaco")
        await call("write_file", name="include.s", text='.include "../secret.npy"\n.incbin "/etc/hostname"\n')
        for tool in ({"tool": "verify", "file": "include.s"}, {"tool": "assemble", "source": "include.s", "output": "include.hsaco", "chip": "gfx942"}):
            assert "error:" in await call(tool.pop("tool"), **tool)
        assert "validation error" in str(await call("time", code="junk.hsaco", grid=[], args=[])).lower()

    served(folder, work)
    assert (tmp_path / "secret.npy").read_bytes() == b"no" and sorted(path.name for path in tmp_path.iterdir()) == ["secret.npy", "work"]


def test_limits(tmp_path):
    """Time, memory, size of an answer, calls at once, and a client that gives up: no command goes on."""
    (tmp_path / "forever.s").write_text(FOREVER)
    (tmp_path / "vadd.mlir").write_text((ROOT / "examples" / "vadd" / "vadd.mlir").read_text())
    for number in range(400):
        (tmp_path / f"file{number}.txt").write_text("x")

    async def work(call, client):
        await call("assemble", source="forever.s", output="forever.hsaco")
        await call("compile", source="vadd.mlir", output="vadd.hsaco")
        assert "took more than 6 s" in await call("run", code="forever.hsaco", grid=[1], args=[], check="memory")
        large = ["random:300000000:f32:1", "zeros:1:f32", "zeros:1:f32"]
        assert "MiB of memory" in await call("run", code="vadd.hsaco", grid=[1], args=large, check="memory")
        listed = await call("list_files")
        assert listed["left_off"]["files"] + len(listed["files"]) > 400 and len(json.dumps(listed)) < 5000

        begin = time.monotonic()
        many = [asyncio.ensure_future(call("verify", file="forever.s")) for _ in range(20)]
        assert all(one["status"] in (0, 1) for one in await asyncio.gather(*many))
        stuck = [asyncio.ensure_future(call("run", code="forever.hsaco", grid=[1], args=[], check="memory")) for _ in range(4)]
        await asyncio.sleep(1)
        for one in stuck:
            one.cancel()
        assert (await call("info", code="vadd.hsaco"))["status"] == 0
        while processes_of(tmp_path) and time.monotonic() < begin + 60:
            await asyncio.sleep(0.2)
        assert not processes_of(tmp_path)

    served(tmp_path, work, "--seconds=6", "--memory=300", "--answer=4")


def test_garbage(tmp_path):
    """What isn't the protocol is answered or passed over, and the end of input ends the server."""
    text = b'{"jsonrpc": "2.0", "id": 1}\nnothing\n\xff\xfe{}\n[1, 2\n{"jsonrpc": "2.0", "id": 2, "method": "no/such"}\n'
    done = subprocess.run([COMMAND, "mcp", f"--folder={tmp_path}"], input=text, env=ENVIRONMENT, capture_output=True, timeout=60)
    assert done.returncode == 0 and b"Traceback" not in done.stdout


def test_missing_parts(tmp_path):
    done = subprocess.run([COMMAND, "mcp", "--folder=none"], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr == "inflight mcp: error: no folder 'none'\n"
    (tmp_path / "mcp.py").write_text("raise ModuleNotFoundError(name='mcp')")
    done = subprocess.run([COMMAND, "mcp"], cwd=tmp_path, env={**ENVIRONMENT, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.endswith("SDK isn't there; pip install 'mcp>=2'\n")


def test_page(tmp_path):
    """docs/agents.md, whose loop finds a missing wait, a bank conflict and the better tile."""
    done = subprocess.run([sys.executable, ROOT / "scripts" / "doc-outputs.py", "--folder", tmp_path, "docs/agents.md"], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_tune(tmp_path):
    """The fastest choice that is right: one that leaves work out, or that a check finds something in, is passed over."""
    (tmp_path / "vadd.mlir").write_text((ROOT / "examples" / "vadd" / "vadd.mlir").read_text())
    numpy.save(tmp_path / "a.npy", numpy.arange(1000, dtype=numpy.float32))
    numpy.save(tmp_path / "sum.npy", 2 * numpy.arange(1000, dtype=numpy.float32))
    launch = {"grid": ["groups"], "args": ["${first}.npy", "a.npy", "zeros:1000:f32"]}

    async def work(call, client):
        found = await call("tune", source="vadd.mlir", parameters={"groups": [1, 2, 4], "first": ["a", "none"]}, **launch, expect={"2": "sum.npy"}, output="best.hsaco")
        states = {(trial["parameters"]["groups"], trial["parameters"]["first"]): trial["state"] for trial in found["result"]["trials"]}
        assert found["status"] == 0 and found["result"]["left"] == 0 and found["result"]["choices"] == 6
        assert states == {(1, "a"): "wrong", (2, "a"): "wrong", (4, "a"): "checked"} | {(groups, "none"): "failed" for groups in (1, 2, 4)}
        assert found["result"]["best"]["parameters"] == {"groups": 4, "first": "a"}
        assert "elements differ" in found["result"]["trials"][0]["why"] and "no file 'none.npy'" in found["result"]["trials"][-1]["why"]
        run = await call("run", code="best.hsaco", grid=[4], args=["a.npy", "a.npy", "zeros:1000:f32"], expect={"2": "sum.npy"})
        assert run["status"] == 0

        # Assembly with a parameter: without its wait it is faster, and a race.
        await call("disassemble", code="best.hsaco", output="plain.s")
        text = (tmp_path / "plain.s").read_text()
        assert text.count("s_waitcnt vmcnt(0)") == 1
        await call("write_file", name="vadd.s", text=text.replace("s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(${count})"))
        found = await call("tune", source="vadd.s", choices=[{"count": 2, "groups": 4, "first": "a"}, {"count": 0, "groups": 4, "first": "a"}], **launch)
        assert {trial["parameters"]["count"]: trial["state"] for trial in found["result"]["trials"]} == {2: "wrong", 0: "checked"}, found

        for wrong, message in (({"parameters": {}}, "either parameters or choices"), ({"parameters": {"groups": list(range(1, 258))}}, "257 choices; 1 to 256"),
                               ({"parameters": {"groups": []}}, "0 choices"), ({"parameters": {"groups": [1]}, "output": "../x"}, "isn't in the working folder")):
            assert message in await call("tune", source="vadd.mlir", **launch, **wrong)
        for grid in ("groups ** 9", "__import__('os')", "groups // 0", "-groups", "first", "groups if 1 else 2"):
            failed = await call("tune", source="vadd.mlir", parameters={"groups": [4], "first": ["a"]}, grid=[grid], args=launch["args"])
            assert failed["status"] == 1 and failed["result"]["trials"][0]["state"] == "failed", failed

    served(tmp_path, work)
    assert not [path.name for path in tmp_path.iterdir() if path.is_dir()]
