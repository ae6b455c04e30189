#!/bin/sh
# The unit tests under the address and undefined behaviour sanitizers. In `make test-all` the tests of threads also run
# under the thread sanitizer.
. "$SOURCE/scripts/tap.sh"
cd "$SOURCE" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export UBSAN_OPTIONS=print_stacktrace=1

# The thread sanitizer needs memory at certain addresses, which a randomised layout may prevent.
fixed_layout=
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed_layout="setarch $(uname -m) -R"; fi

# PRESET NAME...: runs tests, as many at a time as there are processors. Each test that passes leaves a file
# NAME.passed.
run_tests() {
    folder=build/variants/$1/tests
    shift
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I NAME sh -c \
        "timeout 900 $fixed_layout $folder/NAME >$work/NAME.log 2>&1 </dev/null && : >$work/NAME.passed"
}

has_passed() { cat "$work/$1.log" && [ -e "$work/$1.passed" ]; } # NAME

check_preset() { # PRESET SOURCE...
    preset=$1
    shift
    set -- $(basename -s .c "$@")
    check "$preset builds" build_variant "$preset" "$@"
    rm -f "$work"/*
    run_tests "$preset" "$@"
    for name; do check "$preset $name" has_passed "$name"; done
}

check_preset asan tests/test_*.c
if testing_all; then check_preset tsan tests/test_threads*.c tests/test_world*.c tests/test_pool*.c; fi
tap_done
