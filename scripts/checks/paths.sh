#!/usr/bin/env bash
# No file names a folder of somebody's machine, and tests do not meet in one of their own naming.
set -euo pipefail
source "$(dirname "$0")/files.sh"

if repository_files '*' | xargs -d '\n' grep -HnIE '/(home|root|Users|work)/[A-Za-z0-9_.-]'; then
  echo "The lines above name a folder that exists on one machine only."
  exit 1
fi

if repository_files '*.h' '*.cpp' | grep '^tests/' | grep -v '^tests/temporary_folder.h$' |
  xargs -d '\n' grep -HnE 'TempDir\(|temp_directory_path|mkdtemp'; then
  echo "The lines above make a temporary folder of their own; tests/temporary_folder.h has one that is never shared."
  exit 1
fi
