#!/usr/bin/env bash
# The programs in examples/ that are written in C compile without a warning and end well. Those in Python
# are run by scripts/python, that of the browser by tests/wasm/run.mjs.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build=${RIGOR_BUILD:-$(dirname "$rigor")}
if [[ ! -e $build/librigor.so ]]; then
  skip "there is no shared library in $build"
elif ! command -v cc >/dev/null; then
  skip "there is no compiler"
elif [[ $(nm -D "$build/librigor.so") == *__asan_init* ]]; then
  skip "the shared library is built with a sanitizer, which the examples do not link"
else
  for source in "$root"/examples/*.c; do
    name=$(basename "$source" .c)
    cc -std=c17 -Wall -Wextra -Werror -O1 -I"$root/include" "$source" -o "$name" -L"$build" -lrigor -lm \
      -Wl,-rpath,"$build" 2>.err || flunk "$name compiles" "$(<.err)"
    holds "$name compiles" test -x "$name"
  done
  holds "gripper: the box is held" ./gripper >.out
  has "gripper: its weight is carried" "$(<.out)" "its weight is"
  holds "problem: solved" ./problem "$root/scenes/arch.json" problem.json >.out
  has "problem: judged" "$(<.out)" "auto"
  holds "problem: the file is one" "$rigor" solve problem.json -q
fi

finish
