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
