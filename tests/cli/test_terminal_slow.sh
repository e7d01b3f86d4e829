#!/usr/bin/env bash
# On a terminal there is a progress bar and restrained colour; elsewhere, and where it is not wanted,
# there is neither.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if ! command -v script >/dev/null; then
  skip "the command script is missing"
  finish
fi
write_pile pile.json
export TERM=xterm LC_ALL=C

terminal() { # COMMAND LINE: what it writes to a terminal
  script -qec "$1" /dev/null </dev/null
}

seen=$(terminal "'$rigor' run pile.json --time 1")
has "a bar" "$seen" "........"
has "percent" "$seen" " % "
has "real time" "$seen" "real time"
has "contacts" "$seen" "contacts"
has "residual" "$seen" "residual"
has "the time that is left" "$seen" "ETA "
has "the line is cleared at the end" "$seen" $'\r\033[K'
has "colour" "$seen" $'\033[1m'

seen=$(terminal "NO_COLOR=1 '$rigor' run pile.json --time 1")
lacks "no colour when it is not wanted" "$seen" $'\033[1m'
lacks "no colour in the bar when it is not wanted" "$seen" $'\033[32m'
seen=$(terminal "TERM=dumb '$rigor' run pile.json --time 1")
lacks "no escape sequences on a dumb terminal" "$seen" $'\033'
seen=$(terminal "'$rigor' run pile.json --time 1 --quiet")
is "nothing at all with --quiet" "$seen" ""
seen=$(terminal "'$rigor' run pile.json --time 1 2>/dev/null")
lacks "no bar when stderr is not the terminal" "$seen" "ETA"
seen=$(terminal "'$rigor' run pile.json --time 1 --json >out.json")
has "a bar beside JSON in a file" "$seen" "ETA"
lacks "no escape sequences in the file" "$(<out.json)" $'\033'

# At most ten drawings a second, and one at least.
start=$EPOCHREALTIME
seen=$(terminal "'$rigor' run pile.json --time 5")
count=$(grep -o 'ETA' <<<"$seen" | wc -l)
most=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print int(10 * (b - a)) + 2 }')
holds "drawn at least once" test "$count" -ge 1
holds "drawn at most ten times a second" test "$count" -le "$most"

# An ensemble shows runs done, their rate, and an interval that narrows.
cat >ball.json <<'END'
{ "rigor": 1, "time": 1, "options": { "step": 0.001 },
  "bodies": [{ "name": "ball", "shapes": [{ "shape": "sphere", "radius": 0.1 }] }] }
END
seen=$(terminal "'$rigor' sweep ball.json --vary 'bodies.ball.velocity.x=normal(1,1)' --report ball.position.x --count 3000 --threads 1" | tr '\r' '\n')
has "ensemble: runs done" "$seen" " of 3000 runs"
holds "ensemble: their rate" grep -Eq '[0-9]+ of 3000 runs  [0-9.e+]+/s  .* left' <<<"$seen"
widths=$(sed -n 's/.*ball.position.x [-0-9.e]* +- \([0-9.e-]*\).*/\1/p' <<<"$seen")
holds "ensemble: the interval narrows: $(xargs <<<"$widths")" awk 'NR == 1 { first = $1 } { last = $1 } END { exit !(NR > 1 && last < first) }' <<<"$widths"
seen=$(terminal "'$rigor' sweep ball.json --vary 'bodies.ball.velocity.x=normal(1,1)' --report ball.position.x --count 3000 --until ball.position.x=0.1 --threads 1")
has "ensemble: what it waits for" "$seen" "(until 0.05)"

finish
