#!/usr/bin/env bash
# `rigor view`: the scene is put into the page's place for it; what is wrong is said.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_ball ball.json
cat >empty.html <<'END'
<html><body>
<script id="rigor-given" type="application/json">null</script>
<p>the rest</p></body></html>
END

call view ball.json --page empty.html -o page.html
is "a page is written: exit code" "$code" 0
is "a page is written: stderr" "$err" ""
page=$(<page.html)
has "the page has the scene's name" "$page" '{"name":"ball.json","text":"{'
has "what follows is kept" "$page" '<p>the rest</p></body></html>'
lacks "the place is filled" "$page" ">null<"

sed 's/"rigor": 1/"rigor": 1, "title": "a <\/script> \\"quoted\\""/' ball.json >title.json
call view title.json --page empty.html -o page.html
is "a title with an end of element: exit code" "$code" 0
lacks "it does not end the element" "$(grep -o 'rigor-given.*' page.html)" 'a </script>'
has "it is there all the same" "$(<page.html)" 'a \u003c/script> \\\"quoted\\\"'

call view ball.json --page empty.html -o page.html --step 0.0125
has "options become those of the scene" "$(<page.html)" '\"step\": 0.0125'

call run ball.json --time 0.1 -o run.csv
call view ball.json --page empty.html --run run.csv -o page.html
is "a recorded run: exit code" "$code" 0
has "a recorded run is in the page" "$(<page.html)" '"run":"time,step,body,'
call view ball.json --page empty.html --run ball.json -o norun.html
is "a run that is none: exit code" "$code" 2
has "a run that is none: the message" "$err" "ball.json is no trajectory"
holds "a run that is none writes nothing" test ! -e norun.html

# --- a trajectory alone -------------------------------------------------------------------------------
call view run.csv --page empty.html -o alone.html
is "a trajectory: exit code" "$code" 0
has "a trajectory: the run" "$(<alone.html)" '"run":"time,step,body,'
has "a trajectory: its scene" "$(<alone.html)" '{"name":"run.csv","text":"{'
mkdir -p away && cp run.csv away/lost.csv
call view away/lost.csv --page empty.html -o lost.html
is "a trajectory without its scene: exit code" "$code" 2
has "a trajectory without its scene: the message" "$err" "comes without its scene (away/lost.scene.json)"
holds "a trajectory without its scene writes nothing" test ! -e lost.html
call view run.csv --run run.csv --page empty.html -o lost.html
is "a trajectory with --run: exit code" "$code" 2
call run run.scene.json -o run.csv
is "the kept scene is not overwritten: exit code" "$code" 2
has "the kept scene is not overwritten: the message" "$err" "would overwrite the scene run.scene.json"
call run run.scene.json --time 0.1 -o again.csv
holds "the kept scene makes the same run" cmp run.csv again.csv
if "$rigor" list formats | grep -q h5; then
  call run ball.json --time 0.1 -o run.h5
  call view run.h5 --page empty.html -o h5.html
  is "HDF5: exit code" "$code" 0
  has "HDF5: the run" "$(<h5.html)" '"run":"time,step,body,px,'
  has "HDF5: its scene" "$(<h5.html)" '{"name":"run.h5","text":"{'
  is "HDF5: as many rows" "$(grep -o '\\u000a' h5.html | wc -l)" "$(grep -o '\\u000a' alone.html | wc -l)"
  head -c 400 run.h5 >cut.h5
  call view cut.h5 --page empty.html -o cut.html
  is "a cut file: exit code" "$code" 2
  has "a cut file: the message" "$err" "cut.h5: cannot be read"
else
  skip "this build has no HDF5"
fi

call view ball.json --page missing.html -o page.html
is "an empty page that is not there: exit code" "$code" 2
has "an empty page that is not there: the message" "$err" "missing.html cannot be read"
call view ball.json --page ball.json -o page.html
is "a file that is no page: exit code" "$code" 2
has "a file that is no page: the message" "$err" "no place for a scene"
call view ball.json --page empty.html -o no/such/folder/page.html
is "a file that cannot be written: exit code" "$code" 2

sed 's/"radius": 1/"radius": -1/' ball.json >negative.json
call view negative.json --page empty.html -o refused.html
is "a refused scene: exit code" "$code" 2
has "a refused scene: the place" "$err" "negative.json:"
holds "a refused scene writes nothing" test ! -e refused.html

# --- what a run that was killed has left -----------------------------------------------------------

# Names with line breaks, quotes and commas; frames of three rows.
cat >names.json <<'END'
{"rigor": 1, "time": 0.02, "bodies": [{"name": "line\nbreak", "position": [0, 0, 9], "shapes": [{"shape": "sphere", "radius": 1}]},
 {"name": "say \"x\",\n\"y\"", "position": [0, 5, 9], "shapes": [{"shape": "sphere", "radius": 1}]},
 {"name": "plain", "position": [5, 0, 9], "shapes": [{"shape": "sphere", "radius": 1}]}]}
END
printf '<html><script id="rigor-given" type="application/json">null</script></html>\n' >bare.html
"$rigor" run names.json -q -o names.csv
shown() { # FILE: the rows that the page gets, joined where a name has a line break
  "$rigor" view names.json --run "$1" --page bare.html -o shown.html || return
  grep -o '"run":".*"' shown.html | python3 -c '
import csv, io, json, sys
text = json.loads("{" + sys.stdin.read().rstrip().rstrip("}") + "}")["run"]
rows = list(csv.reader(io.StringIO(text, newline="")))
assert text.endswith("\n") and all(len(row) == len(rows[0]) for row in rows), rows
print(len(rows) - 1, rows[1][3] == "line\nbreak" if len(rows) > 1 else "", rows[2][3] == "say \"x\",\n\"y\"" if len(rows) > 2 else "")'
}
total=$(shown names.csv)
has "names with line breaks are quoted" "$total" "True True"
rows=${total%% *}
size=$(wc -c <names.csv)
# Cut anywhere: whole frames are left, as many as there were.
head=$(head -n 1 names.csv | wc -c)
frame=$(((size - head) / (rows / 3))) # [bytes] about
for ((cut = 1; cut < 2 * frame; cut += frame / 17 + 1)); do
  head -c $((size - cut)) names.csv >cut.csv
  left=$(shown cut.csv) || { flunk "cut by $cut bytes: refused"; continue; }
  left=${left%% *}
  is "cut by $cut bytes: whole frames" $((left % 3)) 0
  holds "cut by $cut bytes: no more is lost than was hit" test "$left" -ge $((rows - 3 * (cut / (frame * 9 / 10) + 1)))
done

# --- without -o ------------------------------------------------------------------------------------
mkdir tmp bin
export TMPDIR=$work/tmp
unset DISPLAY WAYLAND_DISPLAY
call view ball.json --page empty.html
is "without -o: exit code" "$code" 0
shown=${out#open this page in a browser: }
holds "without -o a page is written" grep -q rigor-given "$shown"
printf '#!/bin/sh\necho "$1" >%s/asked\n' "$work" >bin/xdg-open
chmod +x bin/xdg-open
PATH=$work/bin:$PATH DISPLAY=:7 call view ball.json --page empty.html
is "with a desktop the browser is asked" "opened $(<asked)" "$out"
rm -rf tmp/*
call view nobody.json --page empty.html
is "nothing to show: exit code" "$code" 2
is "nothing is left behind" "$(ls tmp)" ""

finish
