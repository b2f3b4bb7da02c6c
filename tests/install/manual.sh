#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual page and the bash completion agree with the tool's help: every command and every option, with its value,
# must be in both, and nothing else. The same holds for the keys of the JSON reports. libgraze.3 and libgraze_io.3 have
# to name every function of their library, and no other. All pages have to be free of groff's and mandoc's warnings.
#
# usage: manual.sh TOOL SOURCE_DIR [MAN_DIR COMPLETION]   the last two where those installed are meant, not the source's
# exit status: 0 all passed, 1 some failed, 77 the tool is not there
set -u

if [ $# -ne 2 ] && [ $# -ne 4 ]; then
    echo "usage: manual.sh TOOL SOURCE_DIR [MAN_DIR COMPLETION]" >&2
    exit 1
fi
if [ ! -x "$1" ]; then
    echo "skipped: there is no tool at $1"
    exit 77
fi
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd) || exit 1
page=$source/man/graze.1
overview=$source/man/libgraze.3
overview_io=$source/man/libgraze_io.3
completion=$source/completions/graze.bash
if [ $# -eq 4 ]; then
    page=$3/man1/graze.1
    overview=$3/man3/libgraze.3
    overview_io=$3/man3/libgraze_io.3
    completion=$4
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
passed=0
failed=0
skipped=0

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

# same WHAT: $work/tool and $work/text hold the same lines, and at least one.
same()
{
    LC_ALL=C sort -o "$work/tool" "$work/tool"
    LC_ALL=C sort -o "$work/text" "$work/text"
    if [ -s "$work/tool" ] && diff -u "$work/tool" "$work/text" >"$work/difference"; then
        pass
    else
        fail "$1: the tool (-) and the text (+) differ"
        sed 1,2d "$work/difference"
    fi
}

# Names of commands in the tool's help below the heading $1.
help_commands()
{
    "$tool" --help | sed -n "/^$1:\$/,/^\$/s/^  \([a-z-]*\) .*/\1/p"
}

# Options, with their value behind a space, of command $1; without one: of the tool's own help.
help_options()
{
    "$tool" ${1:+"$1"} --help | awk '
        /^  (-[a-zA-Z], |    )--/ {
            line = substr($0, 7)
            split(line, words, " ")
            print words[1] (substr(line, 1 + length(words[1]), 2) ~ /^ [^ ]/ ? " " words[2] : "")
        }'
}

# The short form of each option that has one, with the long one behind it.
help_letters()
{
    "$tool" --help | sed -n 's/^  \(-[a-zA-Z]\), \(--[a-z-]*\).*/\1 \2/p'
}

# The lines of section $1 that are shown, with hyphens and spaces as the reader sees them; macros stay.
section()
{
    awk -v title="$1" '
        function plain(line) { gsub(/\\-/, "-", line); gsub(/\\~/, " ", line); return line }
        /^\.ig$/, /^\.\.$/ { next }
        /^\.SH / { inside = substr($0, 5) == title; next }
        inside { print plain($0) }' "$page"
}

# Options in the synopsis of command $1.
page_options()
{
    section SYNOPSIS | awk -v command="$1" '
        /^\.SY / { inside = $0 == ".SY \"graze " command "\"" }
        /^\.YS/ { inside = 0 }
        inside && /^\.OP / { print $2 (NF > 2 ? " " $3 : "") }'
}

# What follows .TP in section $1, without macros, quotes and fonts.
tags()
{
    section "$1" | awk '
        tag { sub(/^\.[BRI]* /, ""); gsub(/"/, ""); gsub(/\\f./, ""); gsub(/  +/, " "); print }
        { tag = /^\.TP/ }'
}

# What the completion offers for `graze WORD…`; the last word is being typed.
offered()
{
    bash "$source/tests/install/complete.bash" "$completion" "$tool" "$@"
}

check_commands()
{
    help_commands Commands >"$work/tool"
    section COMMANDS | sed -n 's/^\.SS //p' >"$work/text"
    same "$page, COMMANDS"
    section SYNOPSIS | sed -n 's/^\.SY "graze \(.*\)"/\1/p' >"$work/text"
    same "$page, SYNOPSIS"
    if "$tool" --help | grep -q "built yet"; then
        fail "the help lists commands that are not built yet"
    fi
}

check_options()
{
    for command in $(help_commands Commands); do
        help_options "$command" >"$work/tool"
        page_options "$command" >"$work/text"
        same "$page, SYNOPSIS of graze $command"
        cat "$work/tool" >>"$work/all"
    done
    help_options >>"$work/all"
    sort -u "$work/all" >"$work/tool"
    tags OPTIONS | sed 's/^-[a-zA-Z] *, *//' >"$work/text"
    same "$page, OPTIONS"
    help_letters >"$work/tool"
    tags OPTIONS | sed -n 's/^\(-[a-zA-Z]\) *, *\(--[a-z-]*\).*/\1 \2/p' >"$work/text"
    same "$page, OPTIONS, short forms"
}

check_completion()
{
    if ! command -v bash >/dev/null 2>&1; then
        skip "the completion: there is no bash"
        return
    fi
    help_commands Commands >"$work/tool"
    offered "" >"$work/text"
    same "$completion: commands"
    offered help "" >"$work/text"
    same "$completion: what help explains"
    offered --json --threads 2 "" >"$work/text"
    same "$completion: commands behind options"
    help_options | sed 's/ .*//' >"$work/tool"
    offered - >"$work/text"
    same "$completion: options without a command"
    for command in $(help_commands Commands); do
        help_options "$command" | grep -v -e '--json' | sed 's/ .*//' >"$work/tool"
        [ "$command" = help ] || offered --json "$command" - >"$work/text"
        [ "$command" = help ] || same "$completion: options of graze --json $command"
    done
    for command in $(help_commands Commands); do
        help_options "$command" | sed 's/ .*//' >"$work/tool"
        offered "$command" - >"$work/text"
        same "$completion: options of graze $command"
        # An option's values, in both spellings; an option that was given is not offered again.
        help_options "$command" | grep '[|]' >"$work/values"
        while read -r option values; do
            echo "$values" | tr '|' '\n' >"$work/tool"
            offered "$command" "$option" "" >"$work/text"
            same "$completion: values of $option"
            offered "$command" "$option" = >"$work/text"
            same "$completion: values of $option="
            if offered "$command" "$option" "${values%%|*}" - | grep -qxe "$option"; then
                fail "$completion: $option is offered twice"
            else
                pass
            fi
        done <"$work/values"
    done
    for repeated in "--allow a:b" "--pose a=0,0,0"; do
        # Words, on purpose. shellcheck disable=SC2086
        if [ "$(offered scene $repeated "${repeated%% *}")" = "$(offered scene "${repeated%% *}")" ]; then
            pass
        else
            fail "$completion: ${repeated%% *} is not offered again"
        fi
    done
    {
        echo auto
        "$tool" devices --json | tr -d ' \n' | grep -o '"methods":\[[^]]*\]' | sed 's/.*\[//' | tr ',' '\n' | tr -d ']"'
        echo
    } | grep . >"$work/tool"
    offered check --method "" >"$work/text"
    same "$completion: methods"
    # What the tool says of a format, and of a kind, that there is not names all.
    "$tool" info --format x "$source/tests/cli/data/cube.obj" 2>&1 | sed -n 's/.*there are \(.*\)\. Formats.*/\1/p' | tr -d ' ' |
        tr ',' '\n' >"$work/tool"
    offered info --format "" >"$work/text"
    same "$completion: formats"
    "$tool" shape --shape x "$source/tests/cli/data/cube.obj" 2>&1 | sed -n 's/.*must begin with //p' | grep -o '[a-z]*:' >"$work/tool"
    offered shape --shape "" >"$work/text"
    same "$completion: kinds of shapes"
    (cd "$source/tests/cli/data" && ls cu*) >"$work/tool"
    (cd "$source/tests/cli/data" && offered check cu) >"$work/text"
    same "$completion: files"
}

# Keys of a report: all of them have to be in the page, in bold; and each that has an entry in the section `$1` in the
# report.
check_keys()
{
    title=$1
    shift
    "$tool" "$@" >"$work/report"
    grep -o '"[a-z_]*":' "$work/report" | tr -d '":' | sort -u >"$work/keys"
    section JSON | awk -v title="$title" '/^\.SS / { inside = substr($0, 5) == title } inside' >"$work/section"
    # Words that a macro sets in bold: all of .B, every second of .BR and .RB.
    awk '
        /^\.B / { for (i = 2; i <= NF; i++) print $i }
        /^\.BR / { for (i = 2; i <= NF; i += 2) print $i }
        /^\.RB / { for (i = 3; i <= NF; i += 2) print $i }' "$work/section" | tr -d ',;' | sort -u >"$work/bold"
    awk 'tag { sub(/^\.BR? /, ""); gsub(/,/, " "); print } { tag = /^\.TP/ }' "$work/section" |
        tr ' ' '\n' | grep . | sort -u >"$work/tags"
    if [ ! -s "$work/keys" ] || [ ! -s "$work/tags" ]; then
        fail "$page, JSON: nothing found for $title"
        return
    fi
    comm -23 "$work/keys" "$work/bold" >"$work/missing"
    comm -23 "$work/tags" "$work/keys" >"$work/invented"
    if [ -s "$work/missing" ] || [ -s "$work/invented" ]; then
        fail "$page, JSON, $title: not described: $(tr '\n' ' ' <"$work/missing"), no such key: $(tr '\n' ' ' <"$work/invented")"
    else
        pass
    fi
}

# The report of the robot in the manual is the tool's output for the robot in data/.
check_robot()
{
    mkdir "$work/robot"
    cp "$source"/data/robot/fer_arm.bin "$work/robot"
    cp "$source"/data/robot/fer_arm_folded.gltf "$work/robot/arm.gltf"
    if ! (cd "$work/robot" && "$tool" info --quiet arm.gltf) 2>"$work/err"; then
        skip "the example of the robot: $(cat "$work/err")"
        return
    fi
    (cd "$work/robot" && "$tool" scene arm.gltf) >"$work/tool"
    awk '/^\$ graze scene arm.gltf$/ { inside = 1; next } /^\.EE/ { inside = 0 } inside' "$page" |
        sed -e ':more' -e '/\\$/{N;s/\\\n//;b more' -e '}' >"$work/text"
    same "$page, the example of scene"
}

check_overview()
{
    for library in graze graze_io; do
        [ $library = graze ] && page_of=$overview || page_of=$overview_io
        sh "$source/scripts/symbols" --all $library >"$work/tool"
        # Functions named in bold, "grz_collide (),"; the other library's are "grz_mesh_create (3)".
        sed -n 's/^\.BR \(grz_[a-z0-9_]*\) ().*/\1/p' "$page_of" | sort -u >"$work/text"
        same "$page_of: functions of the headers"
        # And those that the example calls.
        sh "$source/scripts/symbols" --all graze >"$work/known"
        sh "$source/scripts/symbols" --all graze_io >>"$work/known"
        grep -o 'grz_[a-z0-9_]*(' "$page_of" | tr -d '(' | sort -u | grep -vxF -f "$work/known" >"$work/invented"
        if [ -s "$work/invented" ]; then
            fail "$page_of calls what is no function: $(tr '\n' ' ' <"$work/invented")"
        else
            pass
        fi
    done
}

check_layout()
{
    for text in "$page" "$overview" "$overview_io"; do
        sed 's/@PROJECT_VERSION@/0.0.0/' "$text" >"$work/page"
        if command -v groff >/dev/null 2>&1; then
            groff -man -ww -Tutf8 "$work/page" 2>"$work/warnings" >/dev/null
            if [ -s "$work/warnings" ]; then
                fail "groff -ww $text: $(cat "$work/warnings")"
            else
                pass
            fi
        else
            skip "groff -ww $text: there is no groff"
        fi
        if command -v mandoc >/dev/null 2>&1; then
            # By standard input: the name of a file would have to end in the section's number.
            if mandoc -Tlint <"$work/page" >"$work/warnings"; then
                pass
            else
                fail "mandoc -Tlint $text: $(cat "$work/warnings")"
            fi
        else
            skip "mandoc -Tlint $text: there is no mandoc"
        fi
    done
}

check_commands
check_options
check_completion
cube=$source/tests/cli/data/cube.obj
check_keys "check and self" check --json --pairs --curves --pose-b 1,1,1 "$cube" "$cube"
check_keys "check and self" self --json --pairs --curves "$cube"
if help_commands Commands | grep -qx scene; then
    check_keys scene scene --json "$source/tests/cli/data/two.obj" "$cube" "$source/tests/cli/data/open.obj"
fi
check_keys info info --json "$cube"
check_keys fit fit --json "$cube"
check_keys pick pick --json --all --ray 0.5,0.5,9,0,0,-1 "$cube"
check_keys shape shape --json --all --shape box:0,0,0,1,1,1 "$cube"
check_keys penetration penetration --json --pose-b 0.5,0,0 "$cube" "$cube"
check_keys move move --json --to 9,0,0 --from-b 5,0,0 "$cube" "$cube"
check_keys devices devices --json
check_robot
check_overview
check_layout

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
