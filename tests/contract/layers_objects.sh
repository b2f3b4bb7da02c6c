#!/bin/sh
# SPDX-License-Identifier: MIT
# No object of the library needs a layer above its own, no files of a folder need each other in a circle, and
# scripts/check-objects notices when that changes: sources that do it are compiled and added to the list of objects.
# Usage: layers_objects.sh SOURCE_DIR LIST NM CC
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

sh "$root/scripts/check-objects" "$root" "$list" "$nm" >"$work/said" 2>&1
code=$?
if [ $code -eq 77 ]; then
    cat "$work/said"
    exit 77
fi
[ $code -eq 0 ] || fail "the objects: $(cat "$work/said")"

# check FOLDER CODE: whether the check passes with one more object, made from that code as if it were FOLDER/planted.c.
check()
{
    object=$work/planted.dir/$1/planted.c.o
    mkdir -p "$(dirname "$object")"
    printf '%s\n' "$2" >"$work/planted.c"
    "$cc" -c "$work/planted.c" -o "$object" || exit 1
    { cat "$list"; echo "$object"; } >"$work/list"
    sh "$root/scripts/check-objects" "$root" "$work/list" "$nm" >"$work/said" 2>&1
}

# plant WHAT FOLDER CODE LINE: the check fails and says this line.
plant()
{
    if check "$2" "$3"; then
        fail "$1 was not noticed"
    elif ! grep -qxF "$4" "$work/said"; then
        fail "$1: $(cat "$work/said")"
    fi
}

destroys='void grz_mesh_destroy(void *); void grz_planted(void *m) { grz_mesh_destroy(m); }'
plant "a call of a layer above" src/geometry "$destroys" \
    'src/geometry/planted.c: uses grz_mesh_destroy, defined in src/mesh/mesh.c, a layer above'
plant "a table of a layer above" src/mesh 'extern const int grz_filter_bvh; const int *grz_planted = &grz_filter_bvh;' \
    'src/mesh/planted.c: uses grz_filter_bvh, defined in src/filter/bvh/bvh_filter.c, a layer above'
plant "a call of a folder of the same layer that needs this one" src/geometry/exact \
    'int grz_triangles_touch(void); int grz_planted(void) { return grz_triangles_touch(); }' \
    'src/geometry/exact/planted.c: uses grz_triangles_touch, defined in src/geometry/triangle/pair.c, and src/geometry/exact and src/geometry/triangle need each other'
plant "a circle of files" src/mesh \
    'void grz_mesh_destroy(void *); void grz_positions_store(void *m) { grz_mesh_destroy(m); }' \
    'src/mesh/planted.c: uses grz_mesh_destroy, defined in src/mesh/mesh.c, and src/mesh/planted.c and src/mesh/mesh.c need each other'
check src/mesh "$destroys" ||
    fail "a call within a folder is no breach: $(cat "$work/said")"
check src/filter/naive "$destroys" ||
    fail "a call of a layer below is no breach: $(cat "$work/said")"

# An empty list of objects, or a missing nm, must not count as success.
: >"$work/list"
sh "$root/scripts/check-objects" "$root" "$work/list" "$nm" >"$work/said" 2>&1 && fail "no objects passed"
sh "$root/scripts/check-objects" "$root" "$list" "$work/no-such-nm" >"$work/said" 2>&1
[ $? -eq 77 ] || fail "no nm: not skipped: $(cat "$work/said")"
exit $status
