#!/usr/bin/env bash
# Ctrl-C in the middle of a run: the step in hand is finished, the files are complete, and the run can
# go on from its snapshot as if nothing had happened.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_pile pile.json

# wait_for_rows COUNT: until the trajectory of $process has that many; not for ever.
wait_for_rows() {
  for ((i = 0; i < 600; i++)); do
    [[ -s run.csv && $(wc -l <run.csv) -gt $1 ]] && return
    kill -0 "$process" 2>/dev/null || return
    sleep 0.1
  done
}

interrupted() { # SIGNAL
  local signal=$1 code rows columns steps total
  rm -f run.csv
  # Background jobs of a script ignore SIGINT unless told otherwise.
  env --default-signal="$signal" "$rigor" run pile.json --time 1e5 --json -o run.csv --save run.snapshot \
    >run.json 2>run.err &
  process=$!
  wait_for_rows 1000
  kill -s "$signal" "$process"
  wait "$process"
  code=$?
  is "$signal: exit code" "$code" 130
  out=$(<run.json)
  is "$signal: outcome" "$(member outcome)" '"interrupted"'
  is "$signal: stderr" "$(<run.err)" ""

  # The table is whole: every row has the columns of the header, every frame has all nine bodies.
  columns=$(awk -F, 'NR == 1 { n = NF } NF != n { ++bad } END { print bad + 0 }' run.csv)
  is "$signal: rows that are not whole" "$columns" 0
  is "$signal: the last line has an end" "$(tail -c 1 run.csv | od -An -c | tr -d ' ')" '\n'
  rows=$(($(wc -l <run.csv) - 1))
  is "$signal: rows are whole frames" $((rows % 9)) 0
  is "$signal: frames counted" "$(member frames)" $((rows / 9))
  steps=$(member steps)
  is "$signal: every step and the start are there" "$((rows / 9))" "$((steps + 1))"

  # Some more steps from the snapshot end where a run that was never interrupted ends.
  total=$(awk -v n="$steps" 'BEGIN { printf "%.2f", (n + 20) * 0.01 }')
  call run pile.json --time 0.2 --json --load run.snapshot
  more=$(member state)
  call run pile.json --time "$total" --json
  is "$signal: gone on from the snapshot" "$more" "$(member state)"
}

interrupted INT
interrupted TERM

# A step that takes for ever: the first signal waits for it, the second gives it up. The files are
# closed, and the state is that before the step.
cat >endless.json <<'END'
{"rigor": 1, "time": 10, "options": {"solver": "nsgs", "tolerance": 1e-30, "iteration_limit": 2000000000},
 "bodies": [{"name": "ground", "kind": "static", "shapes": [{"shape": "halfspace"}]},
  {"name": "b", "position": [0, 0, 0.5], "repeat": {"count": [3, 3, 8], "spacing": [1.01, 1.01, 1]},
   "shapes": [{"shape": "box", "half": [0.5, 0.5, 0.5]}]}]}
END
for arguments in "run endless.json -o endless.csv --save endless.snapshot --json" "compare endless.json --json"; do
  # shellcheck disable=SC2086
  env --default-signal=TERM "$rigor" $arguments >endless.out 2>endless.err &
  process=$!
  sleep 1
  kill -s TERM "$process"
  sleep 1
  holds "${arguments%% *}: the step in hand goes on after the first signal" kill -0 "$process"
  kill -s TERM "$process"
  for ((i = 0; i < 300; i++)); do
    kill -0 "$process" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "$process" 2>/dev/null && flunk "${arguments%% *}: the second signal gives up the step"
  wait "$process"
  is "${arguments%% *}: exit code after the second signal" "$?" 130
done
is "a step given up: the start is recorded" "$(wc -l <endless.csv)" 74
call run endless.json --load endless.snapshot --time 0 --json
is "a step given up: the state is that of the start" "$(member steps)$(member time_end)" 00

# What the caller has told to be ignored stays ignored, as under nohup.
rm -f run.csv
env --default-signal=TERM --ignore-signal=HUP "$rigor" run pile.json --time 1e5 --quiet -o run.csv &
process=$!
wait_for_rows 100
kill -s HUP "$process"
wait_for_rows "$(($(wc -l <run.csv) + 1000))"
kill -s TERM "$process"
wait "$process"
is "an ignored signal is ignored" "$?" 130

finish
