"""A client of `inflight lsp`: messages over its standard input and output."""
import json
import queue
import subprocess
import threading


class Client:
    def __init__(self, *options):
        self.process = subprocess.Popen(["inflight", "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.kept = []
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while header := self.process.stdout.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name == b"Content-Length":
                    length = int(value)
                header = self.process.stdout.readline()
            self.messages.put(json.loads(self.process.stdout.read(length)))
        self.messages.put(None)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request; its number."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def take(self, fits, seconds=200):
        """The first message that `fits`; those before it are kept for others."""
        for i, message in enumerate(self.kept):
            if fits(message):
                return self.kept.pop(i)
        while (message := self.messages.get(timeout=seconds)) is not None:
            if fits(message):
                return message
            self.kept.append(message)
        raise EOFError("the server has ended")

    def answer(self, number):
        return self.take(lambda message: message.get("id") == number)

    def request(self, method, params):
        message = self.answer(self.ask(method, params))
        assert "error" not in message, message
        return message["result"]

    def diagnostics(self, uri, version):
        fits = lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri and m["params"].get("version") == version
        return self.take(fits)["params"]["diagnostics"]

    def start(self):
        result = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})
        return result

    def open(self, uri, text):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "amdgcn", "version": 1, "text": text}})
        return self.diagnostics(uri, 1)

    def change(self, uri, text, version):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]})

    def stop(self):
        """Its exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=60)


def place(uri, line, character):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def lines(uri, first, last):
    return {"textDocument": {"uri": uri}, "range": {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 999}}}


def edited(text, edits):
    """The text with edits of the protocol."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(position):
        units, column = position["character"], 0
        line = text[starts[position["line"]]:]
        while units > 0:
            units -= len(line[column].encode("utf-16-le")) // 2
            column += 1
        return starts[position["line"]] + column

    for edit in sorted(edits, key=lambda e: -at(e["range"]["start"])):
        text = text[: at(edit["range"]["start"])] + edit["newText"] + text[at(edit["range"]["end"]):]
    return text
