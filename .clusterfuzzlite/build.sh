#!/bin/bash -eu
# Builds every harness into $OUT with seed corpus, dictionary and options beside it. The container sets CC, CXX,
# CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT. fuzz/check_build.py runs this without Docker.

source_dir=$SRC/poolproof
# $OUT is run where nothing of this is installed, so that only the C library may stay outside.
# An archive in a folder of its own is found before the shared library of the same name.
mkdir -p "$WORK/static/lib"
cp "$($CC -print-file-name=libseccomp.a)" "$WORK/static/lib/"
export LDFLAGS="${LDFLAGS:-} -static-libgcc -L$WORK/static/lib"
build=(cmake -G Ninja -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF -DCMAKE_PREFIX_PATH="$WORK/static")

library() {  # NAME OPTION...: builds the sources of a package with the flags of the harnesses into $WORK/static
  local name=$1 folder; shift
  folder=$(echo "$SRC/$name"-*/)
  "${build[@]}" -S "$folder" -B "$WORK/$name" -DCMAKE_INSTALL_PREFIX="$WORK/static" -DBUILD_TESTING=OFF "$@"
  cmake --build "$WORK/$name" --target install
}
library highway -DHWY_ENABLE_CONTRIB=OFF -DHWY_ENABLE_EXAMPLES=OFF
library fmtlib -DFMT_DOC=OFF -DFMT_TEST=OFF
library pugixml

"${build[@]}" -S "$source_dir" -B "$WORK/build" -DPOOLPROOF_LIBFUZZER=ON -DPOOLPROOF_TESTS=OFF
cmake --build "$WORK/build" --target fuzzers

cp "$WORK"/build/bin/fuzz_* "$OUT/"
# The backend harness loads the oracle unless it is told another backend.
mkdir -p "$OUT/lib"
cp "$WORK"/build/lib/libpoolproof_reference_backend.so "$OUT/lib/"
python3 "$source_dir/fuzz/harnesses.py" --out "$OUT"
