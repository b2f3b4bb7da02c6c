# SPDX-License-Identifier: MIT
"""Rays and segments, against a brute force over all faces: in doubles, and in fractions where it must be exact."""

import doctest
from fractions import Fraction

import numpy
import pytest

import libgraze
import libgraze._queries
from meshes import CUBE, FACES, ctrl_c, cube, ray_hits, rotation, tube, while_changed


def test_the_documentation_runs():
    assert doctest.testmod(libgraze._queries).failed == 0


def random_rays(count, seed, spread=2.0):
    rng = numpy.random.default_rng(seed)
    return rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 3))


@pytest.mark.parametrize("method", [None, "naive", "grid", "kdtree"])
def test_first_hits_are_those_of_all_faces(method):
    points, faces = tube(12)
    origins, directions = random_rays(1500, 3)
    t, inside = ray_hits(points, faces, origins, directions)
    hits = libgraze.rays(libgraze.Mesh(points, faces), origins, directions, method=method)
    assert len(hits) == 1500 and numpy.asarray(hits.rays).tolist() == list(range(1500))
    clear = (abs(inside) > 1e-9).all(axis=1)  # no ray so near to an edge that doubles may be wrong
    found = numpy.asarray(hits.t)
    assert clear.sum() > 1400 and 200 < numpy.isfinite(found).sum() < 1200
    assert (numpy.isfinite(found) == numpy.isfinite(t.min(axis=1)))[clear].all()
    hit = clear & numpy.isfinite(found)
    assert numpy.allclose(found[hit], t.min(axis=1)[hit], rtol=1e-9)
    assert (numpy.asarray(hits.faces)[hit] == t.argmin(axis=1)[hit]).all()
    assert (numpy.asarray(hits.faces)[~numpy.isfinite(found)] == libgraze.NONE).all()
    assert numpy.allclose(numpy.asarray(hits.points)[hit], (origins + found[:, None] * directions)[hit], atol=1e-9)
    lengths = numpy.linalg.norm(directions, axis=1)
    assert numpy.allclose(numpy.asarray(hits.distances)[hit], (found * lengths)[hit])
    lower, upper = numpy.asarray(hits.lower), numpy.asarray(hits.upper)
    assert (lower <= found).all() and (found <= upper).all() and (upper[hit] <= numpy.nextafter(lower[hit], 9)).all()
    corners = points[faces[t.argmin(axis=1)]]
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= numpy.linalg.norm(normals, axis=1)[:, None]
    assert numpy.allclose(numpy.asarray(hits.normals)[hit], normals[hit])
    back = (normals * directions).sum(axis=1) > 0
    assert (numpy.asarray(hits.sides)[hit] == back[hit]).all()
    assert (numpy.asarray(hits.features)[hit] == libgraze.NONE).all(), "clear hits are inside of faces"


def test_all_hits_are_those_of_all_faces():
    points, faces = tube(12)
    origins, directions = random_rays(1500, 4)
    t, inside = ray_hits(points, faces, origins, directions)
    hits = libgraze.rays(libgraze.Mesh(points, faces), origins, directions, find="all")
    clear = (abs(inside) > 1e-9).all(axis=1)
    number = numpy.asarray(hits.rays).astype(int)
    assert (numpy.diff(number) >= 0).all()
    counts = numpy.bincount(number, minlength=1500)
    assert (counts == numpy.isfinite(t).sum(axis=1))[clear].all() and counts.max() >= 3
    expected = numpy.sort(t[clear], axis=1)
    kept = clear[number]
    assert numpy.allclose(numpy.asarray(hits.t)[kept], expected[numpy.isfinite(expected)], rtol=1e-9)
    any_hit = numpy.asarray(libgraze.rays(libgraze.Mesh(points, faces), origins, directions, find="any"))
    assert any_hit.dtype == bool and (any_hit == (counts > 0)).all()


def fraction_hit(corners, origin, direction):
    """Exactly: t and what part of the triangle the ray's line meets; None: nothing, or it runs along it."""
    a, b, c = ([Fraction(x) for x in corner] for corner in corners)
    sub = lambda p, q: [x - y for x, y in zip(p, q)]
    dot = lambda p, q: sum(x * y for x, y in zip(p, q))
    cross = lambda p, q: [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    e, f, s = sub(b, a), sub(c, a), sub(origin, a)
    p, q = cross(direction, f), cross(s, e)
    det = dot(e, p)
    if det == 0:
        return None
    u, v, t = dot(s, p) / det, dot(direction, q) / det, dot(f, q) / det
    weights = [1 - u - v, u, v]
    return None if min(weights) < 0 or t < 0 else (t, [k for k in range(3) if weights[k] > 0])


def test_what_is_hit_is_exact():
    """Whole coordinates: many rays meet edges and vertices, and all is decided in fractions."""
    rng = numpy.random.default_rng(8)
    points = rng.integers(-3, 4, (9, 3))
    faces = numpy.array([rng.permutation(9)[:3] for _ in range(12)])
    mesh = libgraze.Mesh(points.astype(float), faces)
    seen = set()
    for _ in range(600):
        origin, direction = rng.integers(-4, 5, 3), rng.integers(-2, 3, 3)
        if not direction.any():
            continue
        exact = [fraction_hit(points[f].tolist(), origin.tolist(), direction.tolist()) for f in faces]
        first = min((h[0], i) for i, h in enumerate(exact) if h is not None) if any(exact) else None
        flat = [i for i, f in enumerate(faces)
                if numpy.dot(numpy.cross(points[f[1]] - points[f[0]], points[f[2]] - points[f[0]]), direction) == 0]
        hit = libgraze.pick(mesh, origin.tolist(), direction.tolist())
        if hit is not None and hit.face in flat:
            assert hit.side == "along"
            continue
        assert (hit is None) == (first is None)
        if hit is None:
            continue
        t, face = first
        assert Fraction(hit.lower) <= t <= Fraction(hit.upper) and hit.t in (hit.lower, hit.upper)
        if hit.face != face:  # a face in which the ray runs may come first at the same t
            assert hit.face in flat
            continue
        corners = exact[face][1]
        expected = tuple(sorted(faces[face][corners].tolist())) if len(corners) < 3 else ()
        assert hit.feature == expected
        seen.add(len(expected))
    assert seen == {0, 1, 2}


def test_objects_poses_and_ranges():
    a, b = cube(), cube(0.5)
    both = [a, (b, (0, 0, 2)), (b, numpy.array([[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]))]
    hits = libgraze.rays(both, [[0.25, 0.3, 9], [3.25, 0.3, 9], [9, 9, 9]], (0, 0, -1), find="all")
    assert numpy.asarray(hits.rays).tolist() == [0, 0, 0, 0, 1, 1]
    assert numpy.asarray(hits.objects).tolist() == [1, 1, 0, 0, 2, 2]
    assert numpy.asarray(hits.t).tolist() == [6.5, 7.0, 8.0, 9.0, 8.5, 9.0]
    assert libgraze.pick(both, (0.25, 0.3, 9), (0, 0, -1)).object == 1
    matrix = numpy.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation(0.3, -0.7, 1.1), (1, 2, 3)
    origins, directions = random_rays(300, 6)
    posed = CUBE @ matrix[:3, :3].T + matrix[:3, 3]
    t, _ = ray_hits(posed, FACES, origins, directions)
    assert numpy.allclose(libgraze.rays(a, origins, directions, pose=matrix).t, t.min(axis=1))
    down = (0.3, 0.25, 5), (0, 0, -2)
    assert [libgraze.pick(a, *down, t_min=2.1).t, libgraze.pick(a, *down, t_max=1.9)] == [2.5, None]
    assert libgraze.pick(a, *down, t_min=-numpy.inf).t == 2.0 and libgraze.pick(a, (0.3, 0.25, -5), (0, 0, -1), t_min=-9).t == -6
    assert libgraze.pick(a, *down, skip_front=True).t == 2.5 and libgraze.pick(a, *down, skip_back=True).side == "front"
    for find in ("first", "all"):
        ask = lambda **skip: libgraze.rays(a, [down[0]], down[1], find=find, **skip)
        assert ask(skip_front=True).t.tolist() == [2.5] and ask(skip_front=True).sides.tolist() == [1]
        assert ask(skip_back=True).t.tolist() == [2.0] and ask(skip_back=True).sides.tolist() == [0]
    assert libgraze.rays(a, [down[0]], down[1], find="any", skip_front=True, skip_back=True).tolist() == [False]
    assert libgraze.pick(a, (0.3, 0.25, 5), end=(0.3, 0.25, -3)).t == 0.5
    assert libgraze.pick(a, (0.3, 0.25, 5), end=(0.3, 0.25, 1)).t == 1.0 and libgraze.pick(a, (0.3, 0.25, 5), end=(0.3, 0.25, 2)) is None
    assert len(libgraze.rays([], [[0, 0, 0]], (1, 0, 0))) == 1 and len(libgraze.rays(a, numpy.empty((0, 3)), (1, 0, 0))) == 0
    assert repr(libgraze.rays(a, [[0.3, 0.25, 5], [7, 7, 7]], (0, 0, -1))) == "<libgraze.RayHits: 2 rows, 1 hits>"


def test_many_kinds_of_arrays():
    origins, directions = (values.astype(numpy.float32) for values in random_rays(50, 9))
    expected = numpy.asarray(libgraze.rays(cube(), origins.astype(float), directions.astype(float)).t)
    wide = numpy.zeros((100, 6), numpy.float32)
    wide[::2, ::2] = origins
    for given in (origins, wide[::2, ::2], numpy.asfortranarray(origins), origins.tolist(), origins[::-1][::-1]):
        assert numpy.array_equal(libgraze.rays(cube(), given, directions).t, expected)
    one = libgraze.rays(cube(), origins[0], directions)
    assert numpy.array_equal(one.t, libgraze.rays(cube(), numpy.tile(origins[0], (50, 1)), directions).t)
    view = numpy.asarray(one.points)
    assert view.base is not None and not view.flags.writeable and numpy.shares_memory(view, one.points)
    del one
    assert numpy.isfinite(view).all()


GOOD = numpy.zeros((4, 3)), numpy.ones((4, 3))


@pytest.mark.parametrize("arguments, names, error, text", [
    ((GOOD[0][:, :2], GOOD[1]), {}, ValueError, r"origins: an array of shape \(4, 2\)"),
    ((GOOD[0], GOOD[1].ravel()), {}, ValueError, "directions: an array of 1 dimensions"),
    ((GOOD[0], GOOD[1][:3]), {}, ValueError, "directions: 3 rows, origins has 4"),
    ((GOOD[0],), {"ends": GOOD[1][:3]}, ValueError, "ends: 3 rows, origins has 4"),
    ((GOOD[0], GOOD[0]), {}, ValueError, "directions: row 0 is all zeros"),
    ((GOOD[0], (0, 0, 0)), {}, ValueError, "directions: may not be all zeros"),
    ((GOOD[0],), {"ends": GOOD[0]}, ValueError, "ends: row 0 is the same point"),
    ((GOOD[0] + numpy.nan, GOOD[1]), {}, ValueError, "origins: row 0 is not finite"),
    ((GOOD[0], [[1, 1, float("inf")]]), {}, ValueError, "directions: row 0 is not finite"),
    ((GOOD[0], (1, float("nan"), 1)), {}, ValueError, "directions: must be finite"),
    ((GOOD[0].astype(">f8"), GOOD[1]), {}, TypeError, "origins: an array of type"),
    ((GOOD[0].astype(int), GOOD[1]), {}, TypeError, "origins: an array of type"),
    ((GOOD[0], 7), {}, TypeError, "directions: must be an array"),
    ((GOOD[0], [[1, 2]]), {}, ValueError, "directions: row 0 has 2 numbers"),
    ((GOOD[0],), {}, TypeError, "directions: either directions or ends must be given"),
    ((GOOD[0], GOOD[1]), {"ends": GOOD[1]}, TypeError, "either directions or ends"),
    (GOOD, {"find": "last"}, ValueError, 'find: "last"'),
    (GOOD, {"t_min": float("nan")}, ValueError, "t_min: is not a number"),
    (GOOD, {"t_min": 2, "t_max": 1}, ValueError, "t_max: is less than t_min"),
    (GOOD, {"t_max": "far"}, TypeError, "."),
    (GOOD, {"pose": (1, 2)}, ValueError, "pose: 2 numbers"),
    (GOOD, {"method": "slices"}, libgraze.Unsupported, "slices"),
    (GOOD, {"deadline": -1.0}, libgraze.InvalidArgument, "deadline"),
    ((GOOD[0] + 1e300, GOOD[1]), {}, libgraze.InvalidArgument, "."),
])
def test_bad_arguments(arguments, names, error, text):
    with pytest.raises(error, match=text):
        libgraze.rays(cube(), *arguments, **names)


@pytest.mark.parametrize("target, names, error, text", [
    (CUBE, {}, TypeError, r"target\[0\]: must be a libgraze.Mesh"),
    (7, {}, TypeError, "target: must be a libgraze.Mesh, a libgraze.Scene, or a sequence"),
    ([(7, None)], {}, TypeError, r"target\[0\]: must be a libgraze.Mesh"),
    ([cube(), (cube(), (1, 2))], {}, ValueError, r"target\[1\]: 2 numbers"),
    ([cube()], {"pose": (1, 2, 3)}, ValueError, "pose: is for a single"),
    (cube(), {"origin": (1, 2)}, ValueError, "origin: 2 numbers"),
    (cube(), {"origin": 7}, TypeError, "origin: must be numbers"),
    (cube(), {"direction": (0, 0, 0)}, ValueError, "direction: may not be all zeros"),
    (cube(), {"direction": None}, TypeError, "direction: either direction or end"),
    (cube(), {"direction": None, "end": (5, 5, 5)}, ValueError, "end: is the same point as origin"),
])
def test_bad_arguments_of_pick(target, names, error, text):
    with pytest.raises(error, match=text):
        libgraze.pick(target, **{"origin": (5, 5, 5), "direction": (1, 0, 0), **names})


def test_threads():
    points, faces = tube(40)
    mesh = libgraze.Mesh(points, faces)
    origins, directions = random_rays(2000, 10)
    expected = libgraze.rays(mesh, origins, directions).t.tolist()
    answers, errors = while_changed(mesh, points, lambda: libgraze.rays(mesh, origins, directions).t.tolist())
    assert all(answer == expected for answer in answers) and len(answers) + len(errors) >= 20
    assert all("another thread is" in error for error in errors)


@pytest.mark.parametrize("find", ["first", "all", "any"])
def test_deadlines_and_ctrl_c(find):
    points, faces = tube(100)
    mesh = libgraze.Mesh(points, faces)
    origins, directions = random_rays(100000, 11)
    with pytest.raises(libgraze.DeadlineExceeded, match="^the deadline of 0.05 s passed$"):
        libgraze.rays(mesh, origins, directions, find=find, method="naive", deadline=0.05)
    with pytest.raises(KeyboardInterrupt), ctrl_c(0.2):
        libgraze.rays(mesh, origins, directions, find=find, method="naive")
    assert libgraze.pick(mesh, (1, 0, 5), (0, 0, -1)) is not None
