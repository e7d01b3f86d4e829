#!/usr/bin/env bash
# tests/problems/make.sh [RIGOR]: writes the problems of this folder that come from scenes again. The
# files are kept as they are: a solver is judged on the same problems while steppers change, so run
# this only to add to them. chain.json comes from the sweep test:
#
#   RIGOR_WRITE_PROBLEMS=tests/problems build/tests/sweep/test_solve_problems write_problems
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rigor=${1:-build/rigor}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

dump() { # NAME SCENE STEP FORMAT: the first island of that step
  local name=$1 scene=$2 step=$3 format=$4 ending
  "$rigor" run "$scene" --time "$(awk -v n="$step" 'BEGIN { printf "%.10g", n / 240 }')" --step 0.004166666666666667 \
    --every "$step" --dump-problems "$work/$name" --format "$format" --quiet || true
  for file in "$work/$name"/*-island-0000.*; do
    ending=${file##*.}
    cp "$file" "tests/problems/$name.$ending"
  done
}

# A box of 1 kg under one of 1000 t, both thrown sideways.
cat >"$work/two.json" <<'END'
{ "rigor": 1, "bodies": [
  { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
  { "name": "light", "position": [0, 0, 0.5], "mass": 1, "velocity": [0.4, 0.1, 0], "shapes": [{ "shape": "box", "half": [0.5, 0.5, 0.5] }] },
  { "name": "heavy", "position": [0.1, 0, 1.5], "mass": 1e6, "velocity": [0.2, 0, -0.1], "shapes": [{ "shape": "box", "half": [0.5, 0.5, 0.5] }] }
] }
END
dump two-bodies "$work/two.json" 1 json

# A table on four legs, one body, pushed: sixteen contacts for six degrees of freedom.
cat >"$work/table.json" <<'END'
{ "rigor": 1, "bodies": [
  { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
  { "name": "table", "velocity": [0.5, 0.2, 0], "angular_velocity": [0, 0, 0.3], "shapes": [
    { "shape": "box", "half": [1, 0.5, 0.05], "position": [0, 0, 1.05] },
    { "shape": "box", "half": [0.1, 0.1, 0.5], "position": [0.9, 0.4, 0.5] },
    { "shape": "box", "half": [0.1, 0.1, 0.5], "position": [-0.9, 0.4, 0.5] },
    { "shape": "box", "half": [0.1, 0.1, 0.5], "position": [0.9, -0.4, 0.5] },
    { "shape": "box", "half": [0.1, 0.1, 0.5], "position": [-0.9, -0.4, 0.5] }] }
] }
END
dump table "$work/table.json" 1 json
dump table-local "$work/table.json" 1 text

# Small ones, where every microsecond beside the sweeps and steps counts: a box that slides, a cylinder that lands,
# a tripod pushed, two crossed capsules.
cat >"$work/box.json" <<'END'
{ "rigor": 1, "bodies": [
  { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
  { "name": "box", "position": [0, 0, 0.5], "mass": 1, "velocity": [1, 0.3, 0], "shapes": [{ "shape": "box", "half": [0.5, 0.5, 0.5] }] }
] }
END
dump box "$work/box.json" 1 text
cat >"$work/cylinder.json" <<'END'
{ "rigor": 1, "bodies": [
  { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
  { "name": "cylinder", "position": [0, 0, 0.5], "mass": 1, "velocity": [0.3, 0.1, -0.2], "shapes": [{ "shape": "cylinder", "radius": 0.4, "half_length": 0.5 }] }
] }
END
dump cylinder "$work/cylinder.json" 1 text
cat >"$work/tripod.json" <<'END'
{ "rigor": 1, "bodies": [
  { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
  { "name": "tripod", "velocity": [1, 0.2, -0.1], "shapes": [
    { "shape": "box", "half": [1, 0.5, 0.05], "position": [0, 0, 1.05] },
    { "shape": "sphere", "radius": 0.1, "position": [0.9, 0, 0.1] },
    { "shape": "sphere", "radius": 0.1, "position": [-0.5, 0.4, 0.1] },
    { "shape": "sphere", "radius": 0.1, "position": [-0.5, -0.4, 0.1] }] }
] }
END
dump tripod "$work/tripod.json" 1 text
cat >"$work/capsules.json" <<'END'
{ "rigor": 1, "bodies": [
  { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
  { "name": "low", "position": [0, 0, 0.1], "mass": 1, "orientation": [0.7071068, 0, 0.7071068, 0], "shapes": [{ "shape": "capsule", "radius": 0.1, "half_length": 0.4 }] },
  { "name": "high", "position": [0, 0, 0.3], "mass": 1, "orientation": [0.5, 0.5, 0.5, 0.5], "velocity": [0, 0.2, -0.3], "shapes": [{ "shape": "capsule", "radius": 0.1, "half_length": 0.4 }] }
] }
END
dump capsules "$work/capsules.json" 1 text

# A heap of spheres while it falls, an arch of eleven stones.
cat >"$work/spheres.json" <<'END'
{ "rigor": 1, "bodies": [
  { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
  { "name": "low", "position": [0, 0, 0.1], "mass": 1, "repeat": { "count": [4, 4, 1], "spacing": [0.2, 0.2, 0] }, "shapes": [{ "shape": "sphere", "radius": 0.1 }] },
  { "name": "high", "position": [0.1, 0.1, 0.24142], "mass": 2, "velocity": [0.1, 0, -1], "repeat": { "count": [3, 3, 1], "spacing": [0.2, 0.2, 0] }, "shapes": [{ "shape": "sphere", "radius": 0.1 }] },
  { "name": "top", "position": [0.2, 0.2, 0.38284], "mass": 3, "velocity": [0, 0.2, -1], "repeat": { "count": [2, 2, 1], "spacing": [0.2, 0.2, 0] }, "shapes": [{ "shape": "sphere", "radius": 0.1 }] }
] }
END
dump spheres "$work/spheres.json" 1 json
dump arch scenes/arch.json 2 json
