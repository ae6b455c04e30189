#!/bin/sh
# Line coverage of src/ by the unit tests. The figure is for test.sh to print.
. "$SOURCE/scripts/tap.sh"
check "the unit tests run 90 % of the lines of src/" sh "$SOURCE/scripts/coverage.sh" 90
tap_done
