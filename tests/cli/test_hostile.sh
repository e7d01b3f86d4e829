#!/usr/bin/env bash
# Scenes, problems and trajectories from strangers: no control character of theirs reaches the
# terminal, what is printed as JSON is UTF-8, and nothing that a file names is read for ever.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# only_text WHAT: the last call printed nothing that a terminal obeys but line ends.
only_text() {
  local bad
  bad=$(cat .out .err | LC_ALL=C tr -d '\n' | LC_ALL=C grep -caP '[\x00-\x1f\x7f]|\xc2[\x80-\x9f]' || true)
  if [[ ${bad:-0} == 0 ]]; then pass; else flunk "$1" "$(cat -v .out .err | head -n 5)"; fi
}
is_utf8() { # WHAT FILE
  if iconv -f UTF-8 -t UTF-8 "$2" >/dev/null 2>&1; then pass; else flunk "$1: not UTF-8" "$(cat -v "$2" | head -n 5)"; fi
}

# --- control characters --------------------------------------------------------------------------

# Escape sequences of a terminal: colour, title, clear; the 8-bit forms; line ends.
sequences=('\u001b[31mred' '\u001b]0;title\u0007' '\u001b[2J' '\u009b31m' '\u0085next' 'line\nbreak\r' '\u007f')
for s in "${sequences[@]}"; do
  body='{"name": "'$s'", "position": [0, 0, 5], "shapes": [{"shape": "sphere", "radius": 1}]}'
  write() { printf '{"rigor": 1, "title": "%s", "time": 0.02, %s}\n' "${s//\\/\\\\}" "$1" >hostile.json; }

  write '"bodies": ['"${body//\\/\\\\}"']'
  sed -i 's/\\\\/\\/g' hostile.json
  for command in "run hostile.json" "check hostile.json" "compare hostile.json --solver nsgs"; do
    # shellcheck disable=SC2086
    call $command
    only_text "$command with $s"
  done
  # Each kind of mistake quotes what is wrong.
  for mistake in '"bodies": ['"$body, $body"']' '"'"$s"'": 1' '"options": {"'"$s"'": 1}' '"options": {"solver": "'"$s"'"}' \
    '"bodies": [{"kind": "'"$s"'"}]' '"bodies": [{"shapes": [{"shape": "'"$s"'"}]}]' \
    '"bodies": [{"shapes": [{"shape": "sphere", "radius": 1, "material": "'"$s"'"}]}]' \
    '"bodies": [{"shapes": [{"shape": "hull", "file": "'"$s"'"}]}]' '"no_collision": [["'"$s"'", "x"]]' \
    '"bodies": ['"$body"'], "joints": [{"joint": "hinge", "a": "'"$s"'", "b": "'"$s"'"}]' \
    '"bodies": ['"$body"'], "options": {"step": 1e300}, "forces": [{"force": "'"$s"'"}]'; do
    printf '%s' '{"rigor": 1, ' "$mistake" '}' >hostile.json
    call run hostile.json
    only_text "run: $mistake"
    call check --json hostile.json
    only_text "check --json: $mistake"
    is_utf8 "check --json: $mistake" .out
  done
done
printf 'OFF\n1 \033[31m 0\n' >bad.off
printf '{"rigor": 1, "bodies": [{"shapes": [{"shape": "hull", "file": "bad.off"}]}]}' >hostile.json
call run hostile.json
is "a mesh with an escape sequence: exit code" "$code" 2
only_text "a mesh with an escape sequence"
printf '3\n1\n\033[31m\n' >bad.dat
call solve bad.dat
only_text "a problem with an escape sequence"
printf '{"\033": 1}' >bad.json
call solve bad.json
only_text "a problem of JSON with an escape sequence"

# Names of files, too, come from strangers: in an archive, by a pattern of the shell.
export TMPDIR=$work # for the page that view opens
odd=$'\e[31mred\x9b\n'
if write_ball "$odd.json" 2>/dev/null; then
  printf '<html><script id="rigor-given" type="application/json">null</script></html>\n' >empty.html
  "$rigor" run "$odd.json" --time 0.01 -q --dump-problems odd-problems
  cp "$(find odd-problems -type f | head -n 1)" "$odd.problem"
  for command in "run --time 0.02" "run --time 0.02 -o run-$odd.csv --save $odd.snapshot" "check" "compare --time 0.01" "motion" \
    "view --page empty.html" "view --page empty.html -o $odd.html"; do
    read -ra words <<<"${command//$odd/ODD}"
    call "${words[@]//ODD/$odd}" "$odd.json"
    only_text "${words[0]} of a file with an escape sequence in its name"
  done
  call solve "$odd.problem"
  only_text "solve of a file with an escape sequence in its name"
  call new "$odd"
  only_text "new with an escape sequence in the name"
  for command in run check compare motion stand solve view; do
    call "$command" "missing-$odd"
    only_text "$command of a missing file with an escape sequence in its name"
    call "$command" "--$odd" "$odd"
    only_text "$command with an escape sequence in an option"
  done
else
  skip "this file system refuses such names"
fi

# --- JSON that is printed is UTF-8 ---------------------------------------------------------------

for name in $'latin-\xe9' $'\xff\xfe' $'cut-\xe2\x82' $'\xed\xa0\x80' 'caf'$'\xc3\xa9'; do
  write_ball "$name.json" 2>/dev/null || { skip "this file system refuses such names"; continue; }
  for command in "run --time 0.01 --json" "check --json" "compare --time 0.01 --json"; do
    # shellcheck disable=SC2086
    call $command "$name.json"
    is_utf8 "$command" .out
    if command -v python3 >/dev/null; then holds "$command is JSON" python3 -c 'import json,sys; json.load(open(sys.argv[1], encoding="utf-8"))' .out; fi
  done
done
# A message that quotes a long name is cut between characters.
for pad in "" a aa aaa; do
  printf '{"rigor": 1, "%s%s": 1}' "$pad" "$(printf 'é%.0s' {1..400})" >long.json
  call check --json long.json
  is_utf8 "a long name" .out
  call run long.json
  is_utf8 "a long name in a message" .err
done

# --- files that never end ------------------------------------------------------------------------

mkfifo pipe.off
for file in /dev/zero /dev/random pipe.off /dev/tty . /dev/stdin; do
  printf '{"rigor": 1, "bodies": [{"shapes": [{"shape": "hull", "file": "%s"}]}]}' "$file" >endless.json
  timeout 20 "$rigor" check endless.json >.out 2>.err </dev/null
  is "a mesh in $file: exit code" "$?" 2
  has "a mesh in $file: message" "$(<.err)" "cannot"
done
(
  # The address sanitizer reserves terabytes of addresses: no bound can be set on those.
  [[ $(nm -D "$rigor" 2>/dev/null) == *__asan_init* ]] || ulimit -v 4000000
  timeout 60 "$rigor" check /dev/zero >.out 2>.err
)
is "a scene in /dev/zero: exit code" "$?" 2

# --- scenes that are much work in few bytes ------------------------------------------------------

for count in 500 1000; do
  cat >many.json <<END
{"rigor": 1, "bodies": [{"name": "a", "repeat": {"count": [$count, 1, 1], "spacing": [3, 0, 0]},
 "shapes": [{"shape": "sphere", "radius": 1}]}], "no_collision": [["a", "a"]]}
END
  timeout 60 "$rigor" check many.json >.out 2>.err
  is "no_collision of $count copies ends soon" "$?" 0
done

finish
