#!/usr/bin/env bash
# Installs, builds, and runs the gate against our optimized backend. Arguments go to the gate:
#   scripts/gate.sh --backend=./libmine.so
set -euo pipefail
cd "$(dirname "$0")/.."
# A path that is wrong is said now, not after minutes of building.
for argument in "$@"; do
  file=${argument#--backend=}
  if [[ $argument == --backend=* && $file != process:* && ! -f $file ]]; then
    echo "gate.sh: --backend: \"$file\" is no file in $PWD" >&2
    exit 2
  fi
done
scripts/install.sh gate
build=${POOLPROOF_BUILD:-build}
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset gate -B "$build" >/dev/null
targets=(conformance poolproof_optimized_backend)
backend=(--backend="$build/lib/libpoolproof_optimized_backend.so")
for argument in "$@"; do
  case $argument in --backend|--backend=*) targets=(conformance) backend=() ;; esac   # ours takes minutes to build
done
cmake --build "$build" --target "${targets[@]}"
exec "$build/bin/conformance" "${backend[@]}" "$@"
