#!/usr/bin/env bash
# tests/layers.sh [ROOT]: a module in src/ includes only itself, the modules before it in the list, and
# public headers; public headers include only each other and the C library; HDF5 is known to files
# named *_h5.c and *_h5.h alone; of problem, solve and io only problem/operator reads the inverse mass
# and the inverse inertia of a body. Programs (apps/, experiments/) use the library as every user does:
# they include public headers, each other, and what is not of this project, but nothing from src/.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"

modules="base math shape collide linkage problem solve joint force world step sensor accuracy articulated io"

mass_readers=$(grep -rnE '(\.|->)inverse_(mass|inertia)\b' src/problem src/solve src/io |
  grep -v '^src/problem/operator\.[ch]:' || true)
if [ -n "$mass_readers" ]; then
  echo "$mass_readers"
  echo "only problem/operator may read the mass of a body: ask it (rg_mass_...)"
  exit 1
fi

mapfile -t files < <(find src include apps experiments -name '*.[ch]' 2>/dev/null | sort)

awk -v modules="$modules" '
  BEGIN {
    n = split(modules, list, " ")
    for (i = 1; i <= n; ++i) rank[list[i]] = i
    split("assert float inttypes limits math stdarg stdbool stddef stdint stdio stdlib string", list, " ")
    for (i in list) standard[list[i] ".h"] = 1
  }
  function complain(why) {
    printf "%s:%d: %s\n    | %s\n", FILENAME, FNR, why, $0
    bad[FILENAME] = 1
  }
  function check_public() {
    if (target ~ /^rigor\// || (quoted && target !~ /\//)) return
    if (quoted || !(target in standard)) complain("a public header includes only public headers and the C library")
  }
  function check_module(  from) {
    if (target ~ /^rigor\//) return
    if (target ~ /^hdf5/ && FILENAME !~ /_h5\.[ch]$/) complain("only files named *_h5.c and *_h5.h may know HDF5")
    if (!quoted) return
    if (target !~ /\//) { complain("write the path from src/, as in \"" module "/" target "\""); return }
    from = target
    sub(/\/.*/, "", from)
    if (!(from in rank)) complain("\"" from "\" is not a module (" modules ")")
    else if (rank[from] > rank[module]) complain("module " module " lies below " from " and may not include it")
  }
  # "cli/..." and "wasm/..." are folders of apps/, "experiments/..." is its own.
  function check_program() {
    if (!quoted || target ~ /^(cli|wasm|experiments)\//) return
    if (target ~ /^rigor\//) complain("write <" target ">: a program uses the library as it is installed")
    else complain("a program includes <rigor/...> and its own folders, nothing from inside the library")
  }
  FNR == 1 {
    ++files
    split(FILENAME, part, "/")
    module = part[1] == "src" ? part[2] : ""
    program = part[1] == "apps" || part[1] == "experiments"
    if (module != "" && !(module in rank)) complain("the module \"" module "\" is not in the list: " modules)
  }
  /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    target = $0
    sub(/^[^<"]*/, "", target)
    quoted = substr(target, 1, 1) == "\""
    target = substr(target, 2)
    sub(/[>"].*/, "", target)
    if (program) check_program(); else if (module == "") check_public(); else if (module in rank) check_module()
  }
  END {
    for (file in bad) ++failures
    printf "%d files keep to their layers, %d do not\n", files - failures, failures
    exit failures > 0
  }' "${files[@]}"
