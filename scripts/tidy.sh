#!/usr/bin/env bash
# clang-tidy over C++, by what .clang-tidy asks for. Exit code 1 and the places where something is not in order. All of
# it takes an hour of one core, so it belongs to scripts/nightly.sh; what a change touches, minutes. Most of that goes
# into headers, so files that can be compiled together are looked at together.
#   scripts/tidy.sh                 everything
#   scripts/tidy.sh --changed REV   what a change since the revision REV concerns
#   scripts/tidy.sh FILE...         these files, headers where they are included
#   scripts/tidy.sh --list [...]    only names what it would look at
# POOLPROOF_JOBS: how many to look at at once, one by default.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/tidy

list=
[ "${1:-}" != --list ] || { list=yes; shift; }
if [ "${1:-}" = --changed ]; then
  what=('*.cc' '*.h' .clang-tidy)
  git() { command git -c safe.directory='*' "$@"; }   # whoever owns the checkout
  changed=$(git diff --name-only --diff-filter=d "${2:?--changed needs a revision}" -- "${what[@]}"
    git ls-files --others --exclude-standard -- "${what[@]}")
  mapfile -t files <<<"$changed"
  [ -n "$changed" ] || exit 0
elif [ $# -gt 0 ]; then
  files=("$@")
else
  files=(.clang-tidy)
fi

cmake --preset all -B $build -DPOOLPROOF_TOGETHER=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
# Sources by what is compiled: itself, or a file of CMake that includes it with its neighbours.
declare -A unit_of=()
while read -r unit; do
  case $unit in
    */Unity/*) while read -r source; do unit_of[$source]=$unit; done < <(sed -n 's|^#include "\(.*\)"$|\1|p' "$unit") ;;
    "$PWD"/build/*) ;;
    */torch.cc | */torch_backend.cc) ;;   # clang does not read the headers of libtorch 1.13 as C++20
    *.cc) unit_of[$unit]=$unit ;;
  esac
done < <(sed -n 's|^ *"file": "\(.*\)",\{0,1\}$|\1|p' $build/compile_commands.json)

declare -A units=()   # bound, though none may be found
for file in "${files[@]}"; do
  case $file in
    .clang-tidy) for unit in "${unit_of[@]}"; do units[$unit]=yes; done ;;
    *.h)   # of its own source, or of one that includes it
      while read -r source; do
        unit=${unit_of[$PWD/$source]:-}
        [ -z "$unit" ] || { units[$unit]=yes; break; }
      done < <(echo "${file%.h}.cc"; grep -rlF --include='*.cc' "#include \"$file\"" conformance fuzz optimized reference \
        reports specs | sort)
      ;;
    *) unit=${unit_of[$(realpath "$file")]:-}; [ -z "$unit" ] || units[$unit]=yes ;;
  esac
done
[ ${#units[@]} -gt 0 ] || exit 0
mapfile -t sorted < <(printf '%s\n' "${!units[@]}" | sort)
if [ -n "$list" ]; then
  printf '%s\n' "${sorted[@]#"$PWD"/}"
  exit 0
fi
# Sources that are made of others, such as of the specs, and lists that one includes.
mapfile -t made < <(sed -n "s|^#include \"$PWD/$build/\(.*\)\"\$|\1|p" "${sorted[@]}"
  case "${sorted[*]}" in *machine_backend.cc*) ninja -C $build -t targets rule CUSTOM_COMMAND | grep '/places\.inc$' ;; esac)
[ ${#made[@]} = 0 ] || ninja -C $build "${made[@]}" >/dev/null
# In a source that CMake has put together only the files that it includes are ours.
printf '%s\0' "${sorted[@]}" | xargs -0 -n 1 -P "${POOLPROOF_JOBS:-1}" \
  clang-tidy-19 -p $build --quiet --checks=-bugprone-suspicious-include
