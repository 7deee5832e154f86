#compdef poolproof
# zsh completion of poolproof. It asks the program itself what may stand next.

local program=${words[1]} option=${PREFIX%%=*}
local -a commands values before
before=(${words[2,CURRENT-1]})

if [[ $PREFIX == --*=* ]]; then
  compset -P '*='
  values=(${(f)"$($program complete -- $before $option)"})
  (( $#values )) && compadd -- $values || _files
elif [[ $PREFIX == -* ]]; then
  compadd -- ${(M)${(f)"$($program complete -- $before)"}:#-*}
elif [[ ${words[CURRENT-1]} == --* ]]; then
  values=(${(f)"$($program complete -- $before)"})
  (( ${#values:#-*} )) && compadd -- ${values:#-*} || _files
elif (( CURRENT == 2 )); then
  commands=(${(f)"$($program --help-all | sed -n '/^Subcommands:/,${/^[a-z-]*$/{N;s/\n */:/p}}')"})
  _describe command commands
else
  _files
fi
