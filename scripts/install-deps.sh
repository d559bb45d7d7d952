#!/usr/bin/env bash
#   scripts/install-deps.sh [--demo | --command]
# Installs what building and testing need, from Debian's packages; with --command what building the command needs, with --demo besides what
# the trace page is built with and `inflight sdk` and the Python package use: no tests, no browser. Does nothing when all is there.
set -euo pipefail

part=${1:-}
command_packages=(cmake ninja-build g++ mold llvm-22-dev libmlir-22-dev mlir-22-tools liblld-22-dev clang-22 llvm-22-tools libzstd-dev
               zlib1g-dev libxml2-dev)
packages=(git cmake ninja-build g++ ccache mold llvm-22-dev libmlir-22-dev mlir-22-tools
          liblld-22-dev lld-22 clang-22 clang-format-22 clang-tools-22 llvm-22-tools libclang-rt-22-dev libgtest-dev libzstd-dev
          zlib1g-dev libxml2-dev libmpfr-dev python3 python3-numpy python3-jsonschema python3-yaml chromium bubblewrap openssh-client
          zstd valgrind)
[[ -z $part ]] || packages=("${command_packages[@]}")
[[ $part != --demo ]] || packages+=(lld-22 clang-tools-22 python3 python3-numpy)
# Node.js may have come from elsewhere, with npm in the same package.
[[ $part == --command ]] || { command -v node >/dev/null && command -v npm >/dev/null; } || packages+=(nodejs npm)

if [[ -n "${INFLIGHT_SKIP_INSTALL:-}" ]]; then
  echo "install: skipped (INFLIGHT_SKIP_INSTALL is set)"
  exit 0
fi
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install: error: this is not a Debian system. Install LLVM, MLIR, LLD and clang 22, cmake," >&2
  echo "  ninja, GoogleTest, python3-numpy, python3-jsonschema and python3-yaml yourself, build with" >&2
  echo "  cmake -G Ninja -B build -DLLVM_DIR=… -DMLIR_DIR=… -DLLD_DIR=…, and set INFLIGHT_SKIP_INSTALL=1." >&2
  exit 1
fi
is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
# Debian 13 names the release of LLVM that AMD's device libraries were compiled by.
device_libraries=(rocm-device-libs rocm-device-libs-17)
[[ $part == --command ]] || is_installed "${device_libraries[0]}" || is_installed "${device_libraries[1]}" || missing+=("${device_libraries[0]}")
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "install: everything is there"
  exit 0
fi
echo "install: ${missing[*]}"
sudo=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "install: error: run as root, or install sudo" >&2; exit 1; }
  sudo=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -q >/dev/null
if ! apt-cache show llvm-22-dev >/dev/null 2>&1; then
  echo "install: error: this release has no LLVM 22 packages; Debian 12 (bookworm) and 13 (trixie) do" >&2
  exit 1
fi
if ! apt-cache show "${device_libraries[0]}" >/dev/null 2>&1; then
  missing=("${missing[@]/%${device_libraries[0]}/${device_libraries[1]}}")
fi
"${sudo[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
echo "install: done"
