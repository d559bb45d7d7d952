#!/usr/bin/env bash
# What runs with which version of Triton: a virtual environment for each in $MATRIX_DIR (default: a temporary folder), from PyPI, without torch.
#   scripts/triton-matrix.sh [VERSION ...]      default: 3.6.0 3.7.1 3.8.0 3.9.0
# Prints the table of docs/python.md. Needs a build; 1 GB a version.
set -euo pipefail
cd "$(dirname "$0")/.."
versions=("$@")
[[ ${#versions[@]} -gt 0 ]] || versions=(3.6.0 3.7.1 3.8.0 3.9.0)
folder=${MATRIX_DIR:-$(mktemp -d)}
[[ -n ${MATRIX_DIR:-} ]] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"
failed=0
for version in "${versions[@]}"; do
  venv=$folder/triton-$version
  if [[ ! -x $venv/bin/python ]]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q numpy setuptools "triton==$version"
  fi
  TRITON_CACHE_DIR=$folder/cache-$version PYTHONPATH=$PWD/python "$venv/bin/python" -W ignore tests/python/matrix.py "$version" || failed=1
done
exit $failed
