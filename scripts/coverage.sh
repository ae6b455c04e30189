#!/bin/sh
# Line coverage of src/ by the unit tests: a summary on the terminal, a table in build/coverage.txt.
set -eu
cd "$(dirname "$0")/.."
variant=build/variants/coverage
log=$(mktemp)
trap 'rm -f "$log"' EXIT

{ cmake --preset coverage && cmake --build $variant --parallel "$(nproc)" --target tests; } \
    >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }

# Whether the tests pass is for the other builds to say.
find $variant -name '*.gcda' -delete
ls $variant/tests/test_* | xargs -P "$(nproc)" -I TEST timeout 120 TEST >/dev/null 2>&1 || true
# One job: with several, gcovr waits for ever after an error.
timeout 300 gcovr --root . --object-directory $variant --filter src/ \
    --txt build/coverage.txt --print-summary $variant >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
grep '^lines:' "$log"
echo "by file: build/coverage.txt"
