#!/usr/bin/env bash
# Checks format and style of all sources: C and C++ by clang-format, Python by ruff, scripts of shells by shellcheck.
# Exit code 1 and the places where something is not in order. scripts/install.sh lint installs what this needs.
#   scripts/lint.sh            checks
#   scripts/lint.sh --fix      also changes what can be put in order without asking
#   scripts/lint.sh FILE...    checks these files alone
set -euo pipefail
cd "$(dirname "$0")/.."
ruff_version=0.17.6  # other versions format otherwise

fix=
[ "${1:-}" != --fix ] || { fix=yes; shift; }
# The files of a checkout, whoever owns it, or of an archive of it.
list=$(git -c safe.directory='*' ls-files 2>/dev/null) || list=
[ -n "$list" ] || list=$(find . -type f -not -path './build*' -not -path './.git/*' -printf '%P\n')
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files <<<"$list"; fi
cxx=() python=() shell=()
for file in "${files[@]}"; do
  case $file in
    *.cc | *.h | *.c) cxx+=("$file") ;;
    *.py) python+=("$file") ;;
    *.sh | .ci/run) shell+=("$file") ;;
  esac
done

ruff=build/lint/bin/ruff
if ! "$ruff" --version 2>/dev/null | grep -qx "ruff $ruff_version"; then
  python3 -m venv build/lint
  build/lint/bin/pip install --quiet --disable-pip-version-check "ruff==$ruff_version"
fi

status=0
if [ -n "$fix" ]; then
  [ ${#cxx[@]} = 0 ] || clang-format-19 --style=file:.clang-format -i "${cxx[@]}"
  [ ${#python[@]} = 0 ] || {
    "$ruff" check --config .ruff.toml --fix --quiet "${python[@]}" || true
    "$ruff" format --config .ruff.toml --quiet "${python[@]}"
  }
fi
[ ${#cxx[@]} = 0 ] || clang-format-19 --style=file:.clang-format --dry-run -Werror "${cxx[@]}" || status=1
[ ${#python[@]} = 0 ] || "$ruff" check --config .ruff.toml --quiet --output-format concise "${python[@]}" || status=1
[ ${#python[@]} = 0 ] || "$ruff" format --config .ruff.toml --check "${python[@]}" || status=1
[ ${#shell[@]} = 0 ] || shellcheck "${shell[@]}" || status=1
[ $status = 0 ] || echo "scripts/lint.sh: not in order; scripts/lint.sh --fix puts format right" >&2
exit $status
