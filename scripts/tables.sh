#!/usr/bin/env bash
# Writes docs/results.md: the weights inside the program on the reference instances, decoded in every way.
# usage: ECO_REFERENCE_DIR=DIR scripts/tables.sh        (after `make build`; a quarter of an hour on two cores)
# DIR has dev/, tsplib/ and cvrplib/.
set -euo pipefail
cd "$(dirname "$0")/.."
eco=$PWD/build/release/bin/eco
reference=${ECO_REFERENCE_DIR:?set it to the folder with dev/, tsplib/ and cvrplib/}
out=docs/results.md

sets() {  # PROBLEM SIZE...
  for size in "${@:2}"; do echo "dev/$1$size.txt"; done
}
section() {  # TITLE TEXT
  printf '\n## %s\n\n%s\n' "$1" "$2"
}
show() {  # the arguments of eco eval, in the folder
  printf '\n```\n$ eco eval %s\n' "$*"
  (cd "$reference" && eval "$eco eval $* --quiet") | sed -e 's/ *$//' -e '/^-*  -----/d'
  printf '```\n'
}

make_page() {
  cat <<'TEXT'
# Results

What the default weights do, on instances whose references are by LKH-3 and HGS-CVRP (`dev`) or the best known values
(`tsplib`, `cvrplib`), all in one folder. `ECO_REFERENCE_DIR=FOLDER scripts/tables.sh` writes this page. `dev` was looked at while the
weights were made, so the README's table, on fresh instances, is the one to trust. Times are of two shared cores.
TEXT
  section Greedy 'One rollout; no customer or node is ever moved.'
  show $(sets tsp 100 200 500 1000 5000) $(sets cvrp 100 200 500 1000)
  section 'How often to encode' 'The default is balanced.'
  for effort in fast thorough; do
    show $(sets tsp 100 200 500) $(sets cvrp 100 200 500) --effort "$effort"
  done
  section 'More than one rollout' 'The first instances of each set.'
  for decode in greedy augment:8 sample:32; do
    show $(sets tsp 100 200) $(sets cvrp 100 200) --limit 16 --decode "$decode"
  done
  section 'Greedy, then local search' 'Compare with the first table: gap and time.'
  show $(sets tsp 100 200 500 1000) $(sets cvrp 100 200 500 1000) --refine
  section TSPLIB 'Greedy.'
  show 'tsplib/*.tsp' --costs tsplib/bks.csv
  section CVRPLIB 'Greedy.'
  show 'cvrplib/*.vrp' --costs cvrplib/bks.csv
}
make_page > "$out.partial"
mv "$out.partial" "$out"
echo "$out"
