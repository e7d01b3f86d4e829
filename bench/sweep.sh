#!/usr/bin/env bash
# bench/sweep.sh RIGOR: what part of two processors a sweep of 1,000 short runs uses.
#
# Twice: runs of 30 steps and of 200 steps of one box. `busy` is the processor time inside of runs over what the
# threads could have had (docs/ensembles.md), so that other programs on the machine do not count; beside it the
# processor time of the whole process, start and table included, that was not inside of runs. Of REPEATS sweeps
# the one is given that other programs disturbed least. Status 1 when it is busy for less than 95 %.
set -euo pipefail
rigor=$(realpath "${1:-build/rigor}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
readonly REPEATS=7 LEAST=95

cat >throw.json <<'END'
{
  "rigor": 1, "time": 0.3, "options": { "step": 0.01 },
  "bodies": [
    { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
    { "name": "box", "position": [0, 0, 0.2], "shapes": [{ "shape": "box", "half": [0.1, 0.08, 0.05] }] }
  ]
}
END

# One sweep: "busy runs-in-ms others" in per cent.
one() { # TIME
  local TIMEFORMAT='%U %S'
  { time "$rigor" sweep throw.json --vary 'bodies.box.velocity.x=uniform(1,3)' --report box.position.x --count 1000 \
    --threads 2 --time "$1" --json -o table.csv >out.json; } 2>cpu.txt
  awk 'FNR == NR { cpu = $1 + $2; next } /"spent"/ { on = 1 }
    on && /"runs"/ { runs = $2 + 0 } on && /"busy"/ { busy = $2 + 0; on = 0 }
    END { printf "%.2f %.2f %.1f\n", 100 * busy, runs, 100 * (cpu - runs) / runs }' cpu.txt out.json
  rm -f table.csv
}

status=0
for time in 0.3 2; do
  for ((i = 0; i < REPEATS; ++i)); do one $time; done | sort -g >all.txt
  read -r busy runs others < <(tail -n 1 all.txt)
  printf '1000 runs of %.2f ms on 2 threads   busy %.1f %%   processor time besides runs %.1f %%\n' "$runs" "$busy" "$others"
  awk -v busy="$busy" -v least=$LEAST 'BEGIN { exit !(busy >= least) }' || status=1
done
[[ $status == 0 ]] || echo "busy for less than $LEAST %"
exit $status
