#!/usr/bin/env bash
# Runs what takes too long for every change, with preconditions checked as in the tests. Each part has a build folder of its
# own below build/, and one that fails does not keep the others from running.
#   scripts/nightly.sh            all parts, one after the other
#   scripts/nightly.sh PART...    these parts
#   scripts/nightly.sh --list     the parts there are
# POOLPROOF_JOBS: how much to build and test at once, one by default.
set -euo pipefail
cd "$(dirname "$0")/.."

# Tests that hold the code that computes, judges and shows in one process, or drive backends from it.
core='^(reference|spec|specs|problem|judge|process_lane|plan_parts|results_parts|run_parts|properties|optimized|kernels|differential)_test$'
core+='|^(basic|reports|reader|text)_report_test$|^(mutate_problem|harness)_test$|^fuzz_'
# Its backends crash, which sanitizers report in their own way.
crashes='|^worker_test$'
# Tests with threads: those of the runner and of the optimized backend.
threads='^(optimized|kernels|differential|run_parts|process_lane)_test$|^fuzz_threads$'

usage() {
  cat <<'TEXT'
asan    core tests under AddressSanitizer and UndefinedBehaviorSanitizer, built by clang
tsan    tests with threads under ThreadSanitizer, built by clang
clang   core tests built by clang file by file, so that no file lacks an #include, warnings being errors
tidy    clang-tidy over everything (scripts/tidy.sh)
TEXT
}

# built PART TESTS OPTION...: builds by clang in build/PART what the tests are called by, and runs them.
built() {
  local part=$1 tests=$2 jobs=${POOLPROOF_JOBS:-1} names
  shift 2
  CC=clang-19 CXX=clang++-19 cmake --preset all -B "build/$part" "$@" >/dev/null || return
  mapfile -t names < <(ctest --test-dir "build/$part" --show-only --tests-regex "$tests" | sed -n 's/^ *Test *#[0-9]*: //p')
  cmake --build "build/$part" --parallel "$jobs" --target "${names[@]}" &&
    ctest --test-dir "build/$part" --output-on-failure --parallel "$jobs" --tests-regex "$tests"
}

part_of() {
  case $1 in
    asan) UBSAN_OPTIONS=print_stacktrace=1 built asan "$core" -DPOOLPROOF_SANITIZE=address,undefined ;;
    tsan) TSAN_OPTIONS=halt_on_error=1 built tsan "$threads" -DPOOLPROOF_SANITIZE=thread ;;
    clang) built clang "$core$crashes" -DPOOLPROOF_TOGETHER=OFF ;;
    tidy) scripts/tidy.sh ;;
  esac
}

parts=(asan tsan clang tidy)
if [ "${1:-}" = --list ]; then usage; exit 0; fi
for part in "$@"; do
  [[ " ${parts[*]} " == *" $part "* ]] || { echo "scripts/nightly.sh: no part is called \"$part\":" >&2; usage >&2; exit 2; }
done
[ $# = 0 ] || parts=("$@")

scripts/install.sh lint fuzz
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
failed=()
for part in "${parts[@]}"; do
  echo "== $part"
  part_of "$part" || failed+=("$part")
done
[ ${#failed[@]} = 0 ] || { echo "scripts/nightly.sh: failed: ${failed[*]}" >&2; exit 1; }
