#!/usr/bin/env bash
# clang-tidy over the libraries and the command line, two files at a time. A file that was clean is
# not looked at again until it or a header it includes changes: see FOLDER/clean.
# usage: tidy.sh FOLDER (made if it does not exist)
set -euo pipefail
folder=$(realpath -m "$1")
source "$(dirname "$0")/files.sh"

clang_tidy=$(versioned clang-tidy)
mkdir -p "$folder/clean"
# One command a file, without g++'s precompiled headers, which clang cannot read.
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=OFF \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DECO_TRAIN=OFF -DECO_TESTS=OFF -DECO_BENCHMARKS=OFF >/dev/null

check_file() {
  local file=$1 key log
  # The file, its headers of this repository, the rules, and the program that applies them.
  key=$({
    g++ -std=c++20 -MM -Isrc -Iapps "$file" | tr -d '\\' | tr ' ' '\n' | sed '1d' |
      grep -E '^(src|apps)/' | sort -u | xargs cat
    cat .clang-tidy
    "$clang_tidy" --version
  } | sha256sum | cut -d' ' -f1)
  [ -e "$folder/clean/$key" ] && return 0
  log=$("$clang_tidy" -p "$folder" --quiet "$file" 2>&1) && touch "$folder/clean/$key" && return 0
  echo "== $file"
  echo "$log" | grep -v 'warnings generated\|Suppressed\|^Use -header-filter'
  return 1
}
export -f check_file
export folder clang_tidy

repository_files '*.cpp' | grep -E '^(src/(core|io|report|solver)|apps/eco)/' |
  xargs -P 2 -I{} bash -c 'check_file {}'
