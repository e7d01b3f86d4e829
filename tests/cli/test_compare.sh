#!/usr/bin/env bash
# `rigor compare`: combinations side by side as a table, as JSON and as a page; what is refused, what
# fails, what is interrupted.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_pile pile.json
write_ball ball.json

rows() { # NAME: rows of the last table that begin with these names
  grep -c "^$1" <<<"$out"
}
outcomes() { # of the combinations of the last JSON, in order
  sed -n 's/^ *"outcome": "\(.*\)",$/\1/p' <<<"$out" | tr '\n' ' '
}

# --- the table -------------------------------------------------------------------------------------
call compare pile.json --time 0.5 --steppers theta,anitescu-potra --solvers nsgs,auto --stabilizers none,post
is "table: exit code" "$code" 0
is "table: stderr" "$err" ""
is "table: title" "$(head -n 1 <<<"$out")" "A small pile"
has "table: what was run" "$out" "pile.json: 0.5 s in 50 steps of 0.01 s, tolerance 0.0001"
for column in CPU/step CPU "not met" residual penetration "joint error" gained lost drift difference; do
  has "table: a column" "$out" " $column"
done
for stepper in theta anitescu-potra; do
  for solver in nsgs auto; do
    for stabilizer in none post; do
      is "a row in both tables" "$(rows "$stepper *$solver *$stabilizer *")" 2
    done
  done
done
is "no more rows than that" "$(rows '\(theta\|anitescu-potra\) ')" 16
has "the first is the reference" "$(grep '^theta *nsgs *none' <<<"$out" | tail -n 1)" "           0"
has "how it ended" "$out" "The tolerance 0.0001 was met in every step by every combination (8 of 8)."
is "no line is longer than 100 columns" "$(awk 'length > 100' <<<"$out")" ""
lacks "no escape sequences in a pipe" "$out$err" $'\033'

# Without lists it is the run of the scene.
call run pile.json --time 0.5 --json
hash=$(member state) penetration=$(member penetration) drift=$(member energy_sum)
call compare pile.json --time 0.5 --json
is "the scene's own: one combination" "$(outcomes)" "ok "
is "the scene's own: stepper" "$(member stepper)" '"theta"'
is "the scene's own: the same run" "$(member state)" "$hash"
is "the scene's own: penetration" "$(member penetration)" "$penetration"
is "the scene's own: drift" "$(member energy_drift)" "$drift"
is "the scene's own: no difference to itself" "$(member difference)" 0

# Options of the simulation count for all runs.
call compare ball.json --time 0.1 --step 0.01 --gravity 0,0,-1 --json
is "--step" "$(member steps_planned)" 10
is "--step: made" "$(member steps)" 10
is "twice the same name is once" "$("$rigor" compare ball.json --time 0.1 --solvers nsgs,nsgs --json | grep -c '"solver": "nsgs"')" 1

# A ball falls freely from z = 10 for 1 s. At theta = 1/2 it is where physics has it; a step of
# first order in h is off by g h t / 2 = 0.05 m, which is the difference of the two states.
sed 's/\[0, 0, 1\]/[0, 0, 10]/' ball.json >fall.json
call compare fall.json --time 1 --step 0.01 --theta 0.5 --gravity 0,0,-10 --steppers theta,anitescu-potra --json
difference=$(sed -n 's/^ *"difference": \([-+.0-9e]*\),$/\1/p' <<<"$out" | tail -n 1)
holds "difference of two states: $difference" awk -v d="$difference" 'BEGIN { exit !(d > 0.05 - 1e-12 && d < 0.05 + 1e-12) }'

# --- JSON ------------------------------------------------------------------------------------------
call compare pile.json --time 0.2 --solvers nsgs,newton --json
is "JSON: exit code" "$code" 0
is "JSON: scene" "$(member scene)" '"pile.json"'
is "JSON: title" "$(member title)" '"A small pile"'
is "JSON: met" "$(member met)" true
is "JSON: interrupted" "$(member interrupted)" false
is "JSON: reference" "$(member reference)" 0
for name in stepper solver stabilizer outcome reason steps time_end cpu_time cpu_time_per_step contacts iterations \
  residual penetration joint_error energy_start energy_end energy_gained energy_lost energy_drift difference state; do
  is "JSON: $name of both" "$(grep -c "^      *\"$name\": " <<<"$out")" 2
done
holds "JSON: CPU time" awk -v t="$(member cpu_time)" 'BEGIN { exit !(t > 0) }'

# --- refused combinations --------------------------------------------------------------------------
call compare pile.json --time 0.2 --solvers dantzig,nsgs,wilhelmsen
is "refused: no error" "$code" 0
has "refused: in its row" "$(grep '^theta *dantzig' <<<"$out")" "refused [1]"
has "refused: with the reason" "$out" "[1] "
has "refused: the reason names the solver" "$(grep '^\[1\]' <<<"$out")" "dantzig"
has "refused: another reason" "$(grep '^\[2\]' <<<"$out")" "wilhelmsen"
is "refused: no row among the results" "$(rows 'theta *dantzig')" 1
has "refused: counted" "$(tr '\n' ' ' <<<"$out")" "2 are refused."
has "the reference is the first that ran" "$(tr '\n' ' ' <<<"$out")" "to that of theta nsgs post"

call compare pile.json --time 0.2 --solvers dantzig,nsgs --json
is "refused, JSON: exit code" "$code" 0
is "refused, JSON: outcomes" "$(outcomes)" "refused ok "
has "refused, JSON: reason" "$(member reason)" "dantzig"
is "refused, JSON: reference" "$(member reference)" 1

call compare pile.json --time 0.2 --solvers dantzig
is "all refused: exit code" "$code" 2
has "all refused: said" "$out" "Nothing was run: every combination is refused."

call compare pile.json --time 0.05 --steppers all --solvers all --stabilizers all
holds "all of everything: exit code" test "$code" -le 1
is "all of everything: no line is longer than 100 columns" "$(awk 'length > 100' <<<"$out")" ""
steppers=$("$rigor" list steppers --json | grep -c '"name"') solvers=$("$rigor" list solvers --json | grep -c '"name"')
stabilizers=$("$rigor" list stabilizers --json | grep -c '"name"')
call compare pile.json --time 0.05 --steppers all --solvers all --stabilizers all --json
is "all of everything: every combination" "$(outcomes | wc -w | tr -d ' ')" $((steppers * solvers * stabilizers))

# --- not met, failed -------------------------------------------------------------------------------
call compare pile.json --time 0.5 --solvers nsgs,auto --tolerance 1e-15 --iteration-limit 1
is "not met: exit code" "$code" 1
has "not met: in words" "$out" "was NOT met in every step by 2 of 2 combinations"
call compare pile.json --time 0.5 --solvers nsgs --tolerance 1e-15 --iteration-limit 1 --json
is "not met, JSON: outcome" "$(outcomes)" "not-met "
is "not met, JSON: met" "$(member met)" false

# A force so large that the energy leaves the range of numbers after 189 steps.
cat >strong.json <<'END'
{ "rigor": 1, "time": 10, "options": { "step": 0.01, "gravity": [0, 0, 0] },
  "bodies": [{ "name": "mass", "mass": 1, "shapes": [{ "shape": "sphere", "radius": 0.1 }] }],
  "forces": [{ "kind": "constant", "body": "mass", "force": [1e154, 0, 0] }] }
END
call compare strong.json
is "failed: exit code" "$code" 3
has "failed: in its row" "$(grep '^theta ' <<<"$out")" "failed after "
has "failed: why" "$out" "not finite"
call compare strong.json --json --html failed.html
is "failed, JSON: outcome" "$(outcomes)" "failed "
is "failed: the page is whole" "$(tail -n 1 failed.html)" "</html>"

# --- the page --------------------------------------------------------------------------------------
call compare pile.json --time 0.5 --solvers nsgs,auto,dantzig --stabilizers none,post --html page.html
is "page: exit code" "$code" 0
page=$(<page.html)
has "page: title" "$page" "<h1>A small pile</h1>"
has "page: a line of the legend" "$page" ">nsgs none<"
has "page: the refused one with its reason" "$page" "<td class=\"\">refused</td><td class=\"\">"
is "page: one plot of energy, residual and penetration" "$(grep -c '<svg' page.html) $(grep -c '<clipPath' page.html)" "1 3"
is "page: a line per combination in each, and in the legend" "$(grep -o '<path class="line' page.html | wc -l | tr -d ' ')" 16
page_alone page.html
# More lines than colours: a plot for each stepper.
call compare pile.json --time 0.1 --steppers theta,anitescu-potra --solvers nsgs,auto,newton --stabilizers none,post --html page.html
is "page: split by stepper" "$(grep -o '<h2>stepper [a-z-]*' page.html | tr '\n' ' ')" "<h2>stepper theta <h2>stepper anitescu-potra "

# --- wrong usage -----------------------------------------------------------------------------------
refused "no scene" "rigor compare: SCENE is missing; usage: rigor compare SCENE [OPTIONS]" compare
refused "an unknown solver" "rigor compare: there is no solver 'nsg'; did you mean 'nsgs'?" compare pile.json --solvers auto,nsg
refused "an unknown stepper" "rigor compare: there is no stepper 'thetta'; did you mean 'theta'?" compare pile.json --steppers thetta
refused "an unknown stabilizer" "rigor compare: there is no stabilizer 'baumgart'; did you mean 'baumgarte'?" \
  compare pile.json --stabilizers baumgart
refused "far from any name" "rigor compare: there is no stabilizer 'x', must be of: all, none, baumgarte, post, post-once" \
  compare pile.json --stabilizers x
refused "an empty name" "rigor compare: there is no stabilizer '', must be of: all, none, baumgarte, post, post-once" \
  compare pile.json --stabilizers post,
refused "one solver is a list too" "rigor compare: unknown option --solver; did you mean --solvers?" compare pile.json --solver nsgs
refused "a wrong option of the simulation" "rigor compare: --theta is '2', must be a number >= 0.5 and <= 1" compare pile.json --theta 2
refused "a page that cannot be written" "rigor compare: cannot write none/page.html: No such file or directory" compare pile.json --html none/page.html
refused "a page in place of the scene" "rigor compare: --html ./pile.json would overwrite the scene pile.json; name another file" compare pile.json --html ./pile.json
call compare nowhere.json
is "no such scene: exit code" "$code" 2
has "no such scene: message" "$err" "nowhere.json"
echo '{ "rigor": 1, "bodies": [{ "mass": -1 }] }' >bad.json
call compare bad.json
is "a wrong scene: exit code" "$code" 2
has "a wrong scene: the place" "$err" "bad.json:1:"

if [[ -e /dev/full ]]; then
  call compare ball.json --time 0.1 --html /dev/full
  is "a full disk: exit code" "$code" 3
  has "a full disk: message" "$err" "cannot write /dev/full: No space left on device"
fi

# --- interrupted -----------------------------------------------------------------------------------
env --default-signal=TERM "$rigor" compare pile.json --time 1e5 --solvers nsgs,auto --json --html cut.html >cut.json 2>cut.err &
process=$!
sleep 0.5
kill -s TERM "$process"
wait "$process"
is "interrupted: exit code" "$?" 130
is "interrupted: stderr" "$(<cut.err)" ""
out=$(<cut.json)
is "interrupted: outcomes" "$(outcomes)" "interrupted not-run "
is "interrupted: said" "$(member interrupted)" true
is "interrupted: the object is whole" "$(tail -n 1 cut.json)" "}"
is "interrupted: the page is whole" "$(tail -n 1 cut.html)" "</html>"

# Ctrl-C on a terminal as soon as the second of three runs is in hand: the first is kept.
if command -v script >/dev/null; then
  export TERM=xterm LC_ALL=C
  : >typescript
  {
    for ((i = 0; i < 600; i++)); do
      grep -q 'theta auto baumgarte' typescript && break
      sleep 0.05
    done
    printf '\003'
    sleep 0.5
  } | script -qefc "'$rigor' compare pile.json --time 600 --stabilizers none,baumgarte,post >cut.txt" typescript >/dev/null
  is "Ctrl-C: exit code" "$?" 130
  out=$(<cut.txt)
  is "Ctrl-C: the first has its rows" "$(rows 'theta *auto *none  ')" 2
  has "Ctrl-C: the second" "$(grep '^theta *auto *baumgarte' <<<"$out")" "interrupted after "
  has "Ctrl-C: the third" "$(grep '^theta *auto *post' <<<"$out")" "not run"
  has "Ctrl-C: said" "$out" "INTERRUPTED: 1 of 3 combinations ran to the end."
  seen=$(<typescript)
  has "progress: which combination" "$seen" "theta auto none"
  has "progress: the time that is left" "$seen" "ETA "
  has "progress: cleared at the end" "$seen" $'\r\033[K'
else
  skip "the command script is missing"
fi

finish
