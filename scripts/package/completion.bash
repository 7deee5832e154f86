# bash completion of poolproof. It asks the program itself which commands and options there are.

# The command that the words before the cursor name, if any.
_poolproof_command() {
  local commands word
  commands=$("$1" --help | sed -n '/^Subcommands:/,$s/^  \([a-z-]*\).*/\1/p')
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $'\n'$commands$'\n' == *$'\n'"$word"$'\n'* ]]; then
      echo "$word"
      return
    fi
  done
}

_poolproof() {
  local program=$1 word=$2 option=$3 command help values
  command=$(_poolproof_command "$program")
  help=$("$program" $command --help 2>/dev/null) || return
  # "--name=value" comes as three words.
  [[ $word == = ]] && word=
  [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD-2]}
  if [[ $option == --* && $help =~ (^|$'\n')"  $option "[A-Z]+:\{([^\}]*)\} ]]; then
    values=${BASH_REMATCH[2]//,/}
  elif [[ $word == -* ]]; then
    values=$(sed -n 's/^  \(-h,\)\{0,1\}\(--[a-z-]*\).*/\2/p' <<< "$help")
  elif [[ -z $command && $option != --* ]]; then
    values=$(sed -n '/^Subcommands:/,$s/^  \([a-z-]*\).*/\1/p' <<< "$help")
  fi
  COMPREPLY=($(compgen -W "$values" -- "$word"))
}

complete -o bashdefault -o default -F _poolproof poolproof
