#!/bin/sh
# Runs all experiments of the papers in full (about half an hour) and makes the record in docs/paper from their report,
# with smaller pictures. A run that was stopped goes on.
# usage: scripts/update-paper.sh [TAUT [FOLDER]]    TAUT: the tool (build/taut); FOLDER: where it runs (out/paper)
set -eu
cd "$(dirname "$0")/.."
taut=${1:-build/taut}
out=${2:-out/paper}

"$taut" paper --out "$out"
rm -rf docs/paper
mkdir -p docs/paper
cp "$out/README.md" "$out/errata.md" docs/paper
sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$out/README.md" "$out/errata.md" | while read -r file; do
    mkdir -p "docs/paper/$(dirname "$file")"
    case $file in
    *.png)
        ffmpeg -y -loglevel error -i "$out/$file" -filter_complex \
            "scale='min(900,iw)':-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=sierra2_4a" \
            "docs/paper/$file" </dev/null
        ;;
    *) cp "$out/$file" "docs/paper/$file" ;;
    esac
done
