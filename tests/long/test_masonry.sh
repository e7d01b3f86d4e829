#!/usr/bin/env bash
# `rigor reproduce masonry`, whose walls, arches and towers stand for a minute each: every row passes, and each has its
# source or reason.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

call reproduce masonry --json
is "masonry: exit code" "$code" 0
is "masonry: rows that fail" "$(grep -c '"pass": false' <<<"$out")" 0
explained masonry

finish
