#!/usr/bin/env bash
# Fuzzes the parsers one after the other: run.sh [SECONDS each, default 600] [NAME...]
# Needs a build with -DINFLIGHT_FUZZ=ON in build-fuzz/ (or $BUILD_DIR). Corpora and crashers are kept
# in its folder fuzz/.
set -uo pipefail
cd "$(dirname "$0")"
build=$(realpath "${BUILD_DIR:-../../build-fuzz}")
seconds=${1:-600}
shift
names=("$@")
[[ ${#names[@]} -eq 0 ]] && names=(code_object assembly mlir events)
# Containers that LLVM's uninstrumented libraries fill look overflowed to instrumented code.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=0
export UBSAN_OPTIONS=print_stacktrace=1
failed=0
for name in "${names[@]}"; do
  out=$build/fuzz/$name
  mkdir -p "$out/corpus" "$out/crashers"
  limit=16384
  extra=()
  folders=("seeds/$name")
  [[ -d regressions/$name ]] && folders+=("regressions/$name")
  [[ -f $name.dict ]] && extra+=("-dict=$name.dict")
  echo "fuzz: $name for $seconds s, log in $out/log"
  # The fork mode goes on after a crash. An input has its time and its memory, at once and in all.
  "$build/bin/fuzz_$name" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -timeout="${INPUT_TIMEOUT:-5}" -rss_limit_mb=4096 -malloc_limit_mb=2048 \
    -max_len=$limit -max_total_time="$seconds" -artifact_prefix="$out/crashers/" "${extra[@]}" \
    "$out/corpus" "${folders[@]}" >"$out/log" 2>&1
  count=$(find "$out/crashers" -type f | wc -l)
  echo "fuzz: $name: $(grep -c . <(find "$out/corpus" -type f)) inputs in the corpus, $count crashers in $out/crashers"
  [[ $count -eq 0 ]] || failed=1
done
exit $failed
