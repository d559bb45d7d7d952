#!/usr/bin/env bash
#   scripts/check-packages.sh FILE.deb FILE.tar.gz [SUITE ...]
# Installs the package and unpacks the tarball in minimal roots of Debian 12 and 13 and Ubuntu 24.04 (bookworm, trixie, noble), and compiles, runs,
# checks and disassembles a kernel with each. As root, with mmdebstrap.
set -euo pipefail
cd "$(dirname "$0")/.."
deb=$(realpath "$1") tarball=$(realpath "$2")
shift 2
suites=("$@")
try="KERNEL=/src/vadd.mlir /src/check-installed.sh"
[[ ${#suites[@]} -gt 0 ]] || suites=(bookworm trixie noble)
[[ $(id -u) -eq 0 ]] && command -v mmdebstrap >/dev/null || { echo "check-packages: error: needs root and mmdebstrap" >&2; exit 2; }

sources_of() {
  if [[ $1 == noble ]]; then
    local mirror=${UBUNTU_MIRROR:-http://archive.ubuntu.com}
    printf '%s\n' "deb $mirror/ubuntu noble main universe" "deb $mirror/ubuntu noble-updates main universe"
  else
    printf '%s\n' "deb ${FRESH_MIRROR:-http://deb.debian.org}/debian $1 main"
  fi
}

in_root() {
  unshare --mount --pid --fork --kill-child bash -euc '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    exec chroot "$1" env -i PATH="$2:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euc "$3"
  ' bash "$@" </dev/null
}

failed=0
for suite in "${suites[@]}"; do
  root=$(mktemp -d "${FRESH_DIR:-/var/tmp}/inflight-packages-$suite.XXXXXX")
  log=$(mktemp)
  keyring=()
  [[ $suite != noble ]] || keyring=(--keyring="${UBUNTU_KEYRING:-/usr/share/keyrings/ubuntu-archive-keyring.gpg}")
  if sources_of "$suite" | mmdebstrap --quiet --variant=minbase --include=apt "${keyring[@]}" "$suite" "$root" >"$log" 2>&1; then
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    mkdir -p "$root/src"
    cp "$deb" "$root/src/inflight.deb"
    cp examples/vadd/vadd.mlir scripts/check-installed.sh "$root/src/"
    tar -C "$root/opt" -xf "$tarball"
    # The tarball needs of the system what the package depends on.
    if in_root "$root" /usr/bin "apt-get update -q; apt-get install -y -q --no-install-recommends /src/inflight.deb; $try" >"$log" 2>&1 &&
      in_root "$root" /usr/bin "dpkg --purge inflight" >>"$log" 2>&1 &&
      in_root "$root" "/opt/$(basename "$tarball" .tar.gz)/bin" "$try" >>"$log" 2>&1; then
      echo "check-packages: $suite: the package and the tarball work"
    else
      failed=1
      echo "check-packages: $suite: FAILED" >&2
      tail -20 "$log" >&2
    fi
  else
    failed=1
    echo "check-packages: $suite: no root could be made" >&2
    tail -5 "$log" >&2
  fi
  rm -rf --one-file-system "$root" "$log"
done
exit $failed
