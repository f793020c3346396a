#compdef packtool
# packtool completion for zsh: put it as _packtool into a folder of $fpath.
_packtool() {
  local -a lines plain open texts opentexts globs
  local line word kind
  lines=("${(@f)$(command packtool completions words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  kind=$lines[1]
  shift lines
  for line in $lines; do
    word=${line%%$'\t'*}
    line="$word  -- ${line#*$'\t'}"
    if [[ $word == *= ]]; then
      open+=("$word")
      opentexts+=("$line")
    else
      plain+=("$word")
      texts+=("$line")
    fi
  done
  (( $#plain )) && compadd -l -d texts -a plain
  (( $#open )) && compadd -l -S '' -d opentexts -a open
  case $kind in
    folders) compset -P '*='; _files -/ ;;
    files) compset -P '*='; _files ;;
    files*)
      compset -P '*='
      globs=(${=kind#files})
      _files -g "*(${(j:|:)globs})"
      ;;
  esac
}
if [[ $funcstack[1] == _packtool ]]; then
  _packtool "$@"
else
  compdef _packtool packtool
fi
