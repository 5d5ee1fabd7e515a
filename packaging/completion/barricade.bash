# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion for bash. The words come from the command's own help.

_barricade() {
  local word=${COMP_WORDS[COMP_CWORD]} command=() words
  local measuring="run tune apply calibrate"
  local commands="$measuring explain index link"
  [[ $COMP_CWORD -gt 1 && " $measuring " == *" ${COMP_WORDS[1]} "* ]] &&
    command=("${COMP_WORDS[1]}")
  if [[ $word == -* ]]; then
    words=$("${COMP_WORDS[0]}" "${command[@]}" --help 2>/dev/null |
      grep -oE -- '(^| |\[)--?[a-z][a-z-]*=?' | tr -d ' [' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  elif [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == explain ]]; then
    words=$("${COMP_WORDS[0]}" --list-rules 2>/dev/null |
      sed -nE 's/^( {2}([a-z-]+) |([a-z-]+): ).*/\2\3/p' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  elif [[ $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  fi
}
complete -o default -F _barricade barricade
