#!/usr/bin/env bash
#   scripts/sanitize.sh [--subset] [CTEST ARGUMENTS...]
# Builds in build-asan/ with the address and undefined behaviour sanitizers (the preset asan) and runs the tests there: all, or with --subset the
# examples, unit tests and replays of fuzzers.
set -euo pipefail
cd "$(dirname "$0")/.."
subset=()
if [[ ${1:-} == --subset ]]; then
  shift
  # Others run many programs of one kind, and lit starts thousands of processes.
  subset=(-R '^(examples|fuzz_replay_.*|(support|isa|program|values|waits|hazards|compiler|machine|machine_timed|trace|device|probes)_test|mutated_waits)$')
fi
cmake --preset asan >/dev/null
ninja -C build-asan
exec ctest --preset asan "${subset[@]}" "$@"
