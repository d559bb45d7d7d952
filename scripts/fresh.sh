#!/usr/bin/env bash
# Runs README's two commands on machines that have nothing: minimal roots of Debian 12 and 13.
#   scripts/fresh.sh [SUITE ...]        bookworm and trixie unless named; as root, with mmdebstrap
# The committed state of this checkout is what is tested. FRESH_COMMANDS are the commands ("./demo;./test"), FRESH_DIR holds the
# roots (/var/tmp), FRESH_KEEP=1 leaves them there. CCACHE_DIR, if set, is used in the roots too: builds are quicker, and what is
# missing still shows.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD
mirror=${FRESH_MIRROR:-http://deb.debian.org}
suites=("$@")
[[ ${#suites[@]} -gt 0 ]] || suites=(bookworm trixie)
for tool in mmdebstrap unshare git; do
  command -v "$tool" >/dev/null || { echo "fresh: error: $tool is missing (apt-get install mmdebstrap)" >&2; exit 2; }
done
[[ $(id -u) -eq 0 ]] || { echo "fresh: error: chroot needs root" >&2; exit 2; }

# A root that knows this host's resolver and certificates, and nothing else of it.
make_root() {
  local suite=$1 root=$2
  mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --include=ca-certificates,git "$suite" "$root" \
    "deb $mirror/debian $suite main" "deb $mirror/debian $suite-updates main" \
    "deb $mirror/debian-security $suite-security main"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  mkdir -p "$root/src" "$root/ccache"
  git clone --quiet --no-hardlinks "$source" "$root/src/inflight"
}

# Mounts live in a namespace of their own and go with it.
run_in_root() {
  local root=$1 command=$2
  unshare --mount --pid --fork --kill-child bash -euc '
    root=$1 command=$2
    mount --make-rprivate /
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    if [[ -n "${CCACHE_DIR:-}" ]]; then mount --bind "$CCACHE_DIR" "$root/ccache"; fi
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 CCACHE_DIR=/ccache CCACHE_BASEDIR=/src \
      NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt bash -c "cd /src/inflight && $command"
  ' bash "$root" "$command" </dev/null
}

failed=0
for suite in "${suites[@]}"; do
  root=$(mktemp -d "${FRESH_DIR:-/var/tmp}/inflight-fresh-$suite.XXXXXX")
  echo "fresh: $suite: making a minimal root"
  make_root "$suite" "$root"
  IFS=';' read -ra commands <<<"${FRESH_COMMANDS:-./demo;./test}"
  for command in "${commands[@]}"; do
    begin=$SECONDS
    log=$root/var/log/fresh-$(tr -dc '[:alnum:]' <<<"$command").log
    if run_in_root "$root" "$command" >"$log" 2>&1; then
      echo "fresh: $suite: $command: passed in $((SECONDS - begin)) s: $(tail -n 3 "$log" | grep -v '^$' | tail -n 1)"
    else
      failed=1
      echo "fresh: $suite: $command: FAILED after $((SECONDS - begin)) s" >&2
      grep -hE 'command not found|No such file or directory|cannot find|Could not find|tests failed|\*\*\*Failed' "$log" | sort -u | head -n 40 >&2 || true
      tail -n 40 "$log" >&2
      break
    fi
  done
  [[ -n "${FRESH_KEEP:-}" ]] || rm -rf --one-file-system "$root"
done
exit $failed
