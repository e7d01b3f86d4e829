#!/usr/bin/env bash
# rigor run --accuracy: error bars, what is told, snapshots, refusals.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# A ball that bounces on a floor: where it is after 1 s is known.
cat >bounce.json <<'JSON'
{"rigor": 1, "time": 1, "preset": "reference", "options": {"step": 0.01},
 "materials": [{"name": "rubber", "mu": 0, "restitution": 0.7}],
 "bodies": [
  {"name": "floor", "kind": "static", "shapes": [{"shape": "halfspace", "material": "rubber"}]},
  {"name": "ball", "position": [0, 0, 0.6], "shapes": [{"shape": "sphere", "radius": 0.1, "material": "rubber"}]}]}
JSON

call run bounce.json --accuracy 1e-3 --json -o run.csv
is "held: exit code" "$code" 0
is "holds" "$(member holds)" true
state=$(member state)
is "the first line has the error" "$(head -n 1 run.csv | tr ',' '\n' | tail -n 1)" error
is "as many frames as steps of the options" "$(grep -c ',ball,' run.csv)" 101
holds "every error bar of the ball is at most 1 mm and never falls" \
  awk -F, '$4 == "ball" { if ($NF > 1e-3 || $NF < last) exit 1; last = $NF } END { exit last > 0 ? 0 : 1 }' run.csv
# Two flights from 0.5 m with e = 0.7: t1 = sqrt(2 H / g), then 0.7 of the speed.
holds "the last height is within its error bar of the closed form" \
  awk -F, '$4 == "ball" { z = $7; e = $NF } END {
    g = 9.81; v = sqrt(2 * g * 0.5); t = 1 - v / g; v *= 0.7
    while (t > 2 * v / g) { t -= 2 * v / g; v *= 0.7 }
    d = z - 0.1 - v * t + g * t * t / 2; exit (d < 0 ? -d : d) <= e ? 0 : 1 }' run.csv

call run bounce.json --accuracy 1e-3 --json --threads 3
is "the same bits with three threads" "$(member state)" "$state"

sed 's/"step": 0.01/"step": 0.01, "accuracy": 1e-3/' bounce.json >asks.json
call run asks.json --json
is "a scene can ask for it" "$(member state)" "$state"

call run bounce.json --accuracy 1e-3
has "the summary tells the accuracy" "$out" "Positions are within 1 mm"
call run bounce.json --accuracy 1e-12 --effort 20
is "not held: exit code" "$code" 1
has "not held: said" "$out" "is NOT held after t ="

"$rigor" run bounce.json --accuracy 1e-3 --time 0.5 --quiet --save half.snapshot
call run bounce.json --accuracy 1e-3 --json --load half.snapshot
is "a run in two parts is that in one" "$(member state)" "$state"
call run bounce.json --load half.snapshot
is "without the accuracy: exit code" "$code" 2
has "without the accuracy: message" "$err" "half.snapshot: the snapshot is of a run with --accuracy; give the same one"
call run bounce.json --accuracy 2e-3 --load half.snapshot
is "with another: exit code" "$code" 2
has "with another: message" "$err" "half.snapshot: the snapshot is damaged, or of a run with another accuracy"
"$rigor" run bounce.json --time 0.5 --quiet --save plain.snapshot
call run bounce.json --accuracy 1e-3 --json --load plain.snapshot
is "from a state of a run without: exit code" "$code" 0

call run bounce.json --accuracy -1
is "negative: exit code" "$code" 2
call run bounce.json --accuracy 1e-3 --effort 2
is "no effort: exit code" "$code" 2
finish
