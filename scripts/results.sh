#!/usr/bin/env bash
# The table of the README: the weights inside the program on instances that no training has seen,
# against our own experts (a fresh seed; labels are kept in build/results).
set -euo pipefail
cd "$(dirname "$0")/.."
eco=build/release/bin/eco
out=build/results
mkdir -p "$out"
files=()
while read -r problem nodes count; do
  file=$out/$problem$nodes.txt
  [ -e "$file" ] || "$eco" label --generate "$problem" --nodes "$nodes" --count "$count" --seed 20261116 --out "$file" --quiet
  files+=("$file")
done <<'SETS'
tsp 100 128
tsp 200 64
tsp 500 32
tsp 1000 16
cvrp 100 64
cvrp 200 32
cvrp 500 8
SETS
"$eco" eval "${files[@]}" "$@"
