# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: zsh -f complete.zsh FOLDER-OF-_barricade FOLDER-OF-barricade FILE LINE
#
# Types LINE and a tabulator in an interactive zsh, and writes to FILE what the line
# is then.
zmodload zsh/zpty
zpty shell zsh -f -i
send() { zpty -w shell "$1" }
send "PS1=; fpath=(${(q)1} \$fpath); autoload -U compinit; compinit -u -D; path=(${(q)2} \$path)"
send "show() { print -r -- \$BUFFER >${(q)3}; BUFFER= }; zle -N show; bindkey '^G' show"
zpty -w -n shell "$4"$'\t\a'
repeat 300; do
  [[ -s $3 ]] && break
  zpty -r -t shell >/dev/null
  sleep 0.1
done
zpty -d shell
