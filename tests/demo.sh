#!/bin/sh
# make demo on a machine where something is missing: it makes the files that it can and names those that it cannot make.
# readme.sh tests the demo when nothing is missing. A stand-in replaces taut, so nothing is simulated.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
for tool in sh dirname env; do ln -s "$(command -v $tool)" "$work/bin"; done

# COMMANDS: a taut on which these commands fail.
stand_in() {
    printf '#!/bin/sh\ncase "$*" in %s) exit 2 ;; esac\n' "$1" >"$work/taut"
    chmod +x "$work/taut"
}

demo() { PATH="$1" sh "$SOURCE/scripts/demo.sh" "$work/taut" >"$work/out"; }

# The demo lists these files, and its last line has this sentence.
says() { # FILES SENTENCE
    cat "$work/out"
    [ "$(grep -o '^  out/[a-z.0-9]*' "$work/out" | tr -d '\n')" = "$1" ] && tail -n 1 "$work/out" | grep -q "$2"
}

everything() {
    printf '#!/bin/sh\n' >"$work/bin/ffmpeg" && chmod +x "$work/bin/ffmpeg"
    stand_in nothing && demo "$work/bin:$PATH" && says "  out/demo.glb  out/demo.png  out/demo.mp4" "the film"
}

no_ffmpeg() {
    rm -f "$work/bin/ffmpeg"
    stand_in nothing && demo "$work/bin" && says "  out/demo.glb  out/demo.png" "no film: install ffmpeg"
}

no_renderer() { stand_in 'render*' && demo "$PATH" && says "  out/demo.glb" "no pictures"; }

no_simulation() {
    stand_in 'run*'
    if demo "$PATH"; then return 1; fi
    ! grep -q 'out/demo' "$work/out"
}

check "with all there is" everything
check "without ffmpeg" no_ffmpeg
check "without the renderer" no_renderer
check "a run that fails is an error" no_simulation
tap_done
