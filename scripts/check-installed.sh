#!/usr/bin/env bash
#   scripts/check-installed.sh [--wheel]
# Compiles, runs, checks, disassembles and traces a kernel with the `inflight` that is first in PATH. --wheel: without HIP's library, which wheels
# lack, and with the Python package.
set -euo pipefail
kernel=$(realpath "${KERNEL:-$(dirname "$0")/../examples/vadd/vadd.mlir}")
cd "$(mktemp -d)"
launch=(--grid 4 --arg random:1000:f32:1 --arg random:1000:f32:2 --arg zeros:1000:f32)
inflight --version
inflight compile -mcpu=gfx942 "$kernel" -o vadd.hsaco
inflight run vadd.hsaco "${launch[@]}" --check=all --stats
inflight dis vadd.hsaco --addresses -o vadd.s
inflight asm vadd.s -o again.hsaco
inflight waits vadd.hsaco
inflight trace vadd.hsaco "${launch[@]}" --html page.html --report >report
grep -q "<html" page.html
if [[ ${1:-} == --wheel ]]; then
  python -c 'import inflight; print(inflight.__file__)'
else
  inflight exec env | grep -q "^LD_LIBRARY_PATH=.*/inflight"
fi
echo "check-installed: $(command -v inflight) works"
