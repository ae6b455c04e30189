#!/bin/sh
# The same bits from every compiler, optimisation level, instruction set and number of threads: each variant runs every
# scene of `taut hash --list` for 20 steps, or fewer if it is slow, and is compared with the main build. `make test` has
# one variant of each sort, `make test-all` has all variants and runs the slow ones for longer.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
variants="$SOURCE/build/variants"
scenes=$("$TAUT" hash --list) || scenes=

# OPTIONS COMMAND...: prints every scene and its hash after $steps. Fails as the tool does.
steps=20
hashes() {
    options=$1
    shift
    for scene in $scenes; do
        hash=$("$@" hash "$scene" --steps $steps $options) || return $?
        echo "$scene: $hash"
    done
}

reference() { [ -n "$scenes" ] && hashes "" "$TAUT" >"$work/main.$steps"; }

same() { hashes "$@" >"$work/variant" && diff "$work/main.$steps" "$work/variant"; }

same_simd() { # SET COMMAND...
    simd=$1
    shift
    same "" env TAUT_SIMD="$simd" "$@"
}

same_preset() { build_variant "$1" taut-cli && same "" "$variants/$1/taut"; }

emulated_avx512() { build_variant simde taut-cli && same_simd avx512 "$variants/simde/taut"; }

# SET: the tool must refuse a set that is asked for but absent (exit code 2), and not take another.
refuses_simd() {
    TAUT_SIMD=$1 "$TAUT" hash sheet --steps 1
    [ $? -eq 2 ]
}

check_simd() { # SET FLAG: the flag that /proc/cpuinfo has for it
    if grep -qw "$2" /proc/cpuinfo; then
        check "$1" same_simd "$1" "$TAUT"
    else
        skip "$1" "this processor has no $2"
    fi
}

check "the main build runs every scene" reference
if testing_all; then check "a second run" same "" "$TAUT"; fi
for threads in 1 $(if testing_all; then echo 2 3; fi) 8; do
    check "--threads $threads" same "--threads $threads" "$TAUT"
done
check "scalar" same_simd scalar "$TAUT"
check "clang -O3" same_preset clang
if [ "$(uname -m)" = x86_64 ]; then
    check_simd sse2 sse2
    check_simd avx2 avx2
    check_simd avx512 avx512bw
    check "refuses neon" refuses_simd neon
fi
if testing_all; then
    check "clang -O3, every instruction set" same_preset clang-all
    check "built without SIMD" same_preset scalar
fi

if testing_all; then steps=8; else steps=3; fi
check "the main build, $steps steps" reference
check "gcc -O0" same_preset debug
if testing_all; then check "clang -O0" same_preset clang-debug; fi
if [ "$(uname -m)" = x86_64 ]; then
    arm="qemu-aarch64 $variants/aarch64/taut"
    check "aarch64 builds" build_variant aarch64 taut-cli
    check "aarch64 neon" same_simd neon $arm
    if testing_all; then
        check "aarch64 scalar" same_simd scalar $arm
        check "aarch64 neon, --threads 3" same "--threads 3" env TAUT_SIMD=neon $arm
        grep -qw avx512bw /proc/cpuinfo || check "avx512 emulated by SIMDe" emulated_avx512
    fi
fi
tap_done
