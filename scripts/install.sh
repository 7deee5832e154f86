#!/usr/bin/env bash
# Installs the Debian 12 packages that poolproof needs, with sudo where not root. Asks nothing.
#   scripts/install.sh          what builds and tests need
#   scripts/install.sh gate     only what the program, our backend and the examples need (scripts/gate.sh)
#   scripts/install.sh lint     also the formatter and the linters of scripts/lint.sh
#   scripts/install.sh fuzz     also clang and its sanitizer runtimes, and what fuzz/check_build.py needs
#   scripts/install.sh package  also what packages are built and tested with (scripts/package.sh)
#   scripts/install.sh cluster  also Slurm and GNU parallel, for the tests labelled cluster
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache git ca-certificates python3 python3-numpy
  libhwy-dev nlohmann-json3-dev libcli11-dev libfmt-dev libpugixml-dev libkainjow-mustache-dev
  libxxhash-dev libseccomp-dev
)
tests=(
  pkg-config librapidcheck-dev libgtest-dev libgmock-dev libvalijson-dev libbenchmark-dev
  # backends that the suite judges, and peers of the benchmark
  libdnnl-dev libtorch-dev libxnnpack-dev libpthreadpool-dev
  lowdown                                   # makes the manual page
  chromium                                  # the report is tested in a browser
  xxhash                                    # digests are tested with the tool
  bubblewrap                                # the command of conformance/worker/ISOLATION.md is tested
)
# npm brings axe-core, which checks the pages of the report. Where it came with another Node.js, Debian's
# package would be in its way.
command -v npm >/dev/null || tests+=(npm)

if [ "$*" = gate ]; then set --; else packages+=("${tests[@]}"); fi
for extra in "$@"; do
  case $extra in
    lint) packages+=(clang-format-19 clang-tidy-19 libomp-19-dev shellcheck python3-venv) ;;
    fuzz) packages+=(clang-19 libclang-rt-19-dev llvm-19 debootstrap) ;;
    package) packages+=(debootstrap dpkg-dev file gperf libc6-arm64-cross make man-db python3-venv qemu-user-static zsh) ;;
    cluster) packages+=(slurm-wlm parallel); export RUNLEVEL=1 ;;  # starts none
    *) echo "scripts/install.sh: unknown set \"$extra\" (there are: gate alone, or lint, fuzz, package, cluster)" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

sudo=()
[ "$(id -u)" = 0 ] || sudo=(sudo)
export DEBIAN_FRONTEND=noninteractive
echo "installing ${missing[*]}"
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
