#!/usr/bin/env bash
# Smooth bodies that roll, by the table of `rigor choose`: for equal error, contact at the end of the step with multipliers of
# positions (implicit-geometry, theta = 1/2) costs at most a third of `theta` as presets have it (theta = 1, geometry frozen at
# the start of the step), in CPU time in the median of the scenes, and in steps, which are counted, in each. So does `theta` at
# 1/2, whose contacts are at the mean of the step; closed gaps cost at most half as much again, in the median. The scenes: an
# ellipsoid that rocks, an egg that rolls and spins, an ellipsoid on an ellipsoid, a ball in a bowl.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

# scene NAME BODIES: writes NAME.json.
scene() {
  cat >"$1.json" <<JSON
{"rigor": 1, "time": 0.8, "materials": [{"name": "default", "mu": 0.8}], "bodies": [$2]}
JSON
}
floor='{"name": "floor", "kind": "static", "shapes": [{"shape": "halfspace"}]}'
scene rocking "$floor, {\"name\": \"body\", \"position\": [0, 0, 0.1], \"velocity\": [0.1, 0, 0], \"angular_velocity\": [0, 1, 0],
  \"shapes\": [{\"shape\": \"ellipsoid\", \"half\": [0.2, 0.2, 0.1]}]}"
scene egg "$floor, {\"name\": \"body\", \"position\": [0, 0, 0.1], \"velocity\": [0.2, -0.1, 0], \"angular_velocity\": [1, 2, 3],
  \"shapes\": [{\"shape\": \"ellipsoid\", \"half\": [0.2, 0.15, 0.1]}]}"
scene hill '{"name": "hill", "kind": "static", "shapes": [{"shape": "ellipsoid", "half": [3, 3.9, 2.4]}]},
  {"name": "body", "position": [0, 0, 3.2], "velocity": [0.48, -0.72, 0], "angular_velocity": [0.9, 0.6, 0.3],
   "shapes": [{"shape": "ellipsoid", "half": [1, 1.3, 0.8]}]}'
scene bowl '{"name": "bowl", "kind": "static", "shapes": [{"shape": "bowl", "radius": 1}]},
  {"name": "body", "position": [0.43148298474378, 0, -0.78982430570133],
   "shapes": [{"shape": "sphere", "radius": 0.1}]}'

# cheapest STEPPER THETA: the least CPU time [ms] and its steps among the trials that hold, other options as given.
cheapest() {
  awk -v stepper="$1" -v theta="$2" '
    /"stepper":/ { split($2, s, "\""); name = s[2] } /"theta":/ { t = $2 + 0 } /"geometry_facets":/ { facets = $2 + 0 }
    /"cone":/ { cone = $2 } /"solver":/ { solver = $2 } /"tolerance":/ { tolerance = $2 + 0 }
    /"cpu_time":/ { cpu = $2 + 0 } /"steps":/ { steps = $2 + 0 }
    /"holds": true/ && name == stepper && t == theta && facets == 0 && cone ~ /exact/ && solver ~ /auto/ && tolerance <= 1e-6 {
      if (!least || cpu < least) { least = cpu; kept = steps } }
    END { if (least) print 1e3 * least, kept }' <<<"$all"
}

# ratio A B, and the median of the arguments.
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
median() { printf '%s\n' "$@" | sort -g | sed -n "$((($# + 1) / 2))p"; }

closed_ratios=() mean_ratios=() closing=()
for accuracy in 1e-3 2e-4; do
  for name in rocking egg hill bowl; do
    all=
    for _ in 1 2 3; do # a trial takes a millisecond: the least of three counts
      call choose "$name.json" --accuracy "$accuracy" --json
      is "$name, $accuracy m: exit code" "$code" 0
      all+=$out$'\n'
    done
    read -r frozen frozen_steps < <(cheapest theta 1)
    read -r mean mean_steps < <(cheapest theta 0.5)
    read -r closed closed_steps < <(cheapest implicit-geometry 0.5)
    holds "$name, $accuracy m: all hold it with some step" \
      test -n "$frozen_steps" -a -n "$mean_steps" -a -n "$closed_steps"
    closed_ratios+=("$(ratio "$frozen" "$closed")")
    mean_ratios+=("$(ratio "$frozen" "$mean")")
    closing+=("$(ratio "$closed" "$mean")")
    printf '  %-8s %s m: theta = 1 %s ms in %s steps; theta = 1/2 %s ms in %s: %s times; implicit-geometry %s ms in %s: %s times\n' \
      "$name" "$accuracy" "$frozen" "$frozen_steps" "$mean" "$mean_steps" "${mean_ratios[-1]}" \
      "$closed" "$closed_steps" "${closed_ratios[-1]}"
    holds "$name, $accuracy m: a third of the steps" test "$frozen_steps" -ge $((3 * closed_steps))
  done
done
least=$(median "${closed_ratios[@]}")
holds "CPU time of theta = 1 over implicit-geometry at 1/2, in the median: $least" \
  awk -v m="$least" 'BEGIN { exit !(m >= 3) }'
least=$(median "${mean_ratios[@]}")
holds "CPU time of theta = 1 over theta = 1/2, in the median: $least" awk -v m="$least" 'BEGIN { exit !(m >= 3) }'
most=$(median "${closing[@]}")
holds "CPU time of implicit-geometry over theta, both at 1/2, in the median: $most" \
  awk -v m="$most" 'BEGIN { exit !(m <= 1.5) }'
printf '  medians: %s, %s, %s times\n' "$(median "${closed_ratios[@]}")" "$(median "${mean_ratios[@]}")" "$most"

finish
