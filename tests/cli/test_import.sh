#!/usr/bin/env bash
# `rigor import`, and models that `run` and `check` read directly: remarks, exit codes, files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >arm.xml <<'XML'
<mujoco model="arm">
  <option timestep="0.002" cone="elliptic"/>
  <worldbody>
    <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body>
  </worldbody>
  <keyframe><key name="up" qpos="-1"/><key name="down" qpos="1"/></keyframe>
</mujoco>
XML
cat >box.urdf <<'XML'
<robot name="box"><link name="box"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1"/></inertial>
  <collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>
XML

call check arm.xml
if [[ $err == *"without expat"* ]]; then
  skip "this build has no expat"
  finish
  exit
fi
is "check reads a model: exit code" "$code" 0
has "check remarks with file and line" "$out" "arm.xml:2:28: remark: cone of <option> is ignored"
call check arm.xml --strict
is "check --strict: exit code" "$code" 1

call run arm.xml --time 0.01
is "run reads a model: exit code" "$code" 0
has "run says how much was remarked" "$err" "arm.xml: 1 remark on what is ignored"

call import arm.xml -o arm.json
is "import: exit code" "$code" 0
has "import: remarks go to standard error" "$err" "arm.xml:2:28: remark: "
call run arm.json --time 0.01
is "what import writes runs: exit code" "$code" 0
is "what import writes has nothing to remark" "$err" ""
call import arm.xml
has "import without -o writes to standard output" "$out" '"title": "arm"'
first=$out
call import arm.xml --key down
is "another key: exit code" "$code" 0
holds "another key is another scene" test "$out" != "$first"
call import arm.xml --key no
is "a key that is not there: exit code" "$code" 2
has "a key that is not there: message" "$err" 'no <key> has the name or number "no"; the file has 2'

call import arm.xml --strict -o strict.json
is "import --strict: exit code" "$code" 2
has "import --strict: message" "$err" "arm.xml:2:28: cone of <option> is ignored"
holds "import --strict: no file" test ! -e strict.json
call import arm.xml -o arm.xml
is "the model itself is not overwritten: exit code" "$code" 2

call import box.urdf --ground
has "import --ground adds a plane" "$out" '"shape": "halfspace"'
has "import --ground puts it under the feet" "$out" '"position": [0, 0, -0.5]'
call import no.urdf
is "no such file: exit code" "$code" 3

finish
