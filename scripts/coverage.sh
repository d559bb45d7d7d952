#!/usr/bin/env bash
#   scripts/coverage.sh [CTEST ARGUMENTS...]
# Builds with counters (preset coverage, build-coverage/), runs the tests there and prints for each folder of src/ how many of its lines and
# functions they run. build-coverage/report/index.html shows them.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset coverage >/dev/null
cmake --build --preset coverage
rm -rf build-coverage/profiles build-coverage/report
ctest --preset coverage -j "$(nproc)" "$@" || echo "coverage.sh: some tests failed; what they ran counts" >&2
llvm-profdata-22 merge -sparse build-coverage/profiles/*.profraw -o build-coverage/tests.profdata
objects=()
while IFS= read -r file; do
  objects+=(-object "$file")
done < <(find build-coverage/bin build-coverage/lib build-coverage/tests -type f \( -name '*_test' -o -name inflight -o -name 'lib*.so*' \) -executable)
shown=("${objects[@]:1}" -instr-profile build-coverage/tests.profdata)
llvm-cov-22 show -format html -output-dir build-coverage/report "${shown[@]}" src >/dev/null
llvm-cov-22 export -summary-only "${shown[@]}" src | /usr/bin/env python3 -c '
import collections, json, os, sys
folders = collections.defaultdict(lambda: [0, 0, 0, 0])
for file in json.load(sys.stdin)["data"][0]["files"]:
    name = os.path.relpath(file["filename"], "src").split("/")[0]
    for folder in (name, "all"):
        for i, (kind, key) in enumerate((k, v) for k in ("lines", "functions") for v in ("covered", "count")):
            folders[folder][i] += file["summary"][kind][key]
print("folder      {:>10}{:>8}{:>12}{:>8}".format("lines", "run", "functions", "run"))
for name, (ran, lines, called, functions) in sorted(folders.items(), key=lambda f: (f[0] == "all", f[0])):
    print(f"{name:12}{lines:10}{ran / max(lines, 1):8.1%}{functions:12}{called / max(functions, 1):8.1%}")
'
