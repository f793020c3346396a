/// A shell that completes command lines of packtool by a script, which asks packtool for the words.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The script for the shell to read.
  var script: String {
    switch self {
    case .bash: Self.inBash
    case .zsh: Self.inZsh
    case .fish: Self.inFish
    }
  }

  /// Completion in bash, without the package bash-completion.
  private static let inBash = #"""
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

    """#

  /// Completion in zsh.
  private static let inZsh = #"""
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

    """#

  /// Completion in fish.
  private static let inFish = #"""
    # packtool completion for fish: put it into ~/.config/fish/completions.
    function __packtool_words
        set -l words (commandline -opc)
        set -l current (commandline -ct | string unescape)
        set -l lines (command packtool completions words -- $words[2..-1] "$current" 2>/dev/null)
        set -l kind (string split ' ' -- $lines[1])
        set -e lines[1]
        printf '%s\n' $lines
        set -l front (string match -r -- '^--[^=]*=' "$current")
        set -l path (string replace -r -- '^--[^=]*=' '' "$current")
        switch "$kind[1]"
            case folders
                printf "$front%s\n" (__fish_complete_directories "$path" '')
            case files
                for name in (complete -C "'' $path")
                    set -l file (string split -f1 \t -- $name)
                    if test (count $kind) = 1; or string match -q '*/' -- $file
                        printf '%s%s\n' "$front" $file
                        continue
                    end
                    for suffix in $kind[2..-1]
                        string match -q -- "*$suffix" $file; and printf '%s%s\n' "$front" $file
                    end
                end
        end
    end
    complete -c packtool -f -a '(__packtool_words)'

    """#
}
