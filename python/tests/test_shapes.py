# SPDX-License-Identifier: MIT
"""Shapes, hulls, fitted shapes and convex parts: against formulas, NumPy and each other."""

import copy
import doctest
import pickle
import time
from fractions import Fraction

import numpy
import pytest

import libgraze
import libgraze._shapes
import libgraze._solids
from libgraze import Shape
from meshes import CUBE, FACES, ctrl_c, cube, rotation, tube, while_changed

NAMES = ("undecided", "apart", "touching", "penetrating")


def test_the_documentation_runs():
    for module in (libgraze._shapes, libgraze._solids):
        assert doctest.testmod(module).failed == 0


def test_boxes_of_integers():
    """All that is known of boxes along the axes, by integers."""
    rng = numpy.random.default_rng(3)
    seen = set()
    for _ in range(400):
        at, half = rng.integers(-4, 5, 3), rng.integers(0, 4, (2, 3))
        a, b = Shape.box((0, 0, 0), half[0]), Shape.box(at, half[1])
        found = libgraze.compare(a, b, exact_distance=True)
        gap = numpy.abs(at) - half[0] - half[1]  # on each axis
        apart = Fraction(int((numpy.maximum(gap, 0) ** 2).sum()))
        assert Fraction(found.lower) ** 2 <= apart <= Fraction(found.upper) ** 2
        if (gap > 0).any():
            assert found.relation == "apart" and found.distance == numpy.sqrt(float(apart)) and found.depth == 0
        elif (gap == 0).any():
            assert found.relation == "touching" and found.distance == found.depth == 0
        else:
            assert found.relation == "penetrating" and found.depth_lower <= -gap.max() <= found.depth_upper
            assert found.depth_upper - found.depth_lower < 1e-9
        assert bool(found) == (found.relation != "apart")
        seen.add(found.relation)
    assert seen == {"apart", "touching", "penetrating"}


def test_each_kind_at_a_known_distance():
    """Ten kinds above the floor z = 0: how far, where."""
    floor = Shape.box((0, 0, -1), (9, 9, 1))
    turned = numpy.hstack([rotation(numpy.pi / 2, 0, 0), [[0], [0], [3]]])  # z becomes -y or y
    kinds = {
        2.0: Shape.point((1, 1, 2)),
        1.5: Shape.sphere((0, 0, 2), 0.5),
        1.25: Shape.segment((0, 0, 1.25), (1, 1, 3)),
        1.75: Shape.triangle((0, 0, 2), (1, 0, 2), (0, 1, 1.75)),
        1.0: Shape.capsule((0, 0, 1.25), (0, 3, 4), 0.25),
        3.0: Shape.ray((0, 0, 3), (1, 0, 2)),
        0.5: Shape.line((5, 5, 0.5), (1, 1, 0)),
        4.0: Shape.box((0, 0, 5), (1, 2, 1)),
        2.5: Shape.cylinder((0, 0, 0), 0.5, 2).at(turned),
        6.0: Shape.cone((0, 0, 7), 3, 1),
        0.75: Shape.ellipsoid((1, 2, 2), (1, 3, 1.25)),
        1.125: Shape.hull([[0, 0, 2], [1, 0, 1.125], [0, 1, 3], [0, 0, 5]]),
        0.875: Shape.box((0, 0, 2), (1, 1, 1)).grown(0.125),
    }
    assert len({shape.kind for shape in kinds.values()}) == 10
    mesh = libgraze.Mesh([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]])
    for distance, shape in kinds.items():
        for found in (libgraze.compare(shape, floor), libgraze.compare(shape, mesh)):
            assert found.relation == "apart", shape
            assert found.lower <= distance <= found.upper and found.upper - found.lower < 1e-11
        assert abs(found.point_mesh[2]) < 1e-12 and abs(found.point_shape[2] - distance) < 1e-9
        assert found.face in (0, 1) and found.location == "outside" and not found


def test_meshes_as_brute_force():
    points, faces = tube(8)
    mesh = libgraze.Mesh(points, faces)
    rng = numpy.random.default_rng(4)
    inside = touched = 0
    for _ in range(60):
        angle, centre = rng.uniform(0, 2 * numpy.pi), rng.uniform(-0.6, 0.6, 3)
        centre += (numpy.cos(angle), numpy.sin(angle), 0)
        half = rng.uniform(0.02, 0.12, 3)
        box = Shape.box(centre, half)
        found = libgraze.compare(box, mesh)
        listed = numpy.asarray(libgraze.faces_touched(box, mesh))
        one_by_one = [i for i, face in enumerate(faces) if libgraze.compare(box, Shape.triangle(*points[face]), depth=False)]
        assert listed.tolist() == one_by_one
        assert (found.relation == "apart") == (len(listed) == 0)
        if len(listed):
            assert found.face in listed and found.distance == 0 and found.location == "unknown"
            touched += 1
        else:
            near = min((libgraze.compare(box, Shape.triangle(*points[face]), depth=False).lower, i)
                       for i, face in enumerate(faces))
            assert abs(near[0] - found.distance) < 1e-12
            where = libgraze.Location(libgraze.locate(mesh, [centre])[0])
            assert found.location == where.name.lower()
            inside += found.location == "inside"
            assert bool(found) == (found.location == "inside")
    assert touched > 10 and inside > 2 and 60 - touched - inside > 2
    moved = libgraze.compare(Shape.point((5, 0, 0)), mesh, pose=(3, 0, 0))
    assert abs(moved.distance - libgraze.compare(Shape.point((2, 0, 0)), mesh).distance) < 1e-12


def test_many_pairs():
    rng = numpy.random.default_rng(5)
    shapes = [Shape.sphere(rng.uniform(-3, 3, 3), 1) for _ in range(20)]
    shapes += [Shape.box(rng.uniform(-3, 3, 3), rng.uniform(0.2, 1, 3)).at((0, 0, 0.5)) for _ in range(20)]
    pairs = rng.integers(0, 40, (3000, 2))
    many = libgraze.compare_many(shapes, pairs)
    assert len(many) == 3000 and repr(many) == "<libgraze.ShapeAnswers: 3000 pairs>"
    columns = {"distance": many.distances, "lower": many.lower, "upper": many.upper, "depth": many.depths,
               "depth_lower": many.depth_lower, "depth_upper": many.depth_upper, "direction": many.directions,
               "point_a": many.points_a, "point_b": many.points_b}
    columns = {name: numpy.asarray(column) for name, column in columns.items()}
    for i in range(0, 3000, 7):
        one = libgraze.compare(shapes[pairs[i, 0]], shapes[pairs[i, 1]])
        assert one.relation == NAMES[many.relations[i]]
        for name, column in columns.items():
            assert numpy.array_equal(column[i], getattr(one, name)), name
    assert len(libgraze.compare_many(shapes, pairs.tolist(), depth=False)) == 3000
    assert len(libgraze.compare_many([], numpy.zeros((0, 2), dtype=int))) == 0
    again = pickle.loads(pickle.dumps(many))
    assert numpy.array_equal(again.depths, many.depths) and len(again) == 3000


def test_hulls():
    rng = numpy.random.default_rng(6)
    points = rng.integers(-5, 6, (200, 3)).astype(float)
    made = libgraze.hull(points)
    assert libgraze.is_convex(made) and libgraze.hull(libgraze.Mesh(points[:198])).vertex_count > 3
    corners = {tuple(p) for p in numpy.asarray(made.positions)}
    assert corners <= {tuple(p) for p in points}
    where = numpy.asarray(libgraze.locate(made, points))
    assert (where != libgraze.Location.OUTSIDE).all()
    assert {tuple(p) for p in numpy.asarray(libgraze.hull(made).positions)} == corners
    a, b = Shape.hull(points), Shape.hull(made)
    assert {tuple(p) for p in numpy.asarray(a.points)} == {tuple(p) for p in numpy.asarray(b.points)} == corners
    assert libgraze.compare(a, Shape.point((0, 0, 0))).relation == "penetrating"


def test_is_convex():
    assert libgraze.is_convex(cube()) == libgraze.Convexity(True, "convex", "convex", (), ())
    opened = libgraze.is_convex(libgraze.Mesh(CUBE, FACES[1:]))
    assert not opened and opened.fault == "open" and len(opened.edge) == 2 and "edge" in opened.message
    dented = libgraze.is_convex(libgraze.Mesh(*tube(8)))
    assert dented.fault == "reflex" and len(dented.faces) == 2
    assert libgraze.is_convex(libgraze.Mesh(CUBE, FACES[:, ::-1])).fault == "inside_out"


def test_fitted_shapes_hold_the_mesh():
    points, faces = tube(8)
    found = libgraze.fit(libgraze.Mesh(points, faces))
    for fitted in (found.sphere, found.capsule, found.box, found.oriented_box, found.cylinder, found.ellipsoid):
        assert fitted.ratio >= 1
        for p in points:
            assert libgraze.compare(fitted.shape, Shape.point(p), depth=False), fitted
    assert 0 <= found.sphere.shape.radius - found.least_radius < 1e-9
    size = numpy.ptp(points, axis=0) / 2
    assert numpy.allclose(found.box.shape.numbers[3:], size)


def test_a_fit_ends_at_its_deadline():
    x, y = numpy.random.default_rng(5).uniform(-1, 1, (2, 60000))
    bowl = libgraze.hull(numpy.column_stack([x, y, x * x + y * y]))
    start = time.process_time()
    libgraze.fit(bowl)
    whole = time.process_time() - start
    slack = 0.05 + 0.1 * whole  # A tenth: builds with sanitizers do the same work more slowly.
    for share in (0.1, 0.4):
        start = time.process_time()
        with pytest.raises(libgraze.DeadlineExceeded, match=f"^the deadline of {whole * share:g} s passed$"):
            libgraze.fit(bowl, deadline=whole * share)
        assert time.process_time() - start < whole * share + slack


def test_convex_parts():
    """An L of three cubes: two parts, whose volumes add up; covers are near."""
    corners = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    n = len(corners)
    points = [(x, y, z) for z in (0, 1) for x, y in corners]
    bottom = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)]
    faces = bottom + [tuple(n + v for v in reversed(f)) for f in bottom]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, n + j), (i, n + j, n + i)]
    mesh = libgraze.Mesh(points, faces)
    assert mesh.is_closed and not libgraze.is_convex(mesh)
    parts = libgraze.convex_parts(mesh)
    assert len(parts) == 2 and parts.rounding < 1e-15
    volume = 0.0
    for part in parts:
        assert libgraze.is_convex(part.mesh) and part.lower == 0 and part.upper == parts.rounding
        p, t = numpy.asarray(part.mesh.positions), numpy.asarray(part.mesh.triangles)
        volume += (p[t[:, 0]] * numpy.cross(p[t[:, 1]], p[t[:, 2]])).sum() / 6
    assert abs(volume - 3) < 1e-12
    with pytest.raises(libgraze.Error):
        libgraze.convex_parts(mesh, max_parts=1)
    one = libgraze.convex_cover(mesh, error=2)
    assert len(one) == 1 and one.parts[0].lower <= numpy.sqrt(0.5) <= one.parts[0].upper <= 2
    assert all(part.upper <= 0.25 for part in libgraze.convex_cover(mesh, error=0.25))
    with pytest.raises(libgraze.InvalidMesh):
        libgraze.convex_parts(libgraze.Mesh(CUBE, FACES[1:]))


def test_split():
    """Two flush boxes, the second hollow, and a sheet: three parts; the cavity stays with its box."""

    def box(low, high, turned=False):
        points = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
        faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
        faces = [half for a, b, c, d in faces for half in ((a, b, c), (a, c, d))]
        return points, [face[::-1] for face in faces] if turned else faces

    pieces = [
        box((1, 1, 5), (3, 3, 6), True),  # the cavity comes first
        box((0, 0, 0), (4, 4, 4)),
        box((0, 0, 4), (4, 4, 8)),
        ([(9, 0, 0), (10, 0, 0), (10, 1, 0), (9, 1, 0)], [(0, 1, 2), (0, 2, 3)]),
    ]
    points, faces = [], []
    for corners, sides in pieces:
        faces += [tuple(len(points) + v for v in side) for side in sides]
        points += corners
    whole = libgraze.Mesh(points, faces)
    apart = libgraze.split(whole)
    assert [mesh.face_count for mesh in apart] == [24, 12, 2] and len(apart) == 3
    assert [faces.tolist() for faces in apart.part_faces] == [
        [*range(12), *range(24, 36)],
        [*range(12, 24)],
        [36, 37],
    ]
    assert [s.part for s in apart.shells] == [0, 1, 0, 2]
    assert [s.first_face for s in apart.shells] == [0, 12, 24, 36]
    assert [s.face_count for s in apart.shells] == [12, 12, 12, 2]
    assert [s.closed for s in apart.shells] == [True, True, True, False]
    assert [s.inwards for s in apart.shells] == [True, False, False, False]
    assert apart.face_shells.tolist() == [0] * 12 + [1] * 12 + [2] * 12 + [3] * 2
    for mesh, numbers in zip(apart, apart.part_faces):
        given = numpy.asarray(whole.positions)[[v for f in numbers.tolist() for v in faces[f]]]
        assert len(given) >= mesh.vertex_count and set(map(tuple, given)) == set(map(tuple, numpy.asarray(mesh.positions)))
    assert libgraze.collide(apart.parts[0], apart.parts[1], find="solids").solids == "touching"
    with pytest.raises(libgraze.DeadlineExceeded):
        libgraze.split(whole, deadline=1e-9)
    with pytest.raises(TypeError):
        libgraze.split(points)


def test_shapes_are_pickled():
    shapes = [Shape.sphere((1, 2, 3), 4), Shape.box((0, 0, 0), (1, 1, 1)).at((1, 2, 3)), Shape.hull(CUBE)]
    for shape in shapes:
        for again in (pickle.loads(pickle.dumps(shape)), copy.deepcopy(shape)):
            assert libgraze.compare(again, Shape.point((9, 9, 9))) == libgraze.compare(shape, Shape.point((9, 9, 9)))
            assert (again.kind, again.numbers, again.radius) == (shape.kind, shape.numbers, shape.radius)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Shape.sphere((1, 2), 3), ValueError, "centre: 2 numbers"),
        (lambda: Shape.box((0, 0, 0), 1), TypeError, ""),
        (lambda: Shape.point("abc"), TypeError, r"p\[0\] is 'a'"),
        (lambda: Shape.point((0, 0, float("nan"))), ValueError, r"p\[2\] is nan, must be finite"),
        (lambda: Shape.sphere((0, 0, 0), -1), ValueError, "radius is -1.0, must be 0 or above"),
        (lambda: Shape.box((0, 0, 0), (1, float("nan"), 1)), ValueError, r"half\[1\] is nan"),
        (lambda: Shape.ellipsoid((0, 0, 0), (1, 2, -3)), ValueError, r"half\[2\] is -3.0, must be 0 or above"),
        (lambda: Shape.cylinder((0, 0, 0), 1, float("inf")), ValueError, "half_height is inf"),
        (lambda: Shape.cone((0, 0, "up"), 1, 1), TypeError, r"centre\[2\] is 'up', must be a number"),
        (lambda: Shape.capsule((0, 0, 0), 3, 1), TypeError, "q is 3, must be three numbers"),
        (lambda: Shape.point((0, 0, 0)).grown(-1), ValueError, "radius is -1.0"),
        (lambda: libgraze.compare(Shape("point", (0.0, 0.0, float("nan"))), Shape.point((0, 0, 0))), libgraze.InvalidArgument, "finite"),
        (lambda: libgraze.compare(Shape.ray((0, 0, 0), (0, 0, 0)), Shape.point((0, 0, 0))), libgraze.InvalidArgument, "direction"),
        (lambda: libgraze.compare(Shape.point((0, 0, 0)).at((1, 2)), Shape.point((0, 0, 0))), ValueError, "pose"),
        (lambda: libgraze.compare(Shape.point((0, 0, 0)), cube(), pose="x"), (TypeError, ValueError), "pose"),
        (lambda: libgraze.compare(Shape.point((0, 0, 0)), Shape.point((0, 0, 0)), pose=(1, 2, 3)), TypeError, "pose"),
        (lambda: libgraze.compare(cube(), Shape.point((0, 0, 0))), TypeError, "a: must be a libgraze.Shape"),
        (lambda: libgraze.compare(Shape.point((0, 0, 0)), 7), TypeError, "b: must be a libgraze.Shape"),
        (lambda: libgraze.compare(Shape("disc", (1.0,)), Shape.point((0, 0, 0))), ValueError, "disc"),
        (lambda: libgraze.compare(Shape("box", (1.0,)), Shape.point((0, 0, 0))), TypeError, "a: must be"),
        (lambda: libgraze.faces_touched(Shape.point((0, 0, 0)), 7), TypeError, "mesh: must be a libgraze.Mesh"),
        (lambda: libgraze.compare_many([Shape.point((0, 0, 0)), 3], [(0, 1)]), TypeError, r"shapes\[1\]"),
        (lambda: libgraze.compare_many(7, [(0, 1)]), TypeError, "shapes: must be a sequence"),
        (lambda: libgraze.compare_many([Shape.point((0, 0, 0))], [(0, 1)]), libgraze.InvalidArgument, "1"),
        (lambda: libgraze.compare_many([Shape.point((0, 0, 0))], [(0, -1)]), ValueError, "row 0 has the number -1"),
        (lambda: libgraze.compare_many([], [(0, 1, 2)]), ValueError, "row 0 has 3 numbers, must be 2"),
        (lambda: libgraze.compare_many([], numpy.zeros((4, 3), dtype=int)), ValueError, r"must be \(n, 2\)"),
        (lambda: libgraze.hull([[0, 0, 0], [1, 1, 1]]), libgraze.InvalidArgument, ""),
        (lambda: libgraze.hull([[0, 0, float("inf")]] * 4), ValueError, "row 0 is not finite"),
        (lambda: libgraze.hull(numpy.zeros((0, 3))), libgraze.InvalidArgument, ""),
        (lambda: libgraze.hull(7), TypeError, "points: must be"),
        (lambda: libgraze.is_convex(7), TypeError, "mesh: must be a libgraze.Mesh"),
        (lambda: libgraze.convex_parts(cube(), max_parts=0), ValueError, "max_parts: 0"),
        (lambda: libgraze.convex_cover(cube(), max_parts=1 << 40), ValueError, "max_parts"),
        (lambda: libgraze.convex_cover(cube(), error=0), ValueError, "error: 0"),
        (lambda: libgraze.convex_cover(cube(), error=float("nan")), ValueError, "error: nan"),
        (lambda: libgraze.convex_cover(libgraze.Mesh(*tube(60)), error=1e-3, deadline=1e-3), libgraze.DeadlineExceeded, ""),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_queries_that_take_long_can_be_interrupted():
    mesh = libgraze.Mesh(*tube(60))
    with ctrl_c(0.3):
        with pytest.raises(KeyboardInterrupt):
            libgraze.convex_cover(mesh, error=1e-4, max_parts=4096)
    assert libgraze.compare(Shape.point((9, 0, 0)), mesh).relation == "apart"


def test_a_mesh_that_is_changed():
    points, faces = tube(30)
    mesh, ball = libgraze.Mesh(points, faces), Shape.sphere((1, 0, 0), 0.5)
    alone = libgraze.faces_touched(ball, mesh).tolist()
    answers, errors = while_changed(mesh, points, lambda: libgraze.faces_touched(ball, mesh).tolist())
    assert len(answers) + len(errors) >= 20 and all(answer == alone for answer in answers)
    assert all("another thread" in error for error in errors)


def test_shape_manifold():
    crate, floor = Shape.box((0.5, 0, 1.75), (1, 1, 1)), Shape.box((0, 0, 0), (3, 3, 1))
    found = libgraze.shape_manifold(crate, floor)
    assert found and found.answer == libgraze.compare(crate, floor) and len(found.points) == 4
    assert {point.feature_a for point in found.points} == {(0,), (1,), (2,), (3,)}
    for point in found.points:
        assert point.feature_b == () and abs(point.depth - 0.25) < 1e-12
        assert numpy.allclose(numpy.add(point.point_a, numpy.multiply(point.depth, found.answer.direction)), point.point_b)
    assert not libgraze.shape_manifold(crate, Shape.point((9, 0, 0)))
    assert len(libgraze.shape_manifold(Shape.sphere((0, 0, 2), 1), floor).points) == 1
    turned = numpy.array([[0.98, 0, 0.2, 0], [0, 1, 0, 0], [-0.2, 0, 0.98, 1.5]])
    leaning = Shape.box((0, 0, 0), (1, 1, 1)).at(turned)
    assert len(libgraze.shape_manifold(leaning, floor).points) == 2
    assert len(libgraze.shape_manifold(leaning, floor, face_angle=0.5).points) == 4
    with pytest.raises(libgraze.InvalidArgument, match="face_angle is 2, not between 0 and 1"):
        libgraze.shape_manifold(crate, floor, face_angle=2)
    with pytest.raises(TypeError, match="b: must be a libgraze.Shape"):
        libgraze.shape_manifold(crate, 1)
