#!/bin/sh
# [LEAST]: line coverage of src/ by the unit tests. Prints the figure and the files with the least coverage. With LEAST
# it fails if the percentage is lower. build/coverage.txt has every file and the lines of it that do not run.
set -eu
cd "$(dirname "$0")/.."
least=${1:-0}
SOURCE=$PWD
. scripts/tap.sh
variant=build/variants/coverage
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -f build/coverage.txt build/coverage-summary.txt

build_variant coverage tests >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }

# The other builds tell whether the tests pass.
find $variant -name '*.gcda' -delete
ls $variant/tests/test_* | xargs -P "$(nproc)" -I TEST timeout 900 TEST >/dev/null 2>&1 || true
# gcovr reads the library's own objects, in a folder where gcov's temporary files disturb nothing. It runs one job,
# because with several it waits for ever after an error.
(cd $variant && timeout 900 gcovr --root "$SOURCE" --filter "$SOURCE/src/" --txt "$SOURCE/build/coverage.txt" \
    CMakeFiles/taut*.dir) >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }

# A row is: file, lines, lines that ran, percent, numbers of the lines that did not run.
awk -v least="$least" '
    $1 == "TOTAL" { total = 100 * $3 / $2 }
    /^src\// && $4 + 0 < 90 { worst[$1] = $4 }
    END {
        printf "%.1f %% of the lines of src/ run\n", total
        for (file in worst) printf "  %4s %s\n", worst[file], file | "sort -n"
        close("sort -n")
        exit !(total >= least)
    }' build/coverage.txt >build/coverage-summary.txt && code=0 || code=$?
cat build/coverage-summary.txt
exit $code
