#!/usr/bin/env bash
# A disk that is full after any number of bytes, by a limit on the size of files: the command says so
# and ends with 2 or 3, never by a signal; what is on the disk can be read and is right.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_pile pile.json
printf '<html><script id="rigor-given" type="application/json">null</script></html>\n' >empty.html
has_h5=$("$rigor" list formats | grep -c '\.h5' || true)

limited() { # BLOCKS ARGUMENT...: with files of at most so many KiB
  local blocks=$1
  shift
  # Through a pipe: the limit holds for every file.
  err=$(ulimit -f "$blocks" && exec "$rigor" "$@" 2>&1 >/dev/null </dev/null)
  code=$?
}
ended() { # WHAT
  holds "$1: exit code $code" test "$code" = 3 -o "$code" = 2
  has "$1: message" "$err" "File too large"
  is "$1: nothing is left beside" "$(find . -name '*.part')" ""
}

"$rigor" run pile.json -q -o whole.csv --save whole.snapshot
sizes=(0 1 2 3 4 5 7 8 9 12 16 17 31 64 65 100 200)
for blocks in "${sizes[@]}"; do
  rm -f part*
  limited "$blocks" run pile.json -q -o part.csv
  ended "csv, $blocks KiB"
  if [[ -e part.csv ]]; then
    rows=$(wc -l <part.csv)
    is "csv, $blocks KiB: whole frames" $(((rows - 1) % 9)) 0
    same "csv, $blocks KiB: what was recorded" part.csv <(head -n "$rows" whole.csv)
  fi
done

# With tables: each file has whole frames of its own.
"$rigor" run pile.json -q -o whole.csv --record contacts,joints,forces
for blocks in 1 3 9 31 100 300; do
  rm -f part*
  limited "$blocks" run pile.json -q -o part.csv --record contacts,joints,forces
  ended "tables, $blocks KiB"
  for table in contacts forces; do
    [[ -e part.$table.csv ]] || continue
    rows=$(wc -l <"part.$table.csv")
    same "$table, $blocks KiB: what was recorded" "part.$table.csv" <(head -n "$rows" "whole.$table.csv")
    last=$(tail -n 1 "part.$table.csv" | cut -d, -f2) # and all of its last step
    is "$table, $blocks KiB: whole frames" "$(grep -c "^[^,]*,$last," "part.$table.csv")" "$(grep -c "^[^,]*,$last," "whole.$table.csv")"
  done
done

for blocks in 0 1 2 3; do
  echo old >state.snapshot
  limited "$blocks" run pile.json --time 0.5 -q --save state.snapshot
  ended "snapshot, $blocks KiB"
  is "snapshot, $blocks KiB: the old one stays" "$(<state.snapshot)" old
  limited "$blocks" run pile.json -q --dump-problems "dump-$blocks"
  ended "problems, $blocks KiB"
  for file in "dump-$blocks"/*; do
    [[ ! -e $file ]] || holds "problems, $blocks KiB: $file is whole" "$rigor" solve "$file" -q
  done
done

if [[ $has_h5 != 0 ]]; then
  for blocks in 0 1 4 8 16 19 20 24 32 48 64 100 128 200 256 300 400; do
    rm -f part*
    limited "$blocks" run pile.json -q -o part.h5 --record contacts,joints,forces
    ended "h5, $blocks KiB"
    if [[ -e part.h5 ]]; then
      call view pile.json --run part.h5 --page empty.html -o shown.html
      is "h5, $blocks KiB: it can be read" "$err" ""
    fi
    rm -rf dumped
    limited "$blocks" run pile.json -q --dump-problems dumped --format fclib
    holds "fclib, $blocks KiB: exit code $code" test "$code" -le 3
    for file in $(find dumped -type f | head -n 3); do
      holds "fclib, $blocks KiB: $file is whole" "$rigor" solve "$file" -q
    done
  done
else
  skip "this build has no HDF5"
fi

finish
