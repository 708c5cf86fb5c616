#!/usr/bin/env bash
# Objects that are compiled for AVX-512 define no inline function that other objects could define,
# too: the linker might take theirs, which other CPUs cannot run. Such functions have a vector of 16
# floats in their name.
# usage: wide.sh OBJECT...
set -euo pipefail
[ $# -gt 0 ]
if nm --defined-only -A "$@" | grep -E ' [VWu] ' | grep -v 'Dv16_' | c++filt; then
  echo "The functions above are compiled for AVX-512 under a name that is not theirs alone."
  exit 1
fi
