#!/bin/sh
# Installs to an empty prefix and uses the library from there as a stranger would.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/prefix"
consumer="$SOURCE/tests/install/consumer.c"
strict="-Wall -Wextra -Werror -pedantic"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"

uses_shared() { ldd "$1" | grep -q "$prefix/lib/libtaut.so.0"; }

pkg_config_shared() {
    gcc -std=c17 $strict "$consumer" -o "$work/shared" $(pkg-config --cflags --libs taut) \
        -Wl,-rpath,"$prefix/lib" && uses_shared "$work/shared" && "$work/shared"
}

pkg_config_static() {
    gcc -std=c17 $strict -static "$consumer" -o "$work/static" \
        $(pkg-config --static --cflags --libs taut) && "$work/static"
}

cmake_package() {
    cmake -S "$SOURCE/tests/install" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$work/cmake"
}
cmake_shared() { uses_shared "$work/cmake/consumer-shared" && "$work/cmake/consumer-shared"; }
cmake_static() { ! uses_shared "$work/cmake/consumer-static" && "$work/cmake/consumer-static"; }

exports_only_public() {
    strangers=$(nm -D --defined-only "$prefix/lib/libtaut.so" | awk '{ print $3 }' | grep -v '^taut_')
    [ -z "$strangers" ] || { echo "$strangers"; return 1; }
}

destdir() {
    make -C "$SOURCE" install DESTDIR="$work/stage" PREFIX=/opt/taut &&
        [ -f "$work/stage/opt/taut/include/taut.h" ] && [ -f "$work/stage/opt/taut/lib/libtaut.a" ]
}

header_alone() { # COMPILER LANGUAGE STANDARD
    "$1" -x "$2" -std="$3" $strict -I"$prefix/include" -fsyntax-only "$prefix/include/taut.h"
}

check "installs" make -C "$SOURCE" install PREFIX="$prefix"
check "pkg-config, shared" pkg_config_shared
check "pkg-config, static" pkg_config_static
check "find_package builds" cmake_package
check "find_package, shared" cmake_shared
check "find_package, static" cmake_static
check "the installed tool runs" "$prefix/bin/taut" hash --list
check "the shared library exports taut_ symbols only" exports_only_public
check "DESTDIR is honoured" destdir
for compiler in gcc clang; do
    check "taut.h alone as C17, $compiler" header_alone $compiler c c17
    check "taut.h alone as C++11, $compiler" header_alone $compiler c++ c++11
    check "taut.h alone as C++20, $compiler" header_alone $compiler c++ c++20
done
tap_done
