#!/bin/sh
# The whole test run. Its last line is "N passed, N failed, N skipped"; exit code 0 means none failed.
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL TAUT_SIMD
export SOURCE="$PWD" BUILD="$PWD/build" TAUT="$PWD/build/taut"
export CC=gcc CXX=g++ CMOCKA_MESSAGE_OUTPUT=TAP
jobs=$(nproc)
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}

stop() { # MESSAGE: what comes next needs what just failed
    echo "FAILED: $1"
    failed=$((failed + 1))
    finish
}

heading() { printf '\n== %s\n' "$1"; }

# NAME COMMAND...: runs a program that prints TAP, and counts its cases.
run() {
    name=$1
    shift
    started=$(date +%s)
    timeout 2400 "$@" >"$log" 2>&1 </dev/null
    code=$?
    set -- $(awk -v code=$code -f scripts/count-tap.awk "$log")
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    printf '%-28s %4d passed %3d failed %3d skipped %5d s\n' "$name" "$1" "$2" "$3" \
        $(($(date +%s) - started))
    if [ "$2" -gt 0 ]; then
        echo "exit code $code; output:"
        cat "$log"
    else
        grep '# SKIP' "$log" | sed 's/^/    /'
    fi
}

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
passed=$((passed + 1))
echo "built"

heading "unit tests"
for source in tests/test_*.c; do
    name=$(basename "$source" .c)
    run "$name" "build/tests/$name"
done

heading "script tests"
for script in tests/*.sh; do
    run "$(basename "$script")" sh "$script"
done

heading "line coverage of src/"
scripts/coverage.sh || echo "no figure: the coverage build or gcovr failed, see above"

echo
finish
