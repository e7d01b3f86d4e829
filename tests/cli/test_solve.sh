#!/usr/bin/env bash
# `rigor solve` and `rigor run --dump-problems`: tables, JSON, CSV, profiles, exit codes, broken files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# One contact in dimension 2 with W = 1, pushed together at 1 m/s and along at 0.2 m/s, mu = 0.5: it
# sticks, r = (1, -0.2).
echo "2 1 0 2 2 2 2 1 0 0 1 -1 0.2 0.5" >stick.dat
# M = -1, q = -1: M z + q >= 0 has no solution with z >= 0.
echo "1 0 1 1 1 1 -1 -1" >none.dat
# A complementarity problem with the solution z = (1, 1).
echo "2 0 2 2 2 2 2 0 0 2 -2 -2" >lcp.dat

# --- results ---------------------------------------------------------------------------------------

call solve stick.dat
is "a problem that is solved: exit code" "$code" 0
is "a problem that is solved: stderr" "$err" ""
has "a problem that is solved: its line" "$out" "stick.dat  local form, dimension 2, 1 contacts; full rank 2"
has "a problem that is solved: status" "$out" "solved"
has "a problem that is solved: the count" "$out" "1 of 1 solves met the tolerance"

call solve stick.dat --json --history --solver nsgs
is "JSON: exit code" "$code" 0
is "JSON: solver" "$(member solver)" '"nsgs"'
is "JSON: solved" "$(member solved)" true
is "JSON: status" "$(member status)" '"ok"'
is "JSON: rank" "$(member rank)" 2
is "JSON: rank deficiency" "$(member rank_deficiency)" 0
is "JSON: contacts" "$(member contacts)" 1
holds "JSON: iterations" test "$(member iterations)" -ge 1
holds "JSON: repeated until the clock can tell" test "$(member repeats)" -gt 1
has "JSON: a history" "$out" '"history": ['
has "JSON: the certificate" "$out" '"coulomb"'
call solve stick.dat --json
lacks "JSON: no history unless asked for" "$out" '"history"'

call solve stick.dat lcp.dat --csv
is "CSV: exit code" "$code" 0
is "CSV: a line for each solve and one for the names" "$(wc -l <<<"$out")" 3
is "CSV: as many columns in each" "$(awk -F, '{ print NF }' <<<"$out" | sort -u)" 19
has "CSV: the file is quoted" "$out" '"lcp.dat",local,3,0,2,0,2,2,auto,'

call solve stick.dat lcp.dat --solver all --profile profile.svg
has "all solvers: a profile as text" "$out" "Performance profile"
holds "all solvers: a profile as a picture" grep -q '</svg>' profile.svg
has "all solvers: one that does not take the problem is shown" "$out" "refused"
is "all solvers: refusals are no failures" "$code" 0

call solve stick.dat -q
is "quiet: exit code" "$code" 0
is "quiet: stdout" "$out" ""

# One rigid body has six degrees of freedom, however many feet it stands on.
call solve "$root/tests/problems/table.json" --json
is "rank of a table on four legs" "$(member rank)" 6
is "what its sixteen contacts leave open" "$(member rank_deficiency)" 42
# Fifty bodies with 150 rows and 40 contacts with friction.
call solve "$root/tests/problems/chain.json" --json
is "rows of a chain" "$(member rows)" 150
is "unknowns of a chain" "$(member unknowns)" 270

# --- what is not solved ----------------------------------------------------------------------------

call solve none.dat --solver lemke
is "no solution: exit code" "$code" 1
has "no solution: the certificate" "$out" "certificate: dynamics"
has "no solution: said" "$out" "not solved"
call solve none.dat --solver lemke --json
is "no solution, JSON: solved" "$(member solved)" false
has "no solution, JSON: the certificate" "$out" '"signorini"'
call solve stick.dat none.dat --solver lemke -q
is "one of two: exit code" "$code" 1

# --- wrong usage and broken files --------------------------------------------------------------------

refused "no file" "rigor solve: FILE... is missing; usage: rigor solve FILE... [OPTIONS]" solve
refused "an unknown solver" "rigor solve: there is no solver 'nsg'; did you mean 'nsgs'?" solve stick.dat --solver nsg
refused "both formats" "rigor solve: --json and --csv exclude each other; give one of them" solve stick.dat --json --csv
refused "a history without JSON" "rigor solve: --history is shown by --json only; give both" solve stick.dat --history
refused "a negative tolerance" "rigor solve: --tolerance is '-1', must be a number > 0" solve stick.dat --tolerance=-1
refused "no such file" "cannot read nowhere.dat: No such file or directory" solve nowhere.dat

broken() { # WHAT TEXT MESSAGE
  printf '%s' "$2" >broken.dat
  refused "$1" "broken.dat:$3" solve broken.dat
}
broken "an empty file" "" "1:1: the file is empty, must be a problem: JSON, text or FCLIB"
broken "a truncated file" "2 1 0 2 2 2 2 1 0" "1:14: W has 4 entries here, more than the rest of the file can hold"
broken "a wrong size" "2 1 0 2 3 2 3 1 0 0 1 0 0 -1 0 0.5" "1:5: the matrix is 2 x 3, must be 2 x 2 (W), or square and followed by the matrix H (M)"
broken "NaN" "2 1 0 2 2 2 2 1 0 nan 1 -1 0 0.5" "1:19: W(0, 1) is 'nan', must be a finite number"
broken "negative mu" "2 1 0 2 2 2 2 1 0 0 1 -1 0 -0.5" "1:28: mu[0] is -0.5, must be >= 0"
broken "JSON of something else" '{"rigor": 1}' "1:2: rigor is not a key of a problem; its keys are rigor_problem, dimension, bodies, contacts, rows, local"

call solve broken.dat stick.dat --json
is "a broken file beside a good one: exit code" "$code" 2
has "a broken file beside a good one: its message" "$out" '"error": "broken.dat:1:2'
has "a broken file beside a good one: the other is solved" "$out" '"solved": true'

# --- FCLIB -------------------------------------------------------------------------------------------

write_ball ball.json
if "$rigor" list formats | grep -q h5; then
  call run ball.json --time 0.1 --every 24 --dump-problems fclib --format fclib -q
  is "FCLIB: dumped" "$code" 0
  file=fclib/step-0024-island-0000.hdf5
  call solve $file --write-solution
  is "FCLIB: solution written: exit code" "$code" 0
  is "FCLIB: solution written: stderr" "$err" ""
  call solve $file
  is "FCLIB: the file can be read again" "$code" 0
  size=$(wc -c <$file)
  for part in 10 500 $((size / 2)) $((size - 1)); do
    head -c "$part" $file >cut.hdf5
    call solve cut.hdf5
    is "FCLIB: $part bytes of $size: exit code" "$code" 2
    has "FCLIB: $part bytes of $size: message" "$err" "cut.hdf5: not a whole HDF5 file: "
  done
  call solve stick.dat --write-solution
  is "a solution into a text file: exit code" "$code" 2
  has "a solution into a text file: message" "$err" "only FCLIB files hold solutions"
else
  skip "this build has no HDF5"
fi

# --- dumping -----------------------------------------------------------------------------------------

write_pile pile.json
call run pile.json --time 1 --every 50 --dump-problems dumped --json
is "dumped: exit code" "$code" 0
is "dumped: folder" "$(member problem_folder)" '"dumped"'
is "dumped: files" "$(member problems)" "$(find dumped -name 'step-*-island-*.json' | wc -l)"
is "dumped: steps" "$(find dumped -name '*.json' | sed 's/.*step-\([0-9]*\)-.*/\1/' | sort -u | tr '\n' ' ')" "0050 0100 "
call solve dumped/* --tolerance 1e-6
is "dumped: solved alone" "$code" 0
call run pile.json --time 1 --every 50 --dump-problems text --format text -q
call solve text/* --tolerance 1e-6
is "dumped as text: solved alone" "$code" 0
call solve text/* --solver nsgs --iteration-limit 1 --tolerance 1e-14
is "too few iterations: exit code" "$code" 1
has "too few iterations: status" "$out" "not-converged"
refused "an unknown format" "rigor run: --format is 'xml', must be one of: json, text, fclib, text-global, fclib-global" \
  run pile.json --dump-problems x --format xml
refused "a format without problems" "rigor run: --format is for --dump-problems; give both" run pile.json --format json
call run pile.json --dump-problems stick.dat
is "a file in place of the folder: exit code" "$code" 2
has "a file in place of the folder: message" "$err" "stick.dat is a file, must be a folder for problems"
call run pile.json --dump-problems no/such/place
is "a folder that cannot be made: exit code" "$code" 2
has "a folder that cannot be made: message" "$err" "no/such/place: No such file or directory"

(
  trap '' XFSZ
  ulimit -f 4
  exec "$rigor" run pile.json --time 1 --dump-problems full -q 2>err
)
is "a full disk: exit code" "$?" 3
has "a full disk: message" "$(<err)" "File too large"
for file in full/*; do
  [[ -e $file ]] || continue
  call solve "$file" -q --tolerance 1e-6
  is "a full disk: what is there is whole: $file" "$code" 0
done

# Ctrl-C: the solve in hand stops, what was done is shown.
env --default-signal=INT "$rigor" solve stick.dat "$root/tests/problems/two-bodies.json" stick.dat --solver nsgs \
  --iteration-limit 2000000000 --tolerance 1e-300 --json >cut.json 2>err &
process=$!
sleep 1
kill -s INT "$process"
wait "$process"
is "interrupted: exit code" "$?" 130
is "interrupted: stderr" "$(<err)" ""
is "interrupted: what was done" "$(grep -c '"file"' cut.json)" 2
has "interrupted: the object is whole" "$(tail -n 1 cut.json)" "}"
has "interrupted: status" "$(<cut.json)" '"status": "cancelled"'

# --- mixed and relay problems ------------------------------------------------------------------------
# x = -1 and z = 2 solve 2 x + z = 0, 0 <= z, x + z - 1 >= 0 with w = 0.
echo "0 1 1 1  2  1  1  1  0  -1" >mixed.dat
call solve mixed.dat --solver mixed,auto
is "mixed problem: exit code" "$code" 0
has "mixed problem: named" "$out" "mixed complementarity problem, 2 rows"
# The same M and q with bounds: a relay problem, and no linear complementarity problem.
echo "1  0 1 1 1 1  2  4  -1 1" >relay.dat
call solve relay.dat --solver mixed
is "relay problem: exit code" "$code" 0
has "relay problem: rows" "$out" "1 rows, 0 contacts"

# --- options of solvers ------------------------------------------------------------------------------
call solve "$root/tests/problems/box.dat" --solver nsgs --solver-options momentum=0 --json
is "--solver-options: exit code" "$code" 0
plain=$(member iterations)
call solve "$root/tests/problems/box.dat" --solver nsgs --solver-options momentum=1,horizon=0 --json
holds "--solver-options changes the run ($plain iterations, then $(member iterations))" test "$plain" != "$(member iterations)"
call solve "$root/tests/problems/box.dat" --solver nsgs --solver-options momentun=0
is "an unknown option of a solver: exit code" "$code" 1
has "an unknown option of a solver" "$out" 'solver nsgs has no option "momentun"; known: momentum, '
refused "--solver-options for several" "rigor solve: --solver-options is for one solver; --solver names several" \
  solve "$root/tests/problems/box.dat" --solver nsgs,psor --solver-options momentum=0
call run ball.json --time 0.1 -q --solver psor --cone inner --solver-options omega=1.3
is "run --solver-options: exit code" "$code" 0
call run ball.json --time 0.1 -q --solver psor --cone inner --solver-options omega=3
is "run --solver-options out of range: exit code" "$code" 3
has "run --solver-options out of range" "$err" 'solver psor: omega is "3", must be a number in 0.001 .. 1.999'

# --- terminal -----------------------------------------------------------------------

if command -v script >/dev/null; then
  export TERM=xterm
  seen=$(script -qec "'$rigor' solve stick.dat lcp.dat" /dev/null </dev/null)
  has "progress on a terminal" "$seen" "1 of 2  stick.dat"
  has "progress is cleared" "$seen" $'\r\033[K'
else
  skip "the command script is missing"
fi

finish
