# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Completion of atemi in bash. Commands and options are those that the command's own help names.

_atemi_words() { # of a help: the first column of what stands under commands or options
    "$1" "${@:2}" --help 2>/dev/null | awk '
        /^(commands|options):$/ { listed = 1; next }
        /^$/ { listed = 0 }
        listed && match($0, /^  [a-z-][A-Za-z-]*(, --[a-z-]+)?/) {
            word = substr($0, RSTART + 2, RLENGTH - 2); sub(/.*, /, "", word); print word }'
}

_atemi() {
    local current=$2 command=$1 previous=${3-} words
    COMPREPLY=()
    if [[ $previous == --base ]]; then
        words="fixed planar sagittal floating"
    elif [[ $previous == --mimic ]]; then
        words="coupled independent"
    elif [[ $previous == --to ]]; then
        words="urdf mjcf"
    elif [[ $COMP_CWORD -eq 1 || ($COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == help) ]]; then
        words=$(_atemi_words "$command")
    elif [[ $current == -* ]]; then
        words=$(_atemi_words "$command" "${COMP_WORDS[1]}")
    elif [[ ${COMP_WORDS[1]} == reproduce ]]; then
        words="$("$command" reproduce --list 2>/dev/null | awk 'NF == 0 { exit } NR > 1 { print $1 }') all"
    elif [[ ${COMP_WORDS[1]} == init && $COMP_CWORD -eq 2 ]]; then
        words="strike walk control"
    elif [[ ${COMP_WORDS[1]} =~ ^(info|eval|export|init)$ ]]; then
        words=$("$command" robots 2>/dev/null | awk 'NF == 0 { exit } NR > 2 { print $1 }')
    fi
    # shellcheck disable=SC2207 # no word has blanks
    COMPREPLY=($(compgen -W "${words-}" -- "$current"))
}

# Where no word fits, files are completed.
complete -o bashdefault -o default -F _atemi atemi
