#!/usr/bin/env bash
# rigor rest: shares of poses against symmetry, against each other, and against their own intervals.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

box() { # NAME HALF
  printf '{"rigor": 1, "bodies": [{"name": "%s", "shapes": [{"shape": "box", "half": %s}]}]}\n' "$1" "$2" >"$1.json"
}
box cube "[0.1, 0.1, 0.1]"
box box211 "[0.2, 0.1, 0.1]"
box box321 "[0.03, 0.02, 0.01]"
# A regular tetrahedron.
cat >tetrahedron.off <<'EOF'
OFF
4 4 0
1 1 1
1 -1 -1
-1 1 -1
-1 -1 1
3 0 1 2
3 0 3 1
3 0 2 3
3 1 3 2
EOF
drops=200
[[ -z ${RIGOR_FAST:-} ]] || drops=60
[[ -z ${RIGOR_THOROUGH:-} ]] || drops=400

# poses FILE: a line for each pose: share, lower, upper, quasi-static estimate, all in parts of 1000.
poses() {
  call rest "$@" --json
  awk -F': ' '/"quasi_static"/ {q = $2 + 0} /"share"/ {s = $2 + 0} /"lower"/ {l = $2 + 0}
    /"upper"/ && q != "" {printf "%.6f %.6f %.6f %.6f\n", s, l, $2 + 0, q; q = ""}' <<<"$out"
}

# --- symmetric solids ------------------------------------------------------------------------------
# Faces that a turn of the solid takes into each other are equally likely: the count of each is binomial
# about the mean over them, and lies within 99.99 % of that distribution. Its tails are summed, since
# intervals made for large counts are too narrow for the few hits of a small face. (Of the hundred faces
# here, 95 % would miss five.)
symmetric() { # WHAT POSES-EXPECTED FILE
  local what=$1 expected=$2
  shift 2
  poses "$@" -n "$drops" >poses.txt
  is "$what: exit code" "$code" 0
  is "$what: stable poses" "$(wc -l <poses.txt)" "$expected"
  is "$what: estimates make one" "$(awk '{s += $4} END {printf "%.4f", s}' poses.txt)" 1.0000
  # Poses with the same estimate are the same pose, turned.
  bad=$(awk -v drops="$drops" '
    function tail(p, from, to, i, sum, term) { # of the binomial distribution
      term = (1 - p) ^ drops
      for (i = 0; i <= to; i++) {
        if (i >= from) sum += term
        term *= (drops - i) / (i + 1) * p / (1 - p)
      }
      return sum
    }
    {key[NR] = sprintf("%.5f", $4); n[key[NR]]++; sum[key[NR]] += $1; share[NR] = $1}
    END {
      for (i = 1; i <= NR; i++) {
        m = sum[key[i]] / n[key[i]]
        k = int(share[i] * drops + 0.5)
        if (m > 0 && (tail(m, k, drops) < 5e-5 || tail(m, 0, k) < 5e-5)) print share[i], "where", m, "is the mean"
      }
    }' poses.txt)
  is "$what: equal faces are equally likely" "$bad" ""
}
symmetric "cube" 6 cube.json
is "cube: estimate" "$(awk '{print $4}' poses.txt | sort -u)" 0.166667
symmetric "box 2:1:1" 6 box211.json
symmetric "box 3:2:1" 6 box321.json
is "box 3:2:1: the largest face is the likeliest" "$(head -n 2 poses.txt | awk '$1 > 0.2' | wc -l)" 2
symmetric "tetrahedron" 4 tetrahedron.off
polyhedra=${RIGOR_SHARED:-}/data/polyhedra
if [[ -d $polyhedra ]]; then
  symmetric "octahedron" 8 "$polyhedra/octahedron.off"
  symmetric "dodecahedron" 12 "$polyhedra/dodecahedron.off"
  symmetric "icosahedron" 20 "$polyhedra/icosahedron.off"
  symmetric "square pyramid" 5 "$polyhedra/square-pyramid.off"
  symmetric "decagonal antiprism" 22 "$polyhedra/decagonal-antiprism.off"
  symmetric "snub cube" 38 "$polyhedra/snub-cube.off"
else
  skip "the polyhedra of the shared data are not there"
fi

# --- the intervals ---------------------------------------------------------------------------------
# 200 repeats of 50 drops: the interval of each pose holds the long-run share in 93 to 97 % of them,
# computed here from the table of drops by the formula of Wilson. Of the cube the long-run share is 1/6;
# of the box 3:2:1 it is that of all 10,000 drops. (In `make soak`.)
covers() { # FILE LONG-RUN
  awk -F, -v truth="$2" -v size=50 'BEGIN {z = 1.959963984540054}
    /^[0-9]/ {block = int($1 / size); hits[block, $3]++; all[$3]++; count++; if (block > last) last = block}
    END {for (p = 0; p < 6; p++) {q = truth > 0 ? truth : all[p] / count
        for (b = 0; b <= last; b++) {s = hits[b, p] / size
          m = s + z * z / (2 * size); w = z * sqrt(s * (1 - s) / size + z * z / (4 * size * size)); g = 1 + z * z / size
          inside += (m - w) / g <= q && q <= (m + w) / g; tried++}}
      printf "%.4f %d\n", inside / tried, tried}' "$1"
}
if [[ -n ${RIGOR_THOROUGH:-} ]]; then
  for part in "cube 0.16666666666666667" "box321 0"; do
    read -r name truth <<<"$part"
    call rest "$name.json" -n 10000 --seed 7 -q -o "$name.csv"
    read -r share tried <<<"$(covers "$name.csv" "$truth")"
    is "$name: 200 repeats of six poses" "$tried" 1200
    holds "$name: intervals of 95 % cover $share of the repeats" awk -v s="$share" 'BEGIN {exit !(s >= 0.93 && s <= 0.97)}'
  done
fi

# --- the same bytes --------------------------------------------------------------------------------
call rest cube.json -n 40 --threads 1 -o one.csv -q
call rest cube.json -n 40 --threads 3 -o many.csv -q
same "threads" one.csv many.csv
for i in 1 2; do call rest cube.json -n 40 --shard $i/2 -o part$i.csv -q; done
call sweep --merge part1.csv part2.csv -o merged.csv -q
same "shards" one.csv merged.csv
call rest cube.json -n 20 -o short.csv -q
call rest cube.json -n 40 --resume -o short.csv -q
same "more drops by --resume" one.csv short.csv
call rest cube.json -n 4000 --until 25 --json
is "until: exit code" "$code" 0
holds "until: fewer drops" test "$(member runs)" -lt 1000

# --- a body of a scene, of several shapes -----------------------------------------------------------
# A T: its hull has faces of its own, and its centre of mass is off the middle.
cat >parts.json <<'EOF'
{"rigor": 1, "bodies": [
  {"name": "ball", "position": [5, 0, 0], "shapes": [{"shape": "sphere", "radius": 1}]},
  {"name": "tee", "shapes": [{"shape": "box", "half": [0.3, 0.1, 0.1], "position": [0, 0, 0.3]},
                             {"shape": "box", "half": [0.1, 0.1, 0.2]}]}]}
EOF
call rest parts.json --body tee -n 30 --html tee.html
is "a body of two boxes: exit code" "$code" 0
has "a body of two boxes: its hull" "$out" "tee: 8 faces"
is "page: a picture of each stable pose" "$(grep -c '<svg class="scene"' tee.html)" "$(sed -n 's/.* \([0-9]*\) of them stable/\1/p' <<<"$out")"
lacks "page: nothing from elsewhere" "$(grep -o 'src=[^ ]*' tee.html)" "http"

# --- mistakes --------------------------------------------------------------------------------------
refused "a ball has no faces" "rigor rest: the part has a sphere, must be of sharp boxes and hulls, which have faces to rest on" \
  rest parts.json
refused "no such body" "rigor rest: --body is 'toe', but parts.json has no body of that name" rest parts.json --body toe
refused "a body of a mesh" "rigor rest: --body is for scenes; tetrahedron.off is one part" rest tetrahedron.off --body a
refused "gravity along the surface" "rigor rest: --gravity must point along -z: the surface is horizontal" rest cube.json --gravity 1,0,-9
refused "shard and until" "rigor rest: --until decides on all drops, and --shard has a part of them; give one of the two" \
  rest cube.json --shard 1/2 --until 5 -o x.csv
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' >flat.off
call rest flat.off
is "a flat part: exit code" "$code" 2
has "a flat part: its file is named" "$err" "flat.off"
finish
