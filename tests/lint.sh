#!/bin/sh
# Compiler warnings of clang (gcc's are errors in the main build), clang-tidy and cppcheck. clang-tidy takes long, so it
# looks at the sources that changed last; in `make test-all` it looks at all of them.
. "$SOURCE/scripts/tap.sh"
cd "$SOURCE" || exit 1
recent=24 # sources for clang-tidy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The compile commands list a kernel once for each instruction set. One is enough here, because cppcheck sees another.
few_compile_commands() {
    mkdir -p "$BUILD/lint" && python3 - "$BUILD/compile_commands.json" "$BUILD/lint/compile_commands.json" <<'END'
import json, re, sys
entries = json.load(open(sys.argv[1]))
skipped = re.compile(r"-DTT_ISA_(SCALAR|DOUBLE|SSE2|AVX512)=1")
json.dump([e for e in entries if not skipped.search(e["command"])], open(sys.argv[2], "w"), indent=1)
END
}

all_sources() { find src tools bench -name '*.c' | sort; }

# Files that changed last come first: those that are not committed, then commit by commit.
changed_files() {
    git ls-files --modified --others --exclude-standard src tools bench include &&
        git log --name-only --format= -- src tools bench include
}

# Reads names of files and prints those that are sources. In place of a header it prints a source that includes it.
to_sources() {
    while read -r file; do
        [ -f "$file" ] || continue
        case $file in
        *.c) echo "$file" ;;
        *.h)
            grep -rlE --include='*.c' "^#include \"([a-z_]*/)?$(basename "$file")\"" src tools bench | sort |
                head -n 1
            ;;
        esac
    done
}

# Without a history, all sources count as new.
recent_sources() {
    changed_files >"$work/changed" || { all_sources; return; }
    awk '!seen[$0]++' "$work/changed" | head -n $((4 * recent)) | to_sources | awk '!seen[$0]++' | head -n $recent
}

tidy() {
    if testing_all; then all_sources; else recent_sources; fi >"$work/sources"
    [ -s "$work/sources" ] && few_compile_commands &&
        xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p "$BUILD/lint" --warnings-as-errors='*' <"$work/sources"
}

# objectIndex takes &array[0].pointer[i] for the address of the pointer; the address sanitizer sees such mistakes better.
inspect() {
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
        --inline-suppr --suppress=missingIncludeSystem --suppress=arrayIndexThenCheck --suppress=objectIndex \
        -j "$(nproc)" \
        -DTT_ISA_SCALAR=1 -D__x86_64__=1 -D__GNUC__=12 -Iinclude -Isrc -Ibench src tools bench
}

# To find warnings about the tests, clang need not generate code.
tests_without_warnings() {
    ls tests/test_*.c | xargs -P "$(nproc)" -n 4 clang -std=c17 -fsyntax-only -ffp-contract=off -Wall -Wextra \
        -Wconversion -Wshadow -Werror -Iinclude -Isrc -Ibench -Itests
}

check "clang has no warnings" build_variant clang all
check "clang has no warnings about the tests" tests_without_warnings
if testing_all; then check "clang has no warnings for any instruction set" build_variant clang-all all tests; fi
check "clang-tidy" tidy
check "cppcheck" inspect
tap_done
