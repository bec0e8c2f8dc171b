"""What a shell reads once to complete memctl's command lines: it asks memctl at each Tab."""

from __future__ import annotations

BASH = r"""# Completion of memctl for bash: source this file, or put it into
# ~/.local/share/bash-completion/completions/memctl
_memctl() {
    local line word
    COMPREPLY=()
    while IFS= read -r line; do
        if [ "$line" = ":files" ]; then
            compopt -o default 2>/dev/null
            COMPREPLY=()
            return
        fi
        printf -v word '%q' "${line%%$'\t'*}"
        COMPREPLY+=("$word")
    done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _memctl memctl
"""

ZSH = r"""#compdef memctl
# Completion of memctl for zsh: save this as _memctl in a folder of $fpath, or source it
# after compinit.
_memctl() {
    local line
    local -a candidates
    for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -z $line ]] && continue
        if [[ $line == ":files" ]]; then
            _files
            return
        fi
        candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    _describe -V memctl candidates
}
if [ "$funcstack[1]" = "_memctl" ]; then
    _memctl "$@"
else
    compdef _memctl memctl
fi
"""

FISH = r"""# Completion of memctl for fish: save this as ~/.config/fish/completions/memctl.fish
function __memctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    if test "$lines" = ":files"
        __fish_complete_path "$current"
    else
        printf '%s\n' $lines
    end
end
complete -c memctl -f -k -a '(__memctl_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
