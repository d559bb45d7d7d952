#!/usr/bin/env bash
#   scripts/changes.sh VERSION      prints what CHANGELOG.md says of a version
set -euo pipefail
changes=$(sed -n "/^## ${1//./\\.}\b/,/^## /{/^## /d;p}" "$(dirname "$0")/../CHANGELOG.md")
[[ -n $changes ]] || { echo "changes: error: CHANGELOG.md has no section '## $1'" >&2; exit 1; }
printf '%s\n' "$changes"
