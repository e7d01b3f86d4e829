#!/usr/bin/env bash
# Snapshots: to stop and go on gives the same bits as never to stop.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_pile pile.json

call run pile.json --time 2 --json -o whole.csv
whole=$(member state)
call run pile.json --time 1 --quiet --save half.snapshot
is "save: exit code" "$code" 0
holds "the snapshot is there" test -s half.snapshot
holds "nothing else is left behind" test -z "$(find . -name '*.part')"

call run pile.json --time 1 --json --load half.snapshot -o second.csv
is "load: exit code" "$code" 0
is "the state after 1 s + 1 s is that after 2 s" "$(member state)" "$whole"
is "the steps of the second half are counted alone" "$(member steps)" 100
is "the last rows are the same" "$(tail -n 9 second.csv)" "$(tail -n 9 whole.csv)"
call run pile.json --json --load half.snapshot
is "without --time a run goes on to the end that the scene names" "$(member steps)" 100
is "with the same state" "$(member state)" "$whole"

"$rigor" run pile.json --quiet --save end.snapshot
call run pile.json --json --load end.snapshot
is "at the end of the scene there is nothing left to do" "$code $(member steps)" "0 0"

# In steps of another number of threads, and saved again on the way.
"$rigor" run pile.json --time 0.3 --quiet --load half.snapshot --save half.snapshot --threads 2
call run pile.json --time 0.7 --json --load half.snapshot
is "the state after 1 s + 0.3 s + 0.7 s is that after 2 s" "$(member state)" "$whole"

# --- what is refused -------------------------------------------------------------------------------
"$rigor" run pile.json --quiet --time 2.5 --save late.snapshot
call run pile.json --load late.snapshot
is "past the end of the scene: exit code" "$code" 2
has "past the end of the scene" "$err" "after the scene's end at 2 s; say how long with --time"

head -c 100 half.snapshot >cut.snapshot
call run pile.json --load cut.snapshot
is "a cut snapshot: exit code" "$code" 2
has "a cut snapshot: message" "$err" "rigor run: cut.snapshot: "
refused "no snapshot" "rigor run: none.snapshot: the snapshot cannot be read: No such file or directory" run pile.json --load none.snapshot
call run pile.json --load .
is "a folder for a snapshot: exit code" "$code" 2
write_ball ball.json
call run ball.json --load half.snapshot
is "a snapshot of another scene: exit code" "$code" 2
has "a snapshot of another scene: message" "$err" "rigor run: half.snapshot: "
refused "saving over the scene" "rigor run: --save ./pile.json would overwrite the scene pile.json; name another file" run pile.json --save ./pile.json
refused "saving where nothing can be" "rigor run: cannot write none/x: No such file or directory" run pile.json --save none/x
call run pile.json --time 0.1 --save same.csv -o same.csv
is "one file for two things: exit code" "$code" 2

# A refused run leaves an old snapshot alone.
cp half.snapshot kept.snapshot
call run pile.json --time 0.1 --save kept.snapshot -o none/x.csv
is "output that cannot be opened: exit code" "$code" 2
same "the old snapshot is still there" kept.snapshot half.snapshot
holds "nothing else is left behind" test -z "$(find . -name '*.part')"

finish
