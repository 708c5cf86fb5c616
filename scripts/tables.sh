#!/usr/bin/env bash
# Tables of the weights inside the program on the reference instances, decoded in every way. ECO_REFERENCE_DIR: a folder with dev/, tsplib/ and cvrplib/.
set -euo pipefail
cd "$(dirname "$0")/.."
eco=build/release/bin/eco
reference=${ECO_REFERENCE_DIR:?set it to the folder with dev/, tsplib/ and cvrplib/}
dev=$reference/dev

show() {  # the arguments of eco eval
  echo "== eco eval $*" | sed "s#$reference/##g"
  "$eco" eval "$@" --quiet | sed "s#$reference/##"
}

show "$dev"/tsp*.txt "$dev"/cvrp*.txt
for ends in 1 2; do
  for reencode in off 0.25 0.1; do
    show "$dev"/tsp{100,200,500,1000}.txt --ends $ends --reencode $reencode
  done
done
show "$dev"/tsp*.txt --window off
for ends in 1 4 8 16; do show "$dev"/cvrp*.txt --ends $ends; done
for reencode in off 0.25; do show "$dev"/cvrp*.txt --reencode $reencode; done
for decode in augment:8 sample:32 multistart:32; do
  show "$dev"/tsp{100,200,500}.txt --decode $decode
done
for decode in augment:8 sample:32 multistart:32; do show "$dev"/cvrp{100,200,500}.txt --decode $decode; done
show "$dev"/tsp*.txt "$dev"/cvrp*.txt --refine
show "$reference"/tsplib/*.tsp --costs "$reference/tsplib/bks.csv"
show "$reference"/cvrplib/*.vrp --costs "$reference/cvrplib/bks.csv"
