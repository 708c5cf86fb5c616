#!/usr/bin/env bash
# Runs every fuzz target for SECONDS (default 600), JOBS at a time (default 2), and prints how many
# inputs each has tried. New inputs go to build/fuzz/corpus; a crash leaves its input in
# build/fuzz/crashes and makes this script fail.
#   scripts/fuzz.sh [SECONDS] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true
jobs=${JOBS:-2}

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz_targets
mkdir -p build/fuzz/crashes build/fuzz/logs

run() {
  local name=$1 seconds=$2
  local log=build/fuzz/logs/$name.log dictionary=()
  mkdir -p "build/fuzz/corpus/$name"
  [ -f "fuzz/dictionary/$name.txt" ] && dictionary=("-dict=fuzz/dictionary/$name.txt")
  if "build/fuzz/bin/fuzz_$name" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
      -print_final_stats=1 -artifact_prefix="build/fuzz/crashes/$name-" "${dictionary[@]}" \
      "build/fuzz/corpus/$name" "fuzz/corpus/$name" >"$log" 2>&1; then
    echo "$name: clean, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
  else
    echo "$name: FAILED, see $log"
    return 1
  fi
}
export -f run

if [ $# -gt 0 ]; then
  names=("$@")
else
  names=()
  for source in fuzz/*.cpp; do names+=("$(basename "$source" .cpp)"); done
fi
printf '%s\n' "${names[@]}" | xargs -P "$jobs" -I{} bash -c 'run "$1" "$2"' _ {} "$seconds"
