#!/usr/bin/env bash
#   check.sh BUILD EXAMPLES
# Installs a build, then uses what is installed: the command, the library by find_package, HIP's library, completion, manual pages.
set -euo pipefail
build=$1 examples=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" --strip >"$work/log" || { tail -5 "$work/log"; exit 1; }

cd "$work"
export PATH=$prefix/bin:$PATH
inflight compile -mcpu=gfx942 "$examples/vadd/vadd.mlir" -o vadd.hsaco
inflight run vadd.hsaco --grid 4 --arg random:1000:f32:1 --arg random:1000:f32:2 --arg zeros:1000:f32 --check=all
inflight exec env | grep -qx "LD_LIBRARY_PATH=$prefix/lib/inflight.*"
bash -n "$prefix/share/bash-completion/completions/inflight"
grep -q '^.SH OPTIONS' "$prefix/share/man/man1/inflight-run.1"
inflight schema schemas
diff -r schemas "$prefix/share/inflight/schemas"

cmake -G Ninja -S "$here" -B consumer -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
cmake --build consumer >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
consumer/consumer
# libamdhip64.so finds libinflight.so beside its folder, wherever that is.
! ldd "$prefix/lib/inflight/libamdhip64.so.7" | grep 'not found'
echo "installed: works"
