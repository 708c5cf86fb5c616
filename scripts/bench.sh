#!/usr/bin/env bash
# Every benchmark, one after the other. Ratios are taken within one run, so other load on the machine
# disturbs little. Gaps need the reference instances: ECO_REFERENCE_DIR (a folder with dev/costs.csv).
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/release/bin

run() {
  echo "== $*"
  "$@"
}
run $bin/bench_parse
run $bin/bench_kernels
run $bin/bench_subproblem
for what in encode decode latency scaling memory expert; do run $bin/eco bench $what; done
run $bin/bench_decode_torch
run $bin/bench_train_step
run $bin/bench_train_memory
if [ -n "${ECO_REFERENCE_DIR:-}" ]; then
  run $bin/bench_expert_tsp "$ECO_REFERENCE_DIR/dev"
  run $bin/bench_expert_cvrp "$ECO_REFERENCE_DIR/dev"
fi
