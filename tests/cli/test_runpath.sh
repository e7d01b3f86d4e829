#!/usr/bin/env bash
# Programs load libraries from where they were linked, never from the folder they are called in: an
# empty or relative entry in the dynamic section is a door for whoever can write there.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=${RIGOR_BUILD:?names the build under test}
command -v readelf >/dev/null || { echo "skip: no readelf"; exit 77; }

# The entries of RPATH and RUNPATH of a file, each in brackets.
entries() { # FILE
  readelf -d "$1" 2>/dev/null | sed -n 's/.*(\(RPATH\|RUNPATH\)).*\[\(.*\)\]$/\2/p' | sed 's/:/][/g; s/.*/[&]/'
}
# What of them is neither absolute nor relative to the file itself.
bad_entries() { # FILE
  entries "$1" | grep -oE '\[[^]]*\]' | grep -vE '^\[(/|\$ORIGIN(/|\]))' || true
}

check_all() { # WHAT FOLDER
  local file count=0
  while IFS= read -r -d '' file; do
    [[ $(head -c 4 "$file" | tail -c 3) == ELF ]] || continue
    count=$((count + 1))
    is "$1 ${file#"$2"/}: every entry is absolute" "$(bad_entries "$file")" ""
  done < <(find "$2" \( -path '*/CMakeFiles' -o -path '*/soak' \) -prune -o -type f \( -perm -u+x -o -name '*.so*' \) -print0)
  holds "$1: programs were found" test "$count" -ge 2
}

check_all "built" "$build"
if command -v cmake >/dev/null && cmake --install "$build" --prefix "$work/installed" >"$work/install.log" 2>&1; then
  check_all "installed" "$work/installed"
else
  skip "no copy could be installed: $(tail -n 1 "$work/install.log" 2>/dev/null)"
fi

# The door itself: files with the names of all libraries lie in the current folder.
mkdir trap
while read -r library; do
  echo "this is no library" >"trap/$library"
done < <(readelf -d "$rigor" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p')
holds "libraries were found" test "$(find trap -type f | wc -l)" -ge 1
is "started in a folder with false libraries" "$(cd trap && "$rigor" --version 2>&1)" "$("$rigor" --version)"

finish
