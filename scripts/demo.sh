#!/usr/bin/env bash
# The main job on an example that ships with the project: solve it, check the solution with the
# independent checker, draw it.
set -euo pipefail
cd "$(dirname "$0")/.."

eco=build/release/bin/eco
out=build/demo
mkdir -p "$out"

"$eco" info examples/city.vrp
echo
"$eco" solve examples/city.vrp --method expert --time-limit 5 --out "$out/city.sol" --svg "$out/city.svg"
"$eco" check examples/city.vrp "$out/city.sol"
echo
echo "Solution: $out/city.sol"
echo "Picture:  $out/city.svg"
