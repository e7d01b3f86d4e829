# shellcheck shell=bash disable=SC2034
# Shared by the tests of the command: sourced, never run. Each check is one test; `finish` closes with
# the counts that scripts/run-tests reads.
set -uo pipefail

rigor=${RIGOR_BIN:?names the command under test}
root=${RIGOR_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NO_COLOR

passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
flunk() { # WHAT [DETAILS]
  failed=$((failed + 1))
  printf 'FAIL: %s\n' "$1"
  [[ -z ${2:-} ]] || printf '%s\n' "$2" | sed 's/^/    | /'
}
skip() { # WHY
  skipped=$((skipped + 1))
  printf 'skip: %s\n' "$1"
}

is() { # WHAT ACTUAL EXPECTED
  if [[ $2 == "$3" ]]; then pass; else flunk "$1" "got:      $2
expected: $3"; fi
}
has() { # WHAT TEXT PART
  if [[ $2 == *"$3"* ]]; then pass; else flunk "$1: '$3' is not in" "$2"; fi
}
lacks() { # WHAT TEXT PART
  if [[ $2 != *"$3"* ]]; then pass; else flunk "$1: '$3' is in" "$2"; fi
}
holds() { # WHAT COMMAND...: a command that must succeed
  local what=$1
  shift
  if "$@"; then pass; else flunk "$what" "$*"; fi
}
same() { # WHAT FILE FILE
  if cmp -s "$2" "$3"; then pass; else flunk "$1" "$(cmp "$2" "$3" 2>&1)"; fi
}

# call ARGUMENT...: runs the command and sets out, err and code.
call() {
  "$rigor" "$@" >"$work/.out" 2>"$work/.err" </dev/null
  code=$?
  out=$(<"$work/.out")
  err=$(<"$work/.err")
}

# refused WHAT MESSAGE ARGUMENT...: the command ends with 2, prints nothing but this message.
refused() {
  local what=$1 message=$2
  shift 2
  call "$@"
  is "$what: exit code" "$code" 2
  is "$what: message" "$err" "$message"
  is "$what: nothing on stdout" "$out" ""
}

# member NAME: the value of a member with this name in the JSON of the last call, as written.
member() {
  sed -n "s/^ *\"$1\": \(.*[^,]\),\{0,1\}\$/\1/p" <<<"$out" | head -n 1
}

# page_alone FILE: a page with a plot that loads nothing and has no number that is none.
page_alone() {
  is "page: nothing from elsewhere" "$(grep -o 'https\?://[^"]*' "$1" | sort -u)" "http://www.w3.org/2000/svg"
  lacks "page: no script" "$(<"$1")" "<script"
  is "page: no number that is none" "$(grep -c '[ML"]-\?\(nan\|inf\)' "$1")" 0
  if command -v xmllint >/dev/null; then
    { echo '<plots>'; sed -n '/<svg/,/<\/svg>/p' "$1"; echo '</plots>'; } >plot.svg
    holds "the plots are well-formed" xmllint --noout plot.svg
  fi
}

# --- scenes ----------------------------------------------------------------------------------------

# Eight boxes fall on the ground and on each other; 2 s in steps of 0.01 s.
write_pile() { # FILE
  cat >"$1" <<'END'
{
  "rigor": 1,
  "title": "A small pile",
  "time": 2,
  "options": { "step": 0.01, "tolerance": 1e-4, "gravity": [0, 0, -9] },
  "bodies": [
    { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
    { "name": "box", "position": [0, 0, 0.6], "velocity": [0.1, 0, 0], "repeat": { "count": [2, 1, 4], "spacing": [0.9, 0, 1.1] },
      "shapes": [{ "shape": "box", "half": [0.4, 0.5, 0.5] }] }
  ]
}
END
}

# A ball that lies on the ground.
write_ball() { # FILE
  cat >"$1" <<'END'
{
  "rigor": 1,
  "time": 1,
  "bodies": [
    { "name": "ground", "kind": "static", "shapes": [{ "shape": "halfspace" }] },
    { "name": "ball", "position": [0, 0, 1], "shapes": [{ "shape": "sphere", "radius": 1 }] }
  ]
}
END
}

# explained NAME: in the last call, a report of `rigor reproduce --json`, each checked row has a source, and each
# row that is only shown beside a published number says why.
explained() {
  is "$1: checked rows without a source, shown ones without a reason" "$(awk '
    /"published":/ { published = $2 !~ /null/ }
    /"checked":/ { checked = $2 ~ /true/ }
    /"why":/ { if (!checked && published && $2 ~ /^"",?$/) print "no reason" }
    /"source":/ { if (checked && $2 ~ /^"",?$/) print "no source" }' <<<"$out")" ""
  has "$1: title of the paper" "$out" '"title": "'
  has "$1: parameters" "$out" '"origin": "'
}

finish() {
  printf '%d passed, %d failed' "$passed" "$failed"
  [[ $skipped == 0 ]] || printf ', %d skipped' "$skipped"
  printf '\n'
  [[ $failed == 0 ]]
  exit
}
