#!/usr/bin/env bash
# Installs what is missing on Debian 12. `demo`: what the eco binary needs; `all`: tests and training too.
set -euo pipefail

demo=(g++ cmake ninja-build make ccache libcli11-dev nlohmann-json3-dev libfmt-dev zlib1g-dev libhwy-dev)
all=("${demo[@]}" git clang-format-14 clang-tidy-14 clang-16 libclang-rt-16-dev pkg-config libgtest-dev libgmock-dev
     libbenchmark-dev libspdlog-dev libopenblas-dev libdnnl-dev libtorch-dev python3)

case "${1:-all}" in
  demo) wanted=("${demo[@]}") ;;
  all) wanted=("${all[@]}") ;;
  *) echo "usage: $0 demo|all" >&2; exit 2 ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "This installs by apt-get (Debian 12, Ubuntu); elsewhere, install what these packages hold: ${wanted[*]}" >&2
  exit 1
fi

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Installing: ${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Run as root, or install sudo: ${missing[*]} are missing." >&2; exit 1; }
  sudo=(sudo)
fi
"${sudo[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
