#!/usr/bin/env bash
# Installs, builds everything, and runs all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install.sh lint
build=${POOLPROOF_BUILD:-build/test}
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1   # another checkout may use the same cache
cmake --preset test -B "$build" >/dev/null
cmake --build "$build"
status=0
ctest --test-dir "$build" --output-on-failure -j "$(nproc)" "$@" | tee "$build/ctest.log" || status=$?
passed=$(grep -c ' Passed ' "$build/ctest.log" || true)
failed=$(grep -cE '\*\*\*(Failed|Timeout|Exception|Not Run)' "$build/ctest.log" || true)
echo "$passed passed, $failed failed"
exit "$status"
