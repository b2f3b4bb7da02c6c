# SPDX-License-Identifier: MIT
"""Every row of the tables in docs/use/python.md: the other library's call and ours, run and compared. Skipped where a library is not
installed."""

import ast
import importlib
import re
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
import libgraze  # noqa: E402

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "use" / "python.md"
LIBRARIES = {"python-fcl": ["fcl"], "trimesh.collision": ["trimesh", "fcl"], "Open3D": ["open3d"], "PyBullet": ["pybullet"]}
ANSWERS = {"python-fcl": 7, "trimesh.collision": 2, "Open3D": 6, "PyBullet": 2}  # rows whose two calls both have a value
CUBE = np.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
FACES = np.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
     [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]], dtype=np.int32
)


def tables():
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    found = {}
    for part in text.split("\n## ")[1:]:
        rows = [line.split(" | ") for line in part.splitlines() if line.startswith("| ") and " | " in line][1:]
        code = [tuple(re.findall(r"`([^`]*)`", cell)[:1] for cell in row[1:3]) for row in rows]
        if rows:
            found[part.splitlines()[0]] = [(row[0].strip("| "), theirs, ours) for row, (theirs, ours) in zip(rows, code)]
    return found


def run(code, names):
    """Run statements; the value of the last, if it is an expression."""
    tree = ast.parse(code)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, code, "exec"), names)
    return eval(compile(last, code, "eval"), names) if last else None


def at(x):
    pose = np.eye(4)
    pose[:3, 3] = (x, 0.0, 0.0)
    return pose


def test_all_tables_are_found():
    if not DOCUMENT.exists():
        pytest.skip("there is no docs/use/python.md here")
    assert sorted(tables()) == sorted(LIBRARIES) and all(len(rows) >= 3 for rows in tables().values())


@pytest.mark.parametrize("library", sorted(LIBRARIES))
@pytest.mark.parametrize("x", [0.5, 1.25, 3.0])
def test_calls_side_by_side(library, x):
    if library not in tables():
        pytest.skip("there is no docs/use/python.md here")
    given = {"np": np, "vertices": CUBE, "faces": FACES, "pose": at(x), "end": at(-2.0),
             "origins": np.array([[0.25, 0.5, 2.0], [0.5, 0.25, 5.0]]), "directions": np.array([[0, 0, -4.0], [0, 0, -2.0]]),
             "points": np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 2.0]])}
    for name in LIBRARIES[library]:
        try:
            given[name] = importlib.import_module(name)
        except ImportError as why:
            pytest.skip(f"{name}: {why}")
    if library == "trimesh.collision":
        importlib.import_module("libgraze.trimesh")
        importlib.import_module("trimesh.collision")
        given["cube"] = given["trimesh"].creation.box()
    theirs, ours = dict(given), dict(given, libgraze=libgraze)
    compared = 0
    for what, their_code, our_code in tables()[library]:
        expected = run(their_code[0], theirs)
        found = run(our_code[0], ours) if our_code else None
        if expected is None or found is None:
            continue
        compared += 1
        if what == "distance" and x < 1.0:
            continue  # FCL says -1 or 0
        if isinstance(expected, (bool, np.bool_)):
            assert bool(found) == bool(expected), what
        elif isinstance(expected, tuple):
            assert found == expected, what
        else:
            slack = 1e-3 if library == "PyBullet" else 1e-6  # its shapes have a margin of a millimetre; Open3D has floats
            assert np.allclose(np.asarray(found, dtype=float), np.asarray(expected, dtype=float), rtol=1e-6, atol=slack), what
    assert compared == ANSWERS[library]
