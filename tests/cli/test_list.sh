#!/usr/bin/env bash
# `rigor list`: every table is there and says what the program has.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

call list
is "list: exit code" "$code" 0
tables=$(awk '{print $1}' <<<"$out" | tr '\n' ' ')
is "list names the tables" "$tables" "solvers steppers stabilizers shapes forces joints sensors cones presets options formats quantities records scenes experiments faults certificate scene schema "

for table in $tables; do
  call list "$table"
  is "list $table: exit code" "$code" 0
  is "list $table: stderr" "$err" ""
  holds "list $table prints something" test -n "$out"
  lacks "list $table has no escape sequences" "$out" $'\033'
  [[ $table != scene ]] || continue
  call list "$table" --json
  is "list $table --json: exit code" "$code" 0
  has "list $table --json" "$out" '"'
done

expect() { # TABLE NAME...: the first words of unindented lines
  local table=$1
  shift
  call list "$table"
  is "names in $table" "$(grep -o '^[^ ]\+' <<<"$out" | tr '\n' ' ')" "$* "
}
expect shapes sphere box capsule cylinder ellipsoid hull halfspace mesh field circle polygon segment superellipsoid tube bowl torus ring cone lens intersection function
expect cones frictionless disk ellipsoid inner outer
expect presets default realtime reference
has "solvers" "$("$rigor" list solvers)" "nsgs"
has "steppers" "$("$rigor" list steppers)" "theta"
expect steppers theta anitescu-potra stewart-trinkle implicit-geometry gauss first-order signorini halving auto
expect stabilizers none baumgarte post post-once
has "formats" "$("$rigor" list formats)" ".csv"

# What the help of `run` offers as options of the simulation is the table of options.
from_help=$("$rigor" run --help | sed -n '/^Options of the simulation/,$s/^  --\([a-z-]*\) .*/\1/p' | tr - _)
from_list=$("$rigor" list options | grep -o '^[a-z_]\+')
is "run --help has every option of the table" "$from_help" "$from_list"

finish
