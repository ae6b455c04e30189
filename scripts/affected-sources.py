#!/usr/bin/env python3
"""Prints the sources that a change can affect, the most likely ones first.

usage: affected-sources.py [FILE...]

The change consists of the files named. If none is named, it consists of all files that are not committed or were
committed since the branch left `main`; on `main` itself, in the last commits. It can affect the changed sources and all
sources that include a changed header, directly or through other headers. The fewer headers are in between, the earlier
a source is printed. Without a history, all sources are printed."""
import os
import re
import subprocess
import sys

FOLDERS = ["src", "tools", "bench", "papers", "include"]
LAST = 8  # commits that count as the change on `main`


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout.split()


def base():
    """The commit that the change begins from."""
    head = git("rev-parse", "HEAD")[0]
    for main in "main", "origin/main":
        try:
            fork = git("merge-base", main, "HEAD")[0]
        except (subprocess.CalledProcessError, IndexError):
            continue
        if fork != head:
            return fork
    commits = git("rev-list", "--first-parent", f"--max-count={LAST + 1}", "HEAD")
    return commits[-1]


def changed():
    return git("diff", "--name-only", base(), "--", *FOLDERS) + \
        git("ls-files", "--others", "--exclude-standard", "--", *FOLDERS)


def all_files():
    return sorted(os.path.join(folder, name) for top in FOLDERS for folder, _, names in os.walk(top)
                  for name in names if name.endswith((".c", ".h")))


def includers(files):
    """For each header, the files that include it. An include names a header by its layer, or in its own folder."""
    of = {}
    for file in files:
        text = open(file, encoding="utf-8").read()
        for name in re.findall(r'^#include ["<]([^">]*\.h)[">]', text, re.M):
            for place in os.path.dirname(file), "src", "include", "bench", "papers", "tools", "tools/render":
                header = os.path.normpath(os.path.join(place, name))
                if os.path.exists(header):
                    of.setdefault(header, []).append(file)
                    break
    return of


def affected(files, start):
    of, found = includers(files), list(dict.fromkeys(f for f in start if f in set(files)))
    for file in found:  # grows
        found.extend(f for f in of.get(file, []) if f not in found)
    return [f for f in found if f.endswith(".c")]


files = all_files()
try:
    start = sys.argv[1:] or changed()
except (subprocess.CalledProcessError, FileNotFoundError):
    start = files
for source in affected(files, start):
    print(source)
