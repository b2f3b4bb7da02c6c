#!/bin/sh
# SPDX-License-Identifier: MIT
# Adding a command takes one file and one line. TOY is the tool built with the command `toy`: command_toy.c, and a line
# in the table of cli/commands/commands.c (tests/CMakeLists.txt adds it). Everything that knows the commands must know this one.
# And nothing in cli/ but a command's own file and the table may name a command, or a new one would be forgotten there.
#
# usage: run.sh TOY SOURCE_DIR        exit status: 0 all passed, 1 some failed
set -u
toy=$1
source=$2
failed=0

# expect STATUS TEXT ARGUMENTS: the exit status, and a line of stdout or stderr that holds TEXT.
expect()
{
    status=$1
    text=$2
    shift 2
    output=$("$toy" "$@" 2>&1)
    got=$?
    if [ $got -ne "$status" ] || ! printf '%s\n' "$output" | grep -qF -e "$text"; then
        echo "FAILED: graze $*: status $got, must be $status with \"$text\": $output"
        failed=1
    fi
}

expect 1 'toy: 2 files, the first is a' toy a b
expect 0 '  toy FILE...      count files' help
expect 0 '  toy FILE...      count files'
expect 0 'Usage: graze toy [OPTION]... FILE...' help toy
expect 0 '      --curves' toy --help
expect 2 'did you mean toy?' tooy
expect 2 'graze toy: needs at least one file (FILE...), got 0' toy
expect 2 'option --pairs is not for this command, only for check, self and scene' toy --pairs a
expect 2 'option --curves is not for this command, only for check, toy and self' info --curves a
expect 2 'graze toy: unknown option --curvs; did you mean --curves?' toy --curvs a
offered=$(bash "$source/tests/install/complete.bash" "$source/completions/graze.bash" "$toy" to)
if [ "$offered" != toy ]; then
    echo "FAILED: the completion of \"graze to\" is \"$offered\", must be toy"
    failed=1
fi

# The names of the commands, from the table; and where cli/ has one of them as a whole string, or the symbol of one.
names=$(sed -n '/^#define COMMANDS/,/^$/s/^    X(\([a-z_]*\)).*/\1/p' "$source/cli/commands/commands.c")
if [ "$(printf '%s\n' "$names" | wc -l)" -lt 5 ]; then
    echo "FAILED: the table of cli/commands/commands.c was not found"
    failed=1
fi
for name in $names; do
    named=$(grep -nE "\"$name\"|command_$name([^a-z_]|\$)" "$source"/cli/*.[ch] "$source"/cli/*/*.[ch] | grep -vE "/command_$name\.c:|^[^:]*:[0-9]*: *//|report_put_(real|null)\(r, in, \"distance\"")
    if [ -n "$named" ]; then
        echo "FAILED: command $name is named outside of its file:"
        echo "$named"
        failed=1
    fi
done

# A report is data between the queries and the writers. scripts/check-layers checks that the writers know no query.
if grep -E '^#include "(report/(report|json|text)|answers/describe|deliver)' "$source"/cli/answers/query.[ch] "$source"/cli/answers/scene.h; then
    echo "FAILED: the queries include the reports"
    failed=1
fi
exit $failed
