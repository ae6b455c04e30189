#!/bin/sh
# taut paper: the verdicts of the quick sizes, and reports that are the same in every run but for times. Lines of
# tests/paper_verdicts.txt are "ID VERDICT"; "timed" stands for a verdict that comes from times. Ids with "-on-" are runs
# on public meshes, which may not be there.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expected="$SOURCE/tests/paper_verdicts.txt"
mkdir "$work/empty"
data="$SOURCE/../shared/data"
[ -d "$data/meshes" ] || data="$work/empty"

every_row_is_there() {
    "$TAUT" paper --list | awk '{ print $1 }' >"$work/ids"
    awk '$1 !~ /-on-/ { print $1 }' "$expected" | diff - "$work/ids"
}

runs_quickly() { # FOLDER
    "$TAUT" paper --quick --json --data "$data" --out "$work/$1" >"$work/$1.json"
}

# Prints "ID VERDICT" of a JSON report.
verdicts() { # FOLDER
    python3 -c 'import json, sys
for result in json.load(open(sys.argv[1])):
    if result["verdict"] == "left out": continue
    print(result["id"], "timed" if result["timed"] else result["verdict"])
    if not result["claims"]: sys.exit(result["id"] + " claims nothing")' "$work/$1.json"
}

verdicts_are_as_expected() {
    grep -v -- -on- "$expected" >"$work/expected"
    verdicts first >"$work/verdicts" && grep -v -- -on- "$work/verdicts" | diff "$work/expected" -
}

verdicts_on_public_meshes_are_as_expected() { diff "$expected" "$work/verdicts"; }

# Where a mesh is not there, the list and the report say what is left out.
says_what_is_left_out() {
    id=sbd/fig4-recovery-on-torus
    "$TAUT" paper --quick --data "$work/empty" --out "$work/without" sbd/fig4-recovery >"$work/log" || return 1
    grep -q "^$id *left out$" "$work/log" && grep -q "^| \[$id\](#sbd-fig4-recovery-on-torus) .*| left out |$" "$work/without/README.md" &&
        grep -q "^\*Left out\..* there is no $work/empty/meshes/torus.obj" "$work/without/README.md"
}

# All files of a report but for the lines with times.
untimed() { # FOLDER
    (cd "$work/$1" && find . -type f ! -name report.html ! -name '*.result' | sort | while read -r file; do
        echo "$file $(grep -av '⏱' "$file" | cksum)"
    done && grep -v '⏱' report.html | cksum)
}

reports_are_the_same() { untimed first >"$work/one" && untimed second >"$work/two" && diff "$work/one" "$work/two"; }

# A run that was stopped goes on: results that are there are taken, and one that is damaged is made again.
goes_on() {
    cp -r "$work/first" "$work/resumed" || return 1
    for result in "$work"/resumed/*/*.result; do last=$result; done
    head -c 60 "$last" >"$work/part" && mv "$work/part" "$last"
    touch -d @1 "$work"/resumed/*/*.result
    "$TAUT" paper --quick --data "$data" --out "$work/resumed" >"$work/log" || return 1
    [ "$(find "$work/resumed" -name '*.result' -newermt @2)" = "$last" ]
}

# In the HTML file there is everything: no link to another file.
html_is_whole() {
    [ -s "$work/first/report.html" ] && ! grep -oE 'src="[^d][^"]{0,60}' "$work/first/report.html"
}

markdown_has_its_files() {
    sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$work/first/README.md" >"$work/links"
    [ -s "$work/links" ] && while read -r link; do [ -s "$work/first/$link" ] || { echo "$link"; return 1; }; done \
        <"$work/links"
}

# Rows that are not below the head of a table are no rows. Prints such lines.
tables_are_whole() {
    awk '/^\|/ && before !~ /^\|/ { head = FNR; if (FNR > 1 && before != "") print FILENAME ":" FNR ": " $0 }
        /^\|/ && FNR == head + 1 && !/^\|---/ { print FILENAME ":" FNR ": " $0 }
        { before = $0 }' "$work/first/README.md" "$work/first/errata.md" >"$work/rows"
    [ ! -s "$work/rows" ] || { cat "$work/rows"; return 1; }
}

refuses() { # MESSAGE ARGUMENT...
    message=$1
    shift
    "$TAUT" paper "$@" >"$work/out" 2>"$work/error"
    [ $? -eq 2 ] && grep -qF "$message" "$work/error" || { cat "$work/error"; return 1; }
}

lists() { # COUNT ARGUMENT...
    count=$1
    shift
    [ "$("$TAUT" paper --list "$@" | wc -l)" -eq "$count" ]
}

check "every experiment has a row" every_row_is_there
check "the quick sizes run" runs_quickly first
check "verdicts are as expected" verdicts_are_as_expected
if [ "$data" != "$work/empty" ]; then
    check "verdicts on public meshes are as expected" verdicts_on_public_meshes_are_as_expected
else
    skip "verdicts on public meshes are as expected" "$SOURCE/../shared/data/meshes is not there"
fi
check "a public mesh that is not there is left out, and the report says so" says_what_is_left_out
check "they run again" runs_quickly second
check "both reports are the same, but for times" reports_are_the_same
check "a run that was stopped goes on" goes_on
check "the HTML file holds everything" html_is_whole
check "pictures and plots of the Markdown are there" markdown_has_its_files
check "every row of a table is in it" tables_are_whole
check "an id names one experiment" lists 1 sbd/fig3
check "a paper names its experiments" lists "$(grep -v -- -on- "$expected" | grep -c "^sbd/")" sbd
check "part of a word names nothing" refuses "there is no experiment 'sb'" sb
check "an unknown experiment is refused" refuses "did you mean 'sbd/fig3'" sbd/fgi3
check "a folder of data that is not there is refused" refuses "Not a directory" --quick --data /dev/null/x
check "a folder that cannot be is refused" refuses "cannot make the folder" --quick --out /dev/null/x
tap_done
