#!/usr/bin/env bash
# rigor choose: the table, the choice, the scene that it writes, refusals.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# A ball that is thrown along the floor: it slips, then rolls.
cat >skid.json <<'JSON'
{"rigor": 1, "time": 0.5,
 "materials": [{"name": "default", "mu": 0.2}],
 "bodies": [
  {"name": "floor", "kind": "static", "shapes": [{"shape": "halfspace"}]},
  {"name": "ball", "position": [0, 0, 0.1], "velocity": [2, 1, 0], "shapes": [{"shape": "sphere", "radius": 0.1}]}]}
JSON

call choose skid.json --accuracy 2e-3 --json -o chosen.json
is "exit code" "$code" 0
is "the reference is known to a fifth of the accuracy" \
  "$(awk -v e="$(member reference_error)" 'BEGIN { print (e > 0 && e <= 4e-4) }')" 1
for stepper in theta implicit-geometry stewart-trinkle anitescu-potra; do
  has "tries $stepper" "$out" "\"stepper\": \"$stepper\""
done
has "tries polytopes" "$out" '"geometry_facets": 200'
has "tries cones" "$out" '"cone": "outer"'
has "tries solvers" "$out" '"solver": "newton"'
flags=$(member flags)
flags=${flags//\"/}

# The choice holds: a run with it ends within the accuracy of the closed form. The slip ends at
# 2 v / (7 mu g), and with it 5/7 of the speed is left.
closed_form='$4 == "ball" { x = $5; y = $6 } END {
  v = sqrt(5); a = 0.2 * 9.81; t1 = 2 * v / (7 * a); s = v * t1 - a * t1 * t1 / 2 + 5 / 7 * v * (0.5 - t1)
  d = sqrt((x - s * 2 / v)^2 + (y - s / v)^2); exit d <= 2e-3 ? 0 : 1 }'
# shellcheck disable=SC2086
"$rigor" run skid.json $flags --time 0.5 --quiet -o chosen.csv
holds "the chosen options hold the accuracy" awk -F, "$closed_form" chosen.csv
"$rigor" run chosen.json --time 0.5 --quiet -o written.csv
same "the written scene is that run" chosen.csv written.csv

call choose skid.json --accuracy 2e-3
has "the table for people" "$out" "implicit-geometry"
has "the sentence" "$out" "The cheapest that holds 2 mm"
has "the command" "$out" "rigor run skid.json"
call choose skid.json --accuracy 2e-3 --realtime --json
is "in real time: exit code" "$code" 0

call choose skid.json
is "no accuracy: exit code" "$code" 2
has "no accuracy: message" "$err" "which accuracy? Give --accuracy E [m]"
call choose none.json --accuracy 1e-3
is "no scene: exit code" "$code" 2
call choose skid.json --accuracy 1e-14 --effort 8
is "no reference: exit code" "$code" 2
has "no reference: message" "$err" "no reference within"
refused "over the scene" "rigor choose: --output ./skid.json would overwrite the scene skid.json; name another file" \
  choose skid.json --accuracy 1e-3 -o ./skid.json
finish
