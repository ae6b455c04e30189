#!/bin/sh
# Includes point one way: base <- mesh <- constraints <- model <- collide <- world <- io <- tools.
# A file of src/ includes "layer/file.h" of its own layer or of an earlier one, or a public header. src/io is a library
# of its own: of the other layers it may include only base. tools/, papers/ and include/ may include only public headers
# (papers/ also its own and those of bench/, tools/ also its own and those of both).
# usage: scripts/check-includes.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

for folder in include src tools papers; do
    [ ! -d $folder ] || find $folder -name '*.[ch]'
done | sort | xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' /dev/null | awk '
BEGIN {
    FS = ":"
    n = split("base mesh constraints model collide world io", layers, " ")
    for (i = 1; i <= n; i++) rank[layers[i]] = i
}
function exists(path,    line, found) { found = (getline line < path) >= 0; close(path); return found }
{
    split($3, quoted, "\"")
    header = quoted[2]
    split($1, from, "/")
    split(header, to, "/")
    if (header !~ /\// && exists("include/" header)) next
    client = (from[1] == "tools" || from[1] == "papers") && header !~ /\.\./
    if (client && (exists("papers/" header) || exists("bench/" header))) next
    if (client && from[1] == "tools" && exists("tools/" header)) next
    if (from[1] == "tools" && from[2] == "render" && header !~ /\// && exists("tools/render/" header)) next
    inside = from[2] != "io" || to[1] == "io" || to[1] == "base"
    if (from[1] == "src" && (to[1] in rank) && inside && rank[to[1]] <= rank[from[2]] && header !~ /\.\./) next
    print $1 ":" $2 ": must not include \"" header "\""
    bad = 1
}
END { exit bad }'
