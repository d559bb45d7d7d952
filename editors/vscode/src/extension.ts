// Starts `inflight lsp` for assembly, and again when its settings change.
import { commands, ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

async function start() {
  const settings = workspace.getConfiguration('inflight');
  const command = settings.get('command', 'inflight');
  const chip = settings.get('chip', '');
  client = new LanguageClient(
    'inflight',
    'Inflight',
    { command, args: chip ? ['lsp', `-mcpu=${chip}`] : ['lsp'] },
    { documentSelector: [{ language: 'amdgcn' }] },
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
      if (change.affectsConfiguration('inflight.command') || change.affectsConfiguration('inflight.chip')) return restart();
    }),
  );
  await start();
}

export function deactivate() {
  return client?.stop();
}
