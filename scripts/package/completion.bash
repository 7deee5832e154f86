# bash completion of poolproof. It asks the program itself what may stand next.

_poolproof() {
  local program=$1 word=$2 before=() values each
  # "--name=value" comes as three words.
  for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $each == = ]] || before+=("$each")
  done
  [[ $word == = ]] && word=
  values=$("$program" complete -- "${before[@]}" 2>/dev/null) || return
  # Options where one is begun.
  [[ $word == -* ]] || values=$(sed '/^-/d' <<< "$values")
  # The last of a list with commas.
  local list=
  [[ $word == *,* ]] && list=${word%,*},
  COMPREPLY=($(compgen -P "$list" -W "$values" -- "${word##*,}"))
}

complete -o bashdefault -o default -F _poolproof poolproof
