"""What a shell reads once to complete memctl's command lines: it asks memctl at each Tab."""

from __future__ import annotations

BASH = r"""# Completion of memctl for bash: source this file, or put it into
# ~/.local/share/bash-completion/completions/memctl
_memctl() {
    local line piece plain head="" joins=""
    local -a words=()
    COMPREPLY=()
    # Bash cuts words at = and : too, and leaves the quotes and backslashes in them.
    for piece in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        case $piece in
            \'*) plain=${piece#\'} plain=${plain%\'} ;;
            \"*) plain=${piece#\"} plain=${plain%\"} ;;
            *) plain=${piece//\\/} ;;
        esac
        if [[ ${#words[@]} -gt 0 && ( -n $joins || $piece == [=:]* ) ]]; then
            head=${words[${#words[@]}-1]}
            words[${#words[@]}-1]+=$plain
        else
            head=""
            words+=("$plain")
        fi
        joins=""
        if [[ $piece == [=:]* && $piece != *[!=:]* ]]; then
            joins=yes
            head+=$piece
        fi
    done
    while IFS= read -r line; do
        if [ "$line" = ":files" ]; then
            compopt -o default 2>/dev/null
            COMPREPLY=()
            return
        fi
        line=${line%%$'\t'*}
        line=${line#"$head"}
        [[ $piece == [\'\"]* ]] || printf -v line '%q' "$line"
        COMPREPLY+=("$line")
    done < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
}
complete -F _memctl memctl
"""

ZSH = r"""#compdef memctl
# Completion of memctl for zsh: save this as _memctl in a folder of $fpath, or source it
# after compinit.
_memctl() {
    local line value
    local -a candidates before
    before=("${(@Q)words[2,CURRENT-1]}")
    (( CURRENT > 2 )) || before=()
    for line in "${(@f)$("${words[1]}" __complete "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        [[ -z $line ]] && continue
        if [[ $line == ":files" ]]; then
            compset -P '--*='
            _files
            return
        fi
        value=${${line%%$'\t'*}//\\/\\\\}
        candidates+=("${value//:/\\:}:${line#*$'\t'}")
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
    # Fish itself chooses among the candidates by what is quoted or escaped.
    set -l plain (string replace -r '[\\\\\'"].*' '' -- "$current")
    set -l lines ($words[1] __complete $words[2..-1] "$plain" 2>/dev/null)
    if test "$lines" = ":files"
        __fish_complete_path "$current"
    else
        printf '%s\n' $lines
    end
end
complete -c memctl -f -k -a '(__memctl_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
