#!/usr/bin/env bash
# Makes the weights that ship: labels, training, the file. Every step goes on where it was stopped.
# usage: scripts/train.sh tsp-best | cvrp-best | tsp100-paper | cvrp100-paper        (after `make build`; works in runs/)
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/release/bin
recipe=${1:-}
set=
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
    stage dpo tsp-best-complete tsp-best-complete
    stage dpo tsp-best-more tsp-best-more
    stage dpo tsp-best-window tsp-best-window
    stage dpo tsp-best-mixed tsp-best-mixed
    stage dpo tsp-best-longer tsp-best-longer
    result=runs/tsp-best-longer/dpo/last.safetensors
    set="--set reencode=0.12"
    ;;
  cvrp-best)
    label_cvrp100
    stage sft cvrp-best cvrp-best
    stage dpo cvrp-best-complete cvrp-best-complete
    label cvrp200 --generate cvrp --nodes 200 --count 1500 --iterations 40000 --seed 7003
    label cvrp500 --generate cvrp --nodes 500 --count 120 --iterations 200000 --seed 7004
    label cvrp1000 --generate cvrp --nodes 1000 --count 60 --iterations 100000 --seed 7005
    stage sft cvrp-best-sizes cvrp-best-sizes
    result=runs/cvrp-best-sizes/sft/last.safetensors
    set="--set ends=16"
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
$bin/eco convert "$result" "weights/$recipe.safetensors" --half $set
echo "weights/$recipe.safetensors"
