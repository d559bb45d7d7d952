"""A session of an editor with `inflight lsp`: what it shows, and that its fixes mend what they say."""
import os
import subprocess
import sys

from client import Client, edited, lines, place

URI = "file:///work/kernel.s"


def example(rule, which="wrong"):
    return subprocess.run(["inflight", "explain", f"--example={which}", rule], capture_output=True, text=True, check=True).stdout


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines()) if part in line)


def fixes(uri, line):
    return client.request("textDocument/codeAction", lines(uri, line, line) | {"context": {"diagnostics": []}})


# Findings link to the pages of a site.
os.environ["INFLIGHT_SITE"] = "https://example.org/docs/"
client = Client()
capabilities = client.start()["capabilities"]
assert capabilities["hoverProvider"] and capabilities["inlayHintProvider"], capabilities

# A missing wait: its place, its rule, the load as what it is about; the fix mends it.
text = example("missing-wait")
found, = client.open(URI, text)
use, load = line_of(text, "v_add_u32_e32 v2, v2, v2"), line_of(text, "global_load_dword")
assert found["code"] == "missing-wait" and found["severity"] == 1 and found["source"] == "inflight", found
assert found["range"] == {"start": {"line": use, "character": 2}, "end": {"line": use, "character": 2 + len("v_add_u32_e32 v2, v2, v2")}}, found
assert found["codeDescription"] == {"href": "https://example.org/docs/rules/missing-wait/"}, found
assert found["relatedInformation"][0]["location"]["range"]["start"]["line"] == load, found
fix, = fixes(URI, use)
assert fix["title"] == "Insert s_waitcnt vmcnt(0)" and fix["kind"] == "quickfix" and fix["isPreferred"], fix
mended = edited(text, fix["edit"]["changes"][URI])
assert mended.splitlines()[use].strip() == "s_waitcnt vmcnt(0)" and len(mended.splitlines()) == len(text.splitlines()) + 1, mended
assert fixes(URI, load) == []

# What is in flight: where it changes.
hints = client.request("textDocument/inlayHint", lines(URI, 0, 100))
assert [(h["position"]["line"], h["label"]) for h in hints] == [
    (line_of(text, "v_lshlrev_b32"), "lgkmcnt in no order"),
    (load, "nothing in flight"),
    (use, "vmcnt 1"),
    (use + 2, "vmcnt 2"),
], hints
assert client.request("textDocument/inlayHint", lines(URI, load, load)) == []

# Hover.
shown = client.request("textDocument/hover", place(URI, load, 5))
assert shown["range"]["start"] == {"line": load, "character": 2}, shown
assert "**global_load_dword**: D = memory" in shown["contents"]["value"] and "counted on: vmcnt, in the order of issue" in shown["contents"]["value"], shown
assert "Nothing is in flight before it" in shown["contents"]["value"], shown
shown = client.request("textDocument/hover", place(URI, use, 5))["contents"]["value"]
assert f"- vmcnt: `global_load_dword v2`, line {load + 1}" in shown, shown
wait = line_of(text, "s_waitcnt lgkmcnt(0)")
shown = client.request("textDocument/hover", place(URI, wait, 5))["contents"]["value"]
assert "Waits for:\n- lgkmcnt: `s_load_dwordx4" in shown and "Needed as it is." in shown, shown
assert client.request("textDocument/hover", place(URI, 0, 3)) is None

# The next version has no finding; where a register comes from.
client.change(URI, mended, 2)
assert client.diagnostics(URI, 2) == []
where = client.request("textDocument/definition", place(URI, use + 1, 2 + len("v_add_u32_e32 v2, ")))
assert [(w["uri"], w["range"]["start"]["line"]) for w in where] == [(URI, load)], where

# From a load to the wait that covers it, and back.
where = client.request("textDocument/definition", place(URI, load, 5))
assert [w["range"]["start"]["line"] for w in where] == [use], where
where = client.request("textDocument/definition", place(URI, use, 5))
assert [w["range"]["start"]["line"] for w in where] == [load], where

# Occupancy.
lens, = client.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
assert lens["range"]["start"]["line"] == line_of(mended, "k:"), lens
assert lens["command"]["title"] == "32 VGPRs, 4096 bytes of LDS: registers leave 8 waves a SIMD; a compute unit holds 16 workgroups of 2 waves", lens

# Wait states.
text = example("hazard")
client.change(URI, text, 3)
found, = client.diagnostics(URI, 3)
assert found["code"] == "missing-wait-states", found
fix, = fixes(URI, found["range"]["start"]["line"])
assert fix["title"] == "Insert s_nop 3", fix
client.change(URI, edited(text, fix["edit"]["changes"][URI]), 4)
assert client.diagnostics(URI, 4) == []

# A wait that is stricter than needed, and one that is superfluous: no findings, but hints and fixes.
for rule, weaker, title in (("strict-wait", "weakest: vmcnt(1)", "Weaken to s_waitcnt vmcnt(1)"), ("superfluous-wait", "not needed", "Remove the wait")):
    uri = f"file:///work/{rule}.s"
    text = example(rule)
    assert client.open(uri, text) == []
    found = [h for h in client.request("textDocument/inlayHint", lines(uri, 0, 100)) if weaker in h["label"]]
    assert found, rule
    fix, = [f for f in fixes(uri, found[0]["position"]["line"])]
    assert fix["title"] == title and not fix["isPreferred"], fix
    client.change(uri, edited(text, fix["edit"]["changes"][uri]), 2)
    assert client.diagnostics(uri, 2) == []
    assert not [h for h in client.request("textDocument/inlayHint", lines(uri, 0, 100)) if weaker in h["label"]], rule

# Where other waves read what this one writes after a barrier, an earlier wait can't leave it to a later one of the reader: each fix is right by itself.
uri = "file:///work/attention.s"
text = subprocess.run(["inflight", "compile", "-mcpu=gfx942", "--emit=asm", sys.argv[1], "-o", "-"], capture_output=True, text=True, check=True).stdout
assert client.open(uri, text) == []
offered = client.request("textDocument/codeAction", lines(uri, 0, text.count("\n")) | {"context": {"diagnostics": []}})
for version, fix in enumerate(offered, 2):
    client.change(uri, edited(text, fix["edit"]["changes"][uri]), version)
    assert client.diagnostics(uri, version) == [], fix

# Labels, loops, registers that a loop carries.
uri = "file:///work/loop.s"
text = example("unreleased-flag", "right")
assert client.open(uri, text) == []
branch, head = line_of(text, "s_cbranch_scc1 .Lpoll"), line_of(text, ".Lpoll:")
where, = client.request("textDocument/definition", place(uri, branch, 20))
assert where["range"]["start"] == {"line": head, "character": 0}, where
rename = {"newName": ".Lwait_for_flag"} | place(uri, branch, 20)
changed = edited(text, client.request("textDocument/rename", rename)["changes"][uri])
assert changed == text.replace(".Lpoll", ".Lwait_for_flag"), changed
for bad in ("v3", "4x", "", "a b"):
    message = client.answer(client.ask("textDocument/rename", rename | {"newName": bad}))
    assert "no name of a label" in message["error"]["message"], message
folds = client.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})
assert [(f["startLine"], f["endLine"]) for f in folds] == [(head + 1, head + 5)], folds

# Columns are UTF-16's; an error of the assembler is at its place.
uri = "file:///work/wide.s"
text = example("missing-wait").replace("  v_add_u32_e32 v2, v2, v2", '/* \U0001f600 \u00e9 */ v_add_u32_e32 v2, v2, v2')
found, = client.open(uri, text)
assert found["range"]["start"] == {"line": use, "character": len('/* ## e */ ')}, found
broken = example("missing-wait").replace("v_add_u32_e32 v2, v2, v2", "v_add_u32_e32 v2, v2, s[")
client.change(uri, broken, 2)
found = client.diagnostics(uri, 2)
assert found and found[0]["severity"] == 1 and found[0]["range"]["start"]["line"] == use, found
assert client.request("textDocument/inlayHint", lines(uri, 0, 100)) == []
shown = client.request("textDocument/hover", place(uri, use, 5))["contents"]["value"]
assert shown.startswith("**v_add_u32**: D = S0 + S1") and "in flight" not in shown.lower(), shown
assert client.request("textDocument/hover", place(uri, 0, 5)) is None

# What is being typed: mnemonics of the chip, counters.
def completions(typed, version):
    client.change(uri, example("missing-wait").replace("  v_add_u32_e32 v2, v2, v2", typed), version)
    client.diagnostics(uri, version)
    return {item["label"]: item["detail"] for item in client.request("textDocument/completion", place(uri, use, len(typed)))["items"]}


found = completions("  global_load_d", 3)
assert "global_load_dword" in found and found["global_load_dword"].startswith("D = memory") and all(name.startswith("global_load_d") for name in found), found
assert "v_mfma_f32_32x32x8_f16" in completions(".Lx: v_mfma_f32_32", 4)
assert list(completions("  s_waitcnt vmcnt(0) ", 5)) == ["vmcnt(0)", "lgkmcnt(0)"]
assert completions("  v_add_u32 v", 6) == {} and completions("; v_", 7) == {}

# What a text doesn't say: its chip.
uri = "file:///work/plain.s"
text = "k:\n  s_nop 0\n  s_endpgm\n"
found, = client.open(uri, text)
assert "chip" in found["message"] or "target" in found["message"], found
client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
assert client.diagnostics(uri, None) == []
assert client.stop() == 0
client = Client("-mcpu=gfx950", "--stdio")
client.start()
assert client.open(uri, text) == []
assert client.stop() == 0

# Chips with an instruction for each counter, and expert scheduling.
client = Client("-mcpu=gfx1250", "--stdio")
client.start()
head = "k:\n  s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2\n  v_mov_b32_e32 v1, 0\n"
text = head + "  s_wait_alu depctr_va_vdst(0)\n  ds_store_b32 v0, v1\n  s_endpgm\n"
assert client.open(uri, text) == []
shown = client.request("textDocument/hover", place(uri, 3, 5))["contents"]["value"]
assert shown.startswith("**s_wait_alu**") and "v_mov_b32" in shown, shown
found, = client.change(uri, text.replace("  s_wait_alu depctr_va_vdst(0)\n", ""), 2) or client.diagnostics(uri, 2)
assert "v_mov_b32 may still write" in found["message"], found
for version, (typed, wanted) in enumerate([("s_wait_loadcnt ", "0x0"), ("s_wait_alu ", "depctr_va_vdst(0)")], 3):
    client.change(uri, head + "  " + typed, version)
    client.diagnostics(uri, version)
    items = client.request("textDocument/completion", place(uri, 3, 2 + len(typed)))["items"]
    assert wanted in [item["label"] for item in items], items
assert client.stop() == 0
print("fine")
