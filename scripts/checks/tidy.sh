#!/usr/bin/env bash
# clang-tidy over the libraries and the command line, two files at a time. A file that was clean is
# not looked at again until it or a header it includes changes: see FOLDER/tidy.
# usage: tidy.sh BUILD_FOLDER (with compile_commands.json)
set -euo pipefail
build=$(realpath "$1")
source "$(dirname "$0")/files.sh"

clang_tidy=$(versioned clang-tidy)
mkdir -p "$build/tidy"
# clang cannot read g++'s precompiled headers; every file includes what it needs anyway.
sed -E 's/-Winvalid-pch|-include [^ ]*cmake_pch.hxx|-fpch-preprocess//g' "$build/compile_commands.json" \
  > "$build/tidy/compile_commands.json"

check_file() {
  local file=$1 key log
  # The file, its headers of this repository, the rules, and the program that applies them.
  key=$({
    g++ -std=c++20 -MM -Isrc -Iapps "$file" | tr -d '\\' | tr ' ' '\n' | sed '1d' |
      grep -E '^(src|apps)/' | sort -u | xargs cat
    cat .clang-tidy
    "$clang_tidy" --version
  } | sha256sum | cut -d' ' -f1)
  [ -e "$build/tidy/$key" ] && return 0
  log=$("$clang_tidy" -p "$build/tidy" --quiet "$file" 2>&1) && touch "$build/tidy/$key" && return 0
  echo "== $file"
  echo "$log" | grep -v 'warnings generated\|Suppressed\|^Use -header-filter'
  return 1
}
export -f check_file
export build clang_tidy

repository_files '*.cpp' | grep -E '^(src/(core|io|report)|apps/eco)/' |
  xargs -P 2 -I{} bash -c 'check_file {}'
