#!/usr/bin/env bash
# Every C++ file is laid out by .clang-format. `make format` puts it right.
set -euo pipefail
source "$(dirname "$0")/files.sh"

clang_format=$(versioned clang-format)
if ! complaints=$(repository_files '*.h' '*.cpp' |
    xargs -P 2 -n 32 "$clang_format" --dry-run --Werror 2>&1); then
  echo "$complaints" | grep 'error:' | cut -d: -f1 | sort -u
  echo "The files above are not formatted; run: make format"
  exit 1
fi
