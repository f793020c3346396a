# packtool completion for bash: source it, or put it into a folder of bash-completion.
_packtool() {
  local words=() word glue= index cur full kind reply
  # bash divides words at "=" and ":", packtool does not.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ${#words[@]} -gt 0 && ( $word == [=:] || -n $glue ) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    glue=
    [[ $word == [=:] ]] && glue=1
  done
  full=${words[${#words[@]} - 1]}
  cur=${COMP_WORDS[COMP_CWORD]}
  [[ $cur == [=:] ]] && cur=
  local front=${full%"$cur"} quote=
  for index in "${!words[@]}"; do
    word=${words[index]}
    case $word in
      [\"\']*) quote=${word:0:1}; word=${word#?}; words[index]=${word%"$quote"} ;;
      *) quote=; words[index]=${word//\\/} ;;
    esac
  done
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ -z $kind ]]; then
      kind=$word
      continue
    fi
    word=${word#"$front"}
    if [[ $word == *= ]]; then
      compopt -o nospace
    elif [[ -z $quote && $kind == none ]]; then
      # Beside names of files bash quotes by itself.
      printf -v word %q "$word"
    fi
    COMPREPLY+=("$word")
  done < <(command packtool completions words -- "${words[@]}" 2>/dev/null)
  local name suffixes=${kind#files}
  case $kind in
    folders)
      compopt -o filenames
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$cur")
      ;;
    files*)
      compopt -o filenames
      while IFS= read -r name; do
        if [[ -d $name || -z $suffixes ]]; then
          COMPREPLY+=("$name")
          continue
        fi
        for word in $suffixes; do
          [[ $name == *"$word" ]] && COMPREPLY+=("$name")
        done
      done < <(compgen -f -- "$cur")
      ;;
  esac
}
complete -F _packtool packtool
