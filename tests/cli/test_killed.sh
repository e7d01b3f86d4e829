#!/usr/bin/env bash
# kill -9 at random moments of every command that writes files (run, solve, view, compare and
# reproduce): what is on the disk afterwards can be read up to the last flush, is a part of what an
# undisturbed run writes, and no old file is half.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_pile pile.json
has_h5=$("$rigor" list formats | grep -c '\.h5' || true)
printf '<html><script id="rigor-given" type="application/json">null</script></html>\n' >empty.html
tries=${RIGOR_THOROUGH:+10}
tries=${tries:-2}

# killed_after SECONDS COMMAND...: starts it and kills it.
killed_after() {
  local after=$1
  shift
  "$@" >/dev/null 2>&1 &
  local process=$!
  sleep "$after"
  kill -9 "$process" 2>/dev/null
  wait "$process" 2>/dev/null
}
moment() { printf '0.%03d' $((RANDOM % 900 + 20)); }

# The table that the page plays, out of a page that view has written.
table() { # TRAJECTORY
  "$rigor" view "$1" --page empty.html -o shown.html 2>.err || return 1
  grep -o '"run":"[^"]*"' shown.html | sed 's/^"run":"//; s/"$//; s/\\n/\n/g' | grep -v '^$'
}
# beginning WHAT TABLE WHOLE: the tables are the same as far as both go, and the first has whole frames.
beginning() {
  local rows all
  rows=$(wc -l <"$2")
  all=$(wc -l <"$3")
  is "$1: whole frames" $(((rows - 1) % 9)) 0
  [[ $rows -le $all ]] || rows=$all
  if cmp -s <(head -n "$rows" "$2") <(head -n "$rows" "$3"); then pass; else flunk "$1: not what was recorded" "$(diff "$2" "$3" | head -n 4)"; fi
}

# An undisturbed run.
"$rigor" run pile.json --time 12 -q -o whole.csv --record contacts,forces
most=0 # rows that a killed run has left
for ((i = 0; i < tries; i++)); do
  after=$((i == tries - 1))$(moment | tail -c +2) # the last one behind a flush
  rm -f part*
  killed_after "$after" "$rigor" run pile.json --time 1e5 -q -o part.csv --record contacts,forces --save part.snapshot
  if [[ ! -e part.csv ]]; then
    pass # before the file was in its place
  elif [[ -e part.scene.json ]]; then
    table part.csv >part.table || flunk "csv after $after s: cannot be read" "$(<.err)"
    beginning "csv after $after s" part.table whole.csv
    rows=$(wc -l <part.table)
    [[ $rows -le $most ]] || most=$rows
    for name in contacts forces; do # but for the row that a kill may cut
      lines=$(($(wc -l <"part.$name.csv") - 1))
      all=$(wc -l <"whole.$name.csv")
      [[ $lines -le $all ]] || lines=$all
      holds "csv after $after s: $name" cmp -s <(head -n "$lines" "part.$name.csv") <(head -n "$lines" "whole.$name.csv")
    done
  fi
  holds "csv after $after s: no half snapshot" test ! -e part.snapshot
done
holds "csv: frames outlive a kill" test "$most" -gt 10

if [[ $has_h5 != 0 ]]; then
  "$rigor" run pile.json --time 12 -q -o whole.h5 --record contacts,forces
  table whole.h5 >whole.table
  most=0
  for ((i = 0; i < tries; i++)); do
    after=$(awk -v a="$(moment)" -v i="$i" 'BEGIN { print a + (i + 1) % 3 }') # some behind flushes of a second
    rm -f part*
    killed_after "$after" "$rigor" run pile.json --time 1e5 -q -o part.h5 --record contacts,forces
    [[ -e part.h5 ]] || { pass; continue; }
    if table part.h5 >part.table; then
      beginning "h5 after $after s" part.table whole.table
      rows=$(wc -l <part.table)
      [[ $rows -le $most ]] || most=$rows
    else
      has "h5 after $after s: cannot be read only before its scene is in it" "$(<.err)" "comes without its scene"
    fi
  done
  holds "h5: frames outlive a kill" test "$most" -gt 10
else
  skip "this build has no HDF5"
fi

# Files that are replaced: the old one or the whole new one.

# replaced WHAT FILE WHOLE COMMAND...: FILE is there when the command, which replaces it, is killed within
# the time that it takes; then it is as it was, or WHOLE (a function of the file) holds.
replaced() {
  local what=$1 file=$2 whole=$3 start end after
  shift 3
  cp "$file" old.file
  start=$(date +%s%N)
  "$@" >/dev/null 2>&1
  end=$(date +%s%N)
  holds "$what: undisturbed" "$whole" "$file"
  for ((i = 0; i < tries; i++)); do
    cp old.file "$file"
    after=$(awk -v n=$((end - start)) -v r=$RANDOM 'BEGIN { printf "%.4f", n / 1e9 * r / 32768 }')
    killed_after "$after" "$@"
    if cmp -s "$file" old.file || "$whole" "$file"; then pass; else flunk "$what after $after s is half" "$(tail -c 300 "$file")"; fi
  done
}
is_page() { [[ $(tail -c 20 "$1") == *"</html>"* ]]; }
is_picture() { [[ $(tail -c 20 "$1") == *"</svg>"* ]]; }
is_new_page() { cmp -s "$1" new.html; }
is_new_snapshot() { cmp -s "$1" new.snapshot; }
is_solved() { "$rigor" solve "$1" -q >/dev/null 2>&1 && ! cmp -s "$1" old.file; }

"$rigor" run pile.json --time 0.5 -q --dump-problems problems
"$rigor" view whole.csv --page empty.html -o new.html
"$rigor" run pile.json --time 0.1 -q --save new.snapshot
for name in view.html profile.svg state.snapshot compare.html reproduce.html; do echo old >"$name"; done
replaced view view.html is_new_page "$rigor" view whole.csv --page empty.html -o view.html
replaced "solve --profile" profile.svg is_picture "$rigor" solve problems/* --profile profile.svg
holds "problems that were solved are as they were" "$rigor" solve problems/step-0040* -q
replaced "run --save" state.snapshot is_new_snapshot "$rigor" run pile.json --time 0.1 -q --save state.snapshot
replaced "compare --html" compare.html is_page "$rigor" compare pile.json --time 0.3 --solvers nsgs,auto --html compare.html
replaced "reproduce --html" reproduce.html is_page "$rigor" reproduce pendulum-drift --html reproduce.html
if [[ $has_h5 != 0 ]]; then
  "$rigor" run pile.json --time 0.5 -q --dump-problems fclib --format fclib
  problem=$(find fclib -name 'step-*' | sort | tail -n 1)
  replaced "solve --write-solution" "$problem" is_solved "$rigor" solve "$problem" -q --write-solution
fi

# Problems that a killed run has written are whole or not there.
for ((i = 0; i < tries; i++)); do
  rm -rf dumped
  killed_after "$(moment)" "$rigor" run pile.json -q --dump-problems dumped --format fclib
  last=$(find dumped -name 'step-*' ! -name '*.part' 2>/dev/null | sort | tail -n 1)
  if [[ $last ]]; then holds "a dumped problem is whole" "$rigor" solve "$last" -q; else pass; fi
done

finish
