#!/bin/bash
# SPDX-License-Identifier: MIT
# What the completion offers for a command line: one word a line, sorted. The last word is the one being typed.
# Usage: complete.bash COMPLETION TOOL WORD…
# shellcheck source=completions/graze.bash
. "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_graze "$2"
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
