#!/usr/bin/env bash
#   scripts/campaign.sh PART [FIRST_SEED [COUNT]]
# A night's campaign of random programs: programs, kernels, wide, matrix-chains, copies-ahead, raced-loads or waits (tests/random). Without a seed each
# night has others. What fails is kept in build/campaign/PART. Needs a build ($BUILD_DIR, or build/).
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
part=${1:-}
declare -A counts=([programs]=4000 [kernels]=20000 [wide]=4000 [matrix-chains]=100000 [copies-ahead]=8000 [raced-loads]=30000 [waits]=4000)
count=${3:-${counts[$part]:-}}
[[ -n ${counts[$part]:-} ]] || { echo "campaign: error: no part '$part'; there are: ${!counts[*]}" >&2; exit 2; }
# Nights apart, and no two parts the same numbers of a night; programs compile eight seeds together.
first=${2:-$((($(date +%s) / 86400 % 20000) * 100000))}
kept=$build/campaign/$part
mkdir -p "$kept"
echo "campaign: $part, $count seeds from $first"
random() { /usr/bin/python3 "tests/random/$1.py" "$2" "$first" "$count" "${@:3}" --keep "$kept"; }
command=$build/bin/inflight library=$build/lib/libinflight.so
case $part in
  programs) random programs "$command" --check --reduce ;;
  kernels) random kernels "$command" ;;
  wide) random kernels "$command" --wide ;;
  matrix-chains) random matrix_chains "$library" ;;
  copies-ahead) random copies_ahead "$command" --group 32 ;;
  raced-loads) random raced_loads "$library" ;;
  waits) random waits "$command" ;;
esac 2>&1 | tee "$kept/log"
