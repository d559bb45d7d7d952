#!/usr/bin/env bash
#   scripts/build.sh [--demo | --command] [CMAKE ARGUMENTS...]
# Configures and builds in build/ (or $BUILD_DIR): everything, or with --demo what README's commands use and ./demo runs, or with --command
# the command alone. On a terminal ninja's progress is shown.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
targets=(all)
# Processor minutes of a build from nothing.
minutes=36
settings=(-DINFLIGHT_TESTS=ON -DINFLIGHT_PAGE=ON "-DINFLIGHT_SIMD_LEVELS=v3;v4")
part=
if [[ ${1:-} == --demo || ${1:-} == --command ]]; then
  part=$1
  shift
  # The page where Node.js and npm are; a folder that is configured keeps what it has.
  page=AUTO
  targets=(inflight inflight-demo inflight_shared inflight_hip)
  minutes=10
  [[ $part == --demo ]] || { page=OFF; targets=(inflight); minutes=9; }
  settings=()
  # Of the levels of vector code that can be chosen from at run time, the one that this host's C library would choose.
  if [[ ! -f $build/build.ninja ]]; then
    level=$(/lib64/ld-linux-x86-64.so.2 --help 2>/dev/null | sed -n 's/^ *x86-64-\(v[34]\) (supported.*/\1/p' | head -1)
    settings=(-DINFLIGHT_TESTS=OFF -DINFLIGHT_PAGE=$page -DINFLIGHT_PRECOMPILE=ON "-DINFLIGHT_SIMD_LEVELS=$level")
  fi
fi
compilers=()
[[ -f $build/build.ninja ]] || compilers=(-DCMAKE_CXX_COMPILER="${CXX:-clang++-22}" -DCMAKE_C_COMPILER="${CC:-clang-22}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "build: configuring in $build"
cmake -G Ninja -S . -B "$build" "${compilers[@]}" "${settings[@]}" "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
# npm's registry may be out of reach: the demo goes on without the page then.
page_file=src/trace/page/EmbeddedPage.inc
if [[ $part == --demo ]] && ninja -C "$build" -t targets all | grep "^$page_file:" >/dev/null && ! ninja -C "$build" "$page_file" >"$log" 2>&1; then
  echo "build: going on without the page of inflight trace --html: npm couldn't install or build it" >&2
  echo "  cmake -DINFLIGHT_PAGE=ON $build && ninja -C $build tries again" >&2
  cmake -DINFLIGHT_PAGE=OFF "$build" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
fi
cores=$(nproc)
steps=$(ninja -C "$build" -n "${targets[@]}" | tail -1 | sed -n 's/^\[[0-9]*\/\([0-9]*\)\].*/\1/p')
[[ ${steps:-0} -lt 100 ]] || echo "build: compiling $steps files; about $(((minutes + cores - 1) / cores)) minutes on $cores cores from nothing"
if [[ -t 1 ]]; then
  ninja -C "$build" "${targets[@]}"
else
  ninja -C "$build" "${targets[@]}" >"$build/build.log" 2>&1 || { tail -50 "$build/build.log" >&2; exit 1; }
fi
echo "build: done"
