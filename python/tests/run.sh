#!/bin/sh
# SPDX-License-Identifier: MIT
# Run the tests of the Python package, and the examples in its documentation, by this Python. Exit status 77 where it has
# not what they need.
# Usage: sh python/tests/run.sh PYTHON   with the built package in PYTHONPATH
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
python=$1
if ! "$python" -c "import numpy, pytest" 2>/dev/null; then
    echo "SKIPPED: $python has no numpy or no pytest"
    exit 77
fi
exec "$python" -m pytest -q -p no:cacheprovider -rs "$tests"
