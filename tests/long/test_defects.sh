#!/usr/bin/env bash
# What once went wrong with every step met, as scenes for the command alone: with RIGOR_BIN they can be put to
# any version. Version 0.1.0 fails every family.
set -uo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/defects.py" "${RIGOR_BIN:?names the command under test}"
