#!/bin/sh
# Mistakes that the compiler finds: headers in the wrong order, a kind without a row.
. "$SOURCE/scripts/tap.sh"
cd "$SOURCE" || exit 1

compiles() { "${CC:-cc}" -std=c17 -fsyntax-only -DTT_ISA_SCALAR=1 -Iinclude -Isrc -x c -; }

# MESSAGE: the compiler refuses its input and says so.
refuses() {
    compiles >"$BUILD/guards.log" 2>&1 && return 1
    grep -q "$1" "$BUILD/guards.log"
}

narrow_first() { printf '#include "constraints/limit.h"\n#include "constraints/strain.h"\n' | compiles; }
narrow_last() { printf '#include "constraints/strain.h"\n#include "constraints/limit.h"\n' | refuses "narrow.h"; }
all_rows() { compiles <src/constraints/kinds.c; }
a_row_less() { sed '/&TT_NAME(tt_stick),/d' src/constraints/kinds.c | refuses "one row for each"; }

check "headers of limits come first" narrow_first
check "asking for narrow lanes too late is an error" narrow_last
check "the table of kinds is complete" all_rows
check "a kind without a row is an error" a_row_less
tap_done
