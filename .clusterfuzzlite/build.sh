#!/bin/bash -eu
# Builds every harness into $OUT with seed corpus, dictionary and options beside it. The container sets CC, CXX,
# CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT; without it:
#
#   CC=clang-19 CXX=clang++-19 LIB_FUZZING_ENGINE=-fsanitize=fuzzer SRC=.. WORK=/tmp/w OUT=/tmp/o \
#     CFLAGS="-fsanitize=address,fuzzer-no-link" CXXFLAGS="-fsanitize=address,fuzzer-no-link" .clusterfuzzlite/build.sh

source_dir=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$source_dir/CMakeLists.txt" ] || source_dir=$SRC/poolproof

cmake -S "$source_dir" -B "$WORK/build" -G Ninja -DPOOLPROOF_LIBFUZZER=ON -DPOOLPROOF_TESTS=OFF
cmake --build "$WORK/build" --target fuzzers

seeds() {  # FOLDER NAME: the files of folders become one archive
  local archive="$OUT/$1_seed_corpus.zip"; shift
  rm -f "$archive"
  (cd "$source_dir" && zip -q -j -r "$archive" "$@")
}

for harness in "$WORK"/build/bin/fuzz_*; do
  name=$(basename "$harness")
  cp "$harness" "$OUT/"
  options="max_len = 4096"
  case $name in
    fuzz_differential|fuzz_backend|fuzz_readings|fuzz_judge|fuzz_threads|fuzz_broken_calls|fuzz_shape_rules)
      folders="fuzz/corpus/problems"; words=problem
      options="max_len = 2048\nentropic = 0\nuse_counters = 0\nreduce_inputs = 0\nmutate_depth = 20" ;;
    fuzz_options) folders="fuzz/corpus/options"; words=options ;;
    fuzz_problem_line) folders="fuzz/corpus/problems fuzz/corpus/problem_line"; words=problem ;;
    fuzz_spec_reader) folders="fuzz/corpus/spec_reader specs"; words=json ;;
    *) folders="fuzz/corpus/${name#fuzz_}"; words=json ;;
  esac
  # shellcheck disable=SC2086
  seeds "$name" $folders
  cp "$source_dir/fuzz/dictionaries/$words.dict" "$OUT/$name.dict"
  printf '[libfuzzer]\n%b\ntimeout = 20\n' "$options" > "$OUT/$name.options"
done
# The backend harness loads the oracle unless it is told another backend.
mkdir -p "$OUT/lib"
cp "$WORK"/build/lib/libpoolproof_reference_backend.so "$OUT/lib/"
