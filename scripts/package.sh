#!/usr/bin/env bash
# Builds wheels, archives, Debian package and container, and tries them, as docs/packages.md prints it, in root folders
# that have nothing of ours. Needs the superuser, and 4 GB in /var/tmp.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install.sh package
scripts/wheel.sh dist x86_64 aarch64
build=${POOLPROOF_BUILD:-build/test}
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset test -B "$build" -DPOOLPROOF_PACKAGE_TESTS=ON >/dev/null
cmake --build "$build" --target conformance poolproof_optimized_backend poolproof_mutants poolproof_manual
ctest --test-dir "$build" --label-regex package --output-on-failure "$@"
