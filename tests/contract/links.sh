#!/bin/sh
# SPDX-License-Identifier: MIT
# No link of a document is dead, and scripts/check-links notices when one is: a fault of each kind is planted in a copy.
# Usage: links.sh SOURCE_DIR
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

sh "$root/scripts/check-links" "$root" || fail "the documents have dead links"

# A copy without what is large and is not looked at.
mkdir "$work/tree"
(cd "$root" && tar -cf - --exclude=./.git --exclude='./build*' --exclude='./tests/corpus/*' .) |
    tar -xf - -C "$work/tree" || exit 1

# plant WHAT FILE LINE: put LINE at the end of FILE. All faults are looked for at once, below: a run takes a second.
plant()
{
    printf '%s\n' "$3" >>"$work/tree/$2"
    printf '%s:%s: %s\n' "$2" "$(wc -l <"$work/tree/$2")" "$1" >>"$work/planted"
}

page=no-such-page.md
plant "a link to no file" docs/reference/methods.md 'See [this](no-such-page.md).'
plant "a link to no heading" docs/internals/bvh.md 'See [this](../reference/numbers.md#no-such-heading).'
plant "a link definition to no file" README.md "[this]: docs/$page"
plant "a picture that does not exist" README.md '![cows](docs/no_such_picture.png)'
plant "a file that does not exist" docs/internals/sweep.md "See src/base/no_such_file.c."
plant "a comment that names no document" src/base/sort/sort.c "// docs/$page has the proof."
plant "a drawing that names no folder" docs/internals/architecture.svg '<text class="folder" x="0" y="0">src/no-such-folder/</text>'

# Each fault is noticed at its line, and nothing else is.
if sh "$root/scripts/check-links" "$work/tree" >"$work/said"; then
    fail "the faults were not noticed"
fi
while IFS= read -r fault; do
    grep -qF "${fault%%: *}: " "$work/said" || fail "not noticed: $fault"
done <"$work/planted"
[ "$(wc -l <"$work/said")" -eq "$(wc -l <"$work/planted")" ] || fail "not as many lines as faults: $(cat "$work/said")"
exit $status
