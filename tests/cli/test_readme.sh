#!/usr/bin/env bash
# The examples of README.md are true: the scene runs, the program compiles and says what physics says.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

block() { # LANGUAGE: the first block of README.md in that language
  awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } on && /^```/ { exit } on' "$root/README.md"
}

# --- the capture -----------------------------------------------------------------------------------
labels() { # what stands at the left of the summary's rows
  sed -n 's/^  \([a-zA-Z]\+\( [a-z]\+\)\?\)  .*/\1/p'
}
call run "$root/scenes/demo.json" --time 0.05 -o demo.csv
is "the capture has the rows that the program prints" "$(block "" | labels)" "$(labels <<<"$out")"
for row in bodies method; do
  is "the capture has the $row of the demo" "$(block "" | grep "^  $row ")" "$(grep "^  $row " <<<"$out")"
done

# --- the scene -------------------------------------------------------------------------------------
block json >tower.json
holds "README.md has a scene" test -s tower.json
call check tower.json
is "the scene has nothing wrong: exit code" "$code" 0
is "the scene has nothing suspicious" "$out" "tower.json: nothing wrong, nothing suspicious"
call run tower.json --quiet
is "the scene runs and meets its tolerance" "$code$err" 0

for file in $(grep -o '](\(docs/[^)]*\|[A-Za-z/]*\.md\|LICENSE\|include[^)]*\))' "$root/README.md" | tr -d '()]'); do
  holds "README.md links to what is there" test -e "$root/$file"
done

# --- the table of what holds ------------------------------------------------------------------------
# Each command of the table that needs this command alone prints what the table says.
row() { grep "^| $1" "$root/README.md"; } # BEGINNING
slides() { # OPTION...: how much farther a puck slides at 45 degrees
  rm -f pucks.csv
  "$rigor" sweep "$root/examples/pucks.json" --vary 'materials.default.mu=list(0.5)' -r 'puck 0.runout' -r 'puck 45.runout' -o pucks.csv -q "$@"
  tail -n 1 pucks.csv | awk -F, '{ printf "%.6f", $5 / $4 }'
}
has "stopping at 45 degrees" "$(row 'A puck')" "$(slides) times as far"
pyramid=$(slides --cone inner --facets 4)
has "stopping at 45 degrees, pyramid" "$(row 'A puck')" "$(printf %.3f "$pyramid") times with a pyramid"
has "the command of it is in the table" "$(row 'A puck')" "rigor sweep examples/pucks.json --vary 'materials.default.mu=list(0.5)' -r 'puck 0.runout' -r 'puck 45.runout'"
call reproduce bouncing-column
lost=$(sed -n 's/^  theta = 1: energy left after 10 s  *of the energy  *- *\([0-9.]*\) .*/\1/p' <<<"$out")
has "energy of the column, implicit Euler" "$(row 'Eight elastic')" "$(awk -v left="$lost" 'BEGIN { printf "%.1f %%", 100 * (1 - left) }') with the implicit Euler step"
changed=$(sed -n 's/^  auto: change of the total energy  *of the energy  *0  *\([^ ]*\) .*/\1/p' <<<"$out")
has "energy of the column" "$(row 'Eight elastic')" "| $(awk -v x="$changed" 'BEGIN { printf "%.0e", x }' | sed 's/e-0*/e-/') of itself"
holds "the picture is small" test "$(stat -c %s "$root/docs/images/beside.gif")" -lt 600000
for word in demo test; do has "README.md names make $word" "$(<"$root/README.md")" "    make $word "; done
has "README.md says how to install nothing" "$(<"$root/README.md")" "RIGOR_NO_SETUP=1"

# --- the program -----------------------------------------------------------------------------------
block c >ball.c
holds "README.md has a program" test -s ball.c
library=${RIGOR_BUILD:-$(dirname "$rigor")}/librigor.so
if [[ ! -e $library ]]; then
  skip "there is no shared library in ${library%/*}"
elif ! command -v cc >/dev/null; then
  skip "there is no compiler"
elif [[ $(nm -D "$library") == *__asan_init* ]]; then
  skip "the shared library is built with a sanitizer, which the example does not link"
else
  if cc -std=c17 -Wall -Wextra -Werror -I"$root/include" ball.c "$library" -Wl,-rpath,"${library%/*}" -o ball 2>errors; then
    pass
  else
    flunk "the program does not compile" "$(<errors)"
  fi
  # A solid ball that slides without spin at v rolls at 5/7 v.
  is "the program" "$(./ball)" "after 1.00 s the ball rolls at 1.428571 m/s"
fi

finish
