#!/usr/bin/env bash
# Runs clang-tidy with the committed configuration over src/ (or the files given), on all cores. Nightly: it takes an hour
# on two. Needs a configured build for compile_commands.json: $BUILD_DIR, or build/.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
[[ -f $build/compile_commands.json ]] || { echo "tidy: error: no $build/compile_commands.json; run scripts/build.sh" >&2; exit 1; }
files=("$@")
[[ ${#files[@]} -gt 0 ]] || mapfile -t files < <(git ls-files 'src/*.cpp')
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "$(nproc)" clang-tidy-22 -quiet -p "$build" -warnings-as-errors='*'
