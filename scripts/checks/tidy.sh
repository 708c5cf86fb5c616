#!/usr/bin/env bash
# clang-tidy over the libraries and the command line, two at a time.
# usage: tidy.sh FOLDER [each]   (FOLDER is made if it does not exist)
# The files of a folder are read as one, as releases are compiled: a tenth of the time, since it goes
# into the standard library's headers. `each` reads every file alone, which the path-sensitive
# analyser needs (clang-analyzer-*: it only follows code of the main file).
set -euo pipefail
folder=$(realpath -m "$1")
mode=${2:-folders}
source "$(dirname "$0")/files.sh"

clang_tidy=$(versioned clang-tidy)
unity=ON
[ "$mode" = each ] && unity=OFF
# clang cannot read g++'s precompiled headers.
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=$unity \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DECO_TRAIN=OFF -DECO_TESTS=OFF -DECO_BENCHMARKS=OFF >/dev/null

check_file() {
  local log
  log=$("$clang_tidy" --config-file=.clang-tidy --checks=-bugprone-suspicious-include \
    -p "$folder" --quiet "$1" 2>&1) && return 0
  echo "== $1"
  echo "$log" | grep -v 'warnings generated\|Suppressed\|^Use -header-filter'
  return 1
}
export -f check_file
export folder clang_tidy

sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$folder/compile_commands.json" | grep -E '\.(cpp|cxx)$' | sort -u |
  xargs -P 2 -I{} bash -c 'check_file {}'
