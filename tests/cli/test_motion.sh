#!/usr/bin/env bash
# `rigor motion`: what starts to move, against values known by hand.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# near WHAT VALUE EXPECTED TOLERANCE
near() {
  if awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !(d <= t && d >= -t) }'; then
    pass
  else
    flunk "$1" "got $2, expected $3 within $4"
  fi
}

# number PATH: a value of the JSON of the last call, by the keys and places that lead to it: a.0.b.
number() {
  awk -v wanted="$1" '
    { line = $0; sub(/^ */, "", line); sub(/,$/, "", line) }
    line ~ /^[]}]/ { depth--; next }
    {
      key = place[depth]++
      if (match(line, /^"[^"]*": /)) {
        key = substr(line, 2, RLENGTH - 4)
        line = substr(line, RLENGTH + 1)
      }
      path[depth] = key
      if (line ~ /^[[{]$/) { place[++depth] = 0; next }
      name = path[1]
      for (i = 2; i <= depth; i++) name = name "." path[i]
      if (name == wanted) print line
      if (line ~ /^\[.*\]$/) { # numbers on one line
        count = split(substr(line, 2, length(line) - 2), numbers, ", ")
        for (i = 1; i <= count; i++)
          if (name "." (i - 1) == wanted) print numbers[i]
      }
    }' <<<"$out"
}

# A box on a plane, gravity tilted by an angle with the given tangent; mu = 0.5.
write_slope() { # FILE TANGENT
  cat >"$1" <<END
{
  "rigor": 1, "time": 1,
  "options": { "gravity": [$(awk -v t="$2" 'BEGIN { print 8 * t }'), 0, -8] },
  "materials": [{ "name": "rough", "mu": 0.5 }],
  "bodies": [
    { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace", "material": "rough" }] },
    { "name": "box", "position": [0, 0, 0.1], "velocity": [0, 0, 3],
      "shapes": [{ "shape": "box", "half": [0.5, 0.5, 0.1], "material": "rough" }] }
  ]
}
END
}

# --- friction holds up to the angle of friction, to a part in a thousand ------------------------------
write_slope below.json 0.4995
call motion below.json --json
is "below: exit code" "$code" 0
is "below: not stable without friction" "$(number frictionless.stable)" false
near "below: slides with the tilted gravity" "$(number frictionless.bodies.0.acceleration.0)" 3.996 1e-6
is "below: stands with friction" "$(number friction.verdict)" '"stands"'
is "below: exactly at rest" "$(number friction.bodies.0.acceleration.0)" 0
is "below: velocities are left out" "$(number velocities_left_out)" 1

write_slope above.json 0.5005
call motion above.json --json
is "above: cannot stand" "$(number friction.verdict)" '"moves"'
near "above: what friction leaves" "$(number friction.bodies.0.acceleration.0)" 0.004 1e-6
near "above: direction" "$(number friction.bodies.0.direction.0)" 1 1e-6

# --- a ladder: 3 g cos(angle) / (2 L) without friction --------------------------------------------------
cat >ladder.json <<'END'
{
  "rigor": 1, "time": 1, "options": { "gravity": [0, 0, -9.81] },
  "bodies": [
    { "name": "floor", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
    { "name": "wall", "kind": "static", "shapes": [{ "shape": "halfspace", "orientation": [0.7071067811865476, 0, 0.7071067811865476, 0] }] },
    { "name": "ladder", "position": [0.50001, 0, 0.8660354037844387], "orientation": [0.9659258262890683, 0, -0.25881904510252074, 0],
      "shapes": [{ "shape": "capsule", "radius": 0.00001, "half_length": 1 }] }
  ]
}
END
call motion ladder.json --json
is "ladder: exit code" "$code" 0
is "ladder: touches floor and wall" "$(number contacts)" 2
near "ladder: angular acceleration" "$(number frictionless.bodies.0.angular_acceleration.1 | tr -d '-')" 3.67875 1e-4

# --- rounding decides nothing: what touches up to rounding touches --------------------------------------------
# A row of boxes and balls without weight before a wall; a force on the last one presses them all
# together. Their centres are shifted by up to PART of the smallest half-width, each by its own amount.
write_row() { # FILE SEED PART
  awk -v seed="$2" -v part="$3" '
    BEGIN {
      srand(seed)
      count = 2 + int(4 * rand()); smallest = 0.05; x = 0
      print "{ \"rigor\": 1, \"time\": 1, \"options\": { \"gravity\": [0, 0, 0] }, \"bodies\": ["
      print "{ \"kind\": \"static\", \"position\": [-0.5, 0, 0], \"shapes\": [{ \"shape\": \"box\", \"half\": [0.5, 1, 1] }] }"
      for (i = 0; i < count; i++) {
        half = smallest + 0.3 * rand()
        x += half + part * smallest * rand()
        if (rand() < 0.5) shape = sprintf("\"box\", \"half\": [%.17g, 0.2, 0.2]", half)
        else shape = sprintf("\"sphere\", \"radius\": %.17g", half)
        printf ", { \"name\": \"b%d\", \"position\": [%.17g, 0, 0], \"shapes\": [{ \"shape\": %s }] }\n", i, x, shape
        x += half
      }
      printf "], \"forces\": [{ \"kind\": \"constant\", \"body\": \"b%d\", \"force\": [-5, 0, 0] }] }\n", count - 1
    }' >"$1"
}
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
  for part in 0 1e-16 1e-15 1e-12 1e-8; do # the last is a hundredth of what counts as touching
    write_row row.json $seed $part
    call motion row.json --json
    is "row $seed shifted by $part: stands" "$(number friction.verdict)" '"stands"'
    is "row $seed shifted by $part: stable" "$(number frictionless.stable)" true
  done
  write_row row.json $seed 1e-3 # apart by more than what counts as touching
  call motion row.json --json
  is "row $seed with gaps: moves" "$(number friction.verdict)" '"moves"'
done

# --- scenes that come with the program -------------------------------------------------------------------
call motion "$root/scenes/overhang.json"
has "overhang: stable" "$out" "Without friction: stable, nothing starts to move."
has "overhang: stands" "$out" "With friction: can stand"
call motion "$root/scenes/arch.json"
has "arch: falls without friction" "$out" "not stable, 11 of 11 start to move."
has "arch: names bodies" "$out" "voussoir 1 "
has "arch: stands with friction" "$out" "With friction: can stand"
is "arch: stderr" "$err" ""
lacks "a pipe gets no escape sequences" "$out" $'\033'

# --- bad input ---------------------------------------------------------------------------------------------
cat >moving.json <<'END'
{ "rigor": 1, "time": 1, "bodies": [
  { "name": "belt", "kind": "kinematic", "shapes": [{ "shape": "box", "half": [1, 1, 1] }] } ] }
END
refused "kinematic" "moving.json: body 'belt' is kinematic; what starts to move from rest is a question about static and dynamic bodies" motion moving.json
refused "no scene" "rigor motion: SCENE is missing; usage: rigor motion SCENE [OPTIONS]" motion
call motion absent.json
is "absent file: exit code" "$code" 2

finish
