# SPDX-License-Identifier: MIT
# Bash completion of graze. It asks the tool itself: `graze --help` names the commands, `graze COMMAND --help` the options and
# their values, `graze devices` the methods. So it knows what the installed version knows. Needs bash 4.2, not the bash-completion
# package.
# shellcheck shell=bash

# The commands that this version has.
_graze_commands()
{
    "$1" --help 2>/dev/null | sed -n '/^Commands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

# One line for every option of command $2 (without one: of the tool as a whole): its name, and how the help names its value.
_graze_options()
{
    "$1" ${2:+"$2"} --help 2>/dev/null |
        sed -nE 's/^  (-[a-zA-Z], |    )(--[a-z-]+) ([^ ]+).*/\2 \3/p;t
s/^  (-[a-zA-Z], |    )(--[a-z-]+).*/\2/p'
}

# Whether option $3 of command $2 may be given several times: its help ends so.
_graze_repeats()
{
    "$1" "$2" --help 2>/dev/null | awk -v option="$3" '
        /^  (-[a-zA-Z], |    )--/ { inside = index(substr($0, 7), option " ") == 1 }
        inside && /repeatable$/ { found = 1 }
        END { exit !found }'
}

# The long option that $2 stands for: itself, or what the help has beside a short one.
_graze_long()
{
    if [[ $2 == -[a-zA-Z] ]]; then
        "$1" --help 2>/dev/null | sed -n "s/^  $2, \(--[a-z-]*\).*/\1/p"
    else
        echo "$2"
    fi
}

_graze_methods()
{
    echo auto
    "$1" devices 2>/dev/null | sed -n 's/.*methods \([a-z, -]*\).*/\1/p' | tr -d ' ' | tr ',' '\n'
}

# The formats that files may be read as: the last line of the help of --format.
_graze_formats()
{
    "$1" "$2" --help 2>/dev/null | awk '
        /^  (-[a-zA-Z], |    )--/ || /^$/ { inside = index(substr($0, 7), "--format ") == 1 }
        inside { last = $0 }
        END { gsub(/,/, "", last); print last }'
}

# The kinds of shapes, each with its colon: what the help of --shape names.
_graze_kinds()
{
    "$1" shape --help 2>/dev/null | awk '
        /^  (-[a-zA-Z], |    )--/ { inside = index(substr($0, 7), "--shape ") == 1; sub(/KIND:NUMBERS/, "") }
        inside' | grep -o '[a-z]*:'
}

_graze_offer()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_graze_offer_files()
{
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
    # Fails where no completion is under way, as in a test.
    compopt -o filenames 2>/dev/null || true
}

# The values of option $2 of command $5 of the tool $3, of which $4 is typed.
_graze_offer_values()
{
    case $1 in
    *FILE*) _graze_offer_files "$4" ;;
    KIND:*)
        [[ $4 == *:* ]] || _graze_offer "$(_graze_kinds "$3")" "$4"
        compopt -o nospace 2>/dev/null || true
        ;;
    NAME)
        [[ $2 != --method ]] || _graze_offer "$(_graze_methods "$3")" "$4"
        [[ $2 != --format ]] || _graze_offer "$(_graze_formats "$3" "$5")" "$4"
        ;;
    *\|*) _graze_offer "${1//|/ }" "$4" ;;
    esac
}

# Where the command stands: the first word that is neither an option nor an option's value. 0 where it is not typed yet.
_graze_command_place()
{
    local place options
    options=$(_graze_options "$1")
    for ((place = 1; place < COMP_CWORD; place++)); do
        case ${COMP_WORDS[place]} in
        =) ((place++)) ;;
        --*) [[ ${COMP_WORDS[place + 1]} == = ]] || ! grep -q -- "^${COMP_WORDS[place]} " <<<"$options" || ((place++)) ;;
        -*) ;;
        *)
            echo "$place"
            return
            ;;
        esac
    done
    echo 0
}

_graze()
{
    local tool=${1/#\~\//$HOME/} word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local place command='' before option value i offered=

    COMPREPLY=()
    # `--option=value` comes as three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    place=$(_graze_command_place "$tool")
    ((place == 0)) || command=${COMP_WORDS[place]}
    before=" "
    for ((i = 1; i < COMP_CWORD; i++)); do
        ((i == place)) || before+="$(_graze_long "$tool" "${COMP_WORDS[i]}") "
    done
    if [[ $before == *" -- "* ]]; then # only files follow
        _graze_offer_files "$word"
        return
    fi
    while read -r option value; do
        if [[ -n $value && $previous == "$option" ]]; then
            _graze_offer_values "$value" "$option" "$tool" "$word" "$command"
            return
        fi
        # The tool takes few options twice.
        [[ $before == *" $option "* ]] && ! _graze_repeats "$tool" "$command" "$option" || offered+=" $option"
    done < <(_graze_options "$tool" "$command")
    if [[ $word == -* ]]; then
        _graze_offer "$offered" "$word"
    elif ((place == 0)) || [[ $command == help ]]; then
        _graze_offer "$(_graze_commands "$tool")" "$word"
    else
        _graze_offer_files "$word"
    fi
}

complete -F _graze graze
