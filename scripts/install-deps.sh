#!/bin/sh
# Installs the Debian packages that are missing: scripts/install-deps.sh GROUP...
#   build   compiler and CMake              film     ffmpeg
#   render  OpenGL ES, EGL, PNG, Mesa       format   clang-format
#   test    all that `make test` uses, render and film included
# Each entry is package=probe; the probe is a command, or a file of the package (with * for the part that differs).
set -eu

build="gcc=cc cmake=cmake make=make libc6-dev=/usr/include/stdio.h"
render="libegl-dev=/usr/include/EGL/egl.h libgles-dev=/usr/include/GLES3/gl3.h libpng-dev=/usr/include/png.h
        libegl-mesa0=/usr/share/glvnd/egl_vendor.d/50_mesa.json
        libgl1-mesa-dri=/usr/share/drirc.d/00-mesa-defaults.conf"
film="ffmpeg=ffmpeg"
test="$render $film git=git gcc=gcc g++=g++ libcmocka-dev=/usr/include/cmocka.h
      clang=clang libclang-rt-14-dev=/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
      clang-tidy=clang-tidy cppcheck=cppcheck gcovr=gcovr pkg-config=pkg-config python3=python3
      python3-jsonschema=/usr/lib/python3/dist-packages/jsonschema
      locales=/usr/share/i18n/locales/de_DE libsimde-dev=/usr/include/simde/x86/avx512.h qemu-user=qemu-aarch64
      gcc-aarch64-linux-gnu=aarch64-linux-gnu-gcc
      libc6-dev-arm64-cross=/usr/aarch64-linux-gnu/include/stdio.h"
format="clang-format=clang-format"

present() {
    case $1 in
        /*) ls -d $1 >/dev/null 2>&1 ;;
        *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

missing=
for group in "$@"; do
    case $group in
        build) entries=$build ;;
        render) entries=$render ;;
        film) entries=$film ;;
        test) entries=$test ;;
        format) entries=$format ;;
        *) echo "usage: $0 build|render|film|test|format ..." >&2; exit 2 ;;
    esac
    for entry in $entries; do
        present "${entry#*=}" || missing="$missing ${entry%%=*}"
    done
done
[ -n "$missing" ] || exit 0

fail() {
    echo "$1" >&2
    echo "Please install these packages and try again:$missing" >&2
    exit 1
}

command -v apt-get >/dev/null 2>&1 || fail "There is no apt-get here to install packages with."
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail "Installing packages needs root, and there is no sudo."
    as_root=sudo
fi

echo "Installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
$as_root apt-get update >"$log" 2>&1 || echo "apt-get update failed; trying with the lists at hand."
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends $missing >>"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    fail "apt-get could not install the packages."
}
