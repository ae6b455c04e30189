#!/usr/bin/env python3
"""Prints the sources that a change can affect, those that it is most likely to affect first.

usage: affected-sources.py [FILE...]

A change is what is not committed, and what was committed since the branch left `main`; on `main` itself, the last
commits. Or it is the files named. It can affect the sources that were changed, and all that include a changed header,
directly or through other headers: the fewer of these, the earlier. Without a history, that is all sources."""
import os
import re
import subprocess
import sys

FOLDERS = ["src", "tools", "bench", "include"]
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
    """Of each header: the files that include it. Headers are named with their layer, or from the same folder."""
    of = {}
    for file in files:
        text = open(file, encoding="utf-8").read()
        for name in re.findall(r'^#include ["<]([^">]*\.h)[">]', text, re.M):
            for place in os.path.dirname(file), "src", "include", "bench", "tools", "tools/render":
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
