#!/usr/bin/env bash
# scripts/setup says what it installs before it does, installs nothing else, and nothing at all when
# told so; packages of npm run no script when they are installed.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Commands that only tell how they were called, in the order of things.
mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
for word; do last=$word; done
case " $THERE " in *" $last "*) echo installed ;; *) exit 1 ;; esac
END
for name in apt-get sudo; do
  printf '#!/bin/sh\necho "CALL %s $*" >>"$CALLS"\n' "$name" >"bin/$name"
done
printf '#!/bin/sh\necho "CALL npm $*" >>"$CALLS"\nmkdir -p node_modules\n' >bin/npm
chmod +x bin/*
export CALLS=$work/calls
setup() { # WORDS: what the script says and calls, in order
  : >"$CALLS"
  PATH="$work/bin:$PATH" bash "$root/scripts/setup" "$@" >>"$CALLS" 2>&1
  said=$(<"$CALLS")
}

export THERE="gcc libc6-dev cmake ninja-build"
setup build
first=$(head -n 1 <<<"$said")
has "what is missing is said first" "$first" "pkg-config libhdf5-dev libexpat1-dev"
lacks "what is there is not named" "$first" "cmake"
has "who installs is said" "$first" "apt-get"
has "how to prevent it is said" "$(sed -n 2p <<<"$said")" "RIGOR_NO_SETUP=1"
has "then it is installed" "$(sed -n '3,$p' <<<"$said")" "CALL"
installed=$(grep 'CALL.* install ' <<<"$said" | sed 's/.* install //')
is "nothing else is installed" "$installed" "--yes --no-install-recommends pkg-config libhdf5-dev libexpat1-dev"

RIGOR_NO_SETUP=1 setup build
is "RIGOR_NO_SETUP=1: nothing is said or done" "$said" ""
THERE="gcc libc6-dev cmake ninja-build pkg-config libhdf5-dev libexpat1-dev" setup build
is "all there: nothing is said or done" "$said" ""

# npm: in a copy, so that nothing of the project is touched.
mkdir -p copy/scripts copy/web
cp "$root/scripts/common.sh" copy/scripts/
echo '{}' >copy/web/package-lock.json
: >"$CALLS"
(cd copy && PATH="$work/bin:$PATH" bash -c 'source scripts/common.sh; npm_packages web' >>"$CALLS" 2>&1)
has "npm: said first" "$(head -n 1 "$CALLS")" "web/node_modules"
has "npm: no script of a package is run" "$(grep CALL "$CALLS")" "npm ci --ignore-scripts"
for folder in web bench/web; do
  is "npm by hand in $folder: no script either" "$(grep -c '^ignore-scripts=true' "$root/$folder/.npmrc")" 1
done

finish
