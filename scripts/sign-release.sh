#!/usr/bin/env bash
#   scripts/sign-release.sh FOLDER [KEY [SIGNERS]]
# Writes the checksums of a release's files, SHA256SUMS, and their signature by an SSH key, SHA256SUMS.sig. The key has to be among SIGNERS (default:
# .github/release-keys), by which users verify the release (docs/install.md).
set -euo pipefail
[[ $# -ge 1 ]] || { echo "Usage: sign-release.sh FOLDER [KEY [SIGNERS]]" >&2; exit 2; }
key=${2:+$(realpath "$2")}
signers=$(realpath "${3:-$(dirname "$0")/../.github/release-keys}")
cd "$1"
find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%f\0' | sort -z | xargs -0 sha256sum -- >SHA256SUMS
rm -f SHA256SUMS.sig
[[ -n $key ]] || { echo "sign-release: SHA256SUMS isn't signed: no key was given"; exit 0; }
ssh-keygen -q -Y sign -n inflight-release -f "$key" SHA256SUMS 2>/dev/null || { echo "sign-release: error: '$key' can't sign" >&2; exit 1; }
ssh-keygen -q -Y verify -n inflight-release -I release -f "$signers" -s SHA256SUMS.sig <SHA256SUMS >/dev/null 2>&1 || {
  rm SHA256SUMS.sig
  echo "sign-release: error: nobody could verify that: $signers has no line 'release namespaces=\"inflight-release\" KEY' with this key's public half" >&2
  exit 1
}
