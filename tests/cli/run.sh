#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command-line tool. Every golden/*.txt is a transcript: a line "$ graze ARGUMENTS", what stdout must hold,
# what stderr must hold with "! " before each line, and "status N". The commands are run in data/ and the whole is
# compared; times, memory, the method's name and the version are blanked first. Goldens were worked out by hand; a
# difference is the tool's fault until proved. What no
# transcript can say (files that are refused, full disks, agreement of methods) follows as single checks.
#
# usage: run.sh TOOL SOURCE_DIR [--short]    --short: without the two checks that take longest, pictures and a dense scene
# exit status: 0 all passed, 1 some failed, 77 the tool is not there
set -u

if [ $# -ne 2 ] && [ "$*" != "${1:-} ${2:-} --short" ]; then
    echo "usage: run.sh TOOL SOURCE_DIR [--short]" >&2
    exit 1
fi
if [ ! -x "$1" ]; then
    echo "skipped: there is no tool at $1"
    exit 77
fi
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$2/tests/cli" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$here/data" || exit 1
passed=0
failed=0
skipped=0

# Nothing on standard input but where a command says so.
exec </dev/null
unset NO_COLOR

# The name that transcripts use for the tool.
graze()
{
    "$tool" "$@"
}

pass()
{
    passed=$((passed + 1))
}

fail()
{
    failed=$((failed + 1))
    echo "FAILED: $*"
}

skip()
{
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

# Blank what may differ from run to run, from machine to machine and from version to version.
normalise()
{
    sed -e '/^  time  /s/[0-9][0-9.e+-]*/T/g' -e '/^  time  /s/method [a-z]*/method NAME/' \
        -e '/^  "time_ms"/s/: [0-9][0-9.e+-]*/: T/g' -e 's/^\(  "peak_memory_mb": \)[0-9.e+-]*/\1M/' \
        -e 's/^\(  "method": \)"[a-z]*"/\1"NAME"/' -e 's/^\(  "reason": \)".*"/\1REASON/' \
        -e 's/\("reason": \)"[^"]*"}/\1REASON}/' -e 's/^\(  unknown  [0-9]* [0-9]* \).*\(; A is \)/\1REASON\2/' \
        -e 's/^\(cpu: threads \)[0-9]*, [a-z0-9]*/\1N, WIDTH/' -e 's/"threads": [0-9]*/"threads": N/' \
        -e 's/"simd": "[a-z0-9]*"/"simd": WIDTH/' -e '/^gl: /d' -e 's/, {"name": "gl".*}\]/]/' \
        -e 's/([0-9]*\.[0-9]*\.[0-9]*)/(VERSION)/' -e 's/^graze [0-9]*\.[0-9]*\.[0-9]*/graze VERSION/' \
        -e 's/\(,0,0,0,0: \).*/\1REASON/' -e 's/^\( *auto (the default), \)[a-z, ]*/\1METHODS/' \
        -e 's/\([iI]t has auto, \)[a-z, ]*/\1METHODS/' \
        -e '/each file tells its own):$/{n;s/[^ ].*/FORMATS/;}' -e 's/\([tT]here are \)PLY, [A-Za-z0-9, ]*/\1FORMATS/'
}

# Run every command of the transcript $1 and compare; a differing command is shown alone.
replay()
{
    awk -v prefix="$work/expected." '/^\$ graze/ { count++; name = sprintf("%s%03d", prefix, count) } name != "" { print > name }' "$1"
    for expected in "$work"/expected.*; do
        line=$(sed -n '1s/^\$ //p' "$expected")
        eval "$line" >"$work/out" 2>"$work/err"
        status=$?
        {
            printf '$ %s\n' "$line"
            normalise <"$work/out"
            normalise <"$work/err" | sed 's/^/! /'
            printf 'status %d\n\n' "$status"
        } >"$work/actual"
        if diff -u "$expected" "$work/actual" >"$work/difference"; then
            pass
        else
            fail "$(basename "$1"): $line"
            sed 1,2d "$work/difference"
        fi
        rm -f "$expected"
    done
}

# refused WORD ARGUMENTS: expect an error: lines with WORD on stderr, and nothing on stdout.
refused()
{
    word=$1
    shift
    graze "$@" >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -ne 2 ]; then
        fail "graze $*: exit status $status, must be 2"
    elif [ -s "$work/out" ]; then
        fail "graze $*: wrote to stdout: $(head -n 3 "$work/out")"
    elif ! grep -q "^graze $1: .*$word" "$work/err"; then
        fail "graze $*: stderr does not tell of $word: $(cat "$work/err")"
    else
        pass
    fi
}

# same_report OPTION OTHER ARGUMENTS: the reports with either option are equal but for what is blanked.
same_report()
{
    first=$1
    second=$2
    shift 2
    graze "$@" "$first" 2>&1 | normalise >"$work/one"
    graze "$@" "$second" 2>&1 | normalise >"$work/two"
    if [ -s "$work/one" ] && diff -u "$work/one" "$work/two" >"$work/difference"; then
        pass
    else
        fail "graze $*: $first and $second differ"
        cat "$work/difference"
    fi
}

expect_status()
{
    expected_status=$1
    status=$2
    shift 2
    if [ "$status" -eq "$expected_status" ]; then
        pass
    else
        fail "$*: exit status $status, must be $expected_status"
    fi
}

check_bad_files()
{
    mkdir "$work/folder.obj"
    for command in check self info; do
        for file in missing.obj "$work/folder.obj" empty.obj garbage.stl points.obj huge.obj; do
            if [ $command = check ]; then
                refused "$(basename "$file")" check cube.obj "$file"
                refused "$(basename "$file")" check "$file" cube.obj --json
            else
                refused "$(basename "$file")" $command "$file"
            fi
        done
    done
    refused "huge.obj: .*vertex 1" check --quiet cube.obj huge.obj
    # Two files are read at once. If neither can be read, the message names the first.
    refused "missing.obj: cannot be opened" check missing.obj empty.obj
    refused "empty.obj: the file is empty" check empty.obj missing.obj
    refused "huge.obj: vertex 1" check huge.obj hello.txt
    refused "A: .*pose.*; A is cube.obj, B is small.obj" check --pose-a 1e200,0,0 cube.obj small.obj
    refused "B: .*pose.*; A is cube.obj, B is small.obj" check --pose-b 1e200,0,0 cube.obj small.obj
    refused "crossed.obj: .*pose" self --pose-a 1e200,0,0 crossed.obj
    refused "discrete" check --answer discrete --method bvh cube.obj small.obj
    refused "two objects" self --answer=discrete --method slices --json cube.obj
}

# is_picture FILE: a PNG of 1200 x 900 pixels with more than one colour in it.
# is_picture FILE [SIZE]: a PNG, 1200 x 900 unless SIZE says otherwise (width and height, 8 hexadecimal digits each).
is_picture()
{
    head=$(od -A n -t x1 -N 24 "$1" 2>/dev/null | tr -d ' \n')
    if [ "$head" = "89504e470d0a1a0a0000000d49484452${2:-000004b000000384}" ] && [ "$(wc -c <"$1")" -gt 5000 ]; then
        pass
    else
        fail "$1 is no picture: $head"
    fi
}

# A signal while the query waits for its input: an older picture stays, and no temporary file is left.
interrupted_pictures()
{
    mkdir "$work/interrupted"
    mkfifo "$work/interrupted/input"
    for signal in TERM HUP; do
        echo before >"$work/interrupted/x.png"
        "$tool" check cube.obj - --picture "$work/interrupted/x.png" <"$work/interrupted/input" 2>/dev/null &
        asked=$!
        exec 9>"$work/interrupted/input"
        tries=0
        while [ -z "$(find "$work/interrupted" -name '.graze-*')" ] && [ $tries -lt 100 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
        kill -s $signal $asked
        { wait $asked; } 2>/dev/null
        status=$?
        exec 9>&-
        if [ $tries -lt 100 ] && [ $status -gt 128 ] && [ "$(ls -A "$work/interrupted")" = "$(printf 'input\nx.png')" ] &&
            [ "$(cat "$work/interrupted/x.png")" = before ]; then
            pass
        else
            fail "graze check --picture, ended by $signal: status $status, left $(ls -A "$work/interrupted")"
        fi
    done
}

check_pictures()
{
    refused "nowhere/x.png: No such" check cube.obj small.obj --picture "$work/nowhere/x.png"
    mkdir "$work/folder.png"
    refused "folder.png: Is a directory" scene cube.obj small.obj --picture "$work/folder.png"
    refused "x.jpg: only PNG is written" check cube.obj small.obj --picture "$work/x.jpg"
    refused "png: only PNG is written" check cube.obj small.obj --picture "$work/png"
    cp cube.obj "$work/input.png"
    refused "one of the files to be read" check "$work/input.png" small.obj --picture "$work/../${work##*/}/input.png"
    refused "one of the files to be read" scene cube.obj "$work/input.png" --picture "$work/input.png"
    if cmp -s cube.obj "$work/input.png"; then
        pass
    else
        fail "graze check: a picture was written over an input"
    fi
    refused "not to standard output" check cube.obj small.obj --picture -
    refused "are for --picture" check cube.obj small.obj --up 0,0,1
    refused "are for --picture" scene cube.obj small.obj --size 100x100
    refused "are for --picture" self cube.obj --look 0,0,1
    refused "no direction" self cube.obj --picture "$work/none.png" --up 0,0,0
    refused "missing.obj" check cube.obj missing.obj --picture "$work/none.png"
    refused "missing.obj" scene cube.obj missing.obj --picture "$work/none.png"
    if [ -e "$work/none.png" ] || [ -n "$(find "$work" -name '.graze-*')" ]; then
        fail "graze check: a query that failed leaves a picture: $(ls -a "$work")"
    else
        pass
    fi
    interrupted_pictures
    if ! "$tool" devices | grep -q '^gl: .*OpenGL [4-9]'; then
        refused "OpenGL" check cube.obj small.obj --picture "$work/none.png"
        refused "OpenGL" check cube.obj small.obj --answer discrete
        refused "OpenGL" check cube.obj small.obj --method slices
        refused "OpenGL" check cube.obj small.obj --method layers
        refused "OpenGL" self cube.obj --method layers
        refused "OpenGL" check cube.obj small.obj --device gl
        skip "pictures and discrete answers: no OpenGL here"
        return
    fi
    for way in "--device gl" "--method slices" "--method slices --device gl" "--method layers" "--method layers --device gl"; do
        method=${way#--method }
        method=${method% --device gl}
        [ "$method" != "--device gl" ] || method=slices
        # shellcheck disable=SC2086 # several words
        "$tool" check cube.obj cube.obj --pose-b 1,0.5,0.25 --json --pairs $way >"$work/out"
        expect_status 1 $? "graze check $way"
        "$tool" check cube.obj cube.obj --pose-b 1,0.5,0.25 --json --pairs >"$work/plain"
        if [ "$(grep -E '"(pairs|kinds|relation|certainty)"' "$work/out")" = "$(grep -E '"(pairs|kinds|relation|certainty)"' "$work/plain")" ] &&
            grep -q "^  \"method\": \"$method\"" "$work/out" && grep -q '^  "device": "gl"' "$work/out"; then
            pass
        else
            fail "graze check $way: $(cat "$work/out")"
        fi
    done
    for way in "--device gl" "--method layers"; do
        # shellcheck disable=SC2086 # several words
        "$tool" self crossed.obj --json --pairs $way >"$work/out"
        expect_status 1 $? "graze self $way"
        "$tool" self crossed.obj --json --pairs >"$work/plain"
        if [ "$(grep -E '"(pairs|kinds|relation|certainty)"' "$work/out")" = "$(grep -E '"(pairs|kinds|relation|certainty)"' "$work/plain")" ] &&
            grep -q '^  "method": "layers"' "$work/out" && grep -q '^  "device": "gl"' "$work/out"; then
            pass
        else
            fail "graze self $way: $(cat "$work/out")"
        fi
    done
    # Of a scene `layers` has a discrete answer, `slices` has none.
    "$tool" scene cube.obj cube.obj --pose 1=1,0.5,0.25 --answer discrete --device gl --json >"$work/out"
    expect_status 1 $? "graze scene --answer discrete --device gl"
    if grep -q '^  "method": "layers"' "$work/out"; then pass; else fail "graze scene --answer discrete --device gl: $(cat "$work/out")"; fi
    "$tool" scene open.obj --answer discrete --strict >"$work/out"
    expect_status 0 $? "graze scene with one object, --answer discrete --strict"
    if grep -q "nothing to compare" "$work/out" && ! grep -q "cannot decide" "$work/out"; then pass; else fail "graze scene with one object: $(cat "$work/out")"; fi
    "$tool" check cube.obj small.obj --answer discrete --pose-b 9,9,9 --strict --json >"$work/out"
    expect_status 3 $? "graze check --answer discrete --strict"
    "$tool" check cube.obj small.obj --answer discrete --pose-b 9,9,9 >"$work/out"
    expect_status 0 $? "graze check --answer discrete, apart"
    for device in auto cpu; do
        "$tool" check cube.obj cube.obj --device $device --pose-b 1,0.5,0.25 --picture "$work/check.png" --json >"$work/out"
        expect_status 1 $? "graze check --picture"
        is_picture "$work/check.png"
        rm "$work/check.png"
    done
    "$tool" self crossed.obj --quiet --picture "$work/self.png" >"$work/out"
    expect_status 1 $? "graze self --quiet --picture"
    is_picture "$work/self.png"
    if [ -s "$work/out" ]; then
        fail "graze self --quiet --picture writes to stdout"
    fi
    for preset in fast balanced accurate; do
        "$tool" check cube.obj cube.obj --pose-b 1,0.5,0.25 --answer discrete --preset $preset --json --pairs >"$work/out"
        expect_status 1 $? "graze check --answer discrete, colliding"
        for member in '"certainty": "discrete"' '"method": "slices"' '"device": "gl"' '"pair_count": null' '"pairs": null' \
            '"kinds": null' '"may_miss": true' '"may_invent": true' '"containment": null' '"reason": null' '"cells": [1-9]' \
            '"statistics": {"resolution": [1-9].*"cells": [1-9][0-9]*}'; do
            grep -q "^  $member" "$work/out" || fail "graze check --answer discrete --json has no $member: $(cat "$work/out")"
        done
        "$tool" check cube.obj cube.obj --pose-b 10,0,0 --answer discrete --preset $preset >"$work/out"
        expect_status 0 $? "graze check --answer discrete, apart"
        grep -q '^apart: cube.obj and cube.obj do not touch (discrete: may be wrong)$' "$work/out" ||
            fail "graze check --answer discrete: $(cat "$work/out")"
    done
    check_height_maps
    "$tool" scene cube.obj small.obj --answer discrete >"$work/out"
    expect_status 0 $? "graze scene --answer discrete, inside"
    { grep -q '^apart: of 2 objects none touches another (discrete: may be wrong)$' "$work/out" &&
        grep -q '^  cannot decide whether one lies inside another: a discrete answer' "$work/out"; } ||
        fail "graze scene --answer discrete: $(cat "$work/out")"
    "$tool" check crossed.obj cube.obj --pose-b 0.25,0.25,0.25 --answer discrete --method layers --json --pairs >"$work/out"
    expect_status 1 $? "graze check --answer discrete --method layers"
    for member in '"certainty": "discrete"' '"method": "layers"' '"pair_count": [1-9]' '"pairs": \[\[' '"pairs_complete": false' \
        '"may_miss": true' '"may_invent": false' '"resolution": \[64, 64, 0\]' '"cells": null' \
        '"statistics": {"resolution": 64, "layers": 0, "sets": [1-9][0-9]*}'; do
        grep -q "^  $member" "$work/out" || fail "graze check --answer discrete --method layers --json has no $member: $(cat "$work/out")"
    done
    "$tool" penetration cube.obj cube.obj --pose-b 1,0.5,0.25 --layers 64 --json >"$work/out"
    expect_status 1 $? "graze penetration --layers"
    grep -q '^  "volume_discrete": {"certainty": "discrete", "volume": 2\.6[0-9]*, "error": 0\.[0-9]*, "resolution": 64, "fragments": [0-9]*, "unpaired": 0, "crowded": 0},$' "$work/out" ||
        fail "graze penetration --layers --json: $(cat "$work/out")"
    "$tool" penetration cube.obj cube.obj --pose-b 1,0.5,0.25 --layers 64 >"$work/out"
    grep -q '^  discrete 2\.6[0-9]* in common, by 64 x 64 pixels; off by some 0\.[0-9]* or less (may be wrong)$' "$work/out" ||
        fail "graze penetration --layers: $(cat "$work/out")"
    "$tool" self crossed.obj --answer discrete >"$work/out"
    expect_status 1 $? "graze self --answer discrete"
    grep -q '^colliding: crossed.obj touches itself at .* (discrete: there may be more)$' "$work/out" ||
        fail "graze self --answer discrete: $(cat "$work/out")"
    "$tool" scene crossed.obj cube.obj --answer discrete >"$work/out"
    expect_status 1 $? "graze scene --answer discrete"
    "$tool" scene cube.obj small.obj open.obj --picture "$work/scene.png" >"$work/out"
    is_picture "$work/scene.png"
    "$tool" check cube.obj cube.obj --pose-b 10,0,0 --picture "$work/apart.png" >"$work/out"
    expect_status 0 $? "graze check --picture of what is apart"
    is_picture "$work/apart.png"
    # The camera: size, side, what is up. Robots are drawn with z up.
    "$tool" self crossed.obj --quiet --picture "$work/small.png" --size 640x400
    is_picture "$work/small.png" 0000028000000190
    for view in "" "--look 0,0,-1" "--look 0,0,-1 --up 1,0,0"; do
        # shellcheck disable=SC2086 # words
        "$tool" self crossed.obj --quiet --picture "$work/view.png" $view
        is_picture "$work/view.png"
        ! cmp -s "$work/view.png" "$work/last.png" || fail "graze self --picture $view: the same picture as before"
        mv "$work/view.png" "$work/last.png"
    done
    for up in "" "--up 0,0,1" "--up 0,1,0"; do
        # shellcheck disable=SC2086
        "$tool" scene "$here/../../data/robot/fer_arm.urdf" --allow-adjacent --quiet --picture "$work/robot$up.png" $up
        is_picture "$work/robot$up.png"
    done
    if cmp -s "$work/robot.png" "$work/robot--up 0,0,1.png" && ! cmp -s "$work/robot.png" "$work/robot--up 0,1,0.png"; then
        pass
    else
        fail "graze scene --picture of a robot: z is not up"
    fi
    # A picture that is replaced keeps its permissions, and a link to it stays one.
    chmod 640 "$work/apart.png"
    ln -s apart.png "$work/link.png"
    "$tool" check cube.obj cube.obj --quiet --picture "$work/link.png"
    is_picture "$work/link.png"
    if [ -h "$work/link.png" ] && [ "$(ls -l "$work/apart.png" | cut -c1-10)" = -rw-r----- ] &&
        [ -z "$(find "$work" -name '.graze-*')" ]; then
        pass
    else
        fail "graze check --picture of a file that is there: $(ls -la "$work")"
    fi
}

# height_maps STATUS STATISTICS OPTIONS: the discrete answer of method heightmap about two cubes, of which the second
# comes from behind, if one looks along z.
height_maps()
{
    status=$1
    statistics=$2
    shift 2
    "$tool" check cube.obj cube.obj --pose-b 0.25,0.25,-0.7 --answer discrete --json "$@" >"$work/out"
    expect_status "$status" $? "graze check $*"
    if grep -q '^  "method": "heightmap"' "$work/out" && grep -q "^  \"statistics\": {$statistics}" "$work/out"; then
        pass
    else
        fail "graze check $*: no method heightmap with $statistics: $(cat "$work/out")"
    fi
}

# Each setting is seen in the answer or in what was counted: of the second cube, only the face that points forwards is
# in the box of the first, and covers 7 of 8 pixels in x and in y.
check_height_maps()
{
    height_maps 0 '"resolution": 128, "maps": 1, "pixels": 16384, "hits": 0' --direction 0,0,1
    height_maps 0 '"resolution": 128, "maps": 1, "pixels": 16384, "hits": 0' --projection single --direction 0,0,1e-300
    height_maps 1 '"resolution": 128, "maps": 1, "pixels": 16384, "hits": 12544' --direction 0,0,-1
    height_maps 1 '"resolution": 128, "maps": 1, "pixels": 16384, "hits": 12544' --direction 0,0,1 --both-sides
    height_maps 1 '"resolution": 32, "maps": 1, "pixels": 1024, "hits": 784' --both-sides --direction 0,0,1 --resolution 32
    height_maps 1 '"resolution": 128, "maps": 2, "pixels": 32768, "hits": 12544' --projection opposite --direction 0,0,1
    height_maps 1 '"resolution": 8, "maps": 2, "pixels": 128, "hits": 49' \
        --projection combined --stencil --direction 0,0,1 --resolution 8
    height_maps 0 '"resolution": 128, "maps": 1, "pixels": 16384, "hits": 0' --projection bounded --direction 0,0,1
    height_maps 1 '"resolution": 128, "maps": 1, "pixels": 16384, "hits": 12544' --projection floor --direction 0,0,-1
    height_maps 0 '"resolution": 128, "maps": 1, "pixels": 16384, "hits": 0' \
        --method heightmap --direction 0,0,1 --stencil
    refused "must be 1 to [0-9]*: " check cube.obj cube.obj --answer discrete --resolution 4294967295
}

# Read by one thread or by two.
check_two_files()
{
    for other in small.obj open.obj tetrahedron.off solids.stl nodes.gltf; do
        same_report --threads=1 --threads=2 check --json cube.obj $other
        same_report --threads=1 --threads=2 check $other small_open.obj
    done
}

check_scenes()
{
    for file in missing.obj "$work/folder.obj" empty.obj garbage.stl points.obj huge.obj; do
        refused "$(basename "$file")" scene cube.obj "$file"
        refused "$(basename "$file")" scene --json "$file" cube.obj
    done
    refused "huge.obj: .*vertex 1" scene --quiet cube.obj huge.obj
    refused "two objects" scene --answer discrete --method slices cube.obj small.obj
    same_report --method=naive --method=bvh scene --json cube.obj small.obj two.obj parts.obj open.obj
    same_report --threads=1 --threads=2 scene --json cube.obj small.obj two.obj parts.obj open.obj

    "$tool" scene --quiet cube.obj - <tetrahedron.off
    expect_status 0 $? "graze scene cube.obj - with a mesh from stdin"
    "$tool" scene - cube.obj <parts.obj >"$work/out"
    expect_status 1 $? "graze scene - cube.obj with parts from stdin"
    grep -q -- ' -:box and cube.obj$' "$work/out" || fail "graze scene -: $(cat "$work/out")"

    # Two thousand files, one of them twice.
    mkdir "$work/many"
    i=0
    while [ $i -lt 2000 ]; do
        printf 'v %d 0 0\nv %d 1 0\nv %d 0 1\nf 1 2 3\n' $i $i $i >"$work/many/$i.obj"
        i=$((i + 1))
    done
    (cd "$work/many" && "$tool" scene -- *.obj 77.obj) >"$work/out"
    expect_status 1 $? "graze scene with 2001 files"
    if grep -q '^colliding: among 2001 objects, 1 pair touches, at 1 pair of faces (exact)$' "$work/out" &&
        grep -q ': 77.obj and 77.obj$' "$work/out"; then
        pass
    else
        fail "graze scene with 2001 files: $(cat "$work/out")"
    fi
}

# More pairs of faces than are listed at once: counted by pairs of objects, with the same numbers. Here 1,450 times one
# face against as many of another, which cross; the third object touches each of them in one point, and the fourth,
# whose box overlaps the third's, nothing.
check_dense_scene()
{
    {
        awk 'BEGIN { print "o a\nv -1 -1 0\nv 1 -1 0\nv 0 1 0"; for (i = 0; i < 1450; i++) print "f 1 2 3" }'
        awk 'BEGIN { print "o b\nv -1 0 -1\nv 1 0 -1\nv 0 0 1"; for (i = 0; i < 1450; i++) print "f 4 5 6" }'
        printf 'o c\nv 0 0 0\nv 9 9 9\nv 9 8 9\nf 7 8 9\n'
        printf 'o d\nv 8 8 6\nv 9 9 5\nv 9 7 5\nf 10 11 12\n'
    } >"$work/dense.obj"
    "$tool" scene --max-pairs 2105400 "$work/dense.obj" >"$work/out"
    expect_status 1 $? "graze scene --max-pairs 2105400 dense.obj"
    normalise <"$work/out" | sed -e "s|$work/||g" >"$work/actual"
    cat >"$work/expected" <<'END'
colliding: among 4 objects, 3 pairs touch, at 2105400 pairs of faces (exact)
  crossing 2102500, touching 2900, coplanar 0
  pair     0 1 touch at 2102500 pairs of faces (crossing 2102500): dense.obj:a and dense.obj:b
  pair     0 2 touch at 1450 pairs of faces (touching 1450): dense.obj:a and dense.obj:c
  pair     1 2 touch at 1450 pairs of faces (touching 1450): dense.obj:b and dense.obj:c
  unknown  2 3 REASON; A is dense.obj:c, B is dense.obj:d
  unknown  0 2 REASON; A is dense.obj:a, B is dense.obj:c
  unknown  1 2 REASON; A is dense.obj:b, B is dense.obj:c
  objects  4, of 4 meshes, from 1 file
END
    if diff -u "$work/expected" "$work/actual" >"$work/difference"; then
        pass
    else
        fail "graze scene with more pairs than are listed at once"
        cat "$work/difference"
    fi
    # The last pair of objects counted goes past this limit by one. Solids of pairs that do not touch are found there, too.
    "$tool" scene --json --max-pairs 2105399 --allow-touching "$work/dense.obj" filling.obj hollow.obj >"$work/out"
    expect_status 1 $? "graze scene --allow-touching dense.obj filling.obj hollow.obj: insides that overlap"
    grep -q '^  "pair_count": null,$' "$work/out"
    expect_status 0 $? "graze scene --json --max-pairs 2105399 dense.obj: no number of pairs"
    grep -q '^    {"a": 4, "b": 5, "relation": "a_inside_b", "solids": "penetrating"' "$work/out"
    expect_status 0 $? "graze scene --json dense.obj filling.obj hollow.obj: $(cat "$work/out")"
    "$tool" scene --quiet "$work/dense.obj"
    expect_status 1 $? "graze scene --quiet dense.obj"
    "$tool" scene --quiet --allow-touching "$work/dense.obj"
    expect_status 3 $? "graze scene --quiet --allow-touching dense.obj: open meshes that touch"
}

# The robot's files are those that their script makes of the links, and the box's those of its script.
check_robot()
{
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
        skip "making data/robot/fer_arm.gltf and data/assembly: there is no python3"
        return
    fi
    mkdir "$work/robot"
    python3 ../../../data/robot/make_fer_arm.py "$work/robot" || fail "make_fer_arm.py"
    for file in fer_arm.bin fer_arm.gltf fer_arm_folded.gltf fer_arm.urdf; do
        if cmp "$work/robot/$file" "../../../data/robot/$file"; then
            pass
        else
            fail "data/robot/$file is not what make_fer_arm.py makes"
        fi
    done
    python3 ../../../data/assembly/make_box.py "$work/robot" || fail "make_box.py"
    for file in tray lid board pin; do
        cmp "$work/robot/$file.stl" "../../../data/assembly/$file.stl" || fail "data/assembly/$file.stl is not what make_box.py makes"
    done
}

check_agreement()
{
    for pose in 1,1,1 2,0,0 2,2,2 0.3,0.7,1.1,0.1,0.2,0.3,0.9 0,0,0; do
        same_report --method=naive --method=bvh check --json --pairs --curves --pose-b $pose cube.obj cube.obj
        same_report --threads=1 --threads=2 check --json --pairs --curves --pose-b $pose cube.obj cube.obj
        same_report --method=auto --device=cpu check --pairs --curves --pose-b $pose cube.obj cube.obj
    done
    same_report --method=naive --method=bvh self --json --pairs --curves crossed.obj
    same_report --threads=1 --threads=2 self --json --pairs --curves crossed.obj
    same_report --threads=1 --threads=2 info --json mess.obj
    same_report --device=auto --device=cpu info mess.obj
    same_report --answer=exact --device=auto check --json two.obj cube.obj
    for method in naive bvh; do
        if graze check --json --method $method cube.obj cube.obj | grep -q "^  \"method\": \"$method\",$"; then
            pass
        else
            fail "the report does not name method $method"
        fi
    done
}

# label STATUS CERTAINTY WORDS ARGUMENTS…: the label of an answer in JSON, the key `exact` where there is one, what stands
# in brackets for people, and the exit status, which goes by the verdict.
label()
{
    label_status=$1 label_certainty=$2 label_words=$3
    shift 3
    "$tool" "$@" >"$work/text"
    expect_status "$label_status" $? "graze $*"
    "$tool" "$@" --json >"$work/out"
    expect_status "$label_status" $? "graze $* --json"
    label_exact=$(sed -n 's/^  "exact": \(.*\),$/\1/p' "$work/out")
    case $label_certainty-$label_exact in
    exact-false | enclosed-true | undecided-true) label_fits=false ;;
    *) label_fits=true ;;
    esac
    if $label_fits && grep -qx "  \"certainty\": \"$label_certainty\"," "$work/out" && head -n 1 "$work/text" | grep -q "$label_words"; then
        pass
    else
        fail "graze $*: the label is not $label_certainty: $(cat "$work/text" "$work/out")"
    fi
}

check_labels()
{
    enclosed='(enclosed: between [0-9.e-]* and [0-9.e-]*, proved)$'
    label 0 exact '(exact)$' distance cube.obj cube.obj --pose-b 3,0,0
    label 0 exact '(exact, rounded once)$' distance cube.obj cube.obj --pose-b 3,3,0
    label 1 exact '(exact)$' distance cube.obj cube.obj --pose-b 2,0,0
    label 1 exact '(exact, rounded once)$' move cube.obj cube.obj --from 0,0,3 --to 0,0,-0.5
    label 0 exact '(proved)$' move cube.obj cube.obj --from 0,0,9 --to 0,0,5,0,0,1,1
    label 1 exact '(exact)$' move cube.obj cube.obj --from 0,0,2 --to 5,0,2,0,0,1,1
    label 1 enclosed "$enclosed" move cube.obj cube.obj --from 0,0,9 --to 0,0,0,0,0,1,1
    label 3 undecided '^undecided: ' move cube.obj cube.obj --from 0,0,2.000000000000001 --to 0,0,2.000000000000001,0,0,1,1
    label 1 enclosed "$enclosed" move cube.obj cube.obj --from-b 3,0,0 --deform-a cube_wide.obj
    label 0 exact '(proved)$' move cube.obj --deform-a cube_wide.obj
    label 1 enclosed "$enclosed" move robot/arm.urdf --package robot=robot --allow-adjacent --joint rail=0:-9
    label 0 exact '(proved)$' move robot/arm.urdf --package robot=robot --allow-adjacent --joint rail=0:1
    label 1 exact '(exact, rounded once)$' penetration cube.obj cube.obj --pose-b 1.3,0.7,0.2 --along 1,2,-3
    label 0 exact '(exact)$' penetration cube.obj cube.obj --pose-b 2,0,0
    label 1 enclosed "$enclosed" penetration ../../../data/nbody_a_bennu.ply ../../../data/nbody_a_itokawa.ply --pose-b 0.9,0.2,0
    label 3 undecided '^undecided: ' penetration cube.obj open.obj --pose-b 1,1,1
    label 0 exact '(exact)$' shape cube.obj --shape point:5,0.7,0.3
    label 0 enclosed "$enclosed" shape cube.obj --shape sphere:5,0.7,0.3,1
    label 1 enclosed "$enclosed" shape cube.obj --shape sphere:1,1,0.75,0.25
    label 1 exact '(exact)$' shape cube.obj --shape box:3,1,1,1,1,1
    label 3 undecided '^undecided: ' shape cube.obj --shape ellipsoid:0,0,0,1,2,0.5 --pose-shape 2.943858356365965,2.6607008494561755,1
    label 1 exact '(exact)$' pick cube.obj --ray 0.5,0.5,9,0,0,-3
}

# Picking by a pixel: the middle of the picture shows the side that looks to the eye, and a corner shows nothing. Not
# as a transcript: the distance depends on the system's tangent.
check_pixels()
{
    if "$tool" pick cube.obj --pixel 0,0 2>&1 | grep -q 'not in this build'; then
        skip "pick --pixel: this build has no OpenGL, and so no cameras"
        return
    fi
    for sides in 0,0,-1:0.0,0.0,1.0 0,0,1:0.0,0.0,-1.0 -1,0,0:1.0,0.0,0.0 1,0,0:-1.0,0.0,0.0 0,-1,0:0.0,1.0,0.0; do
        "$tool" pick --json cube.obj --pixel 40,31 --size 81x62 --look "${sides%%:*}" | tr -d ' ' >"$work/out"
        if grep -qF "\"normal\":[${sides##*:}]" "$work/out" &&
            grep -qF '"pixel":{"column":40,"row":31,"width":81,"height":62}' "$work/out"; then
            pass
        else
            fail "graze pick --pixel, looking along ${sides%%:*}: $(cat "$work/out")"
        fi
    done
    "$tool" pick cube.obj --pixel 0,0 --look 0,0,-1 >"$work/out"
    expect_status 0 $? "graze pick --pixel 0,0"
    if grep -q '^misses: ' "$work/out" && grep -qx '  through pixel 0,0 of 1200x900' "$work/out"; then
        pass
    else
        fail "graze pick --pixel 0,0: $(cat "$work/out")"
    fi
    # Up is up: the upper pixel shows the larger y, with --up 0,-1,0 the smaller.
    for up in 0,1,0 0,-1,0; do
        for row in 20 40; do
            "$tool" pick --json cube.obj --pixel 40,$row --size 80x60 --look 0,0,-1 --up $up |
                sed -n 's/^  "point": \[[^,]*, \([^,]*\),.*/\1/p' >"$work/$row"
        done
        if [ "$(sort -g "$work/20" "$work/40" | tail -n 1)" = "$(cat "$work/$([ $up = 0,1,0 ] && echo 20 || echo 40)")" ]; then
            pass
        else
            fail "graze pick --up $up: y is $(cat "$work/20") in row 20, $(cat "$work/40") in row 40"
        fi
    done
}

# The help lists the methods that `graze devices` lists; that of self those that can test a mesh with itself.
check_methods()
{
    "$tool" devices --json | tr -d ' \n' | grep -o '"methods":\[[^]]*\]' | sed 's/.*\[//' | tr -d ']"' | tr ',' '\n' | sort >"$work/one"
    "$tool" check --help | sed -n 's/^ *auto (the default), //p' | tr -d ' ' | tr ',' '\n' | sort >"$work/two"
    if [ -s "$work/one" ] && comm -23 "$work/one" "$work/two" | grep .; then
        fail "graze check --help does not list a method: $(cat "$work/one" "$work/two")"
    else
        pass
    fi
    "$tool" self --help | sed -n 's/^ *auto (the default), //p' | tr -d ' ' | tr ',' '\n' >"$work/one"
    while read -r method; do
        "$tool" self cube.obj --method "$method" >"$work/out" 2>"$work/err"
        status=$?
        if grep -qx "$method" "$work/one"; then
            if grep -q "cannot test a mesh with itself" "$work/err"; then
                fail "graze self --help lists $method"
            else
                pass
            fi
        else
            expect_status 2 $status "graze self --method $method, which its help does not list"
        fi
    done <"$work/two"
}

check_output()
{
    if [ -c /dev/full ]; then
        for arguments in "check --json cube.obj cube.obj" "check --pairs cube.obj cube.obj" "self cube.obj" "info cube.obj" \
            "info --json cube.obj" "scene cube.obj cube.obj" "scene --json cube.obj" "devices" "devices --json" "--help" "check --help" "--version"; do
            # Words, on purpose.
            # shellcheck disable=SC2086
            graze $arguments >/dev/full 2>"$work/err"
            expect_status 2 $? "graze $arguments >/dev/full"
            grep -q 'standard output' "$work/err" || fail "graze $arguments >/dev/full: nothing is told on stderr"
        done
        graze check --quiet cube.obj cube.obj >/dev/full
        expect_status 1 $? "graze check --quiet cube.obj cube.obj >/dev/full"
    else
        skip "writing to a full disk: there is no /dev/full"
    fi
    graze check cube.obj cube.obj >&- 2>/dev/null
    expect_status 2 $? "graze check cube.obj cube.obj with stdout closed"
}

# name_in_json NAME SHOWN [BYTES]: a file whose name is what printf makes of NAME has, in JSON, the name that it makes
# of SHOWN, and the percent-encoded BYTES, or null.
name_in_json()
{
    bytes=null
    [ $# -lt 3 ] || bytes=\"$3.obj\"
    # The formats are variables on purpose. shellcheck disable=SC2059
    name=$(printf "$1").obj shown=$(printf "$2").obj
    if ! cp cube.obj "$work/$name" 2>/dev/null; then
        skip "a file called $1: the file system refuses it"
        return
    fi
    (cd "$work" && "$tool" info --json "$name") >"$work/out"
    expect_status 0 $? "graze info --json of a file called $1"
    LC_ALL=C grep -qxF "  \"file_bytes\": $bytes," "$work/out" || fail "the bytes of $1: $(grep -a file_bytes "$work/out")"
    LC_ALL=C grep -qxF "  \"file\": \"$shown\"," "$work/out" || fail "a file called $1: $(grep -a '"file"' "$work/out")"
    (cd "$work" && "$tool" check --json "$name" "$name") >"$work/out"
    expect_status 1 $? "graze check --json of a file called $1"
    LC_ALL=C grep -qF "{\"file\": \"$shown\", \"file_bytes\": $bytes," "$work/out" || fail "a file called $1: $(grep -a '"file"' "$work/out")"
    (cd "$work" && "$tool" scene --json "$work/cube.obj" "$name") >"$work/out"
    expect_status 1 $? "graze scene --json of a file called $1"
    if [ "$bytes" = null ]; then
        grep -qx '  "object_bytes": null,' "$work/out" || fail "graze scene, the bytes of $1: $(cat "$work/out")"
    elif ! tr -d '\n' <"$work/out" | grep -qF "\"object_bytes\": [    null,    $bytes  ],"; then
        fail "graze scene, the bytes of $1: $(cat "$work/out")"
    fi
}

# name_in_text NAME SHOWN: likewise in text and in complaints, which hold nothing else that is not printable.
name_in_text()
{
    # shellcheck disable=SC2059
    name=$(printf "$1").obj
    shown=$2.obj
    if ! cp open.obj "$work/$name" 2>/dev/null || ! printf 'v 0 0\n' >"$work/bad-$name"; then
        skip "a file called $1: the file system refuses it"
        return
    fi
    cp cube.obj tetrahedron.off small.obj "$work"
    for command in "info $name" "info missing-$name" "info bad-$name" "info --$name" "self $name" "check cube.obj $name" \
        "check tetrahedron.off $name" "check small.obj $name" "check --pose-a 1e200,0,0 cube.obj $name" "check --method $name" \
        "scene $name" "scene $name cube.obj" "scene small.obj $name" "scene bad-$name" "devices $name" "$name"; do
        # Words, on purpose, but only where there are blanks.
        # shellcheck disable=SC2086
        (cd "$work" && IFS=' ' && "$tool" $command) >"$work/out" 2>&1
        if [ "$(LC_ALL=C tr -d '\n\40-\176\240\251\302\303' <"$work/out" | wc -c)" -ne 0 ]; then
            fail "a file called $1: graze $command: prints what is not printable"
        elif ! LC_ALL=C grep -qF -e "$shown" "$work/out"; then
            fail "a file called $1: graze $command: $(cat "$work/out")"
        else
            pass
        fi
    done
}

# The reports of two runs are the same bytes, whatever found the answer.
check_comparison()
{
    "$tool" check cube.obj cube.obj --pose-b 0.3,0.7,1.1 --pairs --curves >"$work/one"
    for way in "" "--method naive" "--threads 1" "--device cpu"; do
        # shellcheck disable=SC2086 # several words
        "$tool" check cube.obj cube.obj --pose-b 0.3,0.7,1.1 --pairs --curves $way >"$work/two" 2>"$work/err"
        if [ -s "$work/one" ] && cmp "$work/one" "$work/two" && [ ! -s "$work/err" ]; then
            pass
        else
            fail "graze check $way: the report differs from run to run: $(diff "$work/one" "$work/two"; cat "$work/err")"
        fi
    done
}

# on_terminal COMMAND: run it with stdout and stderr on a terminal; $work/out is what the user sees there.
on_terminal()
{
    TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r' >"$work/out"
}

# Colours, and the time, on terminals only.
check_terminal()
{
    if ! script -qec true /dev/null </dev/null >/dev/null 2>&1; then
        skip "colours and times on a terminal: there is no script(1) that takes -qec"
        return
    fi
    escape=$(printf '\033')
    on_terminal "'$tool' check cube.obj cube.obj"
    if grep -q "^$escape\[1;31msame$escape\[0m: cube.obj" "$work/out" && [ "$(tail -n 1 "$work/out" | cut -c1-8)" = "  time  " ]; then
        pass
    else
        fail "graze check on a terminal: $(cat "$work/out")"
    fi
    on_terminal "'$tool' check small.obj open.obj"
    if grep -q "^$escape\[1;32mapart$escape\[0m: small" "$work/out" && grep -q "^  $escape\[33mcannot decide .*$escape\[0m$" "$work/out"; then
        pass
    else
        fail "graze check on a terminal, undecidable: $(cat "$work/out")"
    fi
    on_terminal "'$tool' check cube.obj missing.obj"
    if grep -q "^${escape}\[1;31mgraze check:$escape\[0m missing.obj" "$work/out"; then
        pass
    else
        fail "graze check on a terminal, trouble: $(cat "$work/out")"
    fi
    on_terminal "'$tool' check cube.obj cube.obj 2>'$work/err'"
    if grep -q "time" "$work/out" || [ -s "$work/err" ]; then
        fail "graze check: time, though stderr is no terminal: $(cat "$work/out" "$work/err")"
    else
        pass
    fi
    for plain in "NO_COLOR=1 '$tool' check cube.obj missing.obj" "TERM=dumb '$tool' check cube.obj cube.obj" \
        "'$tool' check --json cube.obj cube.obj" "NO_COLOR=1 '$tool' check small.obj open.obj" "'$tool' check --quiet cube.obj cube.obj"; do
        on_terminal "$plain"
        if grep -q "$escape" "$work/out"; then
            fail "$plain: colours: $(cat "$work/out")"
        else
            pass
        fi
    done
    on_terminal "NO_COLOR= '$tool' check cube.obj cube.obj"
    grep -q "$escape" "$work/out"
    expect_status 0 $? "NO_COLOR without a value"
    on_terminal "'$tool' check --time cube.obj cube.obj"
    if [ "$(grep -c '^  time ' "$work/out")" -eq 1 ]; then
        pass
    else
        fail "graze check --time on a terminal: $(cat "$work/out")"
    fi
}

check_files_of_odd_names()
{
    "$tool" check --quiet cube.obj - <tetrahedron.off
    expect_status 0 $? "graze check cube.obj - with a mesh from stdin"
    # A pipe is no file that can be measured or mapped.
    # shellcheck disable=SC2002
    cat tetrahedron.off | "$tool" check --quiet --pose-a 4,4,4 cube.obj -
    expect_status 1 $? "graze check cube.obj - with a mesh from a pipe"

    # What a script has read of a file is not read again.
    { echo "not for graze"; cat tetrahedron.off; } >"$work/second.off"
    { read -r _ && "$tool" info --quiet -; } <"$work/second.off"
    expect_status 0 $? "graze info - where the first line was read before"

    cp cube.obj "$work/-x.obj"
    (cd "$work" && "$tool" check --quiet -- -x.obj -x.obj)
    expect_status 1 $? "graze check -- -x.obj -x.obj"

    # What is not UTF-8 comes out as U+FFFD: a lone byte, a surrogate, an overlong form, past U+10FFFF, a character cut
    # short.
    bad='\357\277\275'
    cp cube.obj "$work/cube.obj"
    name_in_json 'a\377\303\251' "a$bad\303\251" 'a%FF%C3%A9'
    name_in_json 'a\355\240\200b' "a$bad$bad${bad}b" 'a%ED%A0%80b'
    name_in_json 'a\300\257b' "a$bad${bad}b" 'a%C0%AFb'
    name_in_json 'a\364\220\200\200b' "a$bad$bad$bad${bad}b" 'a%F4%90%80%80b'
    name_in_json 'a\342\202' "a$bad$bad" 'a%E2%82'
    name_in_json '%% +\377~' "%% +$bad~" '%25%20%2B%FF~'
    name_in_json 'a\355\237\277\356\200\200' 'a\355\237\277\356\200\200'
    name_in_json 'a"b\\c' 'a\\"b\\\\c'
    name_in_json 'a\033[31mb\tc\nd' 'a\\u001B[31mb\\tc\\nd'

    # In text it is shown byte by byte, and so are control characters, those of two bytes included.
    name_in_text 'a\033[31mb' 'a\x1b[31mb'
    name_in_text 'a\nb\177c\rd' 'a\x0ab\x7fc\x0dd'
    name_in_text 'a\302\233b\302\240\303\251' "a\\xc2\\x9bb$(printf '\302\240\303\251')"
    name_in_text 'a\377\303' 'a\xff\xc3'
    name_in_text 'a\\x1b%%s' 'a\\x1b%s'
}

# In a part's name U+FFFD stands for each such byte, in text and JSON, and the name as it is shown serves --allow; so does
# one with a backslash, which is shown doubled.
check_parts_of_odd_names()
{
    shown=$(printf 'a\357\277\275[31m\357\277\275b')
    printf 'o a\033[31m\377b\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no c\\d\nf 3 2 1\no e\nf 1 3 2\n' >"$work/odd.obj"
    "$tool" scene "$work/odd.obj" >"$work/out"
    grep -qF "odd.obj:$shown and $work/odd.obj:c\\\\d" "$work/out"
    expect_status 0 $? "graze scene with odd names of parts: $(cat "$work/out")"
    "$tool" scene --json "$work/odd.obj" | grep -qF "odd.obj:$shown\","
    expect_status 0 $? "graze scene --json with odd names of parts"
    for name in 'c\d' 'c\\d'; do
        "$tool" scene --allow "$shown:$name" "$work/odd.obj" >"$work/out"
        grep -q "2 tested, 1 excluded" "$work/out"
        expect_status 0 $? "graze scene --allow $shown:$name: $(cat "$work/out")"
    done
}

for transcript in "$here"/golden/*.txt; do
    replay "$transcript"
done
check_bad_files
check_two_files
[ "${3:-}" = --short ] || check_pictures
check_scenes
[ "${3:-}" = --short ] || check_dense_scene
check_robot
check_agreement
check_labels
check_methods
check_pixels
check_output
check_comparison
check_terminal
check_files_of_odd_names
check_parts_of_odd_names

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
