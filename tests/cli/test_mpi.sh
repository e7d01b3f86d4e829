#!/usr/bin/env bash
# rigor-mpi: the ranks of MPI make the table of one thread to the byte; a lost rank costs nothing that
# was done.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mpi=$(dirname "$rigor")/rigor-mpi
if [[ ! -x $mpi ]] || ! command -v mpirun >/dev/null; then
  skip "rigor-mpi is not built: MPI is not there"
  finish
fi
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { # NUMBER ARGUMENT...
  local number=$1
  shift
  timeout 120 mpirun --oversubscribe --allow-run-as-root -n "$number" "$mpi" "$@" </dev/null
}

cat >throw.json <<'EOF'
{
  "rigor": 1, "time": 0.3, "options": {"step": 0.01},
  "bodies": [
    {"name": "ground", "kind": "static", "shapes": [{"shape": "halfspace"}]},
    {"name": "box", "position": [0, 0, 0.2],
     "shapes": [{"shape": "box", "half": [0.1, 0.08, 0.05]}]}
  ]
}
EOF
all=(sweep throw.json --vary 'bodies.box.velocity.x=uniform(1,3)' --vary 'bodies.box.angular_velocity.y=normal(0,5)'
  --report box.position.x --report box.up --count 1000)
"$rigor" "${all[@]}" --threads 1 -q -o one.csv
"$rigor" "${all[@]}" --threads 2 -q -o two.csv
same "two threads" one.csv two.csv
for number in 1 2 4; do
  ranks "$number" "${all[@]}" -o mpi.csv >out.txt 2>err.txt
  is "$number ranks: exit code" "$?" 0
  has "$number ranks: said once" "$(<out.txt)" "1000 of 1000 runs met the tolerance in every step."
  same "$number ranks" one.csv mpi.csv
done
for i in 1 2 3 4; do "$rigor" "${all[@]}" --shard $i/4 -q -o shard$i.csv; done
"$rigor" sweep --merge shard?.csv -q -o merged.csv
same "four shards" one.csv merged.csv
ranks 4 "${all[@]}" --until box.position.x=0.05 -q -o until.csv
"$rigor" "${all[@]}" --until box.position.x=0.05 -q --threads 1 -o until1.csv
same "until on 4 ranks" until1.csv until.csv

# --- mistakes are said once, by all ranks together -------------------------------------------------
ranks 2 sweep throw.json --vary 'time=uniform(2,1)' --report steps --count 5 >out.txt 2>err.txt
is "bad range: exit code" "$?" 2
is "bad range: said once" "$(grep -c 'the range is empty' err.txt)" 1
ranks 2 run throw.json >out.txt 2>err.txt
has "other commands" "$(<err.txt)" "rigor-mpi: makes ensembles"

# --- a rank is killed at random times --------------------------------------------------------------
long=("${all[@]}" --time 4)
begin=$EPOCHREALTIME
"$rigor" "${long[@]}" --threads 1 -q -o long.csv
alone=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
# A rank of this test: one that works in its folder. Found before it is done, which a look at all processes is not.
rank() {
  local process
  for process in $(pgrep -x "$(basename "$mpi")"); do
    [[ $(readlink "/proc/$process/cwd" 2>/dev/null) == "$work" ]] || continue
    echo "$process"
    return
  done
}
lost=0 seed=${RIGOR_SEED:-$RANDOM}
for k in 1 2 3; do
  # Three ranks need at least a third of the time of one. A seed gives the times again.
  after=$(awk -v seed="$seed" -v k=$k -v alone="$alone" 'BEGIN { srand(seed + k); rand(); print alone / 4 * rand() }')
  rm -f dead.csv dead.csv.part
  ranks 3 "${long[@]}" -q -o dead.csv >out.txt 2>err.txt &
  job=$!
  while kill -0 "$job" 2>/dev/null && [[ -z $(rank) ]]; do sleep 0.02; done
  sleep "$after"
  victim=$(rank)
  [[ -z $victim ]] || kill -9 "$victim" 2>/dev/null
  if ! wait $job; then
    lost=$((lost + 1))
    has "after $after s (seed $seed): the loss is said" "$(<err.txt)" "signal 9"
  fi
  ranks 2 "${long[@]}" -q --resume -o dead.csv >out.txt 2>err.txt
  same "a rank killed after $after s (seed $seed), and resumed" long.csv dead.csv
done
holds "some rank was lost before the end" test "$lost" -ge 1
finish
