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

# libtautio brings the static core with it, also where the shared one is installed too.
scene="$SOURCE/tests/install/fall.json"
runs_scene() { ! uses_shared "$1" && "$1" "$scene"; } # PROGRAM
io_pkg_config() { # NAME OPTION...
    program="$work/$1"
    shift
    gcc -std=c17 $strict "$@" "$SOURCE/tests/install/consumer_io.c" -o "$program" \
        $(pkg-config --cflags --libs tautio) && runs_scene "$program"
}

exports_only_public() {
    nm -D --defined-only "$prefix/lib/libtaut.so" >"$work/exports" && grep -q ' taut_world_step$' "$work/exports" &&
        ! grep -v ' taut_' "$work/exports"
}

destdir() {
    make -C "$SOURCE" install DESTDIR="$work/stage" PREFIX=/opt/taut &&
        [ -f "$work/stage/opt/taut/include/taut.h" ] && [ -f "$work/stage/opt/taut/lib/libtaut.a" ] &&
        [ -f "$work/stage/opt/taut/include/taut_io.h" ] && [ -f "$work/stage/opt/taut/lib/libtautio.a" ]
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
check "tautio by pkg-config" io_pkg_config io
check "tautio by pkg-config, all static" io_pkg_config io-static -static
check "tautio by find_package" runs_scene "$work/cmake/consumer-io"
check "the installed tool runs" "$prefix/bin/taut" hash --list
check "the shared library exports taut_ symbols only" exports_only_public
check "DESTDIR is honoured" destdir
for header in taut.h taut_io.h; do
    for compiler in gcc clang; do
        check "$header alone as C17, $compiler" header_alone $header $compiler c c17
        check "$header alone as C++11, $compiler" header_alone $header $compiler c++ c++11
        check "$header alone as C++20, $compiler" header_alone $header $compiler c++ c++20
    done
done
tap_done
