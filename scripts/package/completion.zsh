#compdef poolproof
# zsh completion of poolproof. It asks the program itself which commands and options there are.

local program=${words[1]} command help word
local -a commands options

help=$($program --help)
commands=(${(f)"$(sed -n '/^Subcommands:/,$s/^  \([a-z-]*\)  *\(.*\)/\1:\2/p' <<< $help)"})
for word in ${words[2,CURRENT-1]}; do
  if [[ -n ${(M)commands:#$word:*} ]]; then
    command=$word
    help=$($program $word --help)
    break
  fi
done

if [[ $PREFIX == --*=* ]]; then
  local option=${PREFIX%%=*}
  compset -P '*='
  [[ $help =~ "  $option [A-Z]+:\{([^}]*)\}" ]] && compadd -- ${(s:, :)match[1]} || _files
elif [[ $PREFIX == -* ]]; then
  options=(${(f)"$(sed -n 's/^  \(-h,\)\{0,1\}\(--[a-z-]*\)[^ ]*\( .*\)\{0,1\}$/\2/p' <<< $help)"})
  compadd -- $options
elif [[ -z $command && ${words[CURRENT-1]} != --* ]]; then
  _describe command commands
else
  _files
fi
