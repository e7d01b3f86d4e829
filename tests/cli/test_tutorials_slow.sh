#!/usr/bin/env bash
# Get started and the tutorials, done as they are written in a new folder: every command prints what the page says.
# walk.py has the rules. The tutorial of Python is walked by scripts/python, where its package is installed.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for page in start tutorials/scene tutorials/robot tutorials/masonry tutorials/problems; do
  if python3 "$root/tests/cli/walk.py" "$root/docs/$page.md" --rigor "$rigor" >.out 2>&1; then
    passed=$((passed + $(sed -n 's/^\([0-9]*\) passed, 0 failed$/\1/p' .out)))
  else
    flunk "docs/$page.md is not what happens; tests/cli/walk.py --update writes what does" "$(<.out)"
  fi
done

# What get started tells the reader to make can be made.
for target in $(grep -ho '^\(`\| \{4\}\)\{0,1\}make [a-z-]\+\|`make [a-z-]\+' "$root/docs/start.md" "$root"/docs/tutorials/*.md "$root/README.md" | sed 's,.*make ,,' | sort -u); do
  holds "make $target" grep -q "^$target:" "$root/Makefile"
done

# The walk itself can fail: another number, a missing line, another exit code.
fails() { # WHAT TEXT: a console block that is not what happens
  printf '```console\n%s\n```\n' "$2" >page.md
  if python3 "$root/tests/cli/walk.py" page.md --rigor "$rigor" >.out 2>&1; then flunk "the walk sees $1" "$(<.out)"; else pass; fi
}
fails "another number" $'$ echo 12\n13'
fails "a line too few" $'$ printf "1\\n2\\n"\n1'
fails "a code that is not told" $'$ false'
fails "a page without commands" "12"

finish
