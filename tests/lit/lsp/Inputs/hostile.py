"""What clients send that don't mean well: the server answers or refuses, and goes on."""
import json
import subprocess

from client import Client, lines, place

URI = "file:///work/kernel.s"
GOOD = subprocess.run(["inflight", "explain", "--example=wrong", "missing-wait"], capture_output=True, text=True, check=True).stdout


def is_alive(version):
    client.change(URI, GOOD, version)
    found, = client.diagnostics(URI, version)
    assert found["code"] == "missing-wait"


client = Client()
client.start()
client.open(URI, GOOD)

# Garbage, half messages, deep nesting, wrong types, unknown methods.
client.write(b"Content-Length: 10\r\n\r\nnot  json!")
client.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
client.write(b"Content-Length: -5\r\n\r\n")
client.write(b"Content-Length: 99999999999999999999\r\n\r\n")
deep = b"[" * 1_000_000
client.write(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
for message in ([], 7, None, {"id": 5}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "method": 3}, {"jsonrpc": "1.0", "method": "x", "id": 1}):
    body = json.dumps(message).encode()
    client.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
is_alive(2)
for method in ("textDocument/hover", "textDocument/rename", "textDocument/codeAction", "textDocument/inlayHint", "textDocument/foldingRange", "textDocument/codeLens", "textDocument/completion", "no/such"):
    for params in (None, [], {}, {"textDocument": 3}, {"textDocument": {"uri": "x:y"}, "position": {"line": "a"}}):
        assert "error" in client.answer(client.ask(method, params)), (method, params)
client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 3}, "contentChanges": [{"range": {}, "text": ""}]})
client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 3}, "contentChanges": []})
client.notify("no/such", {})
is_alive(4)

# Places that aren't there, and a document that isn't.
for line, character in ((-1, -1), (10**6, 0), (5, 10**6), (2**31 - 1, 2**31 - 1)):
    for method in ("textDocument/hover", "textDocument/definition", "textDocument/completion"):
        client.request(method, place(URI, line, character))
    client.request("textDocument/codeAction", lines(URI, line, line))
    client.request("textDocument/inlayHint", lines(URI, line, line))
assert "error" in client.answer(client.ask("textDocument/hover", place("file:///work/other.s", 0, 0)))

# Half a file, at each place; no text; a text of zeros.
version = 5
for cut in range(0, len(GOOD), 97):
    client.change(URI, GOOD[:cut], version)
    version += 1
for text in ("", "\0" * 1000, "\ufffd\n" * 100, GOOD.replace("\n", "\r\n")):
    client.change(URI, text, version)
    client.diagnostics(URI, version)
    version += 1
is_alive(version)

# A repetition whose end only the parser knows.
endless = ".set times, 1000000000\n.rept times\n s_nop 0\n.endr\n"
client.change(URI, GOOD + endless, version + 1)
found, = client.diagnostics(URI, version + 1)
assert "more time or memory" in found["message"], found
is_alive(version + 2)
version += 3

# Twenty requests at once and their cancellation; each has one answer, whichever.
numbers = []
for i in range(20):
    client.change(URI, GOOD + f"// {i}\n", version)
    version += 1
    numbers.append(client.ask("textDocument/hover", place(URI, 10, 4)))
    client.notify("$/cancelRequest", {"id": numbers[-1]})
for number in numbers:
    message = client.answer(number)
    assert "result" in message or message["error"]["code"] in (-32800, -32801), message
is_alive(version)

# 100 MB.
client.change(URI, "s_nop 0\n" * 12_500_000, version + 1)
found, = client.diagnostics(URI, version + 1)
assert "is not analysed" in found["message"], found
is_alive(version + 2)

# More documents than analyses are kept of.
for i in range(20):
    client.open(f"file:///work/{i}.s", GOOD)
for i in range(20):
    assert client.request("textDocument/inlayHint", lines(f"file:///work/{i}.s", 0, 100)), i
assert client.stop() == 0

# An input that ends in the middle of a message.
client = Client()
client.start()
client.write(b"Content-Length: 1000\r\n\r\n{")
client.process.stdin.close()
assert client.process.wait(timeout=60) == 1
print("alive")
