#!/usr/bin/env bash
# No file names a folder of somebody's machine.
set -euo pipefail
source "$(dirname "$0")/files.sh"

if repository_files '*' | xargs -d '\n' grep -HnIE '/(home|root|Users|work)/[A-Za-z0-9_.-]'; then
  echo "The lines above name a folder that exists on one machine only."
  exit 1
fi
