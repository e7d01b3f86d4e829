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

# How forces are shared: four legs on a floor without friction have a sum that is unique and parts that are not,
# each between nothing and half of the weight; three are all unique.
write_table() { # FILE LEGS...: a plate of 10 kg on balls
  local file=$1 legs="" leg
  shift
  for leg in "$@"; do legs+=", { \"shape\": \"sphere\", \"radius\": 0.05, \"position\": [$leg, -0.5] }"; done
  cat >"$file" <<END
{
  "rigor": 1, "materials": [{ "name": "default", "mu": 0 }],
  "bodies": [
    { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
    { "name": "table", "mass": 10, "center": [0, 0, 0], "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
      "position": [0, 0, 0.55], "shapes": [${legs#, }] }
  ]
}
END
}
# numbers KEY: all numbers of this name in the JSON of the last call, rounded, one after the other.
numbers() { sed -n "s/^ *\"$1\": \([-0-9.e+truefals]*\),*\$/\1/p" <<<"$out" | awk '/^[tf]/ { printf "%s ", $1; next } { printf "%.4f ", $1 }'; }
write_table four.json "0.5, 0.5" "-0.5, 0.5" "0.5, -0.5" "-0.5, -0.5"
call stand four.json --quick --ranges --json
is "four legs: normal forces of the pair and of the legs" "$(numbers normal_force)" "98.1000 24.5250 24.5250 24.5250 24.5250 "
is "four legs: which are unique" "$(numbers unique_normal)" "true false false false false "
is "four legs: dimensions" "$(member dimensions)" 1
is "four legs: ranges" "$(sed -n 's/^ *"range": \[\(.*\)\],\{0,1\}$/\1/p' <<<"$out" | tr -d ',' | xargs printf '%.4f ')" \
  "98.1000 98.1000 0.0000 49.0500 0.0000 49.0500 0.0000 49.0500 0.0000 49.0500 "
call stand four.json --forces
has "four legs: said" "$out" "unique at 0 of 4 contacts (normal forces at 0), between 1 of 1 pairs"
has "four legs: the pair" "$out" "98.1  unique"
write_table three.json "0.5, 0" "-0.25, 0.4" "-0.25, -0.4"
call stand three.json --quick --json --forces
is "three legs: which are unique" "$(numbers unique_normal)" "true true true true "
is "three legs: dimensions" "$(member dimensions)" 0
call stand three.json
has "three legs: said" "$out" "all are unique"
lacks "--quick alone: no forces" "$("$rigor" stand three.json --quick --json)" '"distribution"'

# The picture, where it stands and where it falls.
call stand four.json --quick -o four.svg
is "picture: exit code" "$code" 0
is "picture: one arrow, on its rim" "$(grep -c 'stroke="#14532d"' four.svg)" 1
write_table two.json "0.5, 0.5" "-0.5, 0.5"
call stand two.json -o two.html
is "picture of a fall: exit code" "$code" 1
has "picture of a fall: the motion is drawn" "$(<two.html)" 'stroke-dasharray='
has "picture of a fall: the verdict" "$(<two.html)" "Falls: a motion opens every contact"
call stand two.json --quick --json
has "the motion as JSON" "$out" '"motion": ['
call stand "$root/scenes/arch.json" --quick -o arch.html
page_alone arch.html
has "page: which forces are unique" "$(<arch.html)" "one of many"
if command -v xmllint >/dev/null; then holds "the picture is well-formed" xmllint --noout four.svg; fi
refused "quick and margins" "rigor stand: --quick leaves margins out, and --margins asks for them; give one of the two" \
  stand four.json --quick --margins
refused "ending" "rigor stand: --output four.png: the ending must be .svg or .html" stand four.json -o four.png
cp four.json kept.json
call stand four.json -o four.json
is "a scene is not a picture" "$code" 2
cp four.json page.html
call stand page.html -o page.html
is "a scene is not overwritten by its page: exit code" "$code" 2
same "a scene is not overwritten by its page" page.html kept.json

call stand "$root/scenes/arch.json" --problem p.json --proof f.json
is "arch: exit code" "$code" 0
has "arch: margin of friction" "$out" "enough with 0.438"
has "the proof has forces" "$(<f.json)" '"r": ['
call solve p.json --solver newton
is "the problem is one" "$code" 0

finish
