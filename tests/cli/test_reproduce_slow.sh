#!/usr/bin/env bash
# `rigor reproduce`: the experiments pass, and the three ways to show them agree.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

call reproduce --list
is "--list: exit code" "$code" 0
has "--list names" "$out" "cone-weakness"
has "--list names the paper" "$out" "section 8.2"
call reproduce --list --json
has "--list --json" "$out" '"name": "bouncing-column"'

refused "no name" "rigor reproduce: NAME is missing; 'rigor reproduce --list' names the experiments" reproduce
refused "mistyped name" "rigor reproduce: unknown experiment 'cone-weaknes'; did you mean 'cone-weakness'?" reproduce cone-weaknes
refused "far from any name" "rigor reproduce: unknown experiment 'x'; 'rigor reproduce --list' names them" reproduce x
refused "data for all" "rigor reproduce: --data is for one experiment, not for all" reproduce all --data .
refused "an index with the name of a page" "rigor reproduce: --html cube-tosses.html is the name of an experiment's own page" \
  reproduce all --html cube-tosses.html
refused "a page that cannot be written" "rigor reproduce: cannot write none/page.html: No such file or directory" \
  reproduce cone-weakness --html none/page.html

# --- one experiment, three ways ----------------------------------------------------------------------
call reproduce cone-weakness --html page.html
is "cone-weakness: exit code" "$code" 0
is "cone-weakness: stderr" "$err" ""
has "cone-weakness: headline" "$out" " checked, "
lacks "a pipe gets no escape sequences" "$out" $'\033'
checked=$(grep -c '  pass  ' <<<"$out")
shown=$(grep -c '  shown  ' <<<"$out")
has "the headline counts both kinds of rows" "$out" "$checked checked, $checked pass; $shown shown."
has "the paper's authors and title" "$out" "Mathieu Renouf, Vincent Acary, Georges Dumont: 3D frictional contact"

call reproduce cone-weakness --json
is "--json: exit code" "$code" 0
is "--json: experiment" "$(member experiment)" '"cone-weakness"'
is "--json: rows" "$(grep -c '"measured": [-0-9]' <<<"$out")" "$((checked + shown))"
is "--json: checked, passed, shown" "$(member checked) $(member passed) $(member shown)" "$checked $checked $shown"
is "--json: only checked rows have a verdict" "$(grep -c '"pass": true' <<<"$out")" "$((checked + 1))"
is "--json: checked rows" "$(grep -c '"checked": true' <<<"$out")" "$checked"
has "--json: no published number is null" "$out" '"published": null'

page=$(<page.html)
is "page: the picture of the scene, and one plot of four panels" "$(grep -c '<svg' page.html) $(grep -c '<clipPath' page.html)" "2 4"
has "page: command" "$page" "rigor reproduce cone-weakness"
has "page: how to watch" "$page" "rigor view scenes/experiments/cone_weakness.json"
has "page: parameters and their origin" "$page" "given by the paper"
has "page: table" "$page" "exact cone: corner 1"
page_alone page.html

# --- the others that take a moment only ---------------------------------------------------------------
call reproduce cone-weakness --json
explained cone-weakness
printf '%s\n' "$out" >cone-weakness.whole
# All that the table lists. cube-tosses needs measurements and is below; gauss-tables and masonry take long and are
# in tests/long.
call list experiments --json
mapfile -t names < <(sed -n 's/^ *"name": "\(.*\)",$/\1/p' <<<"$out" | grep -vx 'cone-weakness\|cube-tosses\|gauss-tables\|masonry')
holds "the table lists experiments" test "${#names[@]}" -ge 17
[[ -z ${RIGOR_FAST:-} ]] || names=(impending-motion pendulum-drift rolling-disc spinning-sphere step-halving stiff-feedback two-spheres)
for name in "${names[@]}"; do
  call reproduce "$name" --json
  is "$name: exit code" "$code" 0
  is "$name: rows that fail" "$(grep -c '"pass": false' <<<"$out")" 0
  explained "$name"
  printf '%s\n' "$out" >"$name.whole"
done

# --- broken laws ---------------------------------------------------------------------------------------
# broken NAME OPTION VALUE ROW: with an option that breaks a law, the row about that law fails, and the exit
# code says so. Without it the same row passes.
broken() {
  if [[ ! -f $1.whole ]]; then # as with RIGOR_FAST
    call reproduce "$1" --json
    printf '%s\n' "$out" >"$1.whole"
  fi
  is "$1: '$4' passes" "$(grep -A 8 -F "\"quantity\": \"$4" "$1.whole" | grep -m 1 '"pass"' | tr -d ' ,')" '"pass":true'
  call reproduce "$1" "$2" "$3" --json
  is "$1 $2 $3: exit code" "$code" 1
  is "$1 $2 $3: '$4' fails" "$(grep -A 8 -F "\"quantity\": \"$4" <<<"$out" | grep -m 1 '"pass"' | tr -d ' ,')" '"pass":false'
  has "$1 $2 $3: said in the command" "$out" "\"command\": \"rigor reproduce $1 $2 $3\""
}
# Coulomb's cone, conservation of energy, the constraint manifold, non-penetration, implicit forces, and the
# correction of positions.
broken cone-weakness --cone inner "exact cone: corner 1"
broken pendulum-drift --stabilizer none "post, h = 20 ms: anchor off after 4 s"
broken step-halving --stepper anitescu-potra "halving: largest error of the place after the impact"
if [[ -z ${RIGOR_FAST:-} ]]; then
  broken bouncing-column --theta 1 "lemke: change of the total energy"
  broken contact-stabilization --stabilizer none "one rectangle, sunk by 5 mm, post: largest overlap after a step"
  broken stiff-spring --implicit-forces off "implicit: stretch over equilibrium"
  broken chain-stabilization --stabilizer none "post-once: largest error after the step"
  broken too-many-contacts --cone frictionless "step of the world: velocity after the impact against a sphere's"
  broken limited-time --iteration-limit 1 "no limit that binds: steps that miss"
  broken stiff-spring --implicit-forces off "bending stiffness of three bodies: bend left after 20 steps"
fi
call reproduce pendulum-drift --stabilizer none
has "said first" "$(head -n 6 <<<"$out")" "Not as published: made with --stabilizer none."
refused "options for an experiment without a scene" "rigor reproduce: motion-space has no scene: --theta 1 is not for it" \
  reproduce motion-space --theta 1

# --- measurements ------------------------------------------------------------------------------------
refused "data for an experiment without" "rigor reproduce: cone-weakness reads no measurements: --data is not for it" \
  reproduce cone-weakness --data .
call reproduce cube-tosses --data none
is "no measurements: exit code" "$code" 3
has "no measurements: said" "$(tr '\n' ' ' <<<"$out")" "none/ic.csv: No such file or directory. The experiment needs the measured throws; name their folder with --data."

# Throws that were simulated: the scene's own, recorded at 148 frames per second. A throw whose frames are
# all shifted by (dx, 0, 0) has a position error of exactly dx over the edge and none of rotation.
mkdir -p made/ref
"$rigor" run "$root/scenes/experiments/cube_tosses.json" --time 0.5 --every 10 -q -o made.csv
write_toss() { # NUMBER SHIFT
  awk -F, -v shift="$2" -v OFS=, 'NR == 1 { print "t,px,py,pz,qw,qx,qy,qz" }
    $4 == "cube" { print $1, sprintf("%.17g", $(c + 0) + shift), $(c + 1), $(c + 2), $(c + 3), $(c + 4), $(c + 5), $(c + 6) }' \
    c="$(head -n 1 made.csv | tr , '\n' | grep -nx px | cut -d : -f 1)" made.csv >"made/ref/$1.csv"
}
write_toss 0 0
write_toss 7 0.01048
{
  echo "toss,start_frame,n_frames,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wbx,wby,wbz"
  # The angular velocity (3, 5, -2) of the world in body axes, with q = (0.8, 0.4, 0.4, 0.2).
  for number in 0 7; do echo "$number,0,75,-0.2,0,0.15,0.8,0.4,0.4,0.2,1.2,0.3,-0.4,5.96,1.4,-0.72"; done
} >made/ic.csv
# measured QUANTITY: the value of a row of the JSON of the last call.
measured() { grep -A 3 "\"quantity\": \"$1\"" <<<"$out" | sed -n 's/^ *"measured": \(.*\),/\1/p'; }
call reproduce cube-tosses --data made --json
holds "made throws: mean of 0 and 10 % (got $(measured "theta 1: position error, mean"))" \
  awk -v x="$(measured "theta 1: position error, mean")" 'BEGIN { exit !(x > 4.9999 && x < 5.0001) }'
holds "made throws: standard deviation" \
  awk -v x="$(measured "theta 1: position error, standard deviation")" 'BEGIN { exit !(x > 4.9999 && x < 5.0001) }'
holds "made throws: no rotation (got $(measured "theta 1: rotation error, mean"))" \
  awk -v x="$(measured "theta 1: rotation error, mean")" 'BEGIN { exit !(x >= 0 && x < 1e-4) }'
echo "0.1,1,2,x,1,0,0,0" >>made/ref/7.csv
call reproduce cube-tosses --data made
is "a bad row: exit code" "$code" 3
has "a bad row: named" "$out" "made/ref/7.csv:$(wc -l <made/ref/7.csv): is not a row of numbers, one per column"

if [[ -n ${RIGOR_FAST:-} ]]; then
  skip "measured throws take a while"
elif [[ -r ${RIGOR_SHARED:-$root/../shared}/data/tosses/ic.csv ]]; then
  export RIGOR_SHARED=${RIGOR_SHARED:-$root/../shared}
  call reproduce cube-tosses --json --html tosses.html
  is "cube-tosses: exit code" "$code" 0
  is "cube-tosses passes" "$(grep -c '"pass": false' <<<"$out")" 0
  explained cube-tosses
  is "page: the scene and one plot of two panels" "$(grep -c '<svg' tosses.html) $(grep -c '<clipPath' tosses.html)" "2 2"
  page_alone tosses.html
else
  skip "no measured throws"
fi

# --- scenes ------------------------------------------------------------------------------------------
call list experiments --json
named=$(grep -o '"scene": "[^"]\+"' <<<"$out" | cut -d '"' -f 4 | sort)
there=$(cd "$root" && printf '%s\n' scenes/experiments/*.json | sort)
is "every scene of the experiments has one, and the other way round" "$named" "$there"
for scene in $named; do
  call check "$root/$scene"
  is "$scene: exit code" "$code" 0
done

finish
