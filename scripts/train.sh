#!/usr/bin/env bash
# Makes the weights that ship: labels, training, the file. Every step goes on where it was stopped.
# usage: scripts/train.sh tsp-best | cvrp-best | tsp100-paper | cvrp100-paper        (after `make build`; works in runs/)
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/release/bin
recipe=${1:-}
mkdir -p runs

label() {  # FILE, then the arguments of eco label
  [ -e "runs/$1" ] || $bin/eco label --out "runs/$1" "${@:2}"
}
# NODES COUNT SEED DISTRIBUTION
label_tsp() {
  label "tsp-$1-$4.txt" --generate tsp --nodes "$1" --count "$2" --seed "$3" --distribution "$4"
}
# NODES COUNT SEED ITERATIONS, then the arguments of eco generate
label_cvrp() {
  [ -e "runs/cvrp-$1-$3.jsonl" ] && return
  $bin/eco generate cvrp --nodes "$1" --count "$2" --seed "$3" "${@:5}" --out "runs/cvrp-$1-$3-open.jsonl"
  label "cvrp-$1-$3.jsonl" "runs/cvrp-$1-$3-open.jsonl" --iterations "$4" --seed "$3"
}
stage() {  # sft|improve CONFIG FOLDER
  $bin/eco-train "$1" --config "recipes/$2.conf" --out "runs/$3" --resume
}

case $recipe in
  tsp-best)
    label_tsp 50 4000 101 uniform
    label_tsp 100 8000 102 uniform
    label_tsp 200 3000 103 uniform
    label_tsp 500 800 104 uniform
    label_tsp 100 1500 105 clustered
    label_tsp 200 800 106 mixture
    label_tsp 200 800 107 clustered
    label_tsp 1000 250 108 uniform
    label_tsp 500 300 109 clustered
    label_tsp 500 300 110 mixture
    label_tsp 1000 100 111 clustered
    label_tsp 2000 60 112 uniform
    label_tsp 100 900 121 board
    label_tsp 200 600 122 board
    label_tsp 500 200 123 board
    label_tsp 200 600 124 x
    label_tsp 100 800 131 panel
    label_tsp 200 800 132 panel
    label_tsp 500 400 133 panel
    label_tsp 1000 120 134 panel
    label_tsp 1000 80 135 board
    label_tsp 1000 80 136 x
    label_tsp 500 200 137 x
    stage sft tsp-best tsp-best
    stage improve tsp-best-complete tsp-best
    stage improve tsp-best-deep tsp-best-deep
    stage improve tsp-best-long tsp-best-long
    stage improve tsp-best-panels tsp-best-panels
    result=runs/tsp-best-panels/improve/last.safetensors
    ;;
  cvrp-best)
    label_cvrp 100 800 201 60000
    label_cvrp 50 800 202 20000
    label_cvrp 200 200 203 120000
    label_cvrp 100 150 204 60000 --route-size 5
    label_cvrp 100 200 205 60000 --route-size 16
    label_cvrp 100 250 206 60000 --distribution x
    label_cvrp 200 100 207 120000 --route-size 8
    label_cvrp 200 100 208 120000 --distribution x
    label_cvrp 100 100 209 60000 --route-size 30
    label_cvrp 500 60 210 300000
    label_cvrp 100 800 211 60000
    label_cvrp 200 250 213 120000
    label_cvrp 500 80 214 300000
    label_cvrp 100 500 221 60000 --distribution x
    label_cvrp 200 150 222 120000 --distribution x
    label_cvrp 500 60 223 300000 --distribution x
    label_cvrp 1000 24 224 600000
    label_cvrp 1000 16 225 600000 --distribution x
    label_cvrp 100 500 226 60000 --distribution x
    label_cvrp 200 200 227 120000 --distribution x
    label_cvrp 500 60 228 300000 --distribution x
    label_cvrp 50 600 229 20000 --distribution x
    label_cvrp 100 1500 230 60000
    label_cvrp 200 300 231 120000
    label_cvrp 500 240 241 300000
    label_cvrp 1000 60 242 600000
    label_cvrp 200 200 243 120000 --route-size 25
    label_cvrp 500 60 244 300000 --route-size 12
    label_cvrp 1000 30 245 600000 --distribution x
    stage sft cvrp-best cvrp-best
    stage improve cvrp-best-complete cvrp-best
    stage improve cvrp-best-deep cvrp-best-deep
    stage improve cvrp-best-large cvrp-best-large
    result=runs/cvrp-best-large/improve/last.safetensors
    ;;
  tsp100-paper)
    label tsp100.txt --generate tsp --nodes 100 --count 100000 --seed 7001
    stage sft tsp100-paper-short tsp100-paper
    stage improve tsp100-paper-short tsp100-paper
    result=runs/tsp100-paper/improve/last.safetensors
    ;;
  cvrp100-paper)
    label cvrp100.txt --generate cvrp --nodes 100 --count 6000 --iterations 12000 --seed 7002
    stage sft cvrp100-paper-short cvrp100-paper
    stage improve cvrp100-paper-short cvrp100-paper
    result=runs/cvrp100-paper/improve/last.safetensors
    ;;
  *)
    echo "usage: scripts/train.sh tsp-best | cvrp-best | tsp100-paper | cvrp100-paper" >&2
    exit 2
    ;;
esac
$bin/eco convert "$result" "weights/$recipe.safetensors" --half
echo "weights/$recipe.safetensors"
