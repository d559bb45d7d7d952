#!/usr/bin/env bash
# The tests of the Python package that want torch, Triton and Wave (tests/python), for the night: ./test has none of them.
#   scripts/python-tests.sh [PYTEST-OPTION ...]
# Makes a venv in $PYTHON_VENV (build/python-venv) from PyPI, 6 GB; PYTHON=FILE names a Python that has all of it instead. Needs a build.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -f ${INFLIGHT_LIBRARY:-build/lib/libinflight.so} ]] || { echo "python-tests: error: no build/lib/libinflight.so; run scripts/build.sh" >&2; exit 2; }
if [[ -z ${PYTHON:-} ]]; then
  venv=${PYTHON_VENV:-build/python-venv}
  [[ -x $venv/bin/python ]] || python3 -m venv "$venv"
  # The versions that python/inflight/_inductor.py was tried with. torch asks for an older Triton, so that comes by itself.
  "$venv/bin/pip" install -q numpy torch==2.9.1 wave-lang pytest tabulate jsonschema mypy "optuna>=4" psycopg2-binary "dask[distributed]" "mcp>=2" "psycopg[binary]" pyarrow ray
  "$venv/bin/pip" install -q --no-deps triton==3.9.0
  PYTHON=$venv/bin/python
fi
PYTHONPATH=$PWD/python${PYTHONPATH:+:$PYTHONPATH} exec "$PYTHON" -W ignore -m pytest -q -p no:cacheprovider tests/python "$@"
