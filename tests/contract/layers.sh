#!/bin/sh
# SPDX-License-Identifier: MIT
# The code keeps the rules of scripts/check-layers and scripts/check-rooms, and these scripts notice violations: each
# kind is planted in a copy. Harmless code that looks like a violation is planted as well.
# Usage: layers.sh SOURCE_DIR
set -u
root=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
status=0

fail()
{
    echo "FAILED: $*"
    status=1
}

for check in layers rooms; do
    sh "$root/scripts/check-$check" "$root" || fail "check-$check has findings"
done

# Copy the files that the two scripts read.
mkdir "$work/tree"
parts="CMakeLists.txt include src cli tests/README.md tests/mesh"
[ ! -d "$root/io" ] || parts="$parts io"
# shellcheck disable=SC2086 # the parts are words
(cd "$root" && tar -cf - $parts) | tar -xf - -C "$work/tree" || exit 1

# with_line FILE LINE: add the line to a file of the copy, which may be new. restore undoes it.
with_line()
{
    planted=$work/tree/$1
    rm -f "$work/kept"
    [ ! -e "$planted" ] || cp "$planted" "$work/kept"
    mkdir -p "$(dirname "$planted")"
    printf '%s\n' "$2" >>"$planted"
}

restore()
{
    if [ -e "$work/kept" ]; then
        cp "$work/kept" "$planted"
    else
        rm -f "$planted"
        rmdir "$(dirname "$planted")" 2>/dev/null || true # new as well, if it is empty now
    fi
}

# noticed WHAT CHECK PATTERN: the check fails and prints a line that matches.
noticed()
{
    if sh "$root/scripts/check-$2" "$work/tree" >"$work/said" 2>&1; then
        fail "$1 was not noticed"
    elif ! grep -q "$3" "$work/said"; then
        fail "$1: $(cat "$work/said")"
    fi
}

# plant WHAT CHECK FILE LINE PATTERN
plant()
{
    with_line "$3" "$4"
    noticed "$1" "$2" "$5"
    restore
}

# harmless WHAT CHECK FILE LINE: the check must pass.
harmless()
{
    with_line "$3" "$4"
    sh "$root/scripts/check-$2" "$work/tree" >"$work/said" 2>&1 || fail "$1 is no breach: $(cat "$work/said")"
    restore
}

# lines COUNT TEXT
lines()
{
    awk -v count="$1" -v text="$2" 'BEGIN { for (i = 0; i < count; i++) print text }'
}

plant "an include that points up" layers src/base/sort.c '#include "mesh/mesh.h"' \
    '^src/base/sort.c:[0-9]*: layer base includes mesh/mesh.h, a layer above it$'
plant "a folder that is no layer" layers src/attic/old.c 'int grz_old;' '^src/attic/old.c:[0-9]*: src/attic is not a layer$'
plant "a public header that includes a private one" layers include/graze/mesh.h '#include "mesh/mesh.h"' \
    '^include/graze/mesh.h:[0-9]*: a public header includes'
plant "the tool includes a private header" layers cli/main.c '#include "mesh/mesh.h"' '^cli/main.c:[0-9]*: .* includes mesh/mesh.h'
plant "the tool includes a header of libgraze_io that is not public" layers cli/main.c '#include "io/stream.h"' \
    '^cli/main.c:[0-9]*: cli/ includes io/stream.h: only'
plant "a report that knows the tool" layers cli/report/report.h '#include "command.h"' \
    '^cli/report/report.h:[0-9]*: cli/report includes command.h'
plant "the library includes a header of libgraze_io" layers src/mesh/weld.c '#include <graze/io.h>' \
    '^src/mesh/weld.c:[0-9]*: libgraze includes <graze/io.h>$'
plant "a library that prints" layers src/mesh/weld.c 'void f(void) { puts("weld"); }' '^src/mesh/weld.c:[0-9]*: the library neither prints'
plant "a library that uses a stream" layers src/mesh/weld.c 'FILE *f = stderr;' '^src/mesh/weld.c:[0-9]*: the library has no streams'
harmless "printf in a comment and in a text" layers src/mesh/weld.c 'const char *t = "printf(x)"; // printf(x)'

mv "$work/tree/src/mesh/topology/README.md" "$work/readme"
noticed "a folder without a README" rooms '^src/mesh/topology/README.md:1: missing'
: >"$work/tree/src/mesh/topology/README.md"
noticed "an empty README" rooms '^src/mesh/topology/README.md:1: missing'
mv "$work/readme" "$work/tree/src/mesh/topology/README.md"
mkdir "$work/tree/tests/attic"
noticed "a folder of tests without a README" rooms '^tests/attic/README.md:1: missing'
rmdir "$work/tree/tests/attic"
plant "a test outside of the folders" rooms tests/test_stray.c 'int i;' '^tests/test_stray.c:1: tests/ holds only folders'

for i in $(seq 27); do
    echo "int grz_$i;" >"$work/tree/src/filter/naive/extra_$i.c"
done
noticed "too many sources in a folder" rooms '^src/filter/naive: [23][0-9] sources, at most 26'
rm "$work/tree/src/filter/naive/"extra_*.c
for i in $(seq 27); do
    echo "int i;" >"$work/tree/tests/mesh/extra_$i.cpp"
done
noticed "too many tests in a folder" rooms '^tests/mesh: [23][0-9] sources, at most 26'
rm "$work/tree/tests/mesh/"extra_*.cpp
mkdir "$work/tree/src/filter/naive/shaders"
for i in $(seq 27); do
    echo "void main() {}" >"$work/tree/src/filter/naive/shaders/extra_$i.comp"
done
noticed "too many shaders in a folder" rooms '^src/filter/naive/shaders: 27 sources, at most 26'
rm -r "$work/tree/src/filter/naive/shaders"

plant "a package in the top folder" rooms something-1.0-py3-none-any.whl 'PK' \
    '^something-1.0-py3-none-any.whl:1: does not belong into the top folder$'
plant "a long file" rooms src/mesh/long.c "$(lines 901 'int grz_x;')" '^src/mesh/long.c:901: a file of 901 lines, at most 900$'
harmless "a file of 900 lines" rooms src/mesh/long.c "$(lines 900 'int grz_x;')"
plant "a long function" rooms src/mesh/weld.c "$(printf 'void f(void)\n{\n%s\n}' "$(lines 119 '    g();')")" \
    '^src/mesh/weld.c:[0-9]*: a function of 121 lines, at most 120$'
harmless "a function of 120 lines" rooms src/mesh/weld.c "$(printf 'void f(void)\n{\n%s\n}' "$(lines 118 '    g();')")"
wide=$(lines 1 "// $(printf '%0118d' 0)")
plant "wide comments" rooms src/mesh/wide.c "$(lines 2000 "$wide")" 'comment lines are wider than 120\|: a comment of 121 columns'
wide=$(printf '%s' "$wide" | sed 's/00$/é/')
harmless "wide comments that have more bytes than columns" rooms src/mesh/wide.c "$(lines 800 "$wide")"

plant "folders that include each other" rooms src/mesh/weld.h '#include "mesh/topology/topology.h"' \
    '^src/mesh/weld.h:[0-9]*: includes mesh/topology/topology.h: src/mesh and src/mesh/topology need each other$'
plant "a file that names a method by a text" rooms src/query/run.c 'static const char *name = "bvh";' \
    '^src/query/run.c:[0-9]*: names the method bvh'
plant "a file that names a method by its filter" rooms src/decide/extra.c 'extern const grz_filter grz_filter_naive;' \
    '^src/decide/extra.c:[0-9]*: names the method naive'
plant "the tool names a method" rooms cli/main.c 'static const char *name = "slices";' '^cli/main.c:[0-9]*: names the method slices'
plant "a file that includes a method's header" rooms src/image/grid/round.c '#include "image/layers/layers.h"' \
    '^src/image/grid/round.c:[0-9]*: includes a header of the method layers'
plant "a method of the table without a header" rooms src/query/method_list.h 'METHOD(no_such_method)' \
    '^src/query/method_list.h: no header declares grz_filter_no_such_method$'
harmless "a method in a comment" rooms src/query/run.c 'int grz_x; // "bvh", grz_filter_bvh'
harmless "a method in a test" rooms tests/mesh/test_mesh.c 'static const char *name = "bvh";'
harmless "a method in its own header" rooms src/filter/bvh/bvh.h 'static const char *name = "bvh";'
exit $status
