#!/usr/bin/env bash
# What action.yml runs, with its inputs in variables: findings as workflow commands, a table for the job's summary.
set -uo pipefail
inflight=${INFLIGHT:-${GITHUB_ACTION_PATH:?}/build/bin/inflight}
read -ra arguments <<<"${ARGUMENTS:-}"
case ${COMMAND:-waits} in
  waits)
    [[ -n ${FILES:-} ]] || { echo "::error::input 'files' is needed"; exit 2; }
    # Patterns are the user's, and are expanded here.
    # shellcheck disable=SC2086
    files=$(shopt -s nullglob globstar; printf '%s\n' $FILES)
    [[ -n $files ]] || { echo "::error::input 'files': nothing fits '$FILES'"; exit 2; }
    mapfile -t files <<<"$files"
    "$inflight" waits --format=github "${arguments[@]}" "${files[@]}"
    ;;
  diff)
    [[ -n ${OLD:-} && -n ${NEW:-} ]] || { echo "::error::inputs 'old' and 'new' are needed"; exit 2; }
    [[ -z ${BUDGET:-} ]] || arguments+=("--budget=$BUDGET")
    [[ -z ${GITHUB_STEP_SUMMARY:-} ]] || "$inflight" diff --format=markdown "${arguments[@]}" "$OLD" "$NEW" >>"$GITHUB_STEP_SUMMARY"
    "$inflight" diff --format=github "${arguments[@]}" "$OLD" "$NEW"
    ;;
  *)
    echo "::error::input 'command' is waits or diff, not '$COMMAND'"
    exit 2
    ;;
esac
status=$?
[[ -z ${GITHUB_OUTPUT:-} ]] || echo "status=$status" >>"$GITHUB_OUTPUT"
exit $status
