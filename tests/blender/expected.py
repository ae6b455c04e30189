"""Reads the positions and fields, by (frame, object), that must be in the caches. tests/write_caches.c lists them."""
import os


def read(folder, name):
    values = {}
    with open(os.path.join(folder, name), encoding="utf-8") as lines:
        for line in lines:
            frame, thing, *numbers = line.rstrip("\n").split("\t")
            values.setdefault((int(frame), thing), []).append([float(n) for n in numbers])
    return values


def compare(found, expected, tolerance, what):
    """Returns the largest difference of two lists of rows. Ends the program if it is above `tolerance`."""
    if len(found) != len(expected):
        raise SystemExit(f"{what}: {len(found)} values, expected {len(expected)}")
    worst = max((abs(a - b) for f, e in zip(found, expected) for a, b in zip(f, e)), default=0.0)
    if not worst <= tolerance:
        raise SystemExit(f"{what}: off by {worst:g}")
    return worst
