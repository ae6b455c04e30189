#!/bin/sh
# Compiler warnings of clang (gcc's are errors in the main build), clang-tidy and cppcheck. Because clang-tidy takes
# long, it reads only the sources that a change can affect. In `make test-all` it reads all of them.
. "$SOURCE/scripts/tap.sh"
cd "$SOURCE" || exit 1
most=40 # sources for clang-tidy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The compile commands list a kernel once for each instruction set, and some files once for each library. One entry is
# enough here, because cppcheck reads another instruction set. Besides, clang-tidy gives false reports if it reads a
# file twice.
few_compile_commands() {
    mkdir -p "$BUILD/lint" && python3 - "$BUILD/compile_commands.json" "$BUILD/lint/compile_commands.json" <<'END'
import json, re, sys
entries = json.load(open(sys.argv[1]))
skipped = re.compile(r"-DTT_ISA_(SCALAR|DOUBLE|SSE2|AVX512)=1")
few = {e["file"]: e for e in entries if not skipped.search(e["command"])}
json.dump(list(few.values()), open(sys.argv[2], "w"), indent=1)
END
}

all_sources() { find src tools bench papers -name '*.c' | sort; }

# The sources that the change can affect, but no more than $most. Changed sources come first, then the sources that are
# nearest to a changed header.
affected_sources() {
    python3 scripts/affected-sources.py >"$work/affected" || return 1
    head -n "$most" "$work/affected"
}

tidy() {
    if testing_all; then all_sources; else affected_sources; fi >"$work/sources" && few_compile_commands &&
        xargs -r -P "$(nproc)" -n 1 clang-tidy --quiet -p "$BUILD/lint" --warnings-as-errors='*' <"$work/sources"
}

# Finds the sources that include a changed header, and no others.
finds_includers() {
    python3 scripts/affected-sources.py src/constraints/limit_axes.h src/io/json.c >"$work/found" &&
        printf '%s\n' src/io/json.c src/constraints/limit_axes_tet.c src/constraints/limit_axes_tri.c |
        diff - "$work/found"
}

# objectIndex is off, because it mistakes &array[0].pointer[i] for an address inside the array. The address sanitizer
# finds the real errors of this kind.
inspect() {
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
        --inline-suppr --suppress=missingIncludeSystem --suppress=arrayIndexThenCheck --suppress=objectIndex \
        -j "$(nproc)" \
        -DTT_ISA_SCALAR=1 -D__x86_64__=1 -D__GNUC__=12 -Iinclude -Isrc -Ibench -Ipapers src tools bench papers
}

# clang need not generate code to find warnings about the tests.
tests_without_warnings() {
    ls tests/test_*.c | xargs -P "$(nproc)" -n 4 clang -std=c17 -fsyntax-only -ffp-contract=off -Wall -Wextra \
        -Wconversion -Wshadow -Werror -Iinclude -Isrc -Ibench -Itests
}

check "clang has no warnings" build_variant clang all
check "clang has no warnings about the tests" tests_without_warnings
if testing_all; then check "clang has no warnings for any instruction set" build_variant clang-all all tests; fi
check "sources that a change can affect" finds_includers
check "clang-tidy" tidy
check "cppcheck" inspect
tap_done
