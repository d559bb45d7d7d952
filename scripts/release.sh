#!/usr/bin/env bash
#   scripts/release.sh [--no-wheel] [--check] [--tag vVERSION] [FOLDER]
# Makes what a release consists of, in FOLDER (default: dist): the .deb and the tarball of cpack, the sources, the trace page, the extension for VS Code, the Python wheels
# (from PyPI's tools; --no-wheel: without) and their checksums, signed by the SSH key $RELEASE_KEY (scripts/sign-release.sh). --tag says what is released:
# the commit has that tag, no file is changed, CMakeLists.txt and CHANGELOG.md have the version, and without a key nothing is made.
# INFLIGHT_SITE is the address of the documentation site, to which findings link.
# Built on Debian 12 they run there and on what is newer. --check, as root and with mmdebstrap: installs each in minimal roots of Debian 12 and 13 and
# Ubuntu 24.04 and compiles, runs and checks a kernel there.
set -euo pipefail
cd "$(dirname "$0")/.."
wheels=1 check= tag=
while [[ ${1:-} == --* ]]; do
  case $1 in
    --no-wheel) wheels= ;;
    --check) check=1 ;;
    --tag) tag=${2:-}; shift ;;
    *) echo "release: error: unknown option $1" >&2; exit 2 ;;
  esac
  shift
done
out=$(realpath -m "${1:-dist}")
version=$(sed -n 's/^project(inflight VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
fail() { echo "release: error: $*" >&2; exit 1; }
if [[ -n $tag ]]; then
  [[ $tag == "v$version" ]] || fail "CMakeLists.txt has version $version, not ${tag#v}"
  scripts/changes.sh "$version" >/dev/null
  [[ $(git rev-parse HEAD) == "$(git rev-parse --verify -q "refs/tags/$tag^{commit}")" ]] || fail "the tag $tag isn't this commit's"
  [[ -z $(git status --porcelain --untracked-files=no) ]] || fail "files are changed"
  [[ -n ${RELEASE_KEY:-} ]] || fail "RELEASE_KEY names no key to sign the checksums with"
fi
build=$(realpath -m "${BUILD_DIR:-build-release}")
mkdir -p "$out"
out_of() { ls -t "$out"/$1 | head -1; }

cmake --preset release -B "$build" ${INFLIGHT_SITE:+-DINFLIGHT_SITE="$INFLIGHT_SITE"} >/dev/null
ninja -C "$build" inflight inflight_shared inflight_hip inflight_documents
(cd "$build" && cpack -B "$build/packages" >packages.log) || { tail -20 "$build/packages.log" >&2; exit 1; }
cp "$build"/packages/*.deb "$build"/packages/*.tar.gz "$out/"
cp "$build/web/trace/dist/index.html" "$out/trace-page.html"
VSCODE_BUILD=$build/editors/vscode scripts/vscode-extension.sh "$out"
git archive --prefix="inflight-$version/" HEAD | gzip -9 >"$out/inflight-$version-source.tar.gz"
if [[ -n $wheels ]]; then
  BUILD_DIR=$build scripts/build-wheel.sh "$out"
  BUILD_DIR=$build scripts/build-wheel.sh --small "$out"
fi
[[ -z $check ]] || scripts/check-packages.sh "$(out_of '*.deb')" "$(out_of 'inflight-*-linux-*.tar.gz')"
scripts/sign-release.sh "$out" ${RELEASE_KEY:+"$RELEASE_KEY"}
ls -l "$out"
