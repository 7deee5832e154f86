#!/usr/bin/env bash
# Checks format and style of all sources: C and C++ by clang-format, Python by ruff, scripts of shells by shellcheck; and
# what other services read by their schemas: the action of GitHub, the component of GitLab, the job of Kubernetes.
# Exit code 1 and the places where something is not in order. scripts/install.sh lint installs what this needs.
#   scripts/lint.sh            checks
#   scripts/lint.sh --fix      also changes what can be put in order without asking
#   scripts/lint.sh FILE...    checks these files alone
set -euo pipefail
cd "$(dirname "$0")/.."
# Other versions of ruff format otherwise.
tools=(ruff==0.17.6 check-jsonschema==0.39.0 kubernetes-validate==1.37.0)

fix=
[ "${1:-}" != --fix ] || { fix=yes; shift; }
# The files of a checkout, whoever owns it, or of an archive of it.
list=$(git -c safe.directory='*' ls-files 2>/dev/null) || list=
[ -n "$list" ] || list=$(find . -type f -not -path './build*' -not -path './.git/*' -printf '%P\n')
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files <<<"$list"; fi
cxx=() python=() shell=() github=() gitlab=() kubernetes=()
for file in "${files[@]}"; do
  case $file in
    *.cc | *.h | *.c) cxx+=("$file") ;;
    *.py) python+=("$file") ;;
    *.sh | .ci/run) shell+=("$file") ;;
    action.yml | */action.yml) github+=("$file") ;;
    templates/*.yml | */templates/*.yml) gitlab+=("$file") ;;
    docs/scale.md | */docs/scale.md) kubernetes+=("$file") ;;
  esac
done

bin=build/lint/bin
ruff=$bin/ruff
if [ "$(cat build/lint/tools 2>/dev/null)" != "${tools[*]}" ]; then
  python3 -m venv build/lint
  "$bin/pip" install --quiet --disable-pip-version-check "${tools[@]}"
  echo "${tools[*]}" >build/lint/tools
fi

# check_part FILE SCRIPT COMMAND...: checks what sed takes out of the file.
check_part() {
  local part=build/lint/$$/$1 good=0
  mkdir -p "$(dirname "$part")"
  sed -n "$2" "$1" >"$part"
  "${@:3}" "$part" || good=1
  rm -r "build/lint/$$"
  return $good
}
# A component is two documents, of which the second becomes a part of a pipeline once its inputs are put in.
component='1,/^---$/d; s/\$\[\[ inputs\.\([a-z]*\) \]\]/\1/g; p'
# shellcheck disable=SC2016  # a fence, not a command
job='/^apiVersion:/,/^```$/ { /^```$/d; p }'

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
[ ${#github[@]} = 0 ] || "$bin/check-jsonschema" --builtin-schema vendor.github-actions "${github[@]}" || status=1
for file in "${gitlab[@]}"; do
  check_part "$file" "$component" "$bin/check-jsonschema" --builtin-schema vendor.gitlab-ci || status=1
done
for file in "${kubernetes[@]}"; do
  check_part "$file" "$job" "$bin/kubernetes-validate" --strict --quiet || status=1
done
[ $status = 0 ] || echo "scripts/lint.sh: not in order; scripts/lint.sh --fix puts format right" >&2
exit $status
