# Sourced by the script tests in tests/: prints results as TAP (the Test Anything Protocol).

tap_count=0

tap_result() { # VERDICT NAME
    tap_count=$((tap_count + 1))
    echo "$1 $tap_count - $2"
}

# NAME REASON: skips a case that needs something that `make test` does not install. A skip must never depend on whether
# Taut works, because it would hide a regression.
skip() { tap_result ok "$1 # SKIP $2"; }

# NAME COMMAND...: a case that passes when the command does; its output shows when it does not.
check() {
    tap_name=$1
    shift
    tap_log=$(mktemp)
    if "$@" >"$tap_log" 2>&1 </dev/null; then
        tap_result ok "$tap_name"
    else
        tap_result "not ok" "$tap_name"
        tail -n 60 "$tap_log" | sed 's/^/#   /'
    fi
    rm -f "$tap_log"
}

# Whether this is `make test-all`. Cases run only there if they take long and seldom find mistakes that others miss.
testing_all() { [ -n "${TEST_ALL-}" ]; }

# The last line of every script test. Without it the run counts as crashed.
tap_done() { echo "1..$tap_count"; }

# PRESET TARGET...: configures and builds a variant below build/variants. A lock keeps other scripts from building at
# the same time.
build_variant() (
    variant=$1
    shift
    mkdir -p "$SOURCE/build/variants" && cd "$SOURCE" || exit 1
    exec 9>"build/variants/$variant.lock"
    flock 9
    cmake --preset "$variant" >/dev/null && cmake --build "build/variants/$variant" --parallel "$(nproc)" --target "$@"
)
