#!/usr/bin/env bash
#   scripts/build.sh [--demo] [CMAKE ARGUMENTS...]
# Configures and builds in build/ (or $BUILD_DIR), everything or, with --demo, what ./demo runs. On a terminal ninja's progress is shown.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
targets=(all)
# Processor minutes of a build from nothing.
minutes=36
settings=(-DINFLIGHT_TESTS=ON -DINFLIGHT_PAGE=ON "-DINFLIGHT_SIMD_LEVELS=v3;v4")
if [[ ${1:-} == --demo ]]; then
  shift
  targets=(inflight inflight-demo)
  minutes=9
  settings=()
  # Of the levels of vector code that can be chosen from at run time, the one that this host's C library would choose. A folder that is
  # configured keeps what it has.
  if [[ ! -f $build/build.ninja ]]; then
    level=$(/lib64/ld-linux-x86-64.so.2 --help 2>/dev/null | sed -n 's/^ *x86-64-\(v[34]\) (supported.*/\1/p' | head -1)
    settings=(-DINFLIGHT_TESTS=OFF -DINFLIGHT_PAGE=OFF -DINFLIGHT_PRECOMPILE=ON "-DINFLIGHT_SIMD_LEVELS=$level")
  fi
fi
compilers=()
[[ -f $build/build.ninja ]] || compilers=(-DCMAKE_CXX_COMPILER="${CXX:-clang++-22}" -DCMAKE_C_COMPILER="${CC:-clang-22}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "build: configuring in $build"
cmake -G Ninja -S . -B "$build" "${compilers[@]}" "${settings[@]}" "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cores=$(nproc)
steps=$(ninja -C "$build" -n "${targets[@]}" | tail -1 | sed -n 's/^\[[0-9]*\/\([0-9]*\)\].*/\1/p')
[[ ${steps:-0} -lt 100 ]] || echo "build: compiling $steps files; about $(((minutes + cores - 1) / cores)) minutes on $cores cores from nothing"
if [[ -t 1 ]]; then
  ninja -C "$build" "${targets[@]}"
else
  ninja -C "$build" "${targets[@]}" >"$build/build.log" 2>&1 || { tail -50 "$build/build.log" >&2; exit 1; }
fi
echo "build: done"
