#!/bin/sh
# Line coverage of src/ by the unit tests. test.sh prints the figure.
. "$SOURCE/scripts/tap.sh"
check "the unit tests run 90 % of the lines of src/" sh "$SOURCE/scripts/coverage.sh" 90
tap_done
