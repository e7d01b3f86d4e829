#!/usr/bin/env bash
# `rigor character`: a clip is played, hit, recorded and told about; what is wrong is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

clip=$root/scenes/experiments/figure.bvh
# The clip that comes with the experiments is what its script writes.
mkdir -p again/scripts again/scenes/experiments
cp "$root/scripts/clip" again/scripts
python3 again/scripts/clip
same "the clip is made by scripts/clip" "$clip" again/scenes/experiments/figure.bvh

# number KEY: a value of the JSON of the last call.
number() { sed -n "s/^ *\"$1\": \(.*[^,]\),*$/\1/p" <<<"$out" | head -n 1; }
between() { # WHAT VALUE LOW HIGH
  if awk -v x="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(x >= a && x <= b) }'; then pass; else flunk "$1" "$2 is not from $3 to $4"; fi
}

# --- a run ---------------------------------------------------------------------------------------------
call character "$clip" --scale 1 --to 0.5
is "exit code" "$code" 0
is "stderr" "$err" ""
has "figure" "$out" "17 links"
has "root" "$out" "root path"
has "nothing missed" "$out" "0 not met"

lacks "nothing to remark" "$out" "remark"
for scale in 0.05 100; do
  call character "$clip" --scale "$scale" --to 0.1
  is "a unit of $scale m: exit code" "$code$err" 0
  has "a unit of $scale m is remarked on" "$out" "now $scale"
done

call character "$clip" --scale 1 --to 0.5 --json
is "--json: links" "$(number links)" 17
is "--json: steps" "$(number steps)" 120
is "--json: not met" "$(number not_met)" 0
between "--json: height" "$(number height)" 1.6 1.85
between "--json: deviation" "$(number deviation)" 0 0.001
between "--json: joints closed" "$(number joint_error)" 0 1e-9

# --- a hit ---------------------------------------------------------------------------------------------
call character "$clip" --scale 1 --throw RightForeArm:5:1 --to 2.4 --json
is "hit: exit code" "$code" 0
between "hit: before" "$(number before)" 0 0.001
between "hit: peak" "$(number peak)" 0.05 0.3
between "hit: back" "$(number back)" 0.1 1.2
call character "$clip" --scale 1 --throw RightForeArm:5:1,Head:2:1.8:0.2:90 --to 2.4
has "two throws" "$out" "0.5 kg at 5 m/s on RightForeArm at 1 s"
has "mass and heading" "$out" "0.2 kg at 2 m/s on Head at 1.8 s"
has "said in words" "$out" "of the peak"

# --- a record ------------------------------------------------------------------------------------------
call character "$clip" --scale 1 --to 0.5 --fps 20 -o run.csv
is "record: exit code" "$code" 0
has "record: how to see it" "$out" "'rigor view run.csv' shows it"
is "record: frames" "$(cut -d , -f 2 run.csv | sort -u | grep -vc step)" 11
is "record: bodies of both figures and the floor" "$(awk -F, 'NR > 1 && $2 == 0' run.csv | wc -l)" 35
has "record: the recorded figure" "$(<run.csv)" "recorded RightHand"
call check run.scene.json
is "record: its scene is one" "$code" 0
printf '<html><body><script id="rigor-given" type="application/json">null</script></body></html>\n' >empty.html
call view run.csv --page empty.html -o page.html
is "record: a page of it, exit code" "$code$err" 0
has "record: the page has the run" "$(<page.html)" '"run":"time,step,body,'
has "record: and both figures" "$(<page.html)" 'recorded RightHand'

# --- what is refused -----------------------------------------------------------------------------------
refused "no such link" "rigor character: the figure has no link 'Tail', must be one of: Hips, LeftUpLeg, LeftLeg, LeftFoot, RightUpLeg, RightLeg, RightFoot, LowerBack, Chest, Neck, Head, LeftArm, LeftForeArm, LeftHand, RightArm, RightForeArm, RightHand" \
  character "$clip" --scale 1 --throw Tail:5:1
refused "a throw without a time" "rigor character: --throw has 'Head', must be LINK:SPEED:TIME[:MASS[:HEADING]], as in RightForeArm:5:1.2" \
  character "$clip" --throw Head:5
refused "a throw with a word" "rigor character: --throw has 'fast' for a number" character "$clip" --throw Head:fast:1
refused "a throw backwards" "rigor character: --throw Head has speed -5 and mass 0.5, both must be > 0" \
  character "$clip" --throw Head:-5:1
refused "a throw too late" "rigor character: a throw hits at 9 s, must be from 0.2 to 4 s: within the movement" \
  character "$clip" --scale 1 --throw Head:5:9
refused "an unknown root" "rigor character: --root is 'lose', must be path or free" character "$clip" --root lose
refused "times outside" "rigor character: from 3 to 2 s is not within the clip, which has a movement from 0 to 4 s" \
  character "$clip" --scale 1 --from 3 --to 2
refused "a record onto the clip" "rigor character: --output x.csv would overwrite the clip x.csv; name another file" \
  character x.csv -o x.csv
head -n 120 "$clip" >cut.bvh
call character cut.bvh
is "a clip that is cut off: exit code" "$code" 2
has "a clip that is cut off: its line" "$err" "cut.bvh:"
call character none.bvh
is "no clip: exit code" "$code" 2
has "no clip: named" "$err" "none.bvh"

finish
