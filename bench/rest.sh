#!/usr/bin/env bash
# bench/rest.sh RIGOR [DROPS]: how ten solids come to rest, as a table of docs/ensembles.md.
#
# A cube, boxes 2:1:1 and 3:2:1, a tetrahedron, and six polyhedra of RIGOR_SHARED. Faces with the same
# quasi-static estimate are a kind and their hits are added: the share of the kind has Wilson's interval of 95 %.
# Beside it the faces of the kind that were hit least and most.
set -euo pipefail
rigor=$(realpath "${1:-build/rigor}")
drops=${2:-2000}
polyhedra=${RIGOR_SHARED:?names the folder of shared data}/data/polyhedra
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

box() { # NAME HALF
  printf '{"rigor": 1, "bodies": [{"name": "%s", "shapes": [{"shape": "box", "half": %s}]}]}\n' "$1" "$2" >"$1.json"
}
box cube "[0.1, 0.1, 0.1]"
box box-2-1-1 "[0.2, 0.1, 0.1]"
box box-3-2-1 "[0.3, 0.2, 0.1]"

printf '| solid | faces | share of the kind | 95 %% interval | quasi-static | single faces |\n| --- | --- | --- | --- | --- | --- |\n'
for part in cube.json box-2-1-1.json box-3-2-1.json "$polyhedra"/{tetrahedron,octahedron,dodecahedron,icosahedron,square-pyramid,decagonal-antiprism,snub-cube}.off; do
  name=$(basename "$part")
  "$rigor" rest "$part" -n "$drops" --json | awk -F': ' -v name="${name%.*}" -v drops="$drops" '
    /"quasi_static"/ { key = sprintf("%.5f", $2) }
    /"hits"/ && key != "" {
      if (!(key in faces)) { order[++kinds] = key; least[key] = most[key] = $2 + 0 }
      faces[key]++; hits[key] += $2
      if ($2 + 0 < least[key]) least[key] = $2 + 0
      if ($2 + 0 > most[key]) most[key] = $2 + 0
      key = ""
    }
    /"elsewhere"/ { elsewhere = $2 + 0 }
    END {
      z = 1.959963984540054
      for (k = 1; k <= kinds; k++) {
        key = order[k]; n = faces[key]; s = hits[key] / drops
        m = s + z * z / (2 * drops); w = z * sqrt(s * (1 - s) / drops + z * z / (4 * drops * drops)); g = 1 + z * z / drops
        printf "| %s | %d | %.2f %% | %.2f .. %.2f %% | %.2f %% | %.2f .. %.2f %% |\n", k == 1 ? name : "", n, 100 * s,
          100 * (m - w) / g, 100 * (m + w) / g, 100 * n * key, 100 * least[key] / drops, 100 * most[key] / drops
      }
      if (elsewhere > 0) printf "| | elsewhere | %.2f %% | | | |\n", 100 * elsewhere / drops
    }'
done
