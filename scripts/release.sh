#!/usr/bin/env bash
#   scripts/release.sh [--no-wheel] [--check] [FOLDER]
# Makes what a release consists of, in FOLDER (default: dist): the .deb and the tarball of cpack, the sources, the trace page, the Python wheels
# (from PyPI's tools; --no-wheel: without) and their checksums. Built on Debian 12 they run there and on what is newer. --check, as root and with
# mmdebstrap: installs each in minimal roots of Debian 12 and 13 and Ubuntu 24.04 and compiles, runs and checks a kernel there.
set -euo pipefail
cd "$(dirname "$0")/.."
wheels=1 check=
while [[ ${1:-} == --* ]]; do
  case $1 in
    --no-wheel) wheels= ;;
    --check) check=1 ;;
    *) echo "release: error: unknown option $1" >&2; exit 2 ;;
  esac
  shift
done
out=$(realpath -m "${1:-dist}")
build=$(realpath -m "${BUILD_DIR:-build-release}")
mkdir -p "$out"
out_of() { ls -t "$out"/$1 | head -1; }

cmake --preset release -B "$build" >/dev/null
ninja -C "$build" inflight inflight_shared inflight_hip inflight_documents
(cd "$build" && cpack -B "$build/packages" >packages.log) || { tail -20 "$build/packages.log" >&2; exit 1; }
cp "$build"/packages/*.deb "$build"/packages/*.tar.gz "$out/"
cp "$build/web/trace/dist/index.html" "$out/trace-page.html"
version=$(sed -n 's/^project(inflight VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
git archive --prefix="inflight-$version/" HEAD | gzip -9 >"$out/inflight-$version-source.tar.gz"
if [[ -n $wheels ]]; then
  BUILD_DIR=$build scripts/build-wheel.sh "$out"
  BUILD_DIR=$build scripts/build-wheel.sh --small "$out"
fi
(cd "$out" && sha256sum -- *.deb *.tar.* *.html $([[ -z $wheels ]] || ls ./*.whl) >SHA256SUMS)
ls -l "$out"
[[ -z $check ]] || scripts/check-packages.sh "$(out_of '*.deb')" "$(out_of 'inflight-*-linux-*.tar.gz')"
