#!/bin/sh
# taut paper: the verdicts of the quick sizes, and reports that are the same in every run but for times. Lines of
# tests/paper_verdicts.txt are "ID VERDICT"; "timed" stands for a verdict that comes from times.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expected="$SOURCE/tests/paper_verdicts.txt"

every_row_is_there() {
    "$TAUT" paper --list | awk '{ print $1 }' >"$work/ids"
    awk '{ print $1 }' "$expected" | diff - "$work/ids"
}

runs_quickly() { # FOLDER
    "$TAUT" paper --quick --json --out "$work/$1" >"$work/$1.json"
}

# Prints "ID VERDICT" of a JSON report.
verdicts() { # FOLDER
    python3 -c 'import json, sys
for result in json.load(open(sys.argv[1])):
    print(result["id"], "timed" if result["timed"] else result["verdict"])
    if not result["claims"]: sys.exit(result["id"] + " claims nothing")' "$work/$1.json"
}

verdicts_are_as_expected() { verdicts first >"$work/verdicts" && diff "$expected" "$work/verdicts"; }

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
    "$TAUT" paper --quick --out "$work/resumed" >"$work/log" || return 1
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
check "they run again" runs_quickly second
check "both reports are the same, but for times" reports_are_the_same
check "a run that was stopped goes on" goes_on
check "the HTML file holds everything" html_is_whole
check "pictures and plots of the Markdown are there" markdown_has_its_files
check "an id names one experiment" lists 1 sbd/fig3
check "a paper names its experiments" lists "$(grep -c '^sbd/' "$expected")" sbd
check "part of a word names nothing" refuses "there is no experiment 'sb'" sb
check "an unknown experiment is refused" refuses "did you mean 'sbd/fig3'" sbd/fgi3
check "a folder that cannot be is refused" refuses "cannot make the folder" --quick --out /dev/null/x
tap_done
