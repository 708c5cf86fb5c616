#!/usr/bin/env bash
# Includes go one way. A file may include its own folder and folders of lower rank. What a problem
# has of a layer stands in src/problems/NAME/LAYER, with the rank of that layer; the machinery knows no
# problem: it includes nothing of one and names none. LibTorch's headers stand in the system include
# path, so only this check keeps them on the training side.
set -euo pipefail
source "$(dirname "$0")/files.sh"

failed=0

repository_files '*.h' '*.cpp' | grep '^src/' | xargs grep -Hn '^ *# *include *"' | awk -F'[:"]' '
  BEGIN {
    split("problems/list.h core/base core/tour core/instance core/geometry core/ordering,core/problem " \
          "core/search,core/kernels " \
          "core/expert,core/model core/infer io report,solver train", levels, " ")
    for (level in levels) {
      count = split(levels[level], folders, ",")
      for (i = 1; i <= count; ++i) rank[folders[i]] = level + 0
    }
  }
  BEGIN {
    layer["rules"] = "core/problem"; layer["search"] = layer["construct"] = "core/search"
    layer["expert"] = "core/expert"; layer["io"] = "io"; layer["solver"] = "solver"
  }
  function folder_of(path,    parts, count) {
    count = split(path, parts, "/")
    if (path == "problems/list.h") return path
    if (path == "problems/states.h") return "core/problem"
    if (parts[1] == "problems") return (parts[3] in layer) ? layer[parts[3]] : parts[3]
    return (parts[1] == "core" && count > 2) ? parts[1] "/" parts[2] : parts[1]
  }
  {
    from = folder_of(substr($1, 5)); to = folder_of($4)
    if ($4 ~ /^problems\/[^\/]*\// && $1 !~ /^src\/problems\//) {
      print $1 ":" $2 ": includes \"" $4 "\" of one problem"
      bad = 1
    }
    if (from == to) next
    if (!(from in rank)) { print $1 ": folder " from " has no place in the layers"; bad = 1 }
    else if (!(to in rank)) { print $1 ":" $2 ": includes \"" $4 "\", which is no layer"; bad = 1 }
    else if (rank[to] >= rank[from]) {
      print $1 ":" $2 ": " from " includes \"" $4 "\" of " to ", which stands above or beside it"
      bad = 1
    }
  }
  END { exit bad }' || failed=1

named=$(repository_files '*.h' '*.cpp' | grep -E '^(src|apps|include)/' | grep -v '^src/problems/' |
  xargs grep -Hn 'ProblemKind::' || true)
if [ -n "$named" ]; then
  echo "$named" | sed 's/$/   (a problem named outside of its folder)/'
  failed=1
fi

torch=$(repository_files '*.h' '*.cpp' | grep -vE '^(src/train|tests/train|apps/eco-train)/' |
  xargs grep -HnE '^ *# *include *[<"](ATen|c10|torch)/' || true)
if [ -n "$torch" ]; then
  echo "$torch" | sed 's/$/   (LibTorch outside the training side)/'
  failed=1
fi
exit $failed
