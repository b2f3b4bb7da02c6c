#!/bin/sh
# SPDX-License-Identifier: MIT
# Does scripts/try-docs notice a wrong document? Tries short documents, right and wrong ones. usage: try_docs.sh
# SOURCE_DIR exit status: 0 all passed, 1 some failed
set -u
source=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# document STATUS WHAT [OPTION]: try the document from standard input; is that the exit status?
document()
{
    cat >"$work/document.md"
    status=0
    sh "$source/scripts/try-docs" ${3:+"$3"} --here "$work/document.md" >"$work/said" 2>&1 || status=$?
    if [ $status -eq "$1" ]; then
        echo "ok: $2"
    else
        echo "FAILED: $2: exit status $status, not $1"
        cat "$work/said"
        failed=1
    fi
}

document 0 "output as shown" <<'END'
Text.

<!-- try -->

    $ printf 'one\ntwo\nthree [3]\n'      # a comment
    one
    …
    three […]

More text.
END
document 1 "output not as shown" <<'END'
<!-- try -->

    $ printf 'one\ntwo\n'
    one
END
document 1 "output that is missing" <<'END'
<!-- try -->

    $ printf 'one\n'
    one
    two
END
document 0 "times differ" <<'END'
<!-- try -->

    $ printf 'one\n  time     4 ms\n'
    one
      time     3 ms
END
document 1 "a command that fails, not the last one" <<'END'
<!-- try -->

    sh -c 'exit 1'
    echo two
END
document 0 "a command that is not to be run here" <<'END'
<!-- try; system: sh -c; never: sh scripts -->

    echo one
    sh -c 'exit 1'
    sh scripts/none
END
document 1 "the same command, to be run" --system <<'END'
<!-- try; system: sh -c; never: sh scripts -->

    echo one
    sh -c 'exit 1'
    sh scripts/none
END
document 0 "no commands" <<'END'
```text
sh
```

    just an example

<!-- not tried: there is no such script -->

    sh scripts/none
END
document 1 "commands without a mark" <<'END'
```text
just text
```

    sh scripts/none
END
document 1 "commands without a mark in a fenced block" <<'END'
```sh
cmake --build build
```
END
document 1 "a mark without a block" <<'END'
<!-- try -->

Text.
END
[ $failed -eq 0 ]
