#!/usr/bin/env bash
# Writes tests/data/golden.csv anew: what the weights inside eco cost on the instances that it lists. Run it after `make build`
# in a commit that changes weights or decoding, and in no other.
set -euo pipefail
cd "$(dirname "$0")/.."
eco=build/release/bin/eco
list=tests/data/golden.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

row=0
while IFS= read -r line; do
  IFS=, read -r instances effort _ <<< "$line"
  case $line in
    '#'* | instances,*) echo "$line"; continue ;;
    */*) file=$instances ;;
    *) row=$((row + 1)) file=$folder/$row.jsonl
       # shellcheck disable=SC2086  # the words are arguments
       $eco generate $instances --out "$file" --quiet ;;
  esac
  cost=$($eco eval "$file" --effort "$effort" --json --quiet | grep -o '"mean_cost":[0-9.e+-]*' | cut -d: -f2)
  echo "$instances,$effort,$cost"
done < "$list" > "$folder/golden.csv"
cp "$folder/golden.csv" "$list"
