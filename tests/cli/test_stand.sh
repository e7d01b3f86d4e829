#!/usr/bin/env bash
# `rigor stand`: verdicts, margins and proofs. Limits in closed form are in tests/checker/stand.py.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# A column of N cubes on a plane: tipping begins at a tilt of atan(1/N), sliding at mu.
write_column() { # FILE COUNT MU [FORCE]
  local forces=""
  [[ $# -lt 4 ]] || forces=", \"forces\": [{ \"body\": \"cube\", \"force\": [$4, 0, 0] }]"
  cat >"$1" <<END
{
  "rigor": 1, "materials": [{ "name": "default", "mu": $3 }],
  "bodies": [
    { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
    { "name": "cube", "position": [0, 0, 0.5], "shapes": [{ "shape": "box", "half": [0.5, 0.5, 0.5], "density": 1 }],
      "repeat": { "count": [1, 1, $2], "spacing": [0, 0, 1] } }
  ]$forces
}
END
}
# margin KEY SIDE: a number of the JSON of the last call.
margin() { sed -n "/\"$1\": {/,/}/p" <<<"$out" | sed -n "s/^ *\"$2\": \([-0-9.e+]*\).*/\1/p"; }
near() { # WHAT VALUE EXPECTED
  holds "$1: $2 is near $3" awk -v a="$2" -v b="$3" 'BEGIN { d = a / b - 1; exit !(d < 1e-3 && d > -1e-3) }'
}

for count in 2 5; do
  write_column column.json $count 0.9
  call stand column.json --json
  is "column of $count: exit code" "$code" 0
  is "column of $count: verdict" "$(member verdict)" '"stands"'
  near "column of $count: tips at" "$(margin shaking stands)" "$(awk -v n=$count 'BEGIN { print 9.81 / n }')"
  is "column of $count: no friction needed" "$(margin friction stands)" 0
done
write_column column.json 5 0.1
call stand column.json --json
near "slides first" "$(margin shaking stands)" 0.981
near "slides first" "$(margin shaking falls)" 0.981

# A force of 2 N on one cube of 9.81 N with mu 0.5 could be 2.4525 times as large; it needs 0.40775 of mu.
write_column pushed.json 1 0.5 2
call stand pushed.json --json
near "pushed: factor on the force" "$(margin forces stands)" 2.4525
near "pushed: friction" "$(margin friction stands)" 0.40775
write_column pushed.json 1 0.5 6
call stand pushed.json
is "pushed too much: exit code" "$code" 1
has "pushed too much: said" "$out" "falls"
write_column pushed.json 1 0.5 4.95
call stand pushed.json --json --quick
is "slides: exit code" "$code" 1
is "slides: verdict" "$(member verdict)" '"falls"'
lacks "--quick: no margins" "$out" '"friction"'

# What touches nothing, what moves in the scene, what is not asked.
cat >air.json <<END
{ "rigor": 1, "bodies": [{ "name": "kite", "velocity": [1, 0, 0], "shapes": [{ "shape": "sphere", "radius": 1 }] }] }
END
call stand air.json
is "in the air: exit code" "$code" 1
has "in the air: named" "$out" "'kite' touches nothing"
has "velocities are left out" "$out" "velocities of 1 body in the scene are left out"
refused "nothing to prove" "rigor stand: no bodies touch each other: there is nothing to write for --problem and --proof" \
  stand air.json --proof proof.json
cat >belt.json <<END
{ "rigor": 1, "bodies": [{ "name": "belt", "kind": "kinematic", "velocity": [1, 0, 0], "shapes": [{ "shape": "sphere", "radius": 1 }] }] }
END
refused "kinematic" "belt.json: body 'belt' is kinematic; whether an assembly stands is a question about static and dynamic bodies" stand belt.json
refused "no scene" "rigor stand: SCENE is missing; usage: rigor stand SCENE [OPTIONS]" stand
write_column column.json 2 0.5
cp column.json kept.json
call stand column.json --problem column.json
is "a scene is not overwritten: exit code" "$code" 2
holds "a scene is not overwritten" cmp -s column.json kept.json
call stand column.json --problem same.json --proof same.json
is "one file for two: exit code" "$code" 2

# A gap below --touching is none, one above it is.
sed 's/"spacing": \[0, 0, 1\]/"spacing": [0, 0, 1.00001]/' kept.json >gap.json
call stand gap.json --quick
is "a gap of 10 um: exit code" "$code" 1
call stand gap.json --quick --touching 2e-5
is "a gap of 10 um that touches: exit code" "$code" 0

call stand "$root/scenes/arch.json" --problem p.json --proof f.json
is "arch: exit code" "$code" 0
has "arch: margin of friction" "$out" "enough with 0.438"
has "the proof has forces" "$(<f.json)" '"r": ['
call solve p.json --solver newton
is "the problem is one" "$code" 0

finish
