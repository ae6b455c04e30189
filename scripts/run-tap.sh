#!/bin/sh
# NAME COMMAND...: runs a program that prints TAP. When it ends, its result is printed in one piece and its counts are
# added to the file TAP_COUNTS as a line "passed failed skipped". So several programs may run at once.
set -u
name=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT

started=$(date +%s)
timeout 2400 "$@" >"$log" 2>&1 </dev/null
code=$?
seconds=$(($(date +%s) - started))
set -- $(awk -v code=$code -f "$(dirname "$0")/count-tap.awk" "$log")

report() {
    printf '%-28s %4d passed %3d failed %3d skipped %5d s\n' "$name" "$1" "$2" "$3" "$seconds"
    if [ "$2" -gt 0 ]; then
        echo "exit code $code; output:"
        cat "$log"
    else
        grep '# SKIP' "$log" | sed 's/^/    /'
    fi
    echo "$1 $2 $3" >>"$TAP_COUNTS"
}

{
    flock 9
    report "$@"
} 9>>"$TAP_COUNTS"
exit 0
