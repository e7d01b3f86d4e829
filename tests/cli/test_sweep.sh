#!/usr/bin/env bash
# rigor sweep: what varies, what is reported, the same bytes whoever makes the runs, and mistakes.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# A box is thrown on the ground: 20 steps.
cat >throw.json <<'EOF'
{
  "rigor": 1, "title": "Thrown", "time": 0.2, "options": {"step": 0.01},
  "materials": [{"name": "wood", "mu": 0.4}],
  "bodies": [
    {"name": "ground", "kind": "static", "shapes": [{"shape": "halfspace", "material": "wood"}]},
    {"name": "box", "position": [0, 0, 0.06], "velocity": [1, 0, 0],
     "shapes": [{"shape": "box", "half": [0.1, 0.08, 0.05], "material": "wood"}]}
  ]
}
EOF
vary=(--vary 'bodies.box.velocity.x=uniform(1,3)' --vary 'materials.wood.mu=normal(0.4,0.05)')
report=(--report box.position.x --report largest_force --report at_rest --report box.up --report residual)
all=("${vary[@]}" "${report[@]}" --count 200)

# --- the same bytes --------------------------------------------------------------------------------
call sweep throw.json "${all[@]}" --threads 1 -o one.csv
is "one thread: exit code" "$code" 0
is "one thread: no progress into a file" "$err" ""
has "statistics are printed" "$out" "200 of 200 runs met the tolerance in every step."
is "a line of what it is, a line of names, a line for each run" "$(wc -l <one.csv)" 202
is "names" "$(sed -n 2p one.csv)" "run,outcome,bodies.box.velocity.x,materials.wood.mu,box.position.x,largest_force,at_rest,box.up,residual"
is "in order" "$(tail -n +3 one.csv | cut -d, -f1 | paste -sd' ')" "$(seq -s' ' 0 199)"
for threads in 2 5; do
  call sweep throw.json "${all[@]}" --threads $threads -o many.csv -q
  same "$threads threads" one.csv many.csv
done
is "nothing is left beside the output" "$(ls ./*.part 2>/dev/null)" ""
for i in 1 2 3 4; do
  call sweep throw.json "${all[@]}" --shard $i/4 -o part$i.csv -q
  is "shard $i: exit code" "$code" 0
done
call sweep --merge part3.csv part1.csv part4.csv part2.csv -o merged.csv
is "merge: says what it did" "$out" "200 runs of 4 files are in merged.csv"
same "four shards" one.csv merged.csv
call sweep throw.json "${all[@]}" --resume -o merged.csv --json
is "resume of a whole table makes no run" "$err" "rigor sweep: 200 of 200 runs are there already"
is "resume gives the statistics" "$(member runs)" 200
same "resume leaves the bytes" one.csv merged.csv

# Each run is what 'rigor run' makes of the same numbers.
row=$(sed -n 20p one.csv)
IFS=, read -r _ _ speed mu x _ <<<"$row"
sed "s/\"velocity\": \[1,/\"velocity\": [$speed,/; s/\"mu\": 0.4/\"mu\": $mu/" throw.json >single.json
call run single.json -q -o single.csv
is "a run is that of 'rigor run'" "$(tail -n 1 single.csv | cut -d, -f5)" "$x"

# As .h5: the same bytes too, and the numbers of the .csv.
if "$rigor" list formats | grep -q '\.h5'; then
  call sweep throw.json "${all[@]}" --threads 1 -o one.h5 -q
  is "h5: exit code" "$code" 0
  call sweep throw.json "${all[@]}" --threads 3 -o many.h5 -q
  same "h5: three threads" one.h5 many.h5
  if command -v h5dump >/dev/null; then
    is "h5: a number to the bit" "$(h5dump -d /box.position.x -s 17 -c 1 -m %.17g -y one.h5 | sed -n 's/^ *\([-0-9.e]*\)$/\1/p' | head -n 1)" \
      "$(printf '%.17g' "$x")"
  fi
  refused "shards are text" "rigor sweep: --output is 'x.h5', must end in .csv: shards are put together as text" \
    sweep throw.json "${all[@]}" --shard 1/2 -o x.h5
fi
refused "another ending" "rigor sweep: --output is 'x.txt', must end in .csv or .h5" sweep throw.json "${all[@]}" -o x.txt

# --- killed ----------------------------------------------------------------------------------------
long=("${vary[@]}" "${report[@]}" --count 200 --time 3)
call sweep throw.json "${long[@]}" -o long.csv -q
for after in 0.02 0.1 0.25; do
  rm -f dead.csv dead.csv.part
  "$rigor" sweep throw.json "${long[@]}" -o dead.csv -q >/dev/null 2>&1 &
  process=$!
  sleep $after
  kill -9 $process 2>/dev/null
  wait $process 2>/dev/null
  # A line that was cut in the middle is not taken for a run.
  [[ ! -e dead.csv.part ]] || printf '3,met,1.2' >>dead.csv.part
  call sweep throw.json "${long[@]}" -o dead.csv -q --resume
  same "kill -9 after $after s and resume" long.csv dead.csv
  holds "no journal is left" test ! -e dead.csv.part
done
# An interrupt: what is done is in the table, and the rest can follow.
"$rigor" sweep throw.json "${long[@]}" --threads 1 --count 20000 -o stopped.csv >stopped.txt 2>&1 &
process=$!
for ((wait = 0; wait < 600; wait++)); do # a busy machine takes its time until some runs are done
  [[ ! -e stopped.csv.part ]] || (($(wc -l <stopped.csv.part) < 10)) || break
  sleep 0.1
done
kill -TERM $process
wait $process
is "interrupted: exit code" "$?" 130
has "interrupted: says so" "$(<stopped.txt)" "INTERRUPTED after"
holds "interrupted: runs are there" test "$(wc -l <stopped.csv)" -gt 5
is "interrupted: whole runs" "$(sed 1d stopped.csv | awk -F, 'NF != 9' | wc -l)" 0
call sweep throw.json "${long[@]}" -o stopped.csv
is "a journal is not overwritten" "$code" 2
has "a journal is not overwritten: message" "$err" "stopped.csv.part holds runs that were not finished: go on with --resume, or remove it"
call sweep throw.json "${long[@]}" -o stopped.csv --resume -q
same "resume with another count" long.csv stopped.csv

# --- what is reported ------------------------------------------------------------------------------
call sweep throw.json "${all[@]}" --json
is "json: exit code" "$code" 0
is "json: met" "$(member met)" 200
is "json: failed" "$(member failed)" 0
call sweep throw.json --vary 'materials.wood.mu=list(0,0.5)' --vary 'bodies.box.velocity.x=grid(1,2,3)' \
  --report box.velocity.x --report steps --report kinetic --report energy.sum -o grid.csv -q
is "lists and grids: all combinations, the last fastest" "$(tail -n +3 grid.csv | cut -d, -f3,4 | paste -sd' ')" \
  "0,1 0,1.5 0,2 0.5,1 0.5,1.5 0.5,2"
is "without friction the speed stays" "$(tail -n +3 grid.csv | head -n 3 | cut -d, -f5 | paste -sd' ')" "1 1.5 2"
# Falls of t = 0.1 s from far above the ground: z = 1 - g h^2 n (n + 1) / 2 with theta = 1.
call sweep throw.json --vary 'bodies.1.position.z=list(1)' --vary 'options.gravity.z=list(-10)' --time 0.1 \
  --report box.height --report box.displacement.z --report box.speed -o fall.csv -q
is "a fall" "$(tail -n 1 fall.csv | awk -F, '{printf "%.9f %.9f %.9f", $5, $6, $7}')" "0.945000000 -0.055000000 1.414213562"
# Failed and refused runs stay: a mass must be positive, and its place is said.
call sweep throw.json --vary 'bodies.box.mass=list(1,-1,2)' --report box.position.x -o mass.csv
is "refused runs: exit code" "$code" 1
is "refused runs are in the table" "$(tail -n +3 mass.csv | cut -d, -f2 | paste -sd' ')" "met refused met"
has "refused runs are counted" "$out" "2 of 3 runs met the tolerance in every step, 1 were REFUSED."
has "refused runs: which and why" "$out" "run 1: throw.json:6:"
has "refused runs: what would be right" "$out" "bodies[1].mass is -1, must be > 0"
has "runs without a value are said" "$out" "(1 runs have none)"
# Runs that miss the tolerance.
call sweep throw.json "${vary[@]}" -n 5 --report box.position.x --tolerance 1e-12 --iteration-limit 1 -o miss.csv
is "not met: exit code" "$code" 1
has "not met: counted" "$out" "did NOT"

# --- until -----------------------------------------------------------------------------------------
until=("${vary[@]}" --report box.position.x --until box.position.x=0.02 --count 5000)
call sweep throw.json "${until[@]}" --threads 1 -o until1.csv --json
is "until: exit code" "$code" 0
is "until: met" "$(member until_met)" true
runs=$(member runs)
holds "until: fewer runs than the most" test "$runs" -lt 5000
for threads in 2 4; do
  call sweep throw.json "${until[@]}" --threads $threads -o until.csv -q
  same "until: $threads threads" until1.csv until.csv
done
call sweep throw.json "${until[@]}" --count 20 --until box.position.x=1e-9
is "until: not reached: exit code" "$code" 1
has "until: not reached is said" "$out" "The interval of box.position.x is NOT as narrow as asked for."

# --- the page --------------------------------------------------------------------------------------
call sweep throw.json "${all[@]}" --html page.html -q
page_alone page.html
has "page: classes" "$(<page.html)" "+z up"
has "page: histogram" "$(<page.html)" "Histogram"

# --- mistakes --------------------------------------------------------------------------------------
one=(--report runout --count 5)
refused "bad name" "throw.json:4:13: path 'bodies.bax.mass': bodies has no element 'bax'; it has 2, counted from 0, or given by their names" \
  sweep throw.json --vary 'bodies.bax.mass=uniform(1,2)' "${one[@]}"
refused "bad key" "throw.json:6:5: path 'bodies.box.velocty.x': bodies[1] has no key 'velocty'; did you mean 'velocity'?" \
  sweep throw.json --vary 'bodies.box.velocty.x=uniform(1,2)' "${one[@]}"
refused "empty range" "rigor sweep: --vary time=uniform(2,1): the range is empty: the lower end 2 must be below the upper 1" \
  sweep throw.json --vary 'time=uniform(2,1)' "${one[@]}"
refused "empty grid" "rigor sweep: --vary time=grid(1,1,4): the range is empty: the grid begins and ends at 1" \
  sweep throw.json --vary 'time=grid(1,1,4)' "${one[@]}"
refused "no deviation" "rigor sweep: --vary time=normal(1,0): the deviation is 0, must be > 0" \
  sweep throw.json --vary 'time=normal(1,0)' "${one[@]}"
refused "unknown distribution" "rigor sweep: --vary time=unifrm(1,2): there is no 'unifrm'; did you mean 'uniform'?" \
  sweep throw.json --vary 'time=unifrm(1,2)' "${one[@]}"
refused "empty list" "rigor sweep: --vary time=list(): '' is not a number, must be list(A,B,...)" \
  sweep throw.json --vary 'time=list()' "${one[@]}"
refused "no count" "rigor sweep: --count is missing: how many runs with random numbers, as in --count 1000" \
  sweep throw.json "${vary[@]}" --report runout
refused "unknown quantity" "rigor sweep: --report box.positon.x: there is no quantity 'positon.x'; did you mean 'position.x'?" \
  sweep throw.json "${vary[@]}" --count 5 --report box.positon.x
refused "how steps make a number" "rigor sweep: --report energy: how the steps make one number must be said: energy.max, .min, .sum, .mean or .last" \
  sweep throw.json "${vary[@]}" --count 5 --report energy
refused "until of what is not reported" "rigor sweep: --until is 'runout=1', but this quantity is not reported; add --report runout" \
  sweep throw.json "${vary[@]}" --count 5 --report at_rest --until runout=1
refused "shard and until" "rigor sweep: --until decides on all runs, and --shard has a part of them; give one of the two" \
  sweep throw.json "${vary[@]}" "${one[@]}" --until runout=1 --shard 1/2 -o x.csv
refused "shard of nothing" "rigor sweep: --shard is '5/4', must be I/N with 1 <= I <= N, as in 1/4" \
  sweep throw.json "${vary[@]}" "${one[@]}" --shard 5/4 -o x.csv
refused "resume without a file" "rigor sweep: --resume needs --output FILE" sweep throw.json "${vary[@]}" "${one[@]}" --resume
refused "resume of other runs" "rigor sweep: one.csv:1: is of other runs: scene, variations, quantities, seed, shard or version differ; go on with the same ones, or write to another file" \
  sweep throw.json "${all[@]}" --seed 2 --resume -o one.csv
refused "merge without a part" "rigor sweep: 50 of 200 runs are in none of the files, the first is run 1; make them with --shard and --resume" \
  sweep --merge part1.csv part3.csv part4.csv -o x.csv
refused "merge of other runs" "rigor sweep: grid.csv:1: is of other runs than part1.csv: scene, variations, quantities, seed, count or version differ" \
  sweep --merge part1.csv grid.csv -o x.csv
refused "merge into a part" "rigor sweep: --output is part1.csv, which is one of the parts; write to another file" \
  sweep --merge part1.csv part2.csv -o part1.csv
call sweep throw.json "${vary[@]}" "${one[@]}" -o x.csv --html x.csv
is "one file for two outputs: exit code" "$code" 2
call sweep throw.json "${vary[@]}" "${one[@]}" -o x.csv --html x.csv.part
is "the journal is a file too: exit code" "$code" 2
has "the journal is a file too" "$err" "the journal of --output"
refused "the same number twice" "throw.json: 'bodies.1.velocity.0' and 'bodies.box.velocity.x' are the same number" \
  sweep throw.json --vary 'bodies.1.velocity.0=uniform(1,2)' --vary 'bodies.box.velocity.x=uniform(1,2)' "${one[@]}"
finish
