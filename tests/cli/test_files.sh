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
  is "a full disk: exit code" "$code" 3
  has "a full disk: message" "$err" "rigor run: full.csv"
  call run ball.json --time 1 -o full.csv --json
  is "a full disk, JSON: outcome" "$(member outcome)" '"failed"'

  "$rigor" run ball.json --time 0.1 --json 2>err >/dev/full
  is "a full disk for the summary: exit code" "$?" 3
  has "a full disk for the summary: message" "$(<err)" "rigor: standard output cannot be written"
  "$rigor" list options 2>err >/dev/full
  is "a full disk for a list: exit code" "$?" 3
else
  skip "there is no /dev/full here"
fi

finish
