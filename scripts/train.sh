#!/usr/bin/env bash
# Makes the weights that ship: labels, training, the file. Every step goes on where it was stopped.
# usage: scripts/train.sh tsp-best | cvrp-best | tsp100-paper | cvrp100-paper        (after `make build`; works in runs/)
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/release/bin
recipe=${1:-}
mkdir -p runs

label() {  # NAME, then the arguments of eco label
  [ -e "runs/$1.txt" ] || $bin/eco label --out "runs/$1.txt" "${@:2}"
}
label_tsp100() {
  label tsp100 --generate tsp --nodes 100 --count 100000 --seed 7001
}
label_cvrp100() {
  label cvrp100 --generate cvrp --nodes 100 --count 6000 --iterations 12000 --seed 7002
}
stage() {  # sft|dpo CONFIG FOLDER
  $bin/eco-train "$1" --config "recipes/$2.conf" --out "runs/$3" --resume
}

case $recipe in
  tsp-best)
    label_tsp100
    stage sft tsp-best tsp-best
    stage dpo tsp-best tsp-best
    result=runs/tsp-best/dpo/last.safetensors
    ;;
  cvrp-best)
    label_cvrp100
    stage sft cvrp-best cvrp-best
    stage dpo cvrp-best cvrp-best
    result=runs/cvrp-best/dpo/last.safetensors
    ;;
  tsp100-paper)
    label_tsp100
    stage sft tsp100-paper-short tsp100-paper
    stage dpo tsp100-paper-short tsp100-paper
    result=runs/tsp100-paper/dpo/last.safetensors
    ;;
  cvrp100-paper)
    label_cvrp100
    stage sft cvrp100-paper-short cvrp100-paper
    stage dpo cvrp100-paper-short cvrp100-paper
    result=runs/cvrp100-paper/dpo/last.safetensors
    ;;
  *)
    echo "usage: scripts/train.sh tsp-best | cvrp-best | tsp100-paper | cvrp100-paper" >&2
    exit 2
    ;;
esac
$bin/eco convert "$result" "weights/$recipe.safetensors" --half
echo "weights/$recipe.safetensors"
