#!/usr/bin/env bash
# `rigor new`, and scenes that are found by their names.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

call new tower
is "new: exit code" "$code" 0
has "new says what it wrote" "$out" "wrote tower.json"
call check tower.json
is "the new scene is in order" "$out" "tower.json: nothing wrong, nothing suspicious"
call run tower.json --time 0.1
is "the new scene runs" "$code" 0

before=$(<tower.json)
refused "new leaves files alone" "rigor new: tower.json is there already; choose another name" new tower.json
is "the file is as it was" "$(<tower.json)" "$before"
refused "no such folder" "rigor new: no/where.json cannot be written: No such file or directory" new no/where
refused "no such scene" "rigor new: --from is 'nobody'; 'rigor list scenes' names those there are" new x --from nobody
holds "nothing is written then" test ! -e x.json

for scene in $("$rigor" list scenes --names); do
  call check "$scene"
  is "scene $scene is found by its name" "$code" 0
  holds "it is a scene of the build" test -e "$root/scenes/$scene.json"
done
call new copy --from bowl
is "a copy of a scene: exit code" "$code" 0
call check copy.json
is "the copy is in order" "$code" 0

# What stands in the folder comes before what comes with the command.
cp tower.json stack
call check stack
is "a file of that name comes first" "$out" "stack: nothing wrong, nothing suspicious"
call run ./pendulum
is "a path is not a name" "$code" 2

finish
