// The server as the extension starts it, by the library of protocol that VS Code's client has: node vscode_client.mjs BUILD.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const build = process.argv[2];
const extension = createRequire(`${build}/editors/vscode/package.json`);
const protocol = extension('vscode-languageserver-protocol/node');
const command = `${build}/bin/inflight`;

// The extension's program has the two functions that VS Code calls; what it asks of VS Code's own module isn't here.
{
  const { Module } = await import('node:module');
  const load = Module._load;
  const anything = new Proxy(class {}, { get: (target, key) => (key === 'prototype' ? target.prototype : anything), apply: () => anything });
  Module._load = function (name, ...rest) { return name === 'vscode' ? anything : load.call(this, name, ...rest); };
  const { activate, deactivate } = extension('./dist/extension.js');
  assert.deepEqual([typeof activate, typeof deactivate], ['function', 'function']);
  Module._load = load;
}

const server = spawn(command, ['lsp', '-mcpu=gfx942', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = protocol.createProtocolConnection(new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin));
const published = [];
let wake = () => {};
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (what) => { published.push(what); wake(); });
connection.listen();

const uri = 'file:///work/kernel.s';
async function diagnosticsOf(version) {
  for (;;) {
    const found = published.find((one) => one.uri === uri && one.version === version);
    if (found) return found.diagnostics;
    await new Promise((resolve) => { wake = resolve; });
  }
}
function edited(text, { range, newText }) {
  const lines = text.split('\n');
  const at = ({ line, character }) => lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, character);
  return text.slice(0, at(range.start)) + newText + text.slice(at(range.end));
}

const timer = setTimeout(() => { console.error('no answer in two minutes'); process.exit(1); }, 120000);
const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
assert.ok(capabilities.hoverProvider && capabilities.inlayHintProvider && capabilities.codeActionProvider);
connection.sendNotification(protocol.InitializedNotification.type, {});

const text = execFileSync(command, ['explain', '--example=wrong', 'missing-wait'], { encoding: 'utf8' });
connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'amdgcn', version: 1, text } });
const [finding] = await diagnosticsOf(1);
assert.equal(finding.code, 'missing-wait');
const textDocument = { uri };
const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument, position: finding.range.start });
assert.match(hover.contents.value, /v_add_u32/);
assert.ok((await connection.sendRequest(protocol.InlayHintRequest.type, { textDocument, range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } })).length);
const [fix] = await connection.sendRequest(protocol.CodeActionRequest.type, { textDocument, range: finding.range, context: { diagnostics: [finding] } });
assert.equal(fix.title, 'Insert s_waitcnt vmcnt(0)');

const mended = edited(text, fix.edit.changes[uri][0]);
connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ text: mended }] });
assert.deepEqual(await diagnosticsOf(2), []);

await connection.sendRequest(protocol.ShutdownRequest.type);
const ended = new Promise((resolve) => server.on('exit', resolve));
await connection.sendNotification(protocol.ExitNotification.type);
assert.equal(await ended, 0);
clearTimeout(timer);
connection.dispose();
