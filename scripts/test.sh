#!/usr/bin/env bash
# Everything that decides whether the project is sound: the release build and all its tests, then the
# tests of core and io again under the address and undefined-behaviour sanitizers (`make asan` runs
# every test so).
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset release
cmake --build --preset release
ctest --test-dir build/release --output-on-failure -j 2

cmake --preset asan
cmake --build --preset asan --target core_tests io_tests
ctest --test-dir build/asan --output-on-failure -j 2 -L 'core|io'
