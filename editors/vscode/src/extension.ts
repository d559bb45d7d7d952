// Starts `inflight lsp` for assembly and sources, and again when its settings change.
import { commands, ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

async function start() {
  const settings = workspace.getConfiguration('inflight');
  const command = settings.get('command', 'inflight');
  const chip = settings.get('chip', '');
  const hipcc = settings.get('hipcc', '');
  client = new LanguageClient(
    'inflight',
    'Inflight',
    { command, args: ['lsp', ...(chip ? [`-mcpu=${chip}`] : []), ...(hipcc ? [`--hipcc=${hipcc}`] : [])] },
    { documentSelector: [...['amdgcn', 'mlir', 'llvm', 'hip'].map((language) => ({ scheme: 'file', language })), { scheme: 'file', pattern: '**/*.{mlir,hip}' }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`Inflight: '${command} lsp' can't be started: ${error}. The setting inflight.command says where it is.`);
  }
}

async function restart() {
  await client?.dispose();
  client = undefined;
  await start();
}

export async function activate(context: ExtensionContext) {
  context.subscriptions.push(
    commands.registerCommand('inflight.restart', restart),
    workspace.onDidChangeConfiguration((change) => {
      if (['command', 'chip', 'hipcc'].some((name) => change.affectsConfiguration(`inflight.${name}`))) return restart();
    }),
  );
  await start();
}

export function deactivate() {
  return client?.stop();
}
