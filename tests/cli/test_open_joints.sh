#!/usr/bin/env bash
# Joints that contradict each other, or what moves their bodies: the run ends with 1 and names them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ground='"joints": ['
bar='{"name": "bar", "shapes": [{"shape": "box", "half": [0.5, 0.1, 0.1]}]}'

# Two joints hold a body at two places, of several kinds, by several distances.
for kind in ball fixed; do
  for distance in 0.001 0.1 2; do
    cat >held.json <<END
{"rigor": 1, "time": 0.1, "bodies": [$bar], $ground
 {"kind": "$kind", "name": "one", "b": "bar", "position_a": [0, 0, 0], "position_b": [0, 0, 0]},
 {"kind": "$kind", "name": "two", "b": "bar", "position_a": [$distance, 0, 0], "position_b": [0, 0, 0]}]}
END
    for stepper in theta stewart-trinkle; do
      call run held.json --stepper "$stepper" -q
      is "$kind, $distance m, $stepper: exit code" "$code" 1
      has "$kind, $distance m, $stepper: the first is named" "$err" "$kind 'one' of the ground and bar by "
      has "$kind, $distance m, $stepper: the second is named" "$err" "$kind 'two' of the ground and bar by "
    done
  done
done

# A bar between two bodies that are moved apart.
for speed in 0.1 1; do
  cat >apart.json <<END
{"rigor": 1, "time": 0.2, "options": {"gravity": [0, 0, 0]}, "bodies": [$bar,
 {"name": "left", "kind": "kinematic", "position": [-1, 0, 0], "velocity": [-$speed, 0, 0], "shapes": [{"shape": "sphere", "radius": 0.1}]},
 {"name": "right", "kind": "kinematic", "position": [1, 0, 0], "velocity": [$speed, 0, 0], "shapes": [{"shape": "sphere", "radius": 0.1}]}],
 $ground {"kind": "ball", "a": "bar", "b": "left", "point": [-0.5, 0, 0]}, {"kind": "ball", "name": "R", "a": "bar", "b": "right", "point": [0.5, 0, 0]}]}
END
  call run apart.json
  is "moved apart with $speed m/s: exit code" "$code" 1
  has "moved apart with $speed m/s: a joint without a name" "$err" "ball of bar and left by "
  has "moved apart with $speed m/s: one with a name" "$err" "ball 'R' of bar and right by "
done

# Many are counted, not listed.
{
  printf '{"rigor": 1, "time": 0.05, "bodies": [%s], "joints": [' "$bar"
  for i in {1..9}; do
    printf '%s{"kind": "fixed", "name": "j%d", "b": "bar", "position_a": [%d, 0, 0], "position_b": [0, 0, 0]}' "$([[ $i == 1 ]] || echo ,)" "$i" "$i"
  done
  echo ']}'
} >many.json
call run many.json -q
is "many: exit code" "$code" 1
has "many: the worst is first" "$err" "at the end: fixed 'j"
has "many: the others are counted" "$err" "; and "

# Joints that do not contradict each other are not named, also when there are too many of them.
cat >agree.json <<END
{"rigor": 1, "time": 0.5, "bodies": [$bar], $ground
 {"kind": "hinge", "name": "one", "b": "bar", "point": [0, 0.1, 0], "axis": [0, 1, 0]},
 {"kind": "hinge", "name": "two", "b": "bar", "point": [0, -0.1, 0], "axis": [0, 1, 0]}]}
END
call run agree.json -q
is "two hinges of a door: exit code" "$code" 0
is "two hinges of a door: nothing is said" "$err" ""

finish
