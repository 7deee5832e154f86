#!/usr/bin/env bash
# Makes the manual page poolproof(1) of docs/commands.md, which a test compares with --help.
#   scripts/package/manual.sh VERSION docs/commands.md poolproof.1
# A row of a table becomes a term and what it means, and the program has its installed name; lowdown does the rest.
set -euo pipefail
# shellcheck disable=SC2016  # code in Markdown, no commands
sed -E '
1c\
# NAME\
\
poolproof - decide whether a neural-network library pools correctly\
\
# SYNOPSIS\
\
`poolproof --backend=`*FILE* [*OPTION*...]\
\
`poolproof` *COMMAND* [*OPTION*...]\
\
# DESCRIPTION
/^$/ {
  N
  /\|/ { N; s/\n.*// }
  P
  D
}
s#build/bin/conformance#poolproof#g
s/`conformance\b/`poolproof/g
s/^###* conformance/### poolproof/
s/\[([^]]*)\]\([^)]*\)/\1/g
/^##[^#]/ s/.*/\U&/
s/^##/#/
/^\|/ {
  s/^\| *(.*[^ ]) *\|$/\1/
  s/ *\| */\n: /
  s/ *\| */; /g
  s/$/\n/
}
' "$2" | lowdown -s -tman --out-no-smarty -M title=POOLPROOF -M section=1 -M source="poolproof $1" \
  -M volume="User Commands" | sed "/^[.']/!s/-/\\\\-/g; s/\\\\fC/\\\\fB/g" >"$3"
