#!/bin/bash -eu
# Builds every harness into $OUT with seed corpus, dictionary and options beside it. The container sets CC, CXX,
# CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT. fuzz/check_build.py runs this without Docker.

# shellcheck disable=SC1091,SC2154  # static_build comes from the file that is sourced below
source_dir=$SRC/poolproof
# $OUT is run where nothing of this is installed, so that only the C library may stay outside.
# An archive in a folder of its own is found before the shared library of the same name.
mkdir -p "$WORK/static/lib"
cp "$($CC -print-file-name=libseccomp.a)" "$WORK/static/lib/"
export LDFLAGS="${LDFLAGS:-} -static-libgcc -L$WORK/static/lib"

source "$source_dir/scripts/package/libraries.sh"
static_libraries
"${static_build[@]}" -S "$source_dir" -B "$WORK/build" -DPOOLPROOF_LIBFUZZER=ON -DPOOLPROOF_TESTS=OFF
cmake --build "$WORK/build" --target fuzzers

cp "$WORK"/build/bin/fuzz_* "$OUT/"
# The backend harness loads the oracle unless it is told another backend.
mkdir -p "$OUT/lib"
cp "$WORK"/build/lib/libpoolproof_reference_backend.so "$OUT/lib/"
python3 "$source_dir/fuzz/harnesses.py" --build "$WORK/build" --out "$OUT"
