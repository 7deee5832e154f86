#!/usr/bin/env bash
# Builds wheel and archive for a machine type, of which nothing but a C library of 2018 has to be there.
#   scripts/install.sh package
#   scripts/wheel.sh dist x86_64 aarch64     puts both of each type into dist; without a type those of this machine
# The compiler is clang with the headers of that C library, which comes as a package of PyPI. The libraries that poolproof
# is made of are built from the distribution's sources as archives, or are headers.
# Exit status: 0 built and checked, 1 not, 2 wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."
glibc=2.28
most_bytes=15000000
folder=${1:-dist}
types=("${@:2}")
[ ${#types[@]} -gt 0 ] || types=("$(uname -m)")
for type in "${types[@]}"; do
  [[ $type =~ ^(x86_64|aarch64)$ ]] || { echo "scripts/wheel.sh: \"$type\" is neither x86_64 nor aarch64" >&2; exit 2; }
done
work=$PWD/build/wheel
tools=$work/tools/bin
sources=$work/sources

get_tools() {
  [ -e "$tools/python" ] || /usr/bin/python3 -m venv "$work/tools"
  "$tools/pip" install --quiet --disable-pip-version-check --requirement scripts/package/requirements.txt
  zig=$("$tools/python" -c 'import ziglang; print(*ziglang.__path__)')/zig
}

# The unpacked sources of what is built, from where this machine has its packages.
get_sources() {
  [ ! -e "$sources/complete" ] || return 0
  rm -rf "$sources"
  mkdir -p "$sources/lists/partial"
  local origin apt
  origin=$(PYTHONPATH=fuzz python3 -Bc 'import sealed_root; print(*sealed_root.package_sources()[0])')
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $origin" >"$sources/debian.list"
  apt=(apt-get -qq -o Dir::Etc::SourceList="$sources/debian.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$sources/lists" -o APT::Sandbox::User=root -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
  "${apt[@]}" update
  (cd "$sources" && "${apt[@]}" source highway fmtlib pugixml libseccomp >/dev/null)
  touch "$sources/complete"
}

# The programs that CMake and configure call, and the file that tells CMake of them.
write_toolchain() {
  mkdir -p bin
  local name target
  for name in cc c++ ar ranlib; do
    target="-target $type-linux-gnu.$glibc"
    [[ $name = c* ]] || target=
    printf '#!/bin/sh\nexec "%s" %s %s "$@"\n' "$zig" "$name" "$target" >bin/$name
    chmod +x bin/$name
  done
  cat >"$CMAKE_TOOLCHAIN_FILE" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $type)
set(CMAKE_C_COMPILER $PWD/bin/cc)
set(CMAKE_CXX_COMPILER $PWD/bin/c++)
# The program exports what backends need, and nothing of the libraries in it.
set(CMAKE_C_FLAGS_INIT "-g0 -fvisibility=hidden")
set(CMAKE_CXX_FLAGS_INIT "-g0 -fvisibility=hidden")
set(CMAKE_AR $PWD/bin/ar)
set(CMAKE_RANLIB $PWD/bin/ranlib)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES $PWD/static/include)
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES $PWD/static/include)
add_link_options(-s -L$PWD/static/lib)
set(CMAKE_FIND_ROOT_PATH $PWD/static)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
END
}

# Everything that poolproof links and includes. Packages of headers alone are copied, since the folder that they are in
# has those of the C library as well.
build_libraries() {
  [ ! -e static/complete ] || return 0
  mkdir -p static libseccomp
  dpkg-query --listfiles nlohmann-json3-dev libcli11-dev libkainjow-mustache-dev libxxhash-dev |
    sed -n 's#^/usr/\(include\|share/cmake\|lib/cmake\)/.*\..*#&#p' | tar -c -C / --no-recursion -T - 2>/dev/null |
    tar -x -C static --strip-components=1
  export SRC=$sources WORK=$PWD STATIC_BUILD_TYPE=Release
  # shellcheck source=scripts/package/libraries.sh
  source "$root/scripts/package/libraries.sh"
  static_libraries
  cd libseccomp
  CC=$WORK/bin/cc AR=$WORK/bin/ar RANLIB=$WORK/bin/ranlib CFLAGS="-O2 -fPIC -fvisibility=hidden" \
    sh "$sources"/libseccomp-*/configure --host="$type-linux-gnu" --prefix="$WORK/static" --disable-shared --enable-static \
    --quiet
  make --silent -C include install
  make --silent -C src install
  cd ..
  touch static/complete
}

# The wheel, small, and such that it runs on every system that its name promises.
build_wheel() {
  local tag=manylinux_${glibc/./_}_$type wheel bytes said newest
  rm -rf wheel
  local settings=(build-dir="$PWD/tree" wheel.tags="py3-none-$tag" wheel.reproducible=true install.strip=false
    cmake.toolchain-file="$CMAKE_TOOLCHAIN_FILE" cmake.define.POOLPROOF_CCACHE= cmake.define.POOLPROOF_FOR_THIS_MACHINE=OFF)
  "$tools/pip" wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check --wheel-dir wheel \
    "${settings[@]/#/--config-settings=}" "$root"
  wheel=$(echo wheel/*.whl)
  bytes=$(stat -c %s "$wheel")
  [ "$bytes" -le $most_bytes ] || { echo "$wheel has $bytes bytes, more than $most_bytes" >&2; exit 1; }
  said=$("$tools/auditwheel" show "$wheel" | tr -s '\n ' ' ')
  newest=$(sed -n 's/.*platform tag: "manylinux_\([0-9]*\)_\([0-9]*\)_.*/\1.\2/p' <<<"$said")
  [ "$(printf '%s\n' "$glibc" "${newest:-9}" | sort -V | tail -n 1)" = $glibc ] ||
    { echo "$wheel does not keep to its name: $said" >&2; exit 1; }
  echo "$wheel: $bytes bytes;$said"
}

root=$PWD
get_tools
get_sources
mkdir -p "$folder"
for type in "${types[@]}"; do
  mkdir -p "$work/$type"
  cd "$work/$type"
  export CMAKE_TOOLCHAIN_FILE=$PWD/toolchain.cmake
  write_toolchain
  (build_libraries >/dev/null)
  build_wheel
  # CPack leaves what it has packed beside the archive.
  cpack -G TGZ --config tree/CPackConfig.cmake -B archive >/dev/null
  cd "$root"
  cp "$work/$type"/wheel/*.whl "$work/$type"/archive/*.tar.gz "$folder"
done
