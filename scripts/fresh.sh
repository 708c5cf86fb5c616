#!/usr/bin/env bash
# Proves both commands of the README on a machine that has nothing: a minimal Debian 12 in a folder of
# its own, with this commit cloned into it. Run it, as root, before a release and after any change of
# dependencies. Takes about half an hour, 6 GB of disk, and the package sources of this machine.
# usage: fresh.sh [FOLDER]   (FOLDER: where to work, removed at the end; a temporary one by default)
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(id -u)" -eq 0 ] || { echo "fresh.sh makes a root folder and changes into it: run it as root." >&2; exit 1; }
missing=()
for package in mmdebstrap git; do
  command -v "$package" >/dev/null || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
[ -z "$(git status --porcelain)" ] || echo "Note: what is not committed is not part of this proof." >&2

work=${1:-$(mktemp -d)}
mkdir -p "$work"
work=$(realpath "$work")
root=$work/root
clean_up() { rm -rf --one-file-system "$root"; rmdir "$work" 2>/dev/null || true; }
trap clean_up EXIT

times=$work/times
timed() {  # timed WHAT COMMAND...: runs it, notes how long it took
  local what=$1 from=$SECONDS
  shift
  echo "== $what"
  "$@"
  printf '%-34s %3d min %02d s\n' "$what" $(((SECONDS - from) / 60)) $(((SECONDS - from) % 60)) >>"$times"
}

# Debian's own sources as this machine's apt has them, and its proxies.
sources=$(apt-get indextargets --format '$(SIGNED_BY)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' \
  'Created-By: Packages' 'Origin: Debian' | sort -u |
  awk -F'|' '{ print "deb " ($1 == "" ? "" : "[signed-by=" $1 "] ") $2 " " $3 " " $4 }')
[ -n "$sources" ] || { echo "apt lists no source of Debian's here; run apt-get update first." >&2; exit 1; }
options=()
while read -r line; do options+=(--aptopt="$line"); done < <(
  apt-config dump | grep -E '^Acquire::(https?::|Check-Valid-Until)' || true)

# What a person has who could clone the project; everything else is for the project to install.
make_root() {
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,make,sudo "${options[@]}" bookworm "$root" \
    <<<"$sources"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
}

# Runs a command line inside, with the file systems that programs expect.
inside() {  # inside USER COMMAND
  unshare --mount --pid --fork bash -c '
    mount --make-rprivate /
    mount --rbind /dev "$0/dev"; mount -t proc proc "$0/proc"; mount -t tmpfs tmpfs "$0/tmp" -o mode=1777
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CCACHE_DISABLE=1 \
      su -p "$1" -c "export HOME=~$1 && cd /srv/$1/eco && $2"' "$root" "$1" "$2" </dev/null
}

packages() { chroot "$root" dpkg-query -W -f='${Package}\n' | sort; }

timed 'minimal Debian 12' make_root
packages >"$work/before"
chroot "$root" useradd --create-home --shell /bin/bash engineer
echo 'engineer ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/engineer"
for user in engineer root; do
  git clone --quiet --no-hardlinks . "$root/srv/$user/eco"
  chroot "$root" chown -R "$user:$user" "/srv/$user"
done

timed 'make demo, as a user with sudo' inside engineer 'make demo'
packages >"$work/demo"
timed 'make demo, as root' inside root 'make demo'
timed 'make test, as root' inside root 'make test'
packages >"$work/test"

echo
echo "Packages installed by make demo ($(comm -13 "$work/before" "$work/demo" | wc -l)):"
comm -13 "$work/before" "$work/demo" | fmt -w 110
echo "Packages installed by make test on top ($(comm -13 "$work/demo" "$work/test" | wc -l)):"
comm -13 "$work/demo" "$work/test" | fmt -w 110
echo
echo "Both commands of the README work on a fresh Debian 12, commit $(git rev-parse --short HEAD), no ccache:"
cat "$times"
rm -f "$work"/{before,demo,test,times}
