#!/bin/sh
# Compiler warnings of clang (gcc's are errors in the main build), clang-tidy and cppcheck.
. "$SOURCE/scripts/tap.sh"
cd "$SOURCE" || exit 1

# Kernels are in the compile commands once for each instruction set: one of them is enough, as cppcheck sees another.
few_compile_commands() {
    mkdir -p "$BUILD/lint" && python3 - "$BUILD/compile_commands.json" "$BUILD/lint/compile_commands.json" <<'END'
import json, re, sys
entries = json.load(open(sys.argv[1]))
skipped = re.compile(r"-DTT_ISA_(SCALAR|DOUBLE|SSE2|AVX512)=1")
json.dump([e for e in entries if not skipped.search(e["command"])], open(sys.argv[2], "w"), indent=1)
END
}

tidy() {
    few_compile_commands && find src tools bench -name '*.c' | sort |
        xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p "$BUILD/lint" --warnings-as-errors='*'
}

inspect() {
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
        --inline-suppr --suppress=missingIncludeSystem --suppress=arrayIndexThenCheck -j "$(nproc)" \
        -DTT_ISA_SCALAR=1 -D__x86_64__=1 -D__GNUC__=12 -Iinclude -Isrc -Ibench src tools bench
}

check "clang has no warnings" build_variant clang all tests
check "clang-tidy" tidy
check "cppcheck" inspect
tap_done
