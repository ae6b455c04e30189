#!/bin/sh
# Prints the hash of a scene's state after some frames.
# usage: scripts/run-hash.sh TAUT SCENE.json FRAMES FOLDER [OPTION...]    options are those of taut run; the run's files
# go to FOLDER
set -eu
taut=$1 scene=$2 frames=$3 folder=$4
shift 4
record="$folder/$(basename "$scene" .json).run.json"
"$taut" run "$scene" --frames "$frames" --out "${record%.run.json}.pc2" --record "$record" --quiet "$@"
sed -n 's/^    "\([0-9a-f]\{16\}\)"$/\1/p' "$record"
