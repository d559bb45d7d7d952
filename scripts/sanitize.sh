#!/usr/bin/env bash
#   scripts/sanitize.sh [--subset | --threads] [CTEST ARGUMENTS...]
# Builds with sanitizers and runs tests there: with those of addresses and undefined behaviour (preset asan, build-asan/) all, or with --subset the
# examples, unit tests and replays of fuzzers, and builds only these; with --threads, by the thread sanitizer (preset tsan, build-tsan/), what runs on
# several threads.
set -euo pipefail
cd "$(dirname "$0")/.."
configure=asan tests=asan
case ${1:-} in
  --subset) tests=asan-subset; shift ;;
  --threads) configure=tsan tests=tsan; shift ;;
esac
cmake --preset $configure >/dev/null
cmake --build --preset $tests
exec ctest --preset $tests -j "$(nproc)" "$@"
