#!/usr/bin/env bash
# tests/consumer/run.sh [BUILD_DIR]: installs a build into a temporary folder, moves it elsewhere, and
# builds programs against it with CMake, with pkg-config, as C and as C++.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath "${1:-${RIGOR_BUILD:-$here/../../build}}")
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' "$build/CMakeCache.txt")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

passed=0 failed=0
attempt() { # NAME COMMAND...
  local name=$1
  shift
  if (set -e; "$@") >log 2>&1; then
    passed=$((passed + 1))
    printf 'ok    %s\n' "$name"
  else
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$name"
    sed 's/^/    | /' log
  fi
}

install_and_move() {
  cmake --install "$build" --prefix "$work/first"
  mv "$work/first" "$prefix"
  ! grep -rF "$work/first" "$prefix" --include='*.pc' --include='*.cmake'
}

with_cmake() { # KIND
  cmake -S "$here" -B "cmake-$1" -G Ninja -DRIGOR_KIND="$1" -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "cmake-$1" --parallel 2
  "cmake-$1/consumer" "$version"
  "cmake-$1/consumer_cpp" "$version"
}

wrong_version_is_refused() {
  mkdir -p wrong
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(wrong C)' \
    'find_package(rigor 99 REQUIRED)' >wrong/CMakeLists.txt
  ! cmake -S wrong -B wrong/build -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
}

with_pkg_config() { # NAME COMPILER...
  local name=$1 flags libraries
  shift
  flags=$(pkg-config --cflags rigor)
  libraries=$(pkg-config --libs rigor)
  # shellcheck disable=SC2086  # lists of flags
  "$@" $flags "$here/consumer.c" -o "$name" $libraries
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir rigor) "./$name" "$version"
}

with_pkg_config_static() {
  local libdir
  libdir=$(pkg-config --variable=libdir rigor)
  # shellcheck disable=SC2046  # lists of flags
  gcc $(pkg-config --cflags rigor) "$here/consumer.c" -o pc-static "$libdir/librigor.a" \
    $(pkg-config --static --libs rigor | sed 's/-lrigor//')
  ./pc-static "$version"
}

headers_alone() { # LANGUAGE COMPILER...
  local language=$1 header
  shift
  for header in "$prefix"/include/rigor/*.h; do
    echo "$header"
    echo "#include <rigor/${header##*/}>" |
      "$@" -x "$language" -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only -
  done
}

command_runs() {
  "$prefix/bin/rigor" --version | grep -F "$version"
}

prefix=$work/second
attempt "installs, and holds no path of where it was installed" install_and_move
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name rigor.pc)")
export PKG_CONFIG_PATH

attempt "find_package, shared library, C and C++" with_cmake shared
attempt "find_package, static library, C and C++" with_cmake static
attempt "find_package refuses another version" wrong_version_is_refused
attempt "pkg-config, C17" with_pkg_config pc-c gcc -std=c17
attempt "pkg-config, C++17" with_pkg_config pc-cpp g++ -std=c++17 -x c++
attempt "pkg-config --static" with_pkg_config_static
attempt "each header compiles alone as C" headers_alone c gcc -std=c17
attempt "each header compiles alone as C++" headers_alone c++ g++ -std=c++17
attempt "the installed command runs" command_runs

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed == 0 ]]
