#!/usr/bin/env bash
# A scene with many faults: all are told at once, the first ten, each with its place; what only follows from another is not.
# What other programs call a thing is recognized. `-` is the standard input.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >bad.json <<'END'
{ "rigor": 1, "time": 1,
  "bodies": [
    { "name": "a", "posiiton": [0, 0, 1], "shapes": [{ "shape": "box", "size": [1, 1, 1] }] },
    { "name": "b", "mass": -1, "shapes": [{ "shape": "ball", "radius": 1 }] },
    { "name": "c", "mass": 1, "shapes": [{ "shape": "sphere", "radius": "x" }] },
    { "name": "d", "mass": 1, "shapes": [{ "shape": "sphere", "radius": 1 }] }
  ],
  "joints": [
    { "kind": "revolute", "a": "a", "b": "d" },
    { "kind": "hinge", "a": "a", "b": "nobody" }
  ] }
END
expected='bad.json:3:20: bodies[0].posiiton is not a key of a "dynamic" body; did you mean "position"?
bad.json:3:72: bodies[0].shapes[0].size is not a key of a "box" shape; it is called "half" here, which has half of each edge
bad.json:4:28: bodies[1].mass is -1, must be > 0
bad.json:4:54: bodies[1].shapes[0].shape is "ball", which is called "sphere" here
bad.json:5:73: bodies[2].shapes[0].radius is a string, must be a number
bad.json:9:15: joints[0].kind is "revolute", which is called "hinge" here
bad.json:10:39: joints[1].b is "nobody", but there is no body with this name'
for command in check run doctor compare "view -o x.html"; do
  # shellcheck disable=SC2086
  refused "$command: all faults" "$expected" $command bad.json
done
call check bad.json --json
is "check --json: exit code" "$code" 2
is "check --json: all of them" "$(grep -c '"text"' <<<"$out")" 8 # and the first as "error"
is "check --json: lines" "$(sed -n '/"errors"/,$s/.*"line": \([0-9]*\),/\1/p' <<<"$out" | tr '\n' ' ')" "3 3 4 4 5 9 10 "

# Ten are enough, whatever is wrong: n bodies of a negative mass.
for n in 1 2 9 10 11 40; do
  bodies=$(for ((i = 0; i < n; i++)); do printf '%s{"mass": -%d, "shapes": [{"shape": "sphere", "radius": 1}]}\n' "$([[ $i == 0 ]] || echo ,)" $((i + 1)); done)
  printf '{"rigor": 1, "bodies": [\n%s] }' "$bodies" >many.json
  call check many.json
  is "$n faults" "$(wc -l <<<"$err")" $((n < 10 ? n : 10))
  has "$n faults: the first" "$err" "many.json:2:10: bodies[0].mass is -1, must be > 0"
done

# What other programs call our words and keys, each where it belongs: the first word of the message that is not ours.
scene() { # BODY JOINT: a scene with these
  printf '{"rigor": 1, "bodies": [{"name": "g", "kind": "static", "shapes": [{"shape": "halfspace"}]}, {"name": "x", %s}], "joints": [%s]}' "$1" "$2" >alias.json
  call check alias.json
  is "alias: exit code" "$code" 2
}
ball='"shapes": [{"shape": "sphere", "radius": 1}]'
for pair in prismatic:slider weld:fixed spherical:ball continuous:hinge; do
  scene "$ball" "{\"kind\": \"${pair%:*}\", \"b\": \"x\"}"
  has "joint ${pair%:*}" "$err" "joints[0].kind is \"${pair%:*}\", which is called \"${pair#*:}\" here"
done
for pair in cube:box plane:halfspace; do
  scene "\"shapes\": [{\"shape\": \"${pair%:*}\"}]" ""
  has "shape ${pair%:*}" "$err" "is \"${pair%:*}\", which is called \"${pair#*:}\" here"
done
for pair in pos:position quat:orientation linear_velocity:velocity; do
  scene "$ball, \"${pair%:*}\": [0, 0, 1]" ""
  has "key ${pair%:*}" "$err" "it is called \"${pair#*:}\" here"
done
scene '"shapes": [{"shape": "capsule", "radius": 0.1, "length": 1}]' ""
has "a length that is halved" "$err" 'it is called "half_length" here, which is half of it'
scene '"shapes": [{"shape": "sphere", "size": 1}]' ""
lacks "no alias for what the shape does not have" "$err" "half"

# A model of a robot is a model, whatever its name: its own reader tells what is wrong with it.
printf '<robot name="x"><link name="a"><inertia/></link></robot>' >model.json
call check model.json
is "URDF in a .json file: exit code" "$code" 2
has "URDF in a .json file" "$err" "model.json:1:"
lacks "URDF in a .json file is not read as JSON" "$err" "JSON"

# --- standard input --------------------------------------------------------------------------------
write_pile pile.json
"$rigor" run pile.json --json --time 0.3 >file.json
"$rigor" run - --json --time 0.3 <pile.json >redirected.json
cat pile.json | "$rigor" run - --json --time 0.3 >piped.json # a pipe can be read once
for how in redirected piped; do
  is "$how: the same state" "$(grep '"state"' $how.json)" "$(grep '"state"' file.json)"
done
is "check of a pipe" "$(cat pile.json | "$rigor" check -)" "/dev/stdin: nothing wrong, nothing suspicious"
is "faults of a pipe" "$(cat bad.json | "$rigor" check - 2>&1)" "${expected//bad.json//dev/stdin}"
has "doctor of a pipe" "$(cat pile.json | "$rigor" doctor -)" "/dev/stdin:"
is "an empty pipe" "$("$rigor" check - 2>&1 </dev/null)" "$(: >empty; "$rigor" check empty 2>&1 | sed 's,^empty,/dev/stdin,')"

# Vectors of a summary stand on one line.
call run pile.json --json --time 0.05
is "a vector on one line" "$(member gravity)" "[0, 0, -9]"
finish
