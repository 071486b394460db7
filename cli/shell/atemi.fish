# SPDX-License-Identifier: Apache-2.0
#
# Completion of atemi in fish. Commands and options are those that the command's own help names.

function __atemi_words --description 'the first column of what stands under commands or options'
    atemi $argv --help 2>/dev/null | awk '
        /^(commands|options):$/ { listed = 1; next }
        /^$/ { listed = 0 }
        listed && match($0, /^  [a-z-][A-Za-z-]*(, --[a-z-]+)?/) {
            word = substr($0, RSTART + 2, RLENGTH - 2); sub(/.*, /, "", word)
            rest = substr($0, RSTART + RLENGTH); sub(/^ *[A-Z:\/.,\[\]a-z]*  +/, "", rest)
            print word "\t" rest }'
end

function __atemi_command --description 'the subcommand that is being written'
    set -l words (commandline -opc)
    test (count $words) -ge 2; and echo $words[2]
end

function __atemi_is --description 'whether the subcommand is one of these'
    contains -- (__atemi_command) $argv
end

complete -c atemi -n 'test (count (commandline -opc)) -eq 1' -f -a '(__atemi_words)'
complete -c atemi -n '__atemi_is help' -f -a '(__atemi_words)'
complete -c atemi -n 'test (count (commandline -opc)) -ge 2; and string match -q -- "-*" (commandline -ct)' \
    -a '(__atemi_words (__atemi_command))'
complete -c atemi -n '__atemi_is info eval export; and test (count (commandline -opc)) -eq 2' \
    -a '(atemi robots 2>/dev/null | awk \'NF == 0 { exit } NR > 2 { print $1 }\')'
complete -c atemi -n '__atemi_is init; and test (count (commandline -opc)) -eq 2' -f -a 'strike walk control'
complete -c atemi -n '__atemi_is init; and test (count (commandline -opc)) -eq 3' \
    -a '(atemi robots 2>/dev/null | awk \'NF == 0 { exit } NR > 2 { print $1 }\')'
complete -c atemi -n '__atemi_is reproduce' -f \
    -a '(atemi reproduce --list 2>/dev/null | awk \'NF == 0 { exit } NR > 1 { print $1 }\') all'
complete -c atemi -n 'string match -q -- --base (commandline -opc)[-1]' -f -a 'fixed planar sagittal floating'
complete -c atemi -n 'string match -q -- --mimic (commandline -opc)[-1]' -f -a 'coupled independent'
complete -c atemi -n 'string match -q -- --to (commandline -opc)[-1]' -f -a 'urdf mjcf'
