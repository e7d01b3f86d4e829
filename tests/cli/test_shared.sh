#!/usr/bin/env bash
# The shared library needs libc and libm alone. HDF5 is in librigor-hdf5.so beside it, which is loaded when an
# .h5 file is written or read; without it such files are refused by name, and all else works.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=${RIGOR_BUILD:?names the build under test}
command -v cc >/dev/null && command -v ldd >/dev/null || { echo "skip: no compiler, or no ldd"; exit 77; }
[[ -e $build/librigor.so ]] || { echo "skip: there is no shared library in $build"; exit 77; }
[[ $(nm -D "$build/librigor.so") != *__asan_init* ]] || { echo "skip: the library is built with a sanitizer"; exit 77; }

needed() { ldd "$1" | awk '{print $1}' | grep -v 'linux-vdso\|ld-linux' | sort | tr '\n' ' '; }
is "librigor.so needs libc and libm" "$(needed "$build/librigor.so")" "libc.so.6 libm.so.6 "

cat >record.c <<'END'
#include <rigor/rigor.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  rgScene* scene;
  rgWorld* world;
  rgTrajectory* trajectory;
  rgMessage message = {""};
  if (argc != 3 || rg_scene_read(argv[1], &scene, &message) || rg_scene_build(scene, NULL, &world, &message))
    return fprintf(stderr, "%s\n", message.text), 1;
  if (rg_trajectory_create_of(argv[2], world, RG_RECORD_CONTACTS, &trajectory, &message))
    return fprintf(stderr, "%s\n", message.text), 2;
  for (int i = 0; i < 100 && !rg_world_step(world, NULL); i++)
    if (rg_trajectory_append(trajectory, world, &message))
      return fprintf(stderr, "%s\n", message.text), 3;
  if (rg_trajectory_close(trajectory, &message))
    return fprintf(stderr, "%s\n", message.text), 4;
  rgRecording* recording;
  if (strstr(argv[2], ".h5")) {
    if (rg_recording_read(argv[2], &recording, &message))
      return fprintf(stderr, "%s\n", message.text), 5;
    printf("%d frames, contacts: %d\n", recording->frame_count, recording->contact_start[100] > 0);
    rg_recording_free(recording);
  }
  rgProblem problem, *local;
  for (int i = 0; argv[2][0] == 'p' && i < rg_world_island_count(world); i++)
    if (rg_world_island(world, i, &problem, NULL, NULL) ||
        rg_problem_write_as(&problem, RG_PROBLEM_FCLIB, "p.hdf5", &message) ||
        rg_problem_read("p.hdf5", NULL, &local, &message))
      return fprintf(stderr, "%s\n", message.text), 6;
    else
      rg_problem_free(local, NULL);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return 0;
}
END
write_pile pile.json
cc -std=c17 -Wall -Werror -I"$root/include" record.c -L"$build" -lrigor -o record 2>.err || flunk "a program links the library" "$(<.err)"
run() { # FOLDER FILE
  out=$(LD_LIBRARY_PATH=$1 ./record pile.json "$2" 2>&1)
  code=$?
}
if [[ -e $build/librigor-hdf5.so ]]; then
  run "$build" pile.h5
  is "with librigor-hdf5.so: recorded and read" "$code $out" "0 100 frames, contacts: 1"
  holds "as a file of the command" "$rigor" view pile.json --run pile.h5 -o shown.html --page <(printf '<html><script id="rigor-given" type="application/json">null</script></html>\n')
fi
mkdir alone
cp -L "$build"/librigor.so.*.*.* alone/
ln -s "$(basename alone/librigor.so.*)" "alone/$(readelf -d "$build/librigor.so" | sed -n 's/.*SONAME.*\[\(.*\)\]$/\1/p')"
run alone other.csv
is "alone: text works" "$code" 0
run alone other.h5
is "alone: refused" "$code" 2
[[ ! -e $build/librigor-hdf5.so ]] || has "alone: what is missing is named" "$out" "other.h5: librigor-hdf5.so of version"
holds "alone: no file is left" test ! -e other.h5

finish
