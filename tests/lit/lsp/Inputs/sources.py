"""A session with sources: sources.py KERNEL.mlir HIPCC"""
import os
import subprocess
import sys

from client import Client, lines, place

kernel, hipcc = sys.argv[1:]
here = os.getcwd()


def opened(client, name, text, language=""):
    uri = f"file://{here}/{name}"
    client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
    return uri, client.diagnostics(uri, 1)


def saved(client, uri, text, version):
    client.change(uri, text, version)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    return client.diagnostics(uri, version)


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines()) if part in line)


os.environ["TMPDIR"] = f"{here}/temporary"
os.mkdir(os.environ["TMPDIR"])
os.environ["INFLIGHT_SITE"] = "https://example.org/docs"
client = Client("-mcpu=gfx942", f"--hipcc={os.path.abspath(hipcc)}")
assert client.start()["capabilities"]["textDocumentSync"]["save"]

# MLIR: its error at its line, and when that is mended and saved what its waits cost.
text = open(kernel).read()
barrier = line_of(text, "gpu.barrier")
uri, found = opened(client, "kernel.mlir", text.replace("gpu.barrier", "gpu.barrie", 1), "mlir")
assert [(one["severity"], one["range"]["start"]["line"]) for one in found] == [(1, barrier)], found
assert "gpu.barrie" in found[0]["message"], found
assert saved(client, uri, text, 2) == []
hints = client.request("textDocument/inlayHint", lines(uri, 0, 999))
assert hints and all(hint["label"].startswith("waits ") and " cycles" in hint["label"] for hint in hints), hints
assert any(" for line " in hint["label"] for hint in hints), hints
assert client.request("textDocument/inlayHint", lines(uri, 0, 0)) == []
# What there is for assembly only isn't an error.
for method in ("hover", "definition", "completion"):
    assert client.request(f"textDocument/{method}", place(uri, 1, 1)) is None
# It is the saved text that counts.
client.change(uri, text + "}", 3)
client.change(uri, text, 4)
client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
assert client.diagnostics(uri, 4) == []

# HIP: inline assembly without its wait, with a header from beside it.
open("width.h", "w").write("#pragma once\nconstexpr float width = 2;\n")
hip = """#include <hip/hip_runtime.h>
#include "width.h"
__global__ void k(const float *in, float *out) {
  float x;
  const float *p = in + threadIdx.x;
  asm volatile("global_load_dword %0, %1, off" : "=v"(x) : "v"(p));
  out[threadIdx.x] = x + width;
}
"""
source, found = opened(client, "kernel.hip", hip)
assert [one["code"] for one in found] == ["missing-wait"], found
assert found[0]["range"]["start"]["line"] == line_of(hip, "x + width") and found[0]["relatedInformation"][0]["location"]["range"]["start"]["line"] == line_of(hip, "asm volatile"), found
assert found[0]["codeDescription"]["href"].endswith("/rules/missing-wait/") and "fix: s_waitcnt vmcnt(0)" in found[0]["message"], found
right = hip.replace("off\"", 'off\\n s_waitcnt vmcnt(0)"')
assert saved(client, source, right, 2) == []
found = saved(client, source, hip.replace("x + width;", "x + wid;"), 3)
assert [(one["severity"], one["range"]["start"]["line"]) for one in found] == [(1, line_of(hip, "x + width"))] and "wid" in found[0]["message"], found
found = saved(client, source, hip.replace('"width.h"', '"gone.h"'), 4)
assert [one["range"]["start"]["line"] for one in found] == [1], found

# Closed while it is compiled, and saved many times: the last one counts.
client.notify("textDocument/didSave", {"textDocument": {"uri": source}})
client.notify("textDocument/didClose", {"textDocument": {"uri": source}})
for version in range(5, 25):
    client.change(uri, text if version % 2 else "broken", version)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
client.change(uri, "gpu.module @m {", 25)
client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
assert client.diagnostics(uri, 25), "an error"
client.notify("textDocument/didSave", {"textDocument": {"uri": "file:///none"}})
client.notify("textDocument/didSave", {})
# Assembly goes on as ever.
right = subprocess.run(["inflight", "explain", "--example=right", "missing-wait"], capture_output=True, text=True, check=True).stdout
assert client.open("file:///work/kernel.s", right) == []
assert client.stop() == 0

# Without a compiler that is said.
os.environ["PATH"] = os.path.dirname(os.popen("command -v inflight").read().strip()) + ":/usr/bin/nothing"
client = Client()
client.start()
_, found = opened(client, "other.hip", hip)
assert [(one["severity"], "--hipcc=FILE" in one["message"]) for one in found] == [(2, True)], found
assert client.stop() == 0
assert os.listdir(os.environ["TMPDIR"]) == []
print("fine")
