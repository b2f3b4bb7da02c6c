#!/bin/sh
# SPDX-License-Identifier: MIT
# Run the tests of the Python package, and the examples in its documentation, by this Python. Exit status 77 where it has
# not what they need.
# Usage: sh python/tests/run.sh PYTHON [short]   with the built package in PYTHONPATH; short: without the programs of the
#                                                documents, which say nothing new under a sanitizer
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
python=$1
if ! "$python" -c "import numpy, pytest" 2>/dev/null; then
    echo "SKIPPED: $python has no numpy or no pytest"
    exit 77
fi
[ "${2:-}" != short ] || set -- "$python" --ignore "$tests/test_documents.py" --ignore "$tests/test_coming_from.py"
shift
exec "$python" -m pytest -q -p no:cacheprovider -rs "$@" "$tests"
