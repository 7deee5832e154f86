#!/usr/bin/env bash
# Installs, builds, and runs the tests that every change needs, in some ten minutes of two cores.
#   scripts/test.sh [OPTION OF CTEST]...        units, bad input, documents, one gate, the report in a browser
#   scripts/test.sh --all [OPTION OF CTEST]...  also what proves the suite itself (label `proof`), in another build, for
#                                               every instruction set
# Tests on a Slurm cluster of their own need what `scripts/install.sh cluster` installs; where that is not there, or
# cannot run, the last line says so. The seconds of each test, slowest first, are printed, and end ctest.log.
set -euo pipefail
cd "$(dirname "$0")/.."
preset="test"
selection=(-LE proof)
if [ "${1:-}" = --all ]; then
  shift
  preset="all"
  selection=()
fi
scripts/install.sh lint
build=${POOLPROOF_BUILD:-build/$preset}
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1   # another checkout may use the same cache
left_out=
options=()
if [ "$preset" = all ]; then
  cluster=OFF
  if why=$(python3 -B scripts/slurm/loopback.py); then cluster=ON; else left_out="; without cluster tests: $why"; fi
  options=(-DPOOLPROOF_CLUSTER_TESTS="$cluster")
fi
cmake --preset "$preset" -B "$build" "${options[@]}" >/dev/null
cmake --build "$build"
status=0
# Many tests wait, for a hang or a second of the clock; a third one uses the time.
jobs=$(($(nproc) * 3 / 2))
ctest --test-dir "$build" --output-on-failure -j "$jobs" "${selection[@]}" "$@" | tee "$build/ctest.log" || status=$?
passed=$(grep -c ' Passed ' "$build/ctest.log" || true)
failed=$(grep -cE '\*\*\*(Failed|Timeout|Exception|Not Run)' "$build/ctest.log" || true)
echo "seconds of each test:"
sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* +([0-9.]+) sec.*/\2 \1/p' "$build/ctest.log" | sort -rn |
  tee -a "$build/ctest.log"
echo "$passed passed, $failed failed$left_out"
exit "$status"
