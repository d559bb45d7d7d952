#!/usr/bin/env bash
#   scripts/vscode-extension.sh [FOLDER]
# Makes the extension of editors/vscode, FOLDER/inflight-VERSION.vsix (default: dist), by TypeScript, esbuild and vsce, which npm installs in
# $VSCODE_BUILD, or build/editors/vscode.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-dist}")
work=$(realpath -m "${VSCODE_BUILD:-build/editors/vscode}")
mkdir -p "$work" "$out"
cp -rT editors/vscode "$work"
cp LICENSE "$work/"
cd "$work"
if ! cmp -s package-lock.json node_modules/installed; then
  npm ci --silent --no-audit --no-fund --ignore-scripts
  cp package-lock.json node_modules/installed
fi
npm run --silent check
npm run --silent build -- --log-level=warning
npm run --silent pack -- -o "$out/inflight-$(node -p 'require("./package.json").version').vsix" >pack.log 2>&1 || { cat pack.log >&2; exit 1; }
