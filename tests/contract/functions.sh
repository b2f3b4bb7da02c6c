#!/bin/sh
# SPDX-License-Identifier: MIT
# No object of the libraries and the tool calls the C library's sines, powers and the like, and scripts/check-functions
# notices when one does: sources that do are compiled and added to the list of objects.
# Usage: functions.sh SOURCE_DIR LIST NM CC
set -u
root=$(cd "$1" && pwd) || exit 1
list=$2
nm=$3
cc=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
status=0

fail()
{
    echo "FAILED: $*"
    status=1
}

sh "$root/scripts/check-functions" "$list" "$nm" >"$work/said" 2>&1
code=$?
if [ $code -eq 77 ]; then
    cat "$work/said"
    exit 77
fi
[ $code -eq 0 ] || fail "the objects: $(cat "$work/said")"

# check CODE: whether the check passes with one more object, made from that code.
check()
{
    printf '#include <math.h>\n%s\n' "$1" >"$work/planted.c"
    "$cc" -O0 -fno-builtin -c "$work/planted.c" -o "$work/planted.o" || exit 1
    { cat "$list"; echo "$work/planted.o"; } >"$work/list"
    sh "$root/scripts/check-functions" "$work/list" "$nm" >"$work/said" 2>&1
}

for name in sin cosf tanl exp log2 cbrt; do
    type=double
    case $name in
    cosf) type=float ;;
    tanl) type='long double' ;;
    esac
    if check "$type planted($type x) { return $name(x); }"; then
        fail "a call of $name was not noticed"
    elif ! grep -qx ".*planted.o: uses $name" "$work/said"; then
        fail "$name: $(cat "$work/said")"
    fi
done
for name in pow atan2 hypot; do
    ! check "double planted(double x) { return $name(x, x); }" || fail "a call of $name was not noticed"
done
check 'double planted(double x) { return fmod(sqrt(floor(x)), nextafter(ldexp(x, 3), 0.0)); }' ||
    fail "exact functions are no breach: $(cat "$work/said")"

# An empty list of objects, or a missing nm, must not count as success.
: >"$work/list"
sh "$root/scripts/check-functions" "$work/list" "$nm" >"$work/said" 2>&1 && fail "no objects passed"
sh "$root/scripts/check-functions" "$list" "$work/no-such-nm" >"$work/said" 2>&1
[ $? -eq 77 ] || fail "no nm: not skipped: $(cat "$work/said")"
exit $status
