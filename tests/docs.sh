#!/bin/sh
# The documentation stays true: its C code compiles and runs, its links lead somewhere, and the map and the sections on
# constraints are complete. Planted mistakes show that each check finds what it looks for.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page="$SOURCE/docs/getting-started.md"
strict="-std=c17 -Wall -Wextra -Wconversion -Wshadow -Werror -I$SOURCE/include"

runs() { # FILE
    ${CC:-cc} $strict "$1" "$BUILD/libtaut.a" -o "$work/program" -pthread -lm && "$work/program"
}

# FILE KIND: cuts the blocks of that kind out of a page, to $work/KIND_1.c and so on. Complete programs are marked
# ```c program; other C is a fragment of a function in which the names of the prelude are known.
cut_blocks() {
    awk -v kind="$2" -v to="$work/$2_" '
        /^```/ && inside { inside = 0; close(file); next }
        /^```c program$/ { inside = kind == "program"; skipped = !inside; if (inside) file = to (++n) ".c"; next }
        /^```c$/ { inside = kind == "fragment"; skipped = !inside; if (inside) file = to (++n) ".c"; next }
        /^```/ { if (skipped) { skipped = 0; next } print "unmarked block, line " NR; bad = 1; next }
        inside { print >file }
        END { if (n == 0 || bad) exit 1 }' "$1"
}

fragment_compiles() { # FILE
    {
        echo '#include <math.h>'
        echo '#include <stdio.h>'
        echo '#include <taut.h>'
        echo 'void fragment(taut_mesh mesh, taut_world *world, int body, taut_error error);'
        echo 'void fragment(taut_mesh mesh, taut_world *world, int body, taut_error error)'
        echo '{'
        echo '    (void)mesh, (void)world, (void)body, (void)error;'
        cat "$1"
        echo '}'
    } >"$work/wrapped.c"
    ${CC:-cc} $strict -Wno-unused-variable -fsyntax-only "$work/wrapped.c"
}

# FILE: the anchors that it sets itself, and those of its headings, as GitHub makes them.
anchors() {
    sed -n 's/^<a name="\([^"]*\)"><\/a>$/\1/p' "$1"
    grep '^#' "$1" | sed 's/^#* *//' | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# ROOT FILE: every relative link of a page leads to a file, and every anchor to a heading.
links_lead_somewhere() {
    [ -f "$1/$2" ] || { echo "$2 is missing"; return 1; }
    awk '/^```/ { code = !code } !code' "$1/$2" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//' |
        grep -v '^[a-z]*:' | {
        bad=0
        while read -r link; do
            target="$1/$2"
            [ -z "${link%%#*}" ] || target="$(dirname "$1/$2")/${link%%#*}"
            if [ ! -e "$target" ]; then
                echo "$2: $link: no such file"
                bad=1
            elif [ "${link#*#}" != "$link" ] && ! anchors "$target" | grep -qx -e "${link#*#}"; then
                echo "$2: $link: no such heading"
                bad=1
            fi
        done
        return $bad
    }
}

# ROOT: src/README.md names every source file, and nothing that does not exist.
map_is_complete() {
    (cd "$1/src" && find . -name '*.[ch]' | sed 's|^\./||') | sort >"$work/files"
    grep -o '`[a-z]*/[a-z0-9_]*\.[ch]`' "$1/src/README.md" | tr -d '`' | sort -u >"$work/named"
    diff "$work/files" "$work/named"
}

# ROOT LIST FILE...: the list links to every one of the files, which are seen from its folder.
lists_all() {
    list="$1/$2"
    shift 2
    missing=0
    for file; do grep -qF "]($file)" "$list" || { echo "$list has no link to $file"; missing=1; }; done
    return $missing
}

list_kinds() {
    cat >"$work/kinds.c" <<'END'
#include <stdio.h>
#include <taut.h>

int main(void)
{
    for (int kind = 0; kind < taut_kind_count(); kind++) puts(taut_kind_name(kind));
    return taut_kind_count() > 0 ? 0 : 1;
}
END
    runs "$work/kinds.c" >"$work/kinds"
}

# ROOT: docs/constraints.md has a heading for every kind.
kinds_have_sections() {
    [ -s "$work/kinds" ] || return 1
    missing=0
    while read -r kind; do
        grep -q "^##.*\`$kind\`" "$1/docs/constraints.md" || { echo "no section for $kind"; missing=1; }
    done <"$work/kinds"
    return $missing
}

# ROOT: docs/architecture.md tells the maxima of constraint.h as they are.
maxima_are_true() {
    grep -o 'TT_MAX_[A-Z]* = [0-9]*' "$1/src/constraints/constraint.h" | sort >"$work/maxima"
    sed -n 's/^ *| `\(TT_MAX_[A-Z]*\)` | \([0-9]*\) |$/\1 = \2/p' "$1/docs/architecture.md" | sort >"$work/told"
    [ -s "$work/maxima" ] && diff "$work/maxima" "$work/told"
}

# ROOT: what each stage reads and writes, as the source says where it is declared, or else where it is defined.
stages_of() {
    cd "$1/src/world" && awk '
        { before = line; line = $0 }
        /^extern const tt_stage tt_stage_/ { name = $4; sub(/^tt_stage_/, "", name); said = $0; sub(/^[^*]*\*/, "", said) }
        /^static const tt_stage stage_/ { name = $4; sub(/^stage_/, "", name); said = before; sub(/^[^*]*\*/, "", said) }
        name {
            sub(/;.*/, "", name)
            sub(/^ */, "", said); sub(/ *\*\/.*/, "", said); sub(/   *.*/, "", said); sub(/->/, "→", said)
            print name " | " said
            name = ""
        }' *.h *.c | sort
}

# ROOT: every stage says what it reads and writes, and the tables in docs/architecture.md say the same.
stages_are_true() {
    (stages_of "$1") >"$work/stages"
    sed -n '/^## The step$/,/^## Colliders$/s/^| \([a-z_]* | [^|]*→[^|]*\) | .*|$/\1/p' "$1/docs/architecture.md" |
        sed '/^stage | /d' | sort >"$work/told"
    sed -n 's/^.*const tt_stage \(tt_\)*stage_\([a-z_]*\) = .*$/\2/p' "$1"/src/world/*.c | sort >"$work/defined"
    [ -s "$work/stages" ] && diff "$work/stages" "$work/told" && sed 's/ |.*//' "$work/stages" | diff - "$work/defined" &&
        if grep -v ' | .*→ [a-z]' "$work/stages"; then echo "these do not say what they write"; return 1; fi
}

# ROOT: what stages read and write are arrays of the level, its balance or its body. `pins` are the array `pin`.
arrays_exist() {
    missing=0
    for name in $(stages_of "$1" | sed 's/^[^|]*|//; s/→/,/g; s/finer //g; s/coarser //g; s/pins/pin/g' | tr ',' ' '); do
        (cd "$1/src/world" && grep -qE "[ *]$name(\[[^]]*\])*[,;]" level.h balance.h body.h) ||
            { echo "there is no array $name"; missing=1; }
    done
    return $missing
}

# ROOT: contacts act through the table in contacts.c only.
contacts_have_one_way() {
    if grep -nE '\b(tt_colliders|tt_grip|tt_ties|tt_apart|tt_touch)_[a-z_]+\((tt_)?work\)' "$1"/src/world/*.c; then
        return 1
    fi
}

# ROOT: docs/architecture.md names every file that finds kinds by name, with these kinds, and no other file.
named_kinds_are_told() {
    (cd "$1/src" && grep -lr 'taut_kind_find(' --include='*.c' . | sed 's|^\./||' |
        grep -v '^constraints/dispatch_plain.c$' | sort) >"$work/naming"
    sed -n '/^These places know\|places know kinds by name/,/^## /s/^| `\([a-z_]*\/[a-z_]*\.c\)` | `.*$/\1/p' \
        "$1/docs/architecture.md" | sort >"$work/told"
    [ -s "$work/naming" ] && diff "$work/naming" "$work/told" || return 1
    missing=0
    while read -r kind; do
        for file in $(cat "$work/naming"); do
            grep -q "\"$kind\"" "$1/src/$file" || continue
            grep -q "^| \`$file\` |.*\`$kind\`" "$1/docs/architecture.md" ||
                { echo "$file knows $kind"; missing=1; }
        done
    done <"$work/kinds"
    return $missing
}

# ROOT: the source files that docs/architecture.md names exist.
named_files_exist() {
    missing=0
    for file in $(grep -o '`[a-z_]*/[a-z_/]*\.[a-z]*`' "$1/docs/architecture.md" | tr -d '`' | sort -u); do
        [ -e "$1/src/$file" ] || [ -e "$1/$file" ] || { echo "docs/architecture.md names $file"; missing=1; }
    done
    return $missing
}

# COMMAND...: the check refuses what is wrong.
refuses() {
    if "$@"; then return 1; fi
}

# A copy of the pages and the sources, to plant mistakes in.
copy="$work/copy"
mkdir "$copy"
cp -r "$SOURCE/docs" "$SOURCE/src" "$SOURCE/include" "$copy"
sed 's/^### `stick`$/### Sticks/' "$SOURCE/docs/constraints.md" >"$copy/docs/constraints.md"
: >"$copy/src/base/planted.c"
sed -e 's/^| damp | /| drag | /' -e 's/`TT_MAX_MODES` | [0-9]*/`TT_MAX_MODES` | 0/' "$SOURCE/docs/architecture.md" \
    >"$copy/docs/architecture.md"
printf '[a](nowhere.md)\n' >"$copy/docs/no-file.md"
printf '[a](constraints.md#no-such-heading)\n' >"$copy/docs/no-heading.md"
printf '[a](constraints.md#pins) [b](../src) [c](https://example.org/x)\n' >"$copy/docs/good.md"

for example in "$SOURCE"/docs/examples/*.c; do
    check "$(basename "$example") compiles and runs" runs "$example"
done
check "getting-started.md: its programs are marked" cut_blocks "$page" program
for program in "$work"/program_*.c; do
    check "getting-started.md: $(basename "$program" .c) compiles and runs" runs "$program"
done
check "getting-started.md shows the example as it is" \
    diff "$work/program_1.c" "$SOURCE/docs/examples/hanging_sheet.c"
check "getting-started.md: its fragments are marked" cut_blocks "$page" fragment
for fragment in "$work"/fragment_*.c; do
    check "getting-started.md: $(basename "$fragment" .c) compiles" fragment_compiles "$fragment"
done

for file in README.md CONTRIBUTING.md src/README.md scenes/README.md papers/README.md; do
    check "links of $file" links_lead_somewhere "$SOURCE" "$file"
done
for file in "$SOURCE"/docs/*.md; do
    check "links of docs/$(basename "$file")" links_lead_somewhere "$SOURCE" "docs/$(basename "$file")"
done
for page in README.md errata.md; do
    check "links of docs/paper/$page" links_lead_somewhere "$SOURCE" "docs/paper/$page"
done
check "a good link passes" links_lead_somewhere "$copy" docs/good.md
check "a link to no file is found" refuses links_lead_somewhere "$copy" docs/no-file.md
check "a link to no heading is found" refuses links_lead_somewhere "$copy" docs/no-heading.md

check "docs/README.md lists every page" \
    lists_all "$SOURCE" docs/README.md $(cd "$SOURCE/docs" && ls *.md | grep -v '^README.md$')
check "scenes/README.md lists every scene" lists_all "$SOURCE" scenes/README.md $(cd "$SOURCE/scenes" && ls *.json)
check "a page that is not listed is found" refuses lists_all "$SOURCE" docs/README.md nowhere.md

check "the map names every source file" map_is_complete "$SOURCE"
check "a file that the map lacks is found" refuses map_is_complete "$copy"

check "the library lists its kinds" list_kinds
check "every kind has a section" kinds_have_sections "$SOURCE"
check "a missing section is found" refuses kinds_have_sections "$copy"
check "architecture.md: the maxima of a kind" maxima_are_true "$SOURCE"
check "a wrong maximum is found" refuses maxima_are_true "$copy"
check "architecture.md: the stages of a substep" stages_are_true "$SOURCE"
check "a wrong stage is found" refuses stages_are_true "$copy"
cp "$SOURCE/docs/architecture.md" "$copy/docs"
check "the copy's stages are right again" stages_are_true "$copy"
sed '/^\/\* .*-> loose/d' "$SOURCE/src/world/stage_search.c" >"$copy/src/world/stage_search.c"
check "a stage that says nothing is found" refuses stages_are_true "$copy"
check "stages read and write arrays that exist" arrays_exist "$SOURCE"
sed 's/-> loose /-> lost /' "$SOURCE/src/world/stage_search.c" >"$copy/src/world/stage_search.c"
check "an array that is not there is found" refuses arrays_exist "$copy"
check "architecture.md: who knows kinds by name" named_kinds_are_told "$SOURCE"
echo 'int planted(void) { return taut_kind_find("stick"); }' >"$copy/src/model/stable.c"
check "a file that knows kinds by name is found" refuses named_kinds_are_told "$copy"
check "architecture.md: the files that it names" named_files_exist "$SOURCE"
echo '`model/nowhere.c`' >>"$copy/docs/architecture.md"
check "a file that is not there is found" refuses named_files_exist "$copy"
check "contacts are called in one way" contacts_have_one_way "$SOURCE"
sed 's/tt_contacts_act(work, TT_AT_VELOCITY)/tt_apart_settle(work)/' "$SOURCE/src/world/step.c" >"$copy/src/world/step.c"
check "another way is found" refuses contacts_have_one_way "$copy"
tap_done
