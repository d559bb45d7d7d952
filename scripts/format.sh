#!/usr/bin/env bash
# Formats the C++ sources with clang-format 22 and .clang-format; --check only says which would change, with exit status 1.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-format-22 >/dev/null || { echo "format: error: no clang-format-22; run scripts/install-deps.sh" >&2; exit 2; }
mapfile -t files < <(find src tests bench examples -name '*.cpp' -o -name '*.h' | grep -v '^tests/fuzz/\(seeds\|regressions\)/' | sort)
if [[ ${1:-} == --check ]]; then
  changed=$(printf '%s\0' "${files[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format-22 --dry-run -Werror 2>&1 | sed -n 's/^\([^: ]*\):[0-9]*:.*error.*/\1/p' | sort -u || true)
  [[ -z $changed ]] || { printf 'not formatted (scripts/format.sh does it): %s\n' $changed; exit 1; }
else
  printf '%s\0' "${files[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format-22 -i
fi
