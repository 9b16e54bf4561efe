#!/usr/bin/env bash
# The README's two commands in a Debian 12 that has nothing but its minimal packages, as a new user would run them:
# writes the transcript and a picture of the demo's report. Needs root, mmdebstrap, and chromium for the picture;
# about 1.5 GB in ROOT, which is made and left for a look (`rm -rf --one-file-system ROOT` afterwards).
#   tests/first_run/clean_debian.sh ROOT [OUT]     OUT: folder for transcript.txt and report.png (docs/first-run)
# Environment: APT_CONF=FILE an apt configuration for the new system too (a mirror or a proxy).
set -euo pipefail
source=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
root=$(realpath -m -- "${1:?a folder that does not exist yet}")
out=$(realpath -m -- "${2:-$source/docs/first-run}")
[ ! -e "$root" ] || { echo "clean_debian: $root exists" >&2; exit 64; }
mkdir -p "$out"

mmdebstrap --quiet --variant=minbase ${APT_CONF:+"--aptopt=$APT_CONF"} bookworm "$root" /etc/apt/sources.list.d/debian.sources
[ -z "${APT_CONF:-}" ] || cp "$APT_CONF" "$root/etc/apt/apt.conf.d/90local"
cp /etc/resolv.conf "$root/etc/resolv.conf"
home=root
git clone -q "$source" "$root/$home/gammascope"
trap 'umount "$root/proc" "$root/dev"' EXIT
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"

# as_user WORDS…: runs it in the new system and adds prompt, output and exit status to the transcript.
# What apt and the compiler say and the tests that pass are left out (thousands of lines); the times are wall clock.
: >"$out/transcript.txt"
as_user() {
  local from=$SECONDS status=0
  printf 'root@debian:~/gammascope# %s\n' "$*" >>"$out/transcript.txt"
  chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c 'cd ~/gammascope && exec "$@"' bash "$@" >"$out/raw.txt" 2>&1 || status=$?
  awk '/^== /{skip = 0} /^== installing/{print; skip = 1}
       !skip && !/^\[[0-9]+\/[0-9]+/ && !/^ +Start +[0-9]/ && !/Test +#.* Passed /' "$out/raw.txt" >>"$out/transcript.txt"
  printf '[exit status %d after %d min %02d s]\n\n' "$status" $(((SECONDS - from) / 60)) $(((SECONDS - from) % 60)) >>"$out/transcript.txt"
  rm "$out/raw.txt"
  return "$status"
}
as_user ./bootstrap demo
as_user ./bootstrap test

cp "$root/$home/gammascope/gammascope-demo/report.html" "$root/report.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1500 \
  --screenshot="$out/report.png" "file://$root/report.html" >/dev/null 2>&1 ||
  echo "clean_debian: no picture: chromium is missing or failed; the page is $root/report.html" >&2
