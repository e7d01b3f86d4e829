#!/usr/bin/env bash
# `rigor reproduce`: the experiments pass, and the three ways to show them agree.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

call reproduce --list
is "--list: exit code" "$code" 0
has "--list names" "$out" "cone-weakness"
has "--list names the paper" "$out" "section 8.2"
call reproduce --list --json
has "--list --json" "$out" '"name": "bouncing-column"'

refused "no name" "rigor reproduce: NAME is missing; 'rigor reproduce --list' names the experiments" reproduce
refused "mistyped name" "rigor reproduce: unknown experiment 'cone-weaknes'; did you mean 'cone-weakness'?" reproduce cone-weaknes
refused "far from any name" "rigor reproduce: unknown experiment 'x'; 'rigor reproduce --list' names them" reproduce x
refused "a page that cannot be written" "rigor reproduce: none/page.html: No such file or directory" \
  reproduce cone-weakness --html none/page.html

# --- one experiment, three ways ----------------------------------------------------------------------
call reproduce cone-weakness --html page.html
is "cone-weakness: exit code" "$code" 0
is "cone-weakness: stderr" "$err" ""
has "cone-weakness: verdict" "$out" "rows pass."
lacks "a pipe gets no escape sequences" "$out" $'\033'
text_rows=$(grep -c '  pass  ' <<<"$out")

call reproduce cone-weakness --json
is "--json: exit code" "$code" 0
is "--json: experiment" "$(member experiment)" '"cone-weakness"'
is "--json: rows" "$(grep -c '"measured": [-0-9]' <<<"$out")" "$text_rows"
is "--json: every row passes, and the whole" "$(grep -c '"pass": true' <<<"$out")" "$((text_rows + 1))"
has "--json: no published number is null" "$out" '"published": null'

page=$(<page.html)
has "page: table" "$page" "exact cone: corner 1"
is "page: one plot of four panels" "$(grep -c '<svg' page.html) $(grep -c '<clipPath' page.html)" "1 4"
page_alone page.html

# --- the others that take a moment only ---------------------------------------------------------------
for name in bouncing-column impending-motion pendulum-drift stiff-spring; do
  call reproduce "$name" --json
  is "$name: exit code" "$code" 0
  is "$name passes" "$(grep -c '"pass": false' <<<"$out")" 0
done

# --- scenes ------------------------------------------------------------------------------------------
call list experiments --json
named=$(grep -o '"scene": "[^"]\+"' <<<"$out" | cut -d '"' -f 4 | sort)
there=$(cd "$root" && printf '%s\n' scenes/experiments/*.json | sort)
is "every scene of the experiments has one, and the other way round" "$named" "$there"
for scene in $named; do
  call check "$root/$scene"
  is "$scene: exit code" "$code" 0
done

finish
