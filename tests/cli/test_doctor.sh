#!/usr/bin/env bash
# `rigor doctor`: sick scenes with one fault each, whose kind and place it must name and nothing else; healthy
# scenes, of which it must say nothing; and what the command takes and gives.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ground='{ "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] }'

# scene TOP BODIES: a file of it. TOP are keys of the scene, each with a comma behind it.
scene() { printf '{ "rigor": 1, %s "bodies": [ %s ] }\n' "$1" "$2" >scene.json; }
# box NAME POSITION HALF [MORE]: a body; a half extent is one number or three.
box() {
  local half=$3
  [[ $half == *,* ]] || half="$half, $half, $half"
  printf '{ "name": "%s", "position": [%s], "shapes": [{ "shape": "box", "half": [%s] }] %s }' "$1" "$2" "$half" "${4:-}"
}
ball() { # NAME POSITION RADIUS [MORE]
  printf '{ "name": "%s", "position": [%s], "shapes": [{ "shape": "sphere", "radius": %s }] %s }' "$1" "$2" "$3" "${4:-}"
}
# mesh POINTS TRIANGLES: a static body.
mesh() {
  printf '{ "name": "mesh", "kind": "static", "shapes": [{ "shape": "mesh", "points": [%s], "triangles": [%s] }] }' "$1" "$2"
}

# sick WHAT KIND PLACE [NAME]: findings of scene.json are of this kind alone, and one of them is there.
sick() {
  local kinds
  sick_count=$((sick_count + 1))
  call doctor scene.json --json
  is "sick: $1: exit code" "$code" 1
  kinds=$(sed -n '/"findings": \[/,/^  \]/s/^ *"kind": "\(.*\)",$/\1/p' <<<"$out" | sort -u | tr '\n' ' ')
  is "sick: $1: kinds" "$kinds" "$2 "
  has "sick: $1: place" "$(sed -n '/"findings": \[/,/^  \]/p' <<<"$out")" "\"place\": \"$3\""
  [[ -z ${4:-} ]] || has "sick: $1: name" "$out" "\"name\": \"$4\""
}
healthy() { # WHAT [OPTION...]
  local what=$1
  shift
  healthy_count=$((healthy_count + 1))
  call doctor scene.json "$@"
  if [[ $code == 0 ]]; then pass; else flunk "healthy: $what: exit code $code" "$out$err"; fi
}
sick_count=0 healthy_count=0

# --- sick: the start ---------------------------------------------------------------------------------
short='"time": 0.5,'
scene "$short" "$ground, $(box crate 0,0,0.4 0.5)"
sick "a crate in the ground" overlap "bodies[1]" crate
scene "$short" "$ground, $(ball left 0,0,1 1), $(ball right 1.5,0,1 1)"
sick "two balls in each other" overlap "bodies[1]" left
scene "$short \"dimension\": 2," '{ "name": "floor", "kind": "static", "shapes": [{ "shape": "segment", "points": [[-5, 0], [5, 0]] }] },
  { "name": "coin", "position": [0, 0.3], "shapes": [{ "shape": "circle", "radius": 0.5 }] }'
sick "a coin in a floor, in a plane" overlap "bodies[1]" coin

# --- sick: friction ----------------------------------------------------------------------------------
ramp='{ "name": "ramp", "kind": "static", "orientation": { "axis": [0, 1, 0], "degrees": 15 }, "shapes": [{ "shape": "halfspace" }] }'
ice='"materials": [{ "name": "ice", "mu": 0 }, { "name": "default", "mu": 0.6 }],'
scene "$short \"materials\": [{ \"name\": \"default\", \"mu\": 0 }]," \
  "$ramp, { \"name\": \"block\", \"position\": [0.129409522551, 0, 0.482962913145], \"orientation\": { \"axis\": [0, 1, 0], \"degrees\": 15 }, \"shapes\": [{ \"shape\": \"box\", \"half\": [0.5, 0.5, 0.5] }] }"
sick "a block on a ramp without friction" no-friction "materials[0]"
scene "$short $ice" "{ \"name\": \"ground\", \"kind\": \"static\", \"shapes\": [{ \"shape\": \"halfspace\", \"material\": \"ice\" }] },
  $(box brick 0,0,0.1 0.2,0.1,0.1 ', "repeat": { "count": [1, 1, 4], "spacing": [0, 0, 0.2] }')"
sick "a tower on ice" no-friction "materials[0]"
scene "$short \"options\": { \"cone\": \"frictionless\" }," "$ground, $(box crate 0,0,0.5 0.5)"
sick "no friction by option" no-friction options.cone

# --- sick: masses ------------------------------------------------------------------------------------
scene "$short" "$ground, $(box crate 0,0,0.5 0.5 ', "mass": 10, "inertia": [900, 900, 900]')"
sick "inertia in other units" inertia "bodies[1]" crate
scene "$short" "$ground, $(box crate 0,0,0.5 0.5 ', "mass": 10, "inertia": [1e-6, 1e-6, 1e-6]')"
sick "inertia of a point" inertia "bodies[1]" crate
scene "$short" "$ground, $(box crate 0,0,2 0.1 ', "mass": 1, "center": [0, 0, 0.9], "inertia": [0.01, 0.01, 0.01]')"
sick "a centre of mass elsewhere" center-of-mass "bodies[1]" crate
scene "$short" "$ground, $(box crate 0,0,0.5 0.5 ', "mass": 7.8e9')"
sick "a mass in milligrams" density "bodies[1]" crate
scene "$short" "$ground, $(box plate 0,0,0.1 0.5,0.5,0.1 ', "mass": 1'), $(box safe 0,0,0.7 0.5 ', "mass": 20000')"
sick "a safe on a plate" mass-ratio "bodies[2]" safe

scene "$short \"joints\": [{ \"kind\": \"ball\", \"b\": \"link\", \"point\": [0, 0, 3] }, { \"kind\": \"ball\", \"a\": \"link\", \"b\": \"load\", \"point\": [0, 0, 2] }]," \
  "$(box link 0,0,2.5 0.02,0.02,0.45 ', "mass": 0.001'), $(box load 0,0,1.5 0.5)"
sick "a load on a thread" mass-ratio "bodies[0]" link

# --- sick: step and scale ----------------------------------------------------------------------------
scene "$short" "$(box wall 2,0,0 0.05,1,1 ', "kind": "static"'), $(ball bullet 0,0,0 0.005 ', "velocity": [400, 0, 0]')"
sick "a bullet" too-fast "bodies[1]" bullet
scene '"time": 1, "options": { "step": 0.1 },' "$ground, $(ball pea 0,0,3 0.01)"
sick "a pea in steps of 0.1 s" too-fast "bodies[1]" pea
scene "$short \"options\": { \"gravity\": [0, 0, 0] }," "$(box rod 0,0,0 0.5,0.05,0.05 ', "angular_velocity": [3, 0, 300]')"
sick "a rod that spins too fast" spins-too-fast "bodies[0]" rod
scene '"time": 3,' "$ground, $(box part 0,0,60 25 ', "repeat": { "count": [3, 1, 1], "spacing": [80, 0, 0] }')"
sick "millimetres and gravity in metres" scale options.gravity
scene '"time": 0.2, "options": { "gravity": [0, 0, -9810], "step": 1e-5 },' "$ground, $(box part 0,0,0.02 0.02)"
sick "metres and gravity in millimetres" scale options.gravity
scene "$short" "$ground, $(box crate 4e8,0,0.5 0.5)"
sick "far from the origin" far-away "bodies[1]" crate

# --- sick: joints ------------------------------------------------------------------------------------
door="$(box door 0.5,0,1 0.48,0.02,0.9)"
hinge='{ "kind": "hinge", "name": "lower", "b": "door", "point": [0, 0, 0.3], "axis": [0, 0, 1] }'
scene "$short \"joints\": [$hinge, { \"kind\": \"hinge\", \"name\": \"upper\", \"b\": \"door\", \"point\": [0, 0, 1.7], \"axis\": [0, 0, 1] }]," "$door"
sick "a door on two hinges" redundant-joints "joints[1]" upper
beam="$(box beam 0,0,1 1,0.1,0.1)"
scene "$short \"joints\": [{ \"kind\": \"fixed\", \"name\": \"one\", \"b\": \"beam\", \"point\": [-1, 0, 1] }, { \"kind\": \"fixed\", \"name\": \"two\", \"b\": \"beam\", \"point\": [1, 0, 1] }]," "$beam"
sick "a beam that is welded twice" redundant-joints "joints[1]" two
rods=
for at in '1, 0.1, 0.1' '1, -0.1, 0.1' '-1, 0.1, 0.1' '-1, -0.1, -0.1' '0, 0.1, -0.1' '0.5, -0.1, 0.1' '0.3, 0.1, 0.1'; do
  rods+="${rods:+, }{ \"kind\": \"distance\", \"b\": \"beam\", \"point\": [$(awk -F, '{ print $1 * 2 + 0.3 * NR, $2 * 9 + 0.2, $3 * 11 + 3 + $1 }' OFS=, <<<"$at")], \"point_b\": [$(awk -F, '{ print $1, $2, $3 + 1 }' OFS=, <<<"$at")] }"
done
scene "$short \"joints\": [$rods]," "$beam"
sick "a beam on seven rods" redundant-joints "joints[6]"
scene "$short \"joints\": [{ \"kind\": \"fixed\", \"name\": \"here\", \"b\": \"beam\" },
  { \"kind\": \"fixed\", \"name\": \"there\", \"b\": \"beam\", \"position_a\": [0, 0, 1.4], \"position_b\": [0, 0, 0] }]," "$beam"
sick "two welds at two places" contradictory-joints "joints[1]" there
scene "$short \"joints\": [{ \"kind\": \"ball\", \"b\": \"left\", \"point\": [0, 0, 1] }, { \"kind\": \"ball\", \"b\": \"right\", \"point\": [4, 0, 1] },
  { \"kind\": \"distance\", \"name\": \"rope\", \"a\": \"left\", \"b\": \"right\", \"point\": [0.5, 0, 1], \"point_b\": [3.5, 0, 1], \"length\": 1 }]," \
  "$(box left 0.25,0,1 0.25,0.05,0.05), $(box right 3.75,0,1 0.25,0.05,0.05)"
sick "a rod that is too short" contradictory-joints "joints[2]" rope
scene "$short \"joints\": [{ \"kind\": \"ball\", \"name\": \"eye\", \"b\": \"beam\", \"position_a\": [-1, 0, 1.2], \"position_b\": [-1, 0, 0] }]," "$beam"
sick "a joint that starts open" joint-open "joints[0]" eye
scene "$short \"joints\": [{ \"kind\": \"hinge\", \"name\": \"elbow\", \"b\": \"beam\", \"point\": [-1, 0, 1], \"axis\": [0, 1, 0], \"axes\": [{ \"lower\": 0.3, \"upper\": 2 }] }]," "$beam"
sick "an angle below its limit" limit-violated "joints[0]" elbow
scene "$short \"joints\": [{ \"kind\": \"slider\", \"name\": \"rail\", \"b\": \"beam\", \"point\": [0, 0, 1], \"axis\": [1, 0, 0], \"axes\": [{ \"lower\": -2, \"upper\": -0.5 }] }]," "$beam"
sick "a slide above its limit" limit-violated "joints[0]" rail

# --- sick: drives and forces -------------------------------------------------------------------------
arm() { # AXES: a beam of 80 kg, 785 N m from its hinge
  scene "\"time\": 2, \"joints\": [{ \"kind\": \"hinge\", \"name\": \"shoulder\", \"b\": \"beam\", \"point\": [-1, 0, 1], \"axis\": [0, -1, 0], \"axes\": [{ $1 }] }]," "$beam"
}
arm '"motor_speed": 1, "motor_force": 50'
sick "a motor that cannot lift its arm" weak-drive "joints[0]" shoulder
arm '"servo": true, "servo_target": 0.5, "servo_stiffness": 1e5, "servo_damping": 1e3, "servo_force": 200'
sick "a servo that cannot hold its arm" weak-drive "joints[0]" shoulder
arm '"servo": true, "servo_stiffness": 100, "servo_damping": 100'
sick "a servo that is too soft" weak-drive "joints[0]" shoulder
scene "\"time\": 1, \"joints\": [{ \"kind\": \"slider\", \"name\": \"lift\", \"b\": \"cabin\", \"point\": [0, 0, 1], \"axis\": [0, 0, 1], \"axes\": [{ \"motor_speed\": 1, \"motor_force\": 4000 }] }]," "$(box cabin 0,0,1 0.5)"
sick "a lift that falls" weak-drive "joints[0]" lift
scene "\"time\": 4, \"joints\": [{ \"kind\": \"hinge\", \"name\": \"axle\", \"b\": \"wheel\", \"point\": [0, 0, 1], \"axis\": [0, 0, 1], \"axes\": [{ \"motor_speed\": 50, \"motor_force\": 1 }] }]," "$(box wheel 0,0,1 0.5)"
sick "a motor that takes too long" weak-drive "joints[0]" axle
spring() { # OPTIONS FORCE
  scene "\"time\": 0.5, \"options\": { $1 }, \"forces\": [{ \"kind\": \"spring\", \"body\": \"bob\", \"other_point\": [0, 0, 2], $2 }]," "$(ball bob 0,0,1 0.1 ', "mass": 1')"
}
spring '"implicit_forces": false' '"stiffness": 1e6'
sick "an explicit spring" unstable-force "forces[0]"
spring '"implicit_forces": false' '"stiffness": 1, "damping": 1000'
sick "an explicit damper" unstable-force "forces[0]"
spring '"theta": 0.5' '"stiffness": 1e7'
sick "a spring that rings" ringing "forces[0]"

# --- sick: meshes ------------------------------------------------------------------------------------
cube='[-1,-1,-1], [1,-1,-1], [1,1,-1], [-1,1,-1], [-1,-1,1], [1,-1,1], [1,1,1], [-1,1,1]'
sides='[0,2,1], [0,3,2], [0,1,5], [0,5,4], [1,2,6], [1,6,5], [2,3,7], [2,7,6], [3,0,4], [3,4,7]'
pebble=$(ball pebble 0,0,1.6 0.1)
scene "$short" "$(mesh "$cube" "$sides, [4,5,6]"), $pebble"
sick "a cube with a hole" mesh-hole "bodies[0]" mesh
scene "$short" "$(mesh '[-3,-3,0], [3,-3,0], [3,3,0], [-3,3,0], [-1,-1,0], [1,-1,0], [1,1,0], [-1,1,0]' \
  '[0,1,5], [0,5,4], [1,2,6], [1,6,5], [2,3,7], [2,7,6], [3,0,4], [3,4,7]'), $(ball pebble 2,2,0.5 0.1)"
sick "a floor with a hole" mesh-hole "bodies[0]" mesh
inward=$(sed 's/\[\([0-9]\),\([0-9]\),\([0-9]\)\]/[\1,\3,\2]/g' <<<"$sides, [4,5,6], [4,6,7]")
scene "$short" "$(mesh "$cube" "$inward"), $(ball pebble 0,0,5 0.1)"
sick "a cube inside out" mesh-inside-out "bodies[0]" mesh

# --- sick: the run -----------------------------------------------------------------------------------
pile=$(box brick 0,0,0.1 0.2,0.1,0.1 ', "repeat": { "count": [3, 1, 5], "spacing": [0.41, 0, 0.2] }')
scene "$short \"options\": { \"solver\": \"nsgs\", \"iteration_limit\": 2 }," "$ground, $pile"
sick "too few iterations" island-missed "bodies[1]" "brick[0]"
scene '"time": 1,' "$ground, { \"name\": \"ghost\", \"position\": [0, 0, 0.5], \"shapes\": [{ \"shape\": \"sphere\", \"radius\": 0.2, \"mask\": 0 }] }"
sick "a ball that nothing can touch" passes-through "bodies[1]" ghost
scene "$short \"forces\": [{ \"body\": \"crate\", \"force\": [0, 0, 1e12] }]," "$ground, $(box crate 0,0,0.5 0.5)"
sick "a force in other units" too-fast "bodies[1]" crate
holds "30 sick scenes and more" test $sick_count -ge 30

# --- healthy -----------------------------------------------------------------------------------------
scene "$short" "$ground, $pile"
healthy "a pile of bricks"
healthy "a pile of bricks, in real time" --preset realtime
scene "$short" "$ground, $(ball marble 0,0,0.5 0.01 ', "repeat": { "count": [2, 2, 3], "spacing": [0.05, 0.05, 0.05] }')"
healthy "marbles fall"
scene "$short \"materials\": [{ \"name\": \"default\", \"mu\": 0, \"restitution\": 1 }]," "$ground, $(ball ball 0,0,1 0.2 ', "velocity": [1, 0, 0]'), $(ball second 2,0,0.2 0.2)"
healthy "balls without friction"
scene "$short" "$ramp, $(ball ball 0.1,0,1 0.2)"
healthy "a ball on a ramp"
scene "$short" "$ground, $(box crate 0,0,0.5 0.5 ', "mass": 100'), $(ball crumb 0,0,1.01 0.01)"
healthy "a crumb on a crate"
scene "$short" "$ground, $(box crate 0,0,0.5 0.5 ', "mass": 12, "center": [0, 0, 0.1], "inertia": [2.1, 2, 1.9]')"
healthy "inertia that is given"
scene "$short \"joints\": [$hinge]," "$door"
healthy "a door on one hinge"
scene "\"time\": 1, \"options\": { \"theta\": 0.5 }, \"joints\": [{ \"kind\": \"hinge\", \"b\": \"upper\", \"point\": [-1, 0, 1], \"axis\": [0, 1, 0] },
  { \"kind\": \"hinge\", \"a\": \"upper\", \"b\": \"lower\", \"point\": [1, 0, 1], \"axis\": [0, 1, 0] }]," "$(box upper 0,0,1 0.9,0.1,0.1), $(box lower 2,0,1 0.9,0.1,0.1)"
healthy "a double pendulum"
scene "\"time\": 0.5, \"joints\": [{ \"kind\": \"ball\", \"a\": \"link\", \"b\": \"link\", \"point\": [0.5, 0, 1] }, { \"kind\": \"ball\", \"b\": \"link[0]\", \"point\": [-0.5, 0, 1] }]," \
  "$(box link 0,0,1 0.4,0.05,0.05 ', "repeat": { "count": [8, 1, 1], "spacing": [1, 0, 0] }')"
healthy "a chain"
arm '"motor_speed": 1, "motor_force": 2000'
healthy "a motor that lifts its arm"
arm '"servo": true, "servo_target": 0.5, "servo_stiffness": 5e4, "servo_damping": 5e3, "servo_force": 2000'
healthy "a servo that holds its arm"
arm '"lower": -1.5, "upper": 1.5'
healthy "an arm that falls on its limit"
spring '"step": 0.01' '"stiffness": 1e6, "damping": 10'
healthy "an implicit spring"
spring '"implicit_forces": false' '"stiffness": 100, "damping": 1'
healthy "an explicit spring that is soft"
scene '"time": 0.5, "options": { "gravity": [0, 0, -9810] },' "$ground, $(box part 0,0,40 20 ', "repeat": { "count": [3, 1, 1], "spacing": [80, 0, 0] }')"
healthy "millimetres throughout"
scene "$short" "$(mesh "$cube" "$sides, [4,5,6], [4,6,7]"), $pebble"
healthy "a closed mesh"
scene "$short" "$(mesh "$cube" "$inward"), $(ball pebble 0,0,0 0.1)"
healthy "a room"
bin=$(sed 's/\[\([0-9]\),\([0-9]\),\([0-9]\)\]/[\1,\3,\2]/g' <<<"$sides")
scene "$short" "$(mesh "$cube" "$bin"), $(ball pebble 0,0,0 0.1)"
healthy "a bin"
scene "$short" "$(mesh '[-1,-1,0], [0,-1,0.1], [1,-1,0], [-1,0,0.1], [0,0,0], [1,0,0.1], [-1,1,0], [0,1,0.1], [1,1,0]' \
  '[0,1,4], [0,4,3], [1,2,5], [1,5,4], [3,4,7], [3,7,6], [4,5,8], [4,8,7]'), $(ball pebble 0.1,0,0.6 0.1)"
healthy "a terrain"
scene "$short \"dimension\": 2," '{ "name": "floor", "kind": "static", "shapes": [{ "shape": "segment", "points": [[-5, 0], [5, 0]] }] },
  { "name": "tile", "position": [0, 0.5], "shapes": [{ "shape": "polygon", "points": [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]] }], "repeat": { "count": [1, 3, 1], "spacing": [0, 1] } }'
healthy "a stack in a plane"
scene "$short" "{ \"name\": \"belt\", \"kind\": \"kinematic\", \"velocity\": [1, 0, 0], \"shapes\": [{ \"shape\": \"box\", \"half\": [5, 1, 0.1] }] }, $(box crate 0,0,0.4 0.3)"
healthy "a belt"
scene "$short \"options\": { \"gravity\": [0, 0, 0] }," "$(box rod 0,0,0 0.5,0.05,0.05 ', "angular_velocity": [0.1, 0, 20]')"
healthy "a rod in flight"
for name in four_bar grip stack dominoes; do
  cp "$root/scenes/$name.json" scene.json
  healthy "$name" --time 0.1
done
holds "20 healthy scenes and more" test $healthy_count -ge 20

# --- what it takes and gives -------------------------------------------------------------------------
scene "$short" "$ground, $(box crate 0,0,0.4 0.5)"
call doctor scene.json
is "for people: exit code" "$code" 1
is "for people: stderr" "$err" ""
holds "for people: severity, kind, place, line" grep -q '^wrong overlap  bodies\[1\] (crate)  scene.json:1:[0-9]*$' <<<"$out"
has "for people: measure" "$out" "by 0.1 m at the start, 20 % of the half-width 0.5 m"
has "for people: remedy" "$out" "-> move them apart by 0.1 m"
has "for people: where the time goes" "$out" "times real time: "
has "for people: the end" "$out" "scene.json: 1 wrong, 0 risky in 120 steps, 0.5 s"
is "what the overlap explains is not told" "$(grep -c '^risky\|^wrong' <<<"$out")" 1
call doctor scene.json --json
is "JSON: healthy" "$(member healthy)" false
is "JSON: wrong" "$(member wrong)" 1
is "JSON: line" "$(member line)" 1
holds "JSON: value" awk -v v="$(member value)" 'BEGIN { exit !(v > 0.0999999 && v < 0.1000001) }'
is "JSON: unit" "$(member unit)" '"m"'
is "JSON: steps" "$(member steps)" 120
holds "JSON is JSON" python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$out"
call doctor scene.json --time 0.05 --step 0.001 --json
is "--time and --step" "$(member steps)" 50
scene "$short" "$ground, $pile"
call doctor scene.json --solver nsgs --iteration-limit 2
is "options of the simulation: exit code" "$code" 1
has "options of the simulation: solver" "$out" "by nsgs after 2 of 2 iterations"
has "options of the simulation: remedy" "$out" "--solver auto"
call doctor stack --time 0.02
is "a scene by name" "$code" 0
call doctor "$root/scenes/four_bar.json" --time 0.02 --json
has "a note: kind" "$(sed -n '/"notes": \[/,/^  \]/p' <<<"$out")" '"kind": "overconstrained"'
is "a note is no finding" "$code" 0
cat >robot.xml <<'END'
<mujoco><option timestep="0.002"/><worldbody>
<geom type="plane" size="5 5 1"/>
<body name="foot" pos="0 0 0.05"><freejoint/>
  <geom type="sphere" size="0.1"/></body>
</worldbody></mujoco>
END
call doctor robot.xml --time 0.1
is "a model: exit code" "$code" 1
has "a model: line" "$out" "(foot)  robot.xml:3:1"

refused "no scene" "rigor doctor: SCENE is missing; usage: rigor doctor SCENE [OPTIONS]" doctor
refused "no such preset" "rigor doctor: --preset is 'fast', must be one of: default, realtime, reference" doctor scene.json --preset fast
refused "no such option" "rigor doctor: unknown option --accuracy; 'rigor doctor --help' lists the options" doctor scene.json --accuracy 1
scene "$short" "$ground, $(box crate 0,0,0.5 0.5 ', "mass": 1, "inertia": [1, 1, 9]')"
call doctor scene.json
is "an inertia that is refused: exit code" "$code" 2
is "an inertia that is refused: stdout" "$out" ""
holds "an inertia that is refused: place" grep -q '^scene.json:1:[0-9]*: bodies\[1\].inertia' <<<"$err"
call doctor none.json
is "no such file: exit code" "$code" 2

# Every kind is in the documents, and every kind in the documents is there.
is "kinds in docs/doctor.md" "$(sed -n 's/^| `\([a-z-]*\)` | .* | [a-z, ]* |$/\1/p' "$root/docs/doctor.md" | grep -v '^--')" "$("$rigor" list faults --names)"

# Runs that miss, and checks with remarks, lead here.
cat >heavy.json <<END
{ "rigor": 1, "time": 0.1, "options": { "solver": "nsgs", "iteration_limit": 2 }, "bodies": [ $ground, $pile ] }
END
call run heavy.json
is "a run that misses: exit code" "$code" 1
has "a run that misses" "$(tr '\n' ' ' <<<"$out")" "'rigor doctor heavy.json' says where, why, and what to change."
call run heavy.json --quiet
has "a run that misses, quietly" "$err" "'rigor doctor heavy.json'"
spring '"implicit_forces": false' '"stiffness": 1e9'
call run scene.json --quiet --time 5
is "a run that fails: exit code" "$code" 3
has "a run that fails" "$err" "'rigor doctor scene.json'"

finish
