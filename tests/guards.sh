#!/bin/sh
# Mistakes that the compiler finds: headers in the wrong order, a kind without a row. Then lines, functions and files
# that are too large to be read.
. "$SOURCE/scripts/tap.sh"
cd "$SOURCE" || exit 1

compiles() { "${CC:-cc}" -std=c17 -fsyntax-only -DTT_ISA_SCALAR=1 -Iinclude -Isrc -x c -; }

# MESSAGE: the compiler refuses its input with this message.
refuses() {
    compiles >"$BUILD/guards.log" 2>&1 && return 1
    grep -q "$1" "$BUILD/guards.log"
}

narrow_first() { printf '#include "constraints/limit.h"\n#include "constraints/strain.h"\n' | compiles; }
narrow_last() { printf '#include "constraints/strain.h"\n#include "constraints/limit.h"\n' | refuses "narrow.h"; }
all_rows() { compiles <src/constraints/kinds.c; }
a_row_less() { sed '/&TT_NAME(tt_stick),/d' src/constraints/kinds.c | refuses "one row for each"; }

sources() { find include src tools bench papers tests -name '*.[ch]' | sort; }

# FILE...: prints lines of over 120 columns.
wide_lines() { awk 'length > 120 { print FILENAME ":" FNR }' "$@"; }

# FILE...: prints functions of over 50 lines, from brace to brace.
long_functions() {
    awk 'FNR == 1 { start = 0 } /^\{/ { start = FNR }
        /^}/ { if (start && FNR - start + 1 > 50) print FILENAME ":" start; start = 0 }' "$@"
}

# FILE...: prints files of over 500 lines in src/ and tools/, 800 elsewhere. The public header may be longer, because it
# is the one page for callers.
long_files() {
    awk '{ lines[FILENAME]++ }
        END { for (f in lines)
                if (lines[f] > (f ~ /^(src|tools)\// ? 500 : 800) && f != "include/taut.h") print f ": " lines[f] }' "$@"
}

# CHECK: succeeds if the check prints nothing for all sources.
all_fit() { [ -z "$("$1" $(sources) | tee /dev/stderr)" ]; }

# Makes one file with a mistake of each kind, which the checks must find.
misfits_are_found() {
    folder=$(mktemp -d)
    {
        printf '/*%0120d */\nvoid f(void)\n{\n' 0
        for i in $(seq 49); do echo '    ;'; done
        printf '}\n'
        for i in $(seq 748); do echo; done
    } >"$folder/misfit.c"
    found="$(wide_lines "$folder/misfit.c") $(long_functions "$folder/misfit.c") $(long_files "$folder/misfit.c")"
    rm -r "$folder"
    echo "$found" && [ "$found" = "$folder/misfit.c:1 $folder/misfit.c:3 $folder/misfit.c: 801" ]
}

check "headers of limits come first" narrow_first
check "asking for narrow lanes too late is an error" narrow_last
check "the table of kinds is complete" all_rows
check "a kind without a row is an error" a_row_less
check "no line is over 120 columns" all_fit wide_lines
check "no function is over 50 lines" all_fit long_functions
check "no file is too long" all_fit long_files
check "what is too large is found" misfits_are_found
check "the step fits on one screen of 120 lines" [ "$(wc -l <src/world/step.c)" -le 120 ]
tap_done
