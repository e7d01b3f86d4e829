#!/usr/bin/env bash
# `rigor check`: errors with their place, remarks, exit codes; and `run` refuses what `check` refuses.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_ball ball.json
call check ball.json
is "a sound scene: exit code" "$code" 0
is "a sound scene: stdout" "$out" "ball.json: nothing wrong, nothing suspicious"
is "a sound scene: stderr" "$err" ""
call check ball.json --strict
is "a sound scene, strictly" "$code" 0
call check ball.json --json
is "a sound scene, JSON: valid" "$(member valid)" true
is "a sound scene, JSON: error" "$(member error)" null

sed 's/\[0, 0, 1\]/[0, 0, 0.5]/' ball.json >deep.json
call check deep.json
is "an overlap is remarked: exit code" "$code" 0
has "an overlap is remarked: the text" "$out" "deep.json: remark: "
has "an overlap is remarked: the end" "$out" "nothing wrong, 1 remark"
call check deep.json --strict
is "an overlap, strictly" "$code" 1
call check deep.json --json
is "an overlap, JSON: valid" "$(member valid)" true
has "an overlap, JSON: place" "$out" '"place": "'

sed 's/"radius": 1/"radius": -1/' ball.json >negative.json
call check negative.json
is "a negative radius: exit code" "$code" 2
is "a negative radius: stdout" "$out" ""
message=$err
holds "a negative radius: place" grep -Eq '^negative\.json:[0-9]+:[0-9]+: .*radius' <<<"$message"
call run negative.json
is "run refuses what check refuses: exit code" "$code" 2
is "run refuses what check refuses: message" "$err" "$message"
call check negative.json --json
is "a negative radius, JSON: exit code" "$code" 2
is "a negative radius, JSON: valid" "$(member valid)" false
holds "a negative radius, JSON: line" test "$(member line)" -gt 0
holds "a negative radius, JSON: column" test "$(member column)" -gt 0

# Mass by integration is named with its error (tests/unit/test_intersection.c: that it holds), closed forms are not.
cat >lens.json <<'JSON'
{"rigor": 1, "bodies": [{"name": "floor", "kind": "static", "shapes": [{"shape": "halfspace"}]},
  {"name": "ball", "position": [3, 0, 1], "shapes": [{"shape": "sphere", "radius": 0.5}]},
  {"name": "lens", "position": [0, 0, 1], "shapes": [{"shape": "intersection", "members": [
    {"shape": "sphere", "radius": 0.5, "position": [0, 0, -0.3]}, {"shape": "sphere", "radius": 0.5, "position": [0, 0, 0.3]}]}]}]}
JSON
call check lens.json --strict
is "mass by integration is no remark" "$code" 0
has "mass by integration: place" "$out" "lens.json: bodies[2]: mass, centre and inertia come from an integration"
is "mass by integration: one line" "$(grep -c integration <<<"$out")" 1
call check lens.json --json
error=$(grep -A3 '"integrated"' <<<"$out" | awk '/"relative_error"/ { print $2 + 0 }')
holds "mass by integration, JSON: $error" awk -v e="$error" 'BEGIN { exit !(e > 0 && e < 1e-3) }'

sed 's/"radius"/"raduis"/' ball.json >key.json
call check key.json
is "an unknown key: exit code" "$code" 2
has "an unknown key: suggestion" "$err" "radius"
call check none.json
is "no such file: exit code" "$code" 2
has "no such file: message" "$err" "none.json"
call check .
is "a folder: exit code" "$code" 2
: >empty.json
call check empty.json
is "an empty file: exit code" "$code" 2

finish
