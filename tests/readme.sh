#!/bin/sh
# Runs every command of the README exactly as written, in a copy of the tree with a home folder of its own. `make test`
# is the present run itself, so the test only checks that it starts scripts/test.sh. The copy takes its objects from the
# main build; in `make test-all` it compiles its own.
. "$SOURCE/scripts/tap.sh"

home=$(mktemp -d)
copy=$home/taut
mkdir "$copy"
(cd "$SOURCE" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy")
export HOME="$home"
unset CMAKE_C_COMPILER_LAUNCHER
if ! testing_all; then export CMAKE_C_COMPILER_LAUNCHER="$SOURCE/scripts/reuse-object.sh" REUSE_BUILD="$BUILD"; fi

# The README's fenced blocks of a language, one after the other.
blocks() { awk -v fence="\`\`\`$1" '$0 == fence {on = 1; next} /^```/ {on = 0} on' "$SOURCE/README.md"; }

blocks c >"$copy/first.c"
blocks json >"$copy/flag.json"
blocks sh >"$home/commands"

run_command() {
    cd "$copy" || return 1
    case $1 in
    "make test") make -n test | grep -q scripts/test.sh ;;
    export*) return 0 ;;
    *) PKG_CONFIG_PATH="$home/.local/lib/pkgconfig:$home/.local/lib/$(uname -m)-linux-gnu/pkgconfig" sh -ec "$1" ;;
    esac
}

[ -s "$home/commands" ] || tap_result "not ok" "the README has commands"
while IFS= read -r command <&3; do
    check "README: $command" run_command "$command"
done 3<"$home/commands"

same_hashes() {
    [ "$("$TAUT" hash sheet --steps 20 --threads 1)" = "$(TAUT_SIMD=scalar "$TAUT" hash sheet --steps 20 --threads 2)" ]
}
check "the README's two hashes are the same" same_hashes
leaves() { # FILE...
    for file; do [ -s "$copy/out/$file" ] || { echo "there is no out/$file"; return 1; }; done
}
check "the demo left what the README says" leaves demo.mp4 demo.png demo.glb
check "the first scene left what the README says" leaves flag.glb flag.png
rm -rf "$home"
tap_done
