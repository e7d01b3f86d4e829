# shellcheck shell=bash disable=SC2034
# Shared by the scripts: sourced, never run. Leaves the shell in the root of the project.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD
export root

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Folder that a preset builds in.
build_dir() {
  case $1 in
    release) echo build ;;
    *) echo "build-$1" ;;
  esac
}

# npm_packages FOLDER: the packages of the folder's lock file, from the registry that npm is set to;
# nothing is done when they are there. No script of a package is run.
npm_packages() {
  local folder=$1 lock=$1/package-lock.json stamp=$1/node_modules/.rigor-lock log
  cmp -s "$lock" "$stamp" && return
  say "installing the npm packages of $lock into $folder/node_modules; none of their scripts is run"
  log=$(mktemp)
  if ! (cd "$folder" && npm ci --ignore-scripts --no-fund --no-audit) >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "npm could not install the packages of $lock"
  fi
  rm -f "$log"
  cp "$lock" "$stamp"
}

# count LOG STATUS: reads what a test program printed and how it ended, and sets passed, failed and
# skipped. A line "N passed, N failed[, N skipped]" gives the counts; without one the program itself
# is one test. 77 means skipped. A bad end without a failed test is a failure of its own.
count() {
  local log=$1 status=$2 line
  passed=0 failed=0 skipped=0
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1) || true
  if [[ -n $line ]]; then
    read -r passed _ failed _ skipped _ <<<"$line"
    skipped=${skipped:-0}
  elif [[ $status == 0 ]]; then
    passed=1
  elif [[ $status == 77 ]]; then
    skipped=1
  fi
  if [[ $status != 0 && $status != 77 && $failed == 0 ]]; then
    failed=1
  fi
}
