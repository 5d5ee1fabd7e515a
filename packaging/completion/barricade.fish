# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion for fish. The words come from the command's own help.

set -g __barricade_measuring run tune apply calibrate

# Prints "NAME<tab>TEXT" for each line of the help that begins with an option.
function __barricade_options
    set -l words (commandline -opc)
    set -l command $words[1]
    if contains -- "$words[2]" $__barricade_measuring
        set -a command $words[2]
    end
    $command --help 2>/dev/null | string replace -rf \
        '^ {2}(?:-[a-zA-Z], )?(--?[a-zA-Z][a-z-]*=?)(?: ?<[^>]*>| [A-Z]+)?(?: +(.*))?$' '$1\t$2'
end

function __barricade_reasons
    set -l words (commandline -opc)
    $words[1] --list-rules 2>/dev/null | string replace -rf \
        '^(?: {2}([a-z-]+) +|([a-z-]+): )(.*)$' '$1$2\t$3'
end

complete -c barricade -n 'string match -q -- "-*" (commandline -ct)' \
    -a '(__barricade_options)'
complete -c barricade -n __fish_is_first_token -a "$__barricade_measuring explain index link"
complete -c barricade -n '__fish_seen_subcommand_from explain' -f \
    -a '(__barricade_reasons)'
