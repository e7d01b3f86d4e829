#!/usr/bin/env bash
# Files that cannot be written: said at once where possible, and never taken for success.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_ball ball.json

call run ball.json -o none/x.csv
is "no such folder: exit code" "$code" 2
has "no such folder: message" "$err" "none/x.csv"
call run ball.json -o x.xyz
is "unknown ending: exit code" "$code" 2
has "unknown ending: what would be right" "$err" ".csv"

if [[ -w /dev/full ]]; then
  ln -s /dev/full full.csv
  call run ball.json --time 1 -o full.csv
  is "a full disk at the start: exit code" "$code" 2
  has "a full disk at the start: message" "$err" "full.csv: No space left on device"

  "$rigor" run ball.json --time 0.1 --json 2>err >/dev/full
  is "a full disk for the summary: exit code" "$?" 3
  has "a full disk for the summary: message" "$(<err)" "rigor: standard output cannot be written"
  "$rigor" list options 2>err >/dev/full
  is "a full disk for a list: exit code" "$?" 3
else
  skip "there is no /dev/full here"
fi

# A disk that fills up on the way: files may not grow beyond 8 blocks.
(
  trap '' XFSZ
  ulimit -f 8
  exec "$rigor" run ball.json --time 100 -o long.csv --save after.snapshot --json >long.json 2>err
)
is "a disk that fills up: exit code" "$?" 3
has "a disk that fills up: message" "$(<err)" "long.csv: File too large"
out=$(<long.json)
is "a disk that fills up: outcome" "$(member outcome)" '"failed"'
has "a disk that fills up: reason" "$(member reason)" "File too large"
is "a disk that fills up: the snapshot is there" "$(member snapshot)" '"after.snapshot"'
steps=$(member steps)
call run ball.json --load after.snapshot --time 0.1 --json
is "a disk that fills up: the run can go on" "$code" 0
is "a disk that fills up: from where it stood" "$(awk -v a="$(member time_start)" -v n="$steps" 'BEGIN { printf "%.0f", a * 240 - n }')" 0
out=$(<long.json)
holds "a disk that fills up: steps were made" test "$(member steps)" -gt 0
holds "a disk that fills up: not all of them" test "$(member steps)" -lt "$(member steps_planned)"

finish
