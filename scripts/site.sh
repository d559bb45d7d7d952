#!/usr/bin/env bash
#   scripts/site.sh [FOLDER]
# Makes the documentation site in FOLDER (default: build/site/site) by MkDocs Material, which PyPI installs in $SITE_VENV, or build/site-venv. Links are
# checked. Needs a build with the trace page ($BUILD_DIR, or build/). INFLIGHT_SITE is the address that it will have.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD_DIR:-build}")
venv=${SITE_VENV:-$build/site-venv}
work=$build/site
"$build/bin/inflight" doctor | grep -q '^trace page .*built in$' || { echo "site: error: $build has no trace page; scripts/build.sh --demo builds it" >&2; exit 1; }
if ! cmp -s web/site/requirements.txt "$venv/installed"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q -r web/site/requirements.txt
  cp web/site/requirements.txt "$venv/installed"
fi
python3 web/site/stage.py "$work" --traces --build "$build"
# Not -q: what isn't logged isn't counted, and strict mode passes.
NO_MKDOCS_2_WARNING=1 "$venv/bin/mkdocs" build -f "$work/mkdocs.yml" -d "$(realpath -m "${1:-$work/site}")" >"$work/log" 2>&1 || { grep -E "WARNING|ERROR|Aborted" "$work/log" >&2; exit 1; }
