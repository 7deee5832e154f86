#!/usr/bin/env bash
# Installs, builds everything, and runs all tests. Those on a Slurm cluster of their own need what
# `scripts/install.sh cluster` installs; where that is not there, or cannot run, the last line says so.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install.sh lint
build=${POOLPROOF_BUILD:-build/test}
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1   # another checkout may use the same cache
left_out=
cluster=OFF
if why=$(python3 -B scripts/slurm/loopback.py); then cluster=ON; else left_out="; without cluster tests: $why"; fi
cmake --preset test -B "$build" -DPOOLPROOF_CLUSTER_TESTS="$cluster" >/dev/null
cmake --build "$build"
status=0
ctest --test-dir "$build" --output-on-failure -j "$(nproc)" "$@" | tee "$build/ctest.log" || status=$?
passed=$(grep -c ' Passed ' "$build/ctest.log" || true)
failed=$(grep -cE '\*\*\*(Failed|Timeout|Exception|Not Run)' "$build/ctest.log" || true)
echo "$passed passed, $failed failed$left_out"
exit "$status"
