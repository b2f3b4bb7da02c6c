#!/bin/sh
# SPDX-License-Identifier: MIT
# prints.sh EXPECTED PROGRAM [ARGUMENT…]: run the program; pass if it succeeds and prints exactly what the file EXPECTED
# holds.
set -eu
expected=$1
shift
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$@" >"$printed"
diff -u "$expected" "$printed"
