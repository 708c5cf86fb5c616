#!/usr/bin/env bash
# Every C++ file is laid out by .clang-format. `make format` puts it right.
set -euo pipefail
source "$(dirname "$0")/files.sh"

clang_format=$(versioned clang-format)
failed=0
while read -r file; do
  if ! "$clang_format" --dry-run --Werror "$file" >/dev/null 2>&1; then
    echo "$file: not formatted; run: make format"
    failed=1
  fi
done < <(repository_files '*.h' '*.cpp')
exit $failed
