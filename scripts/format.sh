#!/bin/sh
# Formats every C source and header in place, with 120 columns.
set -eu
cd "$(dirname "$0")/.."
scripts/install-deps.sh format
for_headers=$(mktemp)
trap 'rm -f "$for_headers"' EXIT
sed 's/^ColumnLimit:.*/ColumnLimit: 120/' .clang-format >"$for_headers"
find src tools bench papers tests -name '*.c' -exec clang-format -i {} +
find include src tools bench papers tests -name '*.h' -exec clang-format -i --style="file:$for_headers" {} +
