#!/bin/sh
# Every reader under libFuzzer with the address and undefined behaviour sanitizers: the whole corpus, then a few seconds
# of new inputs. docs/fuzzing.md tells of longer runs.
. "$SOURCE/scripts/tap.sh"
seconds=${FUZZ_SECONDS:-3}
build="$BUILD/variants/fuzz"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has_runtime() {
    echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n); int LLVMFuzzerTestOneInput(const char *d,
        unsigned long n) { return d && n ? 0 : 0; }' >"$work/probe.c"
    clang -fsanitize=fuzzer,address,undefined "$work/probe.c" -o "$work/probe"
}

# Unoptimised: for so short a run, compiling quickly is worth more than running quickly.
fuzzers_build() {
    cmake -S "$SOURCE" -B "$build" -DCMAKE_C_COMPILER=clang -DTAUT_FUZZ=ON -DTAUT_SCALAR_ONLY=ON \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O0 -g1" &&
        cmake --build "$build" --parallel "$(nproc)" --target fuzzers
}

# NAME: no input of the corpus, and none that is found in a while, makes it fail. A reader that allocates what a file
# merely claims to need is stopped by the limits.
survives() {
    mkdir "$work/$1"
    "$build/fuzz/fuzz_$1" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 \
        -malloc_limit_mb=64 -print_final_stats=1 -artifact_prefix="$work/$1-" \
        "$work/$1" "$SOURCE/tests/fuzz/corpus/$1" 2>"$work/log" || {
        tail -n 40 "$work/log"
        for input in "$work/$1"-*; do base64 "$input"; done
        return 1
    }
    runs=$(awk '/number_of_executed_units/ { print $2 }' "$work/log")
    echo "$runs runs"
    [ "$runs" -gt "$(ls "$SOURCE/tests/fuzz/corpus/$1" | wc -l)" ]
}

if ! has_runtime >/dev/null 2>&1; then
    skip "the readers survive fuzzing" "clang or its fuzzer is missing: install clang and libclang-rt-14-dev"
else
    check "the fuzzers build" fuzzers_build
    for source in "$SOURCE"/tests/fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        check "${name#fuzz_} survives fuzzing" survives "${name#fuzz_}"
    done
fi
tap_done
