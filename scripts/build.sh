#!/usr/bin/env bash
# Configures and builds in build/ (or $BUILD_DIR). Extra arguments go to cmake.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
if [[ ! -f $build/build.ninja ]]; then
  echo "build: configuring in $build"
  cmake -G Ninja -S . -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-clang++-22}" \
        -DCMAKE_C_COMPILER="${CC:-clang-22}" "$@" >"/tmp/inflight-configure.$$" 2>&1 ||
    { cat "/tmp/inflight-configure.$$" >&2; exit 1; }
fi
echo "build: compiling"
ninja -C "$build" >"$build/build.log" 2>&1 || { tail -50 "$build/build.log" >&2; exit 1; }
echo "build: done"
