# SPDX-License-Identifier: MIT
"""The programs in docs/use/python.md print what the document shows. "…" there stands for any text."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "use" / "python.md"
PROGRAM = re.compile(r"<!-- program: (\w+) -->\n\n```python\n(.*?)```\n\n```\n(.*?)```\n", re.S)


def programs():
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    return [pytest.param(code, printed, id=name) for name, code, printed in PROGRAM.findall(text)]


def test_all_programs_are_found():
    if not DOCUMENT.exists():
        pytest.skip("there is no docs/use/python.md here")
    assert len(programs()) == DOCUMENT.read_text(encoding="utf-8").count("```python\n") >= 6


@pytest.mark.parametrize("code, printed", programs())
def test_program(code, printed):
    pytest.importorskip("numpy")
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=250)
    assert run.returncode == 0, run.stderr
    shown = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", printed))
    assert re.fullmatch(shown, run.stdout, re.S), run.stdout
