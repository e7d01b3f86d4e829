#!/usr/bin/env bash
# `rigor manual`: every command and option is in the manual page and in the completion of each shell.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for form in man bash zsh fish; do
  call manual "$form"
  is "manual $form: exit code" "$code" 0
  is "manual $form: stderr" "$err" ""
  printf '%s\n' "$out" >"$form"
done
call manual
is "the manual page is the default" "$out" "$(<man)"
refused "unknown form" "rigor manual: unknown form 'csh', must be one of: man, bash, zsh, fish" manual csh

plain=$(sed 's/\\-/-/g; s/\\f[BIR]//g' man)
for command in $("$rigor" | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  has "man has $command" "$plain" ".SS rigor $command "
  for flag in $("$rigor" "$command" --help | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
    [[ $flag == --help ]] || has "man has $flag" "$plain" "$flag"
    holds "zsh has $flag of $command" grep -q -- "'$flag\[" zsh
    holds "fish has $flag of $command" grep -q -- "_from $command' -l ${flag#--}" fish
  done
done

# The completion at work.
source ./bash
complete_line() { # WORD...: what the last word may become
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _rigor
  printf '%s ' "${COMPREPLY[@]}"
}
PATH=$(dirname "$rigor"):$PATH
is "commands" "$(complete_line rigor re)" "rest render reproduce "
is "options" "$(complete_line rigor run --ste)" "--step --stepper "
is "words of an option" "$(complete_line rigor run stack --stabilizer b)" "baumgarte "
is "scenes by name" "$(complete_line rigor run domi)" "dominoes "
holds "zsh's script is not cut" grep -q '^_rigor "\$@"$' zsh
if command -v zsh >/dev/null; then holds "zsh reads its script" zsh -n zsh; fi
if command -v fish >/dev/null; then holds "fish reads its script" fish --no-execute fish; fi
if command -v groff >/dev/null; then
  is "the manual page has no errors" "$(groff -man -ww -Tutf8 man 2>&1 >/dev/null)" ""
fi

finish
