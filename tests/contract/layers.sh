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

# add FILE LINE: add the line to a file of the copy, which may be new.
add()
{
    mkdir -p "$(dirname "$work/tree/$1")"
    printf '%s\n' "$2" >>"$work/tree/$1"
    echo "$1" >>"$work/added"
}

# expect WHAT PATTERN: the next check has to print a line that matches.
expect()
{
    printf '%s\t%s\n' "$2" "$1" >>"$work/expected"
}

# plant WHAT FILE LINE PATTERN
plant()
{
    add "$2" "$3"
    expect "$1" "$4"
}

# restore: undo what was added to the copy.
restore()
{
    while IFS= read -r file; do
        if [ -e "$root/$file" ]; then
            cp "$root/$file" "$work/tree/$file"
        else
            rm -f "$work/tree/$file"
            rmdir "$(dirname "$work/tree/$file")" 2>/dev/null || true # new as well, if it is empty now
        fi
    done <"$work/added"
    : >"$work/added"
    : >"$work/expected"
}

# noticed CHECK: the check fails and prints a line for each planted violation. One run for all that end it by the same
# line of the script, as a run takes most of a second.
noticed()
{
    if sh "$root/scripts/check-$1" "$work/tree" >"$work/said" 2>&1; then
        fail "check-$1 passed, with: $(cut -f 2 "$work/expected")"
    fi
    while IFS='	' read -r pattern what; do
        grep -q "$pattern" "$work/said" || fail "$what was not noticed: $(cat "$work/said")"
    done <"$work/expected"
    restore
}

# harmless CHECK: the check must pass.
harmless()
{
    sh "$root/scripts/check-$1" "$work/tree" >"$work/said" 2>&1 || fail "no breach: $(cat "$work/said")"
    restore
}

# lines COUNT TEXT
lines()
{
    awk -v count="$1" -v text="$2" 'BEGIN { for (i = 0; i < count; i++) print text }'
}

: >"$work/added"
: >"$work/expected"
plant "an include that points up" src/base/sort/sort.c '#include "mesh/mesh.h"' \
    '^src/base/sort/sort.c:[0-9]*: layer base includes mesh/mesh.h, a layer above it$'
plant "a folder that is no layer" src/attic/old.c 'int grz_old;' '^src/attic/old.c:[0-9]*: src/attic is not a layer$'
plant "a public header that includes a private one" include/graze/mesh.h '#include "mesh/mesh.h"' \
    '^include/graze/mesh.h:[0-9]*: a public header includes'
plant "the tool includes a private header" cli/main.c '#include "mesh/mesh.h"' '^cli/main.c:[0-9]*: .* includes mesh/mesh.h'
plant "the tool includes a header of libgraze_io that is not public" cli/main.c '#include "io/stream.h"' \
    '^cli/main.c:[0-9]*: cli/ includes io/stream.h: only'
plant "a report that knows the tool" cli/report/report.h '#include "command.h"' \
    '^cli/report/report.h:[0-9]*: cli/report includes command.h'
plant "the library includes a header of libgraze_io" src/mesh/weld.c '#include <graze/io.h>' \
    '^src/mesh/weld.c:[0-9]*: libgraze includes a header of libgraze_io$'
plant "a library that prints" src/mesh/weld.c 'void f(void) { puts("weld"); }' '^src/mesh/weld.c:[0-9]*: the library neither prints'
plant "a library that uses a stream" src/mesh/weld.c 'FILE *f = stderr;' '^src/mesh/weld.c:[0-9]*: the library has no streams'
noticed layers

add src/mesh/weld.c 'const char *t = "printf(x)"; // printf(x)'
harmless layers

mv "$work/tree/src/mesh/topology/README.md" "$work/readme"
expect "a folder without a README" '^src/mesh/topology/README.md:1: missing'
mv "$work/tree/src/mesh/leaves/README.md" "$work/readme_of_leaves"
: >"$work/tree/src/mesh/leaves/README.md"
expect "an empty README" '^src/mesh/leaves/README.md:1: missing'
mkdir "$work/tree/tests/attic"
expect "a folder of tests without a README" '^tests/attic/README.md:1: missing'
noticed rooms
mv "$work/readme" "$work/tree/src/mesh/topology/README.md"
mv "$work/readme_of_leaves" "$work/tree/src/mesh/leaves/README.md"
rmdir "$work/tree/tests/attic"

plant "a test outside of the folders" tests/test_stray.c 'int i;' '^tests/test_stray.c:1: tests/ holds only folders'
noticed rooms

for i in $(seq 27); do
    add "src/filter/naive/extra_$i.c" "int grz_$i;"
    add "tests/mesh/extra_$i.cpp" "int i;"
    add "src/filter/bvh/shaders/extra_$i.comp" "void main() {}"
done
expect "too many sources in a folder" '^src/filter/naive: [23][0-9] sources, at most 26'
expect "too many tests in a folder" '^tests/mesh: [23][0-9] sources, at most 26'
expect "too many shaders in a folder" '^src/filter/bvh/shaders: 27 sources, at most 26'
noticed rooms

plant "two files of one name" src/mesh/topology/weld.h 'int grz_weld;' \
    '^src/mesh/weld.[ch]:1: has the name of src/mesh/topology/weld.h: another name says which is which$'
noticed rooms

plant "a package in the top folder" something-1.0-py3-none-any.whl 'PK' \
    '^something-1.0-py3-none-any.whl:1: does not belong into the top folder$'
noticed rooms

plant "a long file" src/mesh/long.c "$(lines 901 'int grz_x;')" '^src/mesh/long.c:901: a file of 901 lines, at most 900$'
plant "a long function" src/mesh/weld.c "$(printf 'void f(void)\n{\n%s\n}' "$(lines 119 '    g();')")" \
    '^src/mesh/weld.c:[0-9]*: a function of 121 lines, at most 120$'
wide=$(lines 1 "// $(printf '%0118d' 0)")
plant "wide comments" src/mesh/wide.c "$wide" '^src/mesh/wide.c:1: a comment of 121 columns, at most 120$'
plant "a file that names a method by a text" src/query/run.c 'static const char *name = "bvh";' \
    '^src/query/run.c:[0-9]*: names the method bvh'
plant "a file that names a method by its filter" src/decide/extra.c 'extern const grz_filter grz_filter_naive;' \
    '^src/decide/extra.c:[0-9]*: names the method naive'
plant "the tool names a method" cli/main.c 'static const char *name = "slices";' '^cli/main.c:[0-9]*: names the method slices'
plant "a file that includes a method's header" src/image/grid/grid_round.c '#include "image/layers/layers.h"' \
    '^src/image/grid/grid_round.c:[0-9]*: includes a header of the method layers'
noticed rooms

plant "folders that include each other" src/mesh/weld.h '#include "mesh/topology/topology.h"' \
    '^src/mesh/weld.h:[0-9]*: includes mesh/topology/topology.h: src/mesh and src/mesh/topology need each other$'
noticed rooms

plant "a power of two without a name or a reason" src/mesh/weld.c 'static double f(void) { return 0x1p-40; }' \
    '^src/mesh/weld.c:[0-9]*: a power of two without a name or a reason'
noticed rooms

plant "a method of the table without a header" src/query/method_list.h 'METHOD(no_such_method)' \
    '^src/query/method_list.h: no header declares grz_filter_no_such_method$'
noticed rooms

add src/mesh/long.c "$(lines 900 'int grz_x;')" # the longest file that may be
add src/mesh/weld.c "$(printf 'void f(void)\n{\n%s\n}' "$(lines 118 '    g();')")" # the longest function
wide=$(printf '%s' "$wide" | sed 's/00$/é/')
add src/mesh/wide.c "$(lines 800 "$wide")" # more bytes than columns
add src/mesh/reasons.c 'static const double SMALL = 0x1p-40, LARGE =
    0x1p40;
// Both chosen.
static const grz_limits limits = {
    .tolerance = 0x1p-40};
double x = 0x1p-4; // a sixteenth'
add src/query/run.c 'int grz_x; // "bvh", grz_filter_bvh'
add tests/mesh/test_mesh.c 'static const char *name = "bvh";'
add src/filter/bvh/bvh_filter.h 'static const char *name = "bvh";'
harmless rooms
exit $status
