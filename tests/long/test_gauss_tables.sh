#!/usr/bin/env bash
# `rigor reproduce gauss-tables`, which takes minutes: every row has its source or reason. Its rows about times need a
# quiet machine and are not judged here; those about counts are.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

call reproduce gauss-tables --json
holds "gauss-tables: it is made" test "$code" -le 1
explained gauss-tables
holds "gauss-tables: has checked rows" test "$(grep -c '"checked": true' <<<"$out")" -ge 10

finish
