#!/usr/bin/env bash
# The main job on examples that ship with the project: construct solutions with the policy inside the
# program, check them with the independent checker, draw them.
set -euo pipefail
cd "$(dirname "$0")/.."

eco=build/release/bin/eco
out=build/demo
mkdir -p "$out"

for example in city.vrp:sol towns.tsp:tour; do
  file=examples/${example%:*}
  name=$out/$(basename "${file%.*}")
  solution=$name.${example#*:}
  "$eco" info "$file"
  echo
  "$eco" solve "$file" --time-limit 5 --out "$solution" --svg "$name.svg"
  "$eco" check "$file" "$solution"
  echo
  echo "Solution: $solution"
  echo "Picture:  $name.svg"
  echo
done
