#!/usr/bin/env bash
# Everything that decides whether the project is sound: the release build and all its tests, then the
# core tests again under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset release
cmake --build --preset release
ctest --test-dir build/release --output-on-failure -j 2

cmake --preset asan
cmake --build --preset asan
ctest --test-dir build/asan --output-on-failure -j 2
