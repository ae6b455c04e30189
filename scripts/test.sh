#!/bin/sh
# The test run: the tests that fit into a quarter of an hour, or with `all` every test. Its last line is
# "N passed, N failed, N skipped"; exit code 0 means none failed.
# usage: scripts/test.sh [all]
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL TAUT_SIMD
case ${1-} in
all) export TEST_ALL=1 ;;
"") unset TEST_ALL ;;
*) echo "usage: $0 [all]" >&2; exit 2 ;;
esac
export SOURCE="$PWD" BUILD="$PWD/build" TAUT="$PWD/build/taut"
export CC=gcc CXX=g++ CMOCKA_MESSAGE_OUTPUT=TAP
jobs=$(nproc)
log=$(mktemp)
TAP_COUNTS=$(mktemp) # lines "passed failed skipped"
export TAP_COUNTS
trap 'rm -f "$log" "$TAP_COUNTS"' EXIT

count() { echo "$*" >>"$TAP_COUNTS"; } # PASSED FAILED SKIPPED

finish() {
    awk '{ passed += $1; failed += $2; skipped += $3 }
        END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }' "$TAP_COUNTS"
    exit
}

stop() { # MESSAGE: what comes next needs what just failed
    echo "FAILED: $1"
    count 0 1 0
    finish
}

heading() { printf '\n== %s\n' "$1"; }

# Reads lines "NAME COMMAND..." of programs that print TAP, and runs as many at a time as there are processors.
run_all() { xargs -P "$jobs" -L 1 scripts/run-tap.sh || count 0 1 0; }

build() { # DIRECTORY TARGET...
    directory=$1
    shift
    cmake --build "$directory" --parallel "$jobs" --target "$@" >"$log" 2>&1 || {
        grep -v '^\[' "$log" | head -n 80
        return 1
    }
}

scripts/install-deps.sh build test || stop "packages are missing"

heading "release build, warnings are errors"
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DTAUT_WERROR=ON >"$log" 2>&1 || {
    cat "$log"
    stop "configuring the release build"
}
build build all tests || stop "the release build"
count 1 0 0
echo "built"

heading "unit tests"
for source in tests/test_*.c; do
    name=$(basename "$source" .c)
    echo "$name build/tests/$name"
done | run_all

# The longest scripts start first, so that the last ones are short and no processor waits long for them. Coverage takes
# as long as all other scripts together.
script_tests() {
    printf '%s.sh\n' sanitizers determinism lint readme fuzz
    ls tests | grep '\.sh$' | if [ -n "${TEST_ALL-}" ]; then cat; else grep -v '^coverage\.sh$'; fi
}

heading "script tests"
script_tests | awk '!seen[$0]++ { print $0, "sh tests/" $0 }' | run_all

if [ -n "${TEST_ALL-}" ]; then
    heading "line coverage of src/"
    cat build/coverage-summary.txt 2>/dev/null || echo "no figure: coverage.sh above says why"
fi

echo
finish
