#!/usr/bin/env bash
# bench/instructions.sh [SCENE [ENGINE [STEPS]]]: instructions of one step, counted by callgrind, for when the
# clock is too noisy. Two runs, of STEPS and of twice as many, are subtracted, so that building the scene does
# not count. Needs valgrind and a built bench (make bench).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scene=${1:-pyramid} engine=${2:-rigor-default} steps=${3:-5}
program=${RIGOR_BENCH:-build-bench/rigor-bench}
[[ -x $program ]] || { echo "instructions: $program is not built; run make bench first" >&2; exit 1; }
command -v valgrind >/dev/null || { echo "instructions: valgrind is not installed" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Callgrind counts every byte of "rep movsb", with which the C library copies large blocks, as an instruction.
large=2000000000
export GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=$large:glibc.cpu.x86_rep_stosb_threshold=$large

count() { # STEPS
  valgrind --tool=callgrind --callgrind-out-file="$work/$1" "$program" --scene "$scene" \
    --engine "$engine" --steps "$1" --beds 0 >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  awk '/^(summary|totals):/ { print $2; exit }' "$work/$1"
}

first=$(count "$steps")
second=$(count $((2 * steps)))
awk -v a="$first" -v b="$second" -v n="$steps" -v scene="$scene" -v engine="$engine" \
  'BEGIN { printf "%s, %s: %.3f million instructions per step\n", scene, engine, (b - a) / n / 1e6 }'
