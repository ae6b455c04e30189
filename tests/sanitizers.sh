#!/bin/sh
# The unit tests under the address, undefined behaviour and thread sanitizers.
. "$SOURCE/scripts/tap.sh"
cd "$SOURCE" || exit 1
export UBSAN_OPTIONS=print_stacktrace=1

# The thread sanitizer needs memory where it expects it, which a randomised layout may prevent.
fixed_layout=
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed_layout="setarch $(uname -m) -R"; fi

check_preset() { # PRESET SOURCE...
    preset=$1
    shift
    check "$preset builds" build_variant "$preset" $(basename -s .c "$@")
    for name in $(basename -s .c "$@"); do
        check "$preset $name" timeout 900 $fixed_layout "build/variants/$preset/tests/$name"
    done
}

check_preset asan tests/test_*.c
check_preset tsan $(ls tests/test_threads*.c tests/test_world*.c tests/test_pool*.c 2>/dev/null)
tap_done
