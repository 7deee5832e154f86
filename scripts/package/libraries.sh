#!/bin/bash
# To be sourced. Builds the libraries that poolproof is made of from the distribution's sources, so that of what is
# linked to them only the C library stays outside. The environment says how: SRC, with the unpacked sources; WORK, with
# the archives in $WORK/static afterwards; CC, CXX and flags, or CMAKE_TOOLCHAIN_FILE.

static_build=(cmake -G Ninja -DCMAKE_BUILD_TYPE="${STATIC_BUILD_TYPE:-None}" -DBUILD_SHARED_LIBS=OFF
  -DCMAKE_PREFIX_PATH="$WORK/static")

static_library() {  # NAME OPTION...
  local name=$1 folder; shift
  folder=$(realpath "$SRC/$name"-*/)
  "${static_build[@]}" -S "$folder" -B "$WORK/$name" -DCMAKE_INSTALL_PREFIX="$WORK/static" -DBUILD_TESTING=OFF "$@"
  cmake --build "$WORK/$name" --target install
}

static_libraries() {
  static_library highway -DHWY_ENABLE_CONTRIB=OFF -DHWY_ENABLE_EXAMPLES=OFF
  static_library fmtlib -DFMT_DOC=OFF -DFMT_TEST=OFF
  static_library pugixml
}
