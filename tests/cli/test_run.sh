#!/usr/bin/env bash
# `rigor run`: what is recorded, what is printed, how it ends.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_pile pile.json

frames() { # FILE: number of distinct times in a trajectory
  tail -n +2 "$1" | cut -d, -f1 | uniq | wc -l | tr -d ' '
}

# --- the summary -----------------------------------------------------------------------------------
call run pile.json --time 0.5 -o pile.csv
is "run: exit code" "$code" 0
is "run: stderr" "$err" ""
is "summary: title" "$(head -n 1 <<<"$out")" "A small pile"
has "summary: scene" "$out" "  scene         pile.json"
has "summary: bodies" "$out" "9: 8 dynamic, 1 static"
has "summary: steps" "$out" "0.5 s in 50 steps of 0.01 s"
has "summary: tolerance" "$out" "The tolerance 0.0001 was met in every step (50)."
has "summary: trajectory" "$out" "pile.csv, 51 frames"
for word in signorini coulomb joint dynamics residual penetration 'joint error'; do
  has "summary: certificate" "$out" "  $word"
done
lacks "no escape sequences in a pipe" "$out$err" $'\033'

# --- the profile: every phase in the table and in the picture, shares that add up, the same state
call run pile.json --time 0.5 --profile profile.html
is "--profile: exit code" "$code" 0
for phase in contacts problem solve position energy; do
  has "--profile: table" "$out" "  $phase"
  has "--profile: page" "$(<profile.html)" "$phase"
done
has "--profile: picture" "$(<profile.html)" "<svg"
shares=$(sed -n '/^Profile/,$p' <<<"$out" | grep -o '[0-9.]* %' | awk '{ sum += $1 } END { print (sum > 99.7 && sum < 100.3) }')
is "--profile: shares add up to 100 within their rounding" "$shares" 1
call run pile.json --time 5.13 --profile profile.svg --quiet # more steps than points of the picture
is "--profile: with --quiet" "$code$out$err" "0"
has "--profile: a picture alone" "$(head -c 5 profile.svg)" "<svg"
call run pile.json --time 0.5 --profile pile.json
is "--profile over the scene: exit code" "$code" 2
call run pile.json --time 0.5 --quiet
is "--quiet: exit code" "$code" 0
is "--quiet: output" "$out$err" ""

call run pile.json --time 0.5 --json
is "--json: exit code" "$code" 0
is "--json: outcome" "$(member outcome)" '"ok"'
is "--json: steps" "$(member steps)" 50
is "--json: met" "$(member met)" true
is "--json: steps not met" "$(member steps_not_met)" 0
is "--json: contacts whose force is a matter of choice" "$(($(member undetermined_contacts) > 0))" 1
is "--json: title" "$(member title)" '"A small pile"'
hash=$(member state)

sed 's/A small pile/red \\u001b[31m/' pile.json >control.json
call run control.json --time 0.1
is "control characters of a title do not reach the terminal" "$(head -n 1 <<<"$out")" "red ?[31m"

# --- a tolerance that cannot be met ----------------------------------------------------------------
call run pile.json --time 0.5 --tolerance 1e-15 --iteration-limit 1
is "not met: exit code" "$code" 1
has "not met: in words" "$out" "The tolerance 1e-15 was NOT met in "
call run pile.json --time 0.5 --tolerance 1e-15 --iteration-limit 1 --quiet
is "not met, quiet: exit code" "$code" 1
has "not met, quiet: in words" "$err" "rigor run: The tolerance 1e-15 was NOT met in "
call run pile.json --time 0.5 --tolerance 1e-15 --iteration-limit 1 --json
is "not met, JSON: outcome" "$(member outcome)" '"not-met"'
is "not met, JSON: met" "$(member met)" false

# --- a step that leaves the range of numbers -------------------------------------------------------
# w h = 30 taken explicitly: the motion grows a thousandfold in each step.
cat >spring.json <<'END'
{ "rigor": 1, "time": 2, "options": { "step": 0.01, "implicit_forces": false },
  "bodies": [{ "name": "bob", "mass": 1, "position": [0, 0, 2],
               "shapes": [{ "shape": "sphere", "radius": 0.1 }] }],
  "forces": [{ "kind": "spring", "body": "bob", "other_point": [0, 0, 5], "stiffness": 1e7, "rest": 1 }] }
END
call run spring.json -o spring.csv --every 7 --save spring.snap
is "explosion: exit code" "$code" 3
has "explosion: the summary says so" "$out" "STOPPED after 50 of 200 steps: the energy of body \"bob\" is not finite"
has "explosion: the body" "$err" "rigor run: the energy of body \"bob\" is not finite after the step to t = 0.51 s"
has "explosion: what to do" "$err" "Choose a smaller step than 0.01 s, take springs implicitly (implicit_forces)"
is "explosion: frames so far, and the last good state" "$(frames spring.csv) $(tail -n 1 spring.csv | cut -d, -f2)" "9 50"
lacks "explosion: no number that is none" "$out$(<spring.csv)" "nan"
lacks "explosion: none that is too large" "$out$(<spring.csv)" "inf"
call run spring.json --load spring.snap --time 0.01 --json
is "explosion: the state before it is kept" "$code $(member outcome)" '3 "failed"'
call run spring.json --implicit-forces true --json
is "explosion: not with implicit forces" "$code $(member outcome)" '0 "ok"'

# --- frames ----------------------------------------------------------------------------------------
is "a frame for every step and the start" "$(frames pile.csv)" 51
"$rigor" run pile.json --time 0.5 --quiet -o ten.csv --every 10
is "--every 10" "$(frames ten.csv)" 6
"$rigor" run pile.json --time 0.5 --quiet -o rate.csv --fps 20
is "--fps 20" "$(frames rate.csv)" 11
same "--fps 20 at h = 0.01 is --every 5" rate.csv <("$rigor" run pile.json --time 0.5 -q -o five.csv --every 5; cat five.csv)
# spacing FPS STEP LEAST MOST SENTENCE: what the summary and the JSON say of a rate, and that the frames
# are those: of the first step at or after their time.
spacing() {
  call run pile.json --time 0.5 --step "$2" --fps "$1" -o rate.csv --json
  is "--fps $1 at h = $2: least steps between frames" "$(sed -n 's/^ *"least": \([0-9]*\),*/\1/p' <<<"$out")" "$3"
  is "--fps $1 at h = $2: most steps between frames" "$(sed -n 's/^ *"most": \([0-9]*\),*/\1/p' <<<"$out")" "$4"
  is "--fps $1 at h = $2: the frames" "$(cut -d, -f2 rate.certificate.csv | tail -n +2 | sed '$d' | tr '\n' ' ')" \
    "$(awk -v f="$1" -v h="$2" 'BEGIN { for (s = k = 0; s * h < 0.5 - 1e-9; s++)
      if (s * h >= k / f - 1e-9) { printf "%d ", s; while (k / f <= s * h + 1e-9) k++ } }')"
  call run pile.json --time 0.5 --step "$2" --fps "$1" -o rate.csv
  if [[ -n $5 ]]; then has "--fps $1 at h = $2" "$(tr -s ' \n' ' ' <<<"$out")" "frames $5"
  else lacks "--fps $1 at h = $2" "$out" "  frames  "; fi
}
spacing 20 0.01 5 5 ""
spacing 25 0.005 8 8 ""
spacing 60 0.01 1 2 "60 per second are one in 1.66667 steps: each is that of the first step at or after its time, 1 or 2 steps after the last"
spacing 24 0.01 4 5 "24 per second are one in 4.16667 steps"
spacing 7 0.004 35 36 "7 per second are one in 35.7143 steps"
spacing 100 0.01 1 1 ""
spacing 144 0.01 1 1 "144 per second are more than the steps (100 per second): every step has one"
"$rigor" run pile.json --time 0.5 --quiet -o last.csv --every 7
is "the last state is recorded too" "$(tail -n 1 last.csv)" "$(tail -n 1 pile.csv)"
call run pile.json --time 0.255 --json
is "a time between steps is covered" "$(member steps)" 26
call run pile.json --time 0 --json -o none.csv
is "no time: no steps" "$(member steps)" 0
is "no time: the start is recorded" "$(frames none.csv)" 1

# --- options ---------------------------------------------------------------------------------------
call run pile.json --time 0.5 --json --step 0.005
is "--step wins over the scene" "$(member steps)" 100
call run pile.json --time=0.1 --json --preset reference
is "a preset wins over the scene" "$(member tolerance)" "1e-10"
has "a preset leaves gravity to the scene" "$(tr -d ' \n' <<<"$out")" '"gravity":[0,0,-9]'
call run pile.json --time 0.1 --json --preset reference --tolerance 1e-5
is "an option wins over a preset" "$(member tolerance)" "1e-5"
call run --time 0.5 --json -- pile.json
is "options before the scene give the same state" "$(member state)" "$hash"
call run pile.json --time 0.5 --json --iteration_limit 10000
is "underscores are as good as dashes" "$(member state)" "$hash"

# --- threads ---------------------------------------------------------------------------------------
"$rigor" run pile.json --time 0.5 --quiet --threads 2 -o two.csv
same "two threads give the same bits as one" two.csv pile.csv

finish
