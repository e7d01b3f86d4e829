#!/usr/bin/env bash
# glTF from the command: of a run, of an interrupted one, and of a recording. tests/formats/test_gltf.c looks
# into the numbers; here Khronos' own validator judges the files, where the packages of the page have it.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# frames FILE: how many the animation has.
frames() {
  python3 -c '
import json, struct, sys
data = open(sys.argv[1], "rb").read()
magic, version, size, length, kind = struct.unpack_from("<4sIII4s", data)
assert magic == b"glTF" and size == len(data) and kind == b"JSON"
scene = json.loads(data[20:20 + length])
print(scene["accessors"][scene["animations"][0]["samplers"][0]["input"]]["count"])' "$1"
}

write_pile pile.json
call run pile.json --time 0.5 --every 5 --json -o run.glb
is "a run: exit code" "$code" 0
is "a run: frames" "$(frames run.glb)" 11
is "a run: frames counted" "$(member frames)" 11
is "a run: nothing else is written" "$(ls)" "pile.json
run.glb"
call run pile.json --time 0.1 -o run.glb --record bodies,contacts
is "contacts: exit code" "$code" 2
has "contacts: the message" "$err" "run.glb: a .glb file holds the poses of bodies alone"
is "contacts: the old file stays" "$(frames run.glb)" 11
call run pile.json -o pile.json.glb --save no/such/folder/state
is "another output cannot be written: exit code" "$code" 2
holds "another output cannot be written: nothing is left" test ! -e pile.json.glb

# --- Ctrl-C ------------------------------------------------------------------------------------------
env --default-signal=INT "$rigor" run pile.json --time 1e5 --json -o long.glb >long.json 2>long.err &
process=$!
for ((i = 0; i < 600; i++)); do
  compgen -G 'long.glb.*.part' >/dev/null && break
  sleep 0.05
done
sleep 0.2
kill -s INT "$process"
wait "$process"
is "interrupted: exit code" "$?" 130
out=$(<long.json)
is "interrupted: the file has all frames" "$(frames long.glb)" "$(member frames)"
is "interrupted: nothing half-written is left" "$(compgen -G '*.part')" ""

# --- a recording -------------------------------------------------------------------------------------
if "$rigor" list formats | grep -q h5; then
  call run pile.json --time 0.5 --every 5 -o run.h5
  call view run.h5 -o again.glb
  is "a recording: exit code" "$code" 0
  same "a recording becomes the same file" run.glb again.glb
  call view run.h5 -o no/such/folder/again.glb
  is "a file that cannot be written: exit code" "$code" 3
  call view pile.json -o none.glb
  is "a scene without a run: exit code" "$code" 2
  has "a scene without a run: the message" "$err" "'rigor run SCENE -o none.glb' records one"
else
  skip "this build has no HDF5"
fi

# --- what others say ---------------------------------------------------------------------------------
cat >judge.cjs <<'END'
const judge = require(process.argv[2]), fs = require("fs");
const files = process.argv.slice(3).map(async (file) => {
  const { issues } = await judge.validateBytes(new Uint8Array(fs.readFileSync(file)));
  for (const { code, message, pointer, severity } of issues.messages)
    if (severity < 2) console.log(file, code, message, pointer);
});
END
validator=$root/web/node_modules/gltf-validator
if command -v node >/dev/null && [[ -d $validator ]]; then
  for name in plane tube mesh superellipsoids humanoid; do
    "$rigor" run "$root/scenes/$name.json" --time 0.05 -q -o "$name.glb" || flunk "$name: cannot be run"
  done
  is "the validator finds no fault" "$(node judge.cjs "$validator" ./*.glb 2>&1)" ""
else
  skip "the packages of the page are not there (make page): no validator"
fi

finish
