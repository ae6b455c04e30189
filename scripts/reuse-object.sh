#!/bin/sh
# COMPILER ARGUMENT...: a compiler launcher for CMake that shares the objects of another build of the same sources. An
# object that the build folder REUSE_BUILD has is copied; any other is compiled.
set -eu
object=
previous=
for argument; do
    [ "$previous" != -o ] || object=$argument
    previous=$argument
done
case $object in
*.o)
    if [ -f "$REUSE_BUILD/$object" ]; then
        cp "$REUSE_BUILD/$object" "$object"
        [ ! -f "$REUSE_BUILD/$object.d" ] || cp "$REUSE_BUILD/$object.d" "$object.d"
        exit
    fi
    ;;
esac
exec "$@"
