#!/usr/bin/env bash
# Installs, builds, and runs the gate against our optimized backend. Arguments go to the gate:
#   scripts/gate.sh --backend=./libmine.so
set -euo pipefail
cd "$(dirname "$0")/.."
# A path that is wrong is said now, not after minutes of building.
backend=() before=start
for argument in "$@"; do
  case $before:$argument in
    *:--backend=*) backend=("${argument#--backend=}") ;;
    start:-*) ;;
    --backend:* | start:*/* | start:*.so) backend=("$argument") ;;
  esac
  before=$argument
done
if [[ ${#backend[@]} == 1 && ${backend[0]} != process:* && ! -f ${backend[0]} ]]; then
  echo "gate.sh: --backend: \"${backend[0]}\" is no file in $PWD" >&2
  exit 2
fi
scripts/install.sh gate
build=${POOLPROOF_BUILD:-build}
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset gate -B "$build" >/dev/null
if [[ ${#backend[@]} == 1 ]]; then   # ours takes minutes to build
  cmake --build "$build" --target conformance
  exec "$build/bin/conformance" "$@"
fi
cmake --build "$build" --target conformance poolproof_optimized_backend
exec "$build/bin/conformance" --backend="$build/lib/libpoolproof_optimized_backend.so" "$@"
