#!/bin/sh
# Installs to an empty prefix and uses the library from there as a user would.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/prefix"
consumer="$SOURCE/tests/install/consumer.c"
strict="-Wall -Wextra -Werror -pedantic"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"

uses_shared() { ldd "$1" | grep -q "$prefix/lib/lib${2:-taut}.so.0"; } # PROGRAM [LIBRARY]

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

# libtautio uses a core of the same sort: both are shared, or both are static.
scene="$SOURCE/tests/install/fall.json"
runs_shared() { uses_shared "$1" && uses_shared "$1" tautio && "$1" "$scene"; }     # PROGRAM
runs_static() { ! uses_shared "$1" && ! uses_shared "$1" tautio && "$1" "$scene"; } # PROGRAM
io_pkg_config_shared() {
    gcc -std=c17 $strict "$SOURCE/tests/install/consumer_io.c" -o "$work/io" $(pkg-config --cflags --libs tautio) \
        -Wl,-rpath,"$prefix/lib" && runs_shared "$work/io"
}
io_pkg_config_static() {
    gcc -std=c17 $strict -static "$SOURCE/tests/install/consumer_io.c" -o "$work/io-static" \
        $(pkg-config --static --cflags --libs tautio) && runs_static "$work/io-static"
}

exports_only_public() { # LIBRARY FUNCTION
    nm -D --defined-only "$prefix/lib/$1" >"$work/exports" && grep -q " $2\$" "$work/exports" &&
        ! grep -v ' taut_' "$work/exports"
}

# libtautio needs nothing of libtaut except the functions that taut.h declares.
needs_only_public() {
    nm -D --undefined-only "$prefix/lib/libtautio.so" >"$work/needs" && grep -q ' taut_world_step$' "$work/needs" &&
        ! grep ' tt_' "$work/needs"
}

destdir() {
    make -C "$SOURCE" install DESTDIR="$work/stage" PREFIX=/opt/taut &&
        [ -f "$work/stage/opt/taut/include/taut.h" ] && [ -f "$work/stage/opt/taut/lib/libtaut.a" ] &&
        [ -f "$work/stage/opt/taut/include/taut_io.h" ] && [ -f "$work/stage/opt/taut/lib/libtautio.a" ] &&
        [ -f "$work/stage/opt/taut/lib/libtautio.so" ]
}

header_alone() { # HEADER COMPILER LANGUAGE STANDARD
    echo "#include \"$1\"" | "$2" -x "$3" -std="$4" $strict -I"$prefix/include" -fsyntax-only -
}

check "installs" make -C "$SOURCE" install PREFIX="$prefix"
check "pkg-config, shared" pkg_config_shared
check "pkg-config, static" pkg_config_static
check "find_package builds" cmake_package
check "find_package, shared" cmake_shared
check "find_package, static" cmake_static
check "tautio by pkg-config, shared" io_pkg_config_shared
check "tautio by pkg-config, static" io_pkg_config_static
check "tautio by find_package, shared" runs_shared "$work/cmake/consumer-io-shared"
check "tautio by find_package, static" runs_static "$work/cmake/consumer-io"
check "the installed tool runs" "$prefix/bin/taut" hash --list
check "libtaut.so exports taut_ symbols only" exports_only_public libtaut.so taut_world_step
check "libtautio.so exports taut_ symbols only" exports_only_public libtautio.so taut_scene_step
check "libtautio.so needs nothing of libtaut.so but taut.h" needs_only_public
check "DESTDIR is honoured" destdir
for header in taut.h taut_io.h; do
    for compiler in gcc clang; do
        check "$header alone as C17, $compiler" header_alone $header $compiler c c17
        check "$header alone as C++11, $compiler" header_alone $header $compiler c++ c++11
        check "$header alone as C++20, $compiler" header_alone $header $compiler c++ c++20
    done
done
tap_done
