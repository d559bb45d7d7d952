#!/usr/bin/env bash
#   scripts/sanitize.sh [--subset] [CTEST ARGUMENTS...]
# Builds in build-asan/ with the address and undefined behaviour sanitizers (the preset asan) and runs the tests there: all, or with --subset what
# takes a quarter of an hour: unit tests, lit, replays of fuzzers.
set -euo pipefail
cd "$(dirname "$0")/.."
subset=()
if [[ ${1:-} == --subset ]]; then
  shift
  # What runs for minutes under a sanitizer and reaches no code that those left don't: many programs of one kind.
  subset=(-E '^(kernels|programs|examples_|mutations_|hazards_|random_|page_|trace_page|fidelity|install|source_|edited_)')
fi
cmake --preset asan >/dev/null
ninja -C build-asan
exec ctest --preset asan "${subset[@]}" "$@"
