#!/usr/bin/env bash
# No fused multiply-add in the library, for whatever x86-64 a packager builds it: each file is
# compiled with the options of this build and a -march where CMAKE_C_FLAGS would have it, and its
# code is read. A fused operation rounds once instead of twice, so that such a machine would compute
# other bits than the rest.
set -uo pipefail
build=${RIGOR_BUILD:?names the build under test}
[[ $(uname -m) == x86_64 ]] || { echo "skip: not x86-64"; exit 77; }
[[ -f $build/compile_commands.json ]] || { echo "skip: no compile_commands.json"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One line for each file: the folder, and the command without its outputs, with the -march first.
python3 - "$build/compile_commands.json" >"$work/commands" <<'PYTHON'
import json, os, shlex, sys
some = ("/src/math/", "/src/joint/", "/src/world/joint", "/src/collide/pair/box")  # also for the largest machine
for entry in json.load(open(sys.argv[1])):
    name = entry["file"]
    if "/src/" not in name or "rigor_objects" not in entry["command"] or name.endswith("_h5.c"):
        continue
    words = shlex.split(entry["command"])
    if os.path.basename(words[0]) == "ccache":
        words = words[1:]
    kept, skip = [], False
    for word in words[1:]:
        if skip or word in ("-c", "-MD"):
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        else:
            kept.append(word)
    machines = ["x86-64-v3"] + (["x86-64-v4"] if any(part in name for part in some) else [])
    for machine in machines:
        print(entry["directory"], machine, name, shlex.join([words[0], "-march=" + machine] + kept), sep="\t")
PYTHON
[[ -s $work/commands ]] || { echo "FAIL: no commands in compile_commands.json"; exit 1; }

check() { # LINE
  local folder machine name command
  IFS=$'\t' read -r folder machine name command <<<"$1"
  if ! code=$(cd "$folder" && eval "$command -w -S -o -" 2>&1); then
    printf 'FAIL: %s does not compile for %s\n%s\n' "$name" "$machine" "$code"
  elif grep -qE '\bvfn?m(add|sub)' <<<"$code"; then
    printf 'FAIL: %s for %s has %s\n' "$name" "$machine" "$(grep -oE '\bvfn?m[a-z0-9]+' <<<"$code" | sort | uniq -c | tr -s ' \n' ' ')"
  else
    echo ok
  fi
}
export -f check
tr '\n' '\0' <"$work/commands" | xargs -0 -P 2 -I{} bash -c 'check "$1"' _ {} >"$work/verdicts"
grep FAIL -A 5 "$work/verdicts" || true
printf '%d passed, %d failed\n' "$(grep -c '^ok' "$work/verdicts")" "$(grep -c '^FAIL' "$work/verdicts")"
! grep -q '^FAIL' "$work/verdicts"
