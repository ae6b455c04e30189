#!/bin/sh
# Every reader on its corpus, with the address and undefined behaviour sanitizers. `make test-all` also runs them under
# libFuzzer for a few seconds of new inputs. docs/fuzzing.md tells of longer runs.
. "$SOURCE/scripts/tap.sh"
seconds=${FUZZ_SECONDS:-3}
build="$BUILD/variants/fuzz"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# NAME: no input of the corpus makes it fail. A reader that allocates what a file merely claims to need is stopped.
replay() {
    ASAN_OPTIONS=max_allocation_size_mb=64 timeout 60 "$BUILD/variants/asan/fuzz/replay_$1" \
        "$SOURCE/tests/fuzz/corpus/$1"/*
}

# Not optimised, because the run is short: a quick build saves more time than a quick program.
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

check "the readers build with what replays a corpus" build_variant asan replays
for source in "$SOURCE"/tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    check "${name#fuzz_} survives its corpus" replay "${name#fuzz_}"
done
if testing_all; then
    check "the fuzzers build" fuzzers_build
    for source in "$SOURCE"/tests/fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        check "${name#fuzz_} survives fuzzing" survives "${name#fuzz_}"
    done
fi
tap_done
