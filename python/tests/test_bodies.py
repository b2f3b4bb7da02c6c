# SPDX-License-Identifier: MIT
"""Volumes, manifolds, distances at many poses, and the lists of a Result: against formulas of boxes and brute force."""

from fractions import Fraction

import numpy
import pytest

import libgraze
from meshes import CUBE, FACES, ctrl_c, cube, label_of, rotation, tube, while_changed
from test_points import winding


def volume_of(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return (a * numpy.cross(b, c)).sum() / 6


def test_volumes_of_boxes():
    rng = numpy.random.default_rng(1)
    empty = 0
    for _ in range(200):
        size = float(rng.uniform(0.3, 2))
        at = rng.uniform(-2, 1.2, 3)
        corners = numpy.array([at, CUBE[7] * size + at])  # as the library rounds them
        exact = Fraction(1)
        for low, high in corners.T:
            exact *= max(Fraction(0), min(Fraction(1), Fraction(high)) - max(Fraction(0), Fraction(low)))
        v = libgraze.overlap_volume(cube(), cube(size), pose_b=at)
        assert v.certainty == label_of(v) and v.reason is None
        assert Fraction(v.lower) <= exact <= Fraction(v.upper) and v.upper - v.lower < 1e-12
        assert (v.upper == 0) == (exact == 0)
        empty += exact == 0
    assert 20 < empty < 180


def test_volumes_of_what_is_not_convex():
    points, faces = tube(10)
    turn = rotation(0.9, 0.3, 0.2)
    a, b = libgraze.Mesh(points, faces), libgraze.Mesh(points @ turn.T, faces)
    v = libgraze.overlap_volume(a, b, pose_b=(0.3, 0.2, 0.1))
    samples = numpy.random.default_rng(2).uniform(-1.5, 1.5, (4000, 3)) * (1, 1, 0.35)
    both = (abs(winding(points, faces, samples)) > 0.5) & (
        abs(winding(points @ turn.T + (0.3, 0.2, 0.1), faces, samples)) > 0.5)
    share, box = both.mean(), 27 * 0.35
    assert abs(share * box - v.upper) < 4 * box * (share * (1 - share) / len(samples)) ** 0.5 and share > 0.02
    assert v.upper - v.lower < 1e-9 and libgraze.overlap_volume(b, a, pose_a=(0.3, 0.2, 0.1)) == v
    assert libgraze.overlap_volume(a, b, pose_b=(0.3, 0.2, 0.1), method="naive") == v
    whole = libgraze.overlap_volume(a, cube(8.0), pose_b=(-4, -4, -4))
    assert abs(whole.lower - volume_of(points, faces)) < 1e-9 and whole.lower > 1
    sheet = libgraze.overlap_volume(libgraze.Mesh(CUBE, FACES[:11]), cube())
    assert sheet.certainty == "undecided" and sheet.upper == numpy.inf and sheet.reason


def box_depth(a, b):
    """Of two boxes, as low and high corners: half of both thicknesses together, or what is between ends, if that is less."""
    half = min(h - l for l, h in zip(*a)) / 2 + min(h - l for l, h in zip(*b)) / 2
    return max(Fraction(0), min([half] + [h - l for h, l in zip(a[1], b[0])] + [h - l for h, l in zip(b[1], a[0])]))


def test_depths_of_boxes():
    rng = numpy.random.default_rng(3)
    empty = 0
    for i in range(60):
        size = float(rng.uniform(0.3, 2))
        at = rng.uniform(-1.8, 1.1, 3)
        low, high = ([Fraction(float(x)) for x in corner] for corner in (at, CUBE[7] * size + at))
        exact = box_depth(([Fraction(0)] * 3, [Fraction(1)] * 3), (low, high))
        asked = float(exact) * (0.9, 1.1)[i % 2] or 0.01
        d = libgraze.overlap_depth(cube(), cube(size), asked, pose_b=at, tolerance=0.01)
        assert Fraction(d.lower) <= exact <= Fraction(d.upper) <= exact * Fraction(102, 100), (d, float(exact))
        assert d.deeper is (exact > asked) and d.certainty == label_of(d) and d.reason is None
        assert libgraze.overlap_depth(cube(), cube(size), 0, pose_b=at, measure=False).deeper is (exact > 0)
        assert (d.centre is None) == (d.lower == 0) and d.parts == () and d.part_count == 0
        if d.centre is not None:
            r, s = (libgraze.nearest(m, [d.centre], pose=p).distances[0] for m, p in ((cube(), None), (cube(size), at)))
            assert r + s >= d.lower * (1 - 1e-15)
        empty += exact == 0
    assert 10 < empty < 50


def test_parts_of_depths():
    """A bar through two walls: two places, and as many as there is room for."""
    walls = libgraze.Mesh(numpy.concatenate([CUBE * (1, 9, 9), CUBE * (2, 9, 9) + (5, 0, 0)]),
                          numpy.concatenate([FACES, numpy.asarray(FACES) + 8]))
    bar = libgraze.Mesh(CUBE * (20, 1, 1) + (-5, 4, 4), FACES)
    d = libgraze.overlap_depth(walls, bar, 0.25, parts=9)
    assert d.deeper and d.part_count == len(d.parts) == 2 and d.parts[0].lower >= d.parts[1].lower > 0.25
    assert abs(d.parts[0].lower - 1.5) < 0.01 and abs(d.parts[1].upper - 1.0) < 0.5  # bounds of cells
    for part in d.parts:
        assert all(l <= c <= h for l, c, h in zip(part.box[0], part.centre, part.box[1]))
    one = libgraze.overlap_depth(walls, bar, 0.25, parts=1)
    assert one.part_count == 2 and one.parts == d.parts[:1]
    assert libgraze.overlap_depth(walls, bar, 2.0, parts=9).parts == ()
    few = libgraze.overlap_depth(*[libgraze.Mesh(*tube(40))] * 2, pose_b=(0.4, 0.1, 0), max_cells=1)
    assert few.certainty == "undecided" and "cells" in few.reason and 0 < few.upper < 3
    sheet = libgraze.overlap_depth(libgraze.Mesh(CUBE, FACES[:11]), cube(), 0.1)
    assert sheet.deeper is None and sheet.certainty == "undecided" and "open" in sheet.reason


def test_manifolds_of_boxes():
    """A box on a box: the corners of the rectangle that they share; pressed in: the depth."""
    for dx, dy in ((0.0, 0.0), (0.25, -0.5), (0.5, 0.75)):
        m = libgraze.manifold(cube(), cube(), pose_a=(dx, dy, 1))
        low, high = numpy.maximum(0, (dx, dy)), numpy.minimum(1, (1 + dx, 1 + dy))
        corners = {(x, y, 1.0) for x in (low[0], high[0]) for y in (low[1], high[1])}
        assert {p.position for p in m.points} == corners and len(m.points) == 4
        assert m.normal == (0, 0, 1) and not m.penetrating and m.certainty == "exact"
        assert (m.depth, m.lower, m.upper) == (0, 0, 0) and all(p.depth == 0 and p.normal == (0, 0, 1) for p in m.points)
        assert all(4 in FACES[p.faces[1]] or 7 in FACES[p.faces[1]] for p in m.points), "the top of B"
    pressed = libgraze.manifold(cube(), cube(), pose_a=(0.25, 0.125, 0.9375))
    assert pressed.penetrating and pressed.lower <= 0.0625 <= pressed.upper and pressed.normal == (0, 0, 1)
    assert all(abs(p.depth - 0.0625) < 1e-12 and abs(p.position[2] - 0.96875) < 1e-12 for p in pressed.points)
    aside = libgraze.manifold(cube(), cube(), pose_a=(0.25, 0.125, 0.9375), direction=(1, 0, 0))
    assert aside.lower <= 0.75 <= aside.upper and aside.normal == (1, 0, 0)
    few = libgraze.manifold(cube(), cube(), pose_a=(0, 0, 1), max_points=2)
    assert len(few.points) == 2 and few.points[0].position != few.points[1].position
    apart = libgraze.manifold(cube(), cube(), pose_a=(0, 0, 3))
    assert apart.points == () and apart.normal == (0, 0, 0)
    sheet = libgraze.Mesh(CUBE[4:], [[0, 1, 2], [1, 3, 2]])
    assert libgraze.manifold(cube(), sheet).certainty == "undecided"


def test_distances_at_many_poses():
    rng = numpy.random.default_rng(3)
    poses = numpy.tile(numpy.eye(4), (80, 1, 1))
    poses[:, :3, :3] = [rotation(*rng.uniform(-3, 3, 3)) for _ in poses]
    poses[:, :3, 3] = rng.uniform(-2, 2, (80, 3))
    a, b = libgraze.Mesh(*tube(10)), cube(0.5)
    found = libgraze.distance_poses(a, b, poses, pose_a=(0.1, 0.2, 0.3))
    each = [libgraze.distance(a, b, pose_a=(0.1, 0.2, 0.3), pose_b=pose) for pose in poses]
    assert len(found) == 80 and repr(found) == "<libgraze.Distances: 80 poses>"
    for name, values in (("distance", found.distances), ("lower", found.lower), ("upper", found.upper),
                         ("touching", found.touching), ("faces", found.faces), ("point_a", found.points_a),
                         ("point_b", found.points_b), ("ties", found.ties)):
        assert numpy.array_equal(values, [getattr(d, name) for d in each]), name
    assert (numpy.asarray(found.certainties) == 0).all() and 5 < numpy.asarray(found.touching).sum() < 75
    kinds = (numpy.asarray(found.features_a) != libgraze.NONE).sum(axis=1)
    assert set(kinds[~numpy.asarray(found.touching)]) <= {0, 1, 2} and numpy.asarray(found.features_b).shape == (80, 2)
    moves = rng.uniform(-3, 3, (200, 3))
    boxes = numpy.asarray(libgraze.distance_poses(cube(), cube(), moves).distances)
    gaps = numpy.linalg.norm(numpy.maximum(0, abs(moves) - 1), axis=1)
    assert numpy.allclose(boxes[gaps > 0], gaps[gaps > 0], rtol=1e-12)
    assert len(libgraze.distance_poses(a, b, [])) == 0
    rough = libgraze.distance_poses(a, b, poses, pose_a=(0.1, 0.2, 0.3), relative_error=0.5)
    exact = numpy.asarray(found.distances)
    assert (numpy.asarray(rough.lower) <= exact).all() and (exact <= numpy.asarray(rough.upper)).all()


def test_curves():
    """Of two cubes that cross: one closed curve, along six edges of their common box."""
    result = libgraze.collide(cube(), cube(), pose_b=(0.5, 0.25, 0.125), find="curves")
    points = numpy.asarray(result.curve_points)
    first, counts = numpy.asarray(result.curve_first_points), numpy.asarray(result.curve_point_counts)
    assert numpy.asarray(result.curve_closed).tolist() == [True] and numpy.asarray(result.curve_closed).dtype == bool
    assert first.tolist() == [0] and counts.tolist() == [len(points)] and (points[0] == points[-1]).all()
    assert abs(numpy.linalg.norm(numpy.diff(points, axis=0), axis=1).sum() - 2 * (0.5 + 0.75 + 0.875)) < 1e-12
    for mesh, pose in ((cube(), None), (cube(), (0.5, 0.25, 0.125))):
        assert (numpy.asarray(libgraze.nearest(mesh, points, pose=pose).distances) < 1e-15).all()
    assert numpy.asarray(libgraze.collide(cube(), cube(), pose_b=(0.5, 0.25, 0.125)).curve_points).shape == (0, 3)
    flush = libgraze.collide(cube(), cube(), pose_b=(1, 1, 1), find="curves")
    assert flush.curve_point_counts.tolist() == [1] and flush.curve_closed.tolist() == [False]
    assert numpy.asarray(flush.curve_points).tolist() == [[1, 1, 1]]
    many = libgraze.collide(libgraze.Mesh(*tube(12)), cube(), pose_b=(0.3, 0.2, -0.5), find="curves")
    counts, first = numpy.asarray(many.curve_point_counts), numpy.asarray(many.curve_first_points)
    assert len(counts) > 0 and (first[1:] == (first + counts)[:-1]).all()
    assert (first + counts)[-1] == len(numpy.asarray(many.curve_points))


def test_features_and_the_box_of_contacts():
    result = libgraze.collide(cube(), cube(), pose_b=(0.5, 0.25, 0.125), find="contacts")
    points, features = numpy.asarray(result.contact_points), numpy.asarray(result.contact_features)
    assert features.shape == (len(points), 4) and features.dtype == numpy.uint32
    low, high = result.region
    assert points.min(axis=0).tolist() == list(low) and points.max(axis=0).tolist() == list(high)
    kinds = set()
    for point, row in zip(points, features):
        for corners, (v, w) in ((CUBE, row[:2]), (CUBE + (0.5, 0.25, 0.125), row[2:])):
            if v == libgraze.NONE:
                assert w == libgraze.NONE
            elif w == libgraze.NONE:
                assert (corners[v] == point).all()
            else:
                assert v < w and numpy.linalg.norm(numpy.cross(corners[w] - corners[v], point - corners[v])) < 1e-12
            kinds.add(int(v != libgraze.NONE) + int(w != libgraze.NONE))
    assert kinds >= {0, 2}
    assert libgraze.collide(cube(), cube(), pose_b=(3, 0, 0), find="contacts").region is None


def test_near_pairs():
    pose = (1.25, 0.5, 0.25)
    near = libgraze.collide(cube(), cube(), pose_b=pose, clearance=0.3)
    single = [libgraze.Mesh(CUBE[face]) for face in FACES]
    expected = [[i, j] for i in range(12) for j in range(12)
                if libgraze.distance(single[i], single[j], pose_b=pose).distance < 0.3]
    assert numpy.asarray(near.near_pairs).tolist() == expected and len(expected) >= 2
    assert near.clearance == "not_met" and not near


A = cube()


def two_cubes():
    scene = libgraze.Scene()
    scene.add(cube(), name="one")
    scene.add(cube(), (0.75, 0.25, 0))
    return scene


def test_depths_of_many_pairs_are_those_of_each():
    scene = two_cubes()
    pairs = [("one", 1), (1, "one", 0.2), (0, 0), (1, 0, 0.5)]
    found = libgraze.overlap_depths(scene, pairs, 0.1, parts=2, tolerance=0.01)
    poses = {"one": (0, 0, 0), 0: (0, 0, 0), 1: (0.75, 0.25, 0)}
    for (a, b, *own), d in zip(pairs, found):
        alone = libgraze.overlap_depth(cube(), cube(), own[0] if own else 0.1, pose_a=poses[a], pose_b=poses[b], parts=2,
                                       tolerance=0.01)
        assert d == alone
    assert [d.deeper for d in found] == [True, True, True, False] and found[0].parts
    assert libgraze.overlap_depths(scene, []) == []


@pytest.mark.parametrize("call, error, text", [
    (lambda: libgraze.overlap_volume(A, CUBE), TypeError, "b: must be a libgraze.Mesh"),
    (lambda: libgraze.overlap_volume(A, A, pose_a=(1, 2)), ValueError, "pose_a: 2 numbers"),
    (lambda: libgraze.overlap_volume(A, A, pose_a=(1, 2, float("nan"))), libgraze.InvalidPose, "."),
    (lambda: libgraze.overlap_volume(A, A, inside_rule="odd"), ValueError, "inside_rule"),
    (lambda: libgraze.overlap_volume(A, A, method="slices"), libgraze.Unsupported, "slices"),
    (lambda: libgraze.overlap_depths(A, []), TypeError, "scene: must be a libgraze.Scene"),
    (lambda: libgraze.overlap_depths(two_cubes(), [(0,)], 0.1), ValueError, "pairs: each must be two objects"),
    (lambda: libgraze.overlap_depths(two_cubes(), [7], 0.1), TypeError, "."),
    (lambda: libgraze.overlap_depths(two_cubes(), [(0, 1, 0.1)]), ValueError, "give deeper_than, too"),
    (lambda: libgraze.overlap_depths(two_cubes(), [(0, 1, -1)], 0.1), libgraze.InvalidArgument, "deeper_than"),
    (lambda: libgraze.overlap_depths(two_cubes(), [(0, 2)], 0.1), KeyError, "."),
    (lambda: libgraze.overlap_depth(A, CUBE), TypeError, "b: must be a libgraze.Mesh"),
    (lambda: libgraze.overlap_depth(A, A, "deep"), TypeError, "."),
    (lambda: libgraze.overlap_depth(A, A, -1), libgraze.InvalidArgument, "deeper_than"),
    (lambda: libgraze.overlap_depth(A, A, float("nan")), libgraze.InvalidArgument, "deeper_than"),
    (lambda: libgraze.overlap_depth(A, A, tolerance=0.0), libgraze.InvalidArgument, "tolerance"),
    (lambda: libgraze.overlap_depth(A, A, max_cells=-1), ValueError, "max_cells: -1"),
    (lambda: libgraze.overlap_depth(A, A, 0.1, parts=-1), ValueError, "parts: -1"),
    (lambda: libgraze.overlap_depth(A, A, parts=1), ValueError, "parts: need deeper_than"),
    (lambda: libgraze.overlap_depth(A, A, inside_rule="odd"), ValueError, "inside_rule"),
    (lambda: libgraze.manifold(CUBE, A), TypeError, "a: must be a libgraze.Mesh"),
    (lambda: libgraze.manifold(A, A, max_points=0), ValueError, "max_points: 0, must be 1 to 16"),
    (lambda: libgraze.manifold(A, A, max_points=17), ValueError, "max_points: 17"),
    (lambda: libgraze.manifold(A, A, direction=(0, 0, 0)), ValueError, "direction: may not be all zeros"),
    (lambda: libgraze.manifold(A, A, direction=(0, 0, float("inf"))), ValueError, "direction: must be finite"),
    (lambda: libgraze.manifold(A, A, direction=7), TypeError, "direction: must be numbers"),
    (lambda: libgraze.manifold(A, A, inside_rule="odd"), ValueError, "inside_rule"),
    (lambda: libgraze.distance_poses(A, CUBE, []), TypeError, "b: must be a libgraze.Mesh"),
    (lambda: libgraze.distance_poses(A, A, numpy.zeros((2, 4))), ValueError, "poses: must be"),
    (lambda: libgraze.distance_poses(A, A, numpy.zeros((2, 3), ">f8")), TypeError, "poses: an array of type"),
    (lambda: libgraze.distance_poses(A, A, [(1, 2)]), ValueError, "poses: 2 numbers"),
    (lambda: libgraze.distance_poses(A, A, [(1, 2, float("nan"))]), libgraze.InvalidPose, "."),
    (lambda: libgraze.distance_poses(A, A, [], relative_error=-1.0), libgraze.InvalidArgument, "relative_error"),
    (lambda: libgraze.distance_poses(A, A, [None], method="grid"), libgraze.Unsupported, "grid"),
    (lambda: libgraze.penetration(A, A, along=(0, 0, 0)), ValueError, "along: may not be all zeros"),
    (lambda: libgraze.penetration(A, A, along=(0, 0)), ValueError, "along: 2 numbers"),
    (lambda: libgraze.collide(A, A, find="curve"), ValueError, 'find: "curve", must be .*"curves"'),
    (lambda: libgraze.collide_poses(A, A, [None], find="curves"), ValueError, "curves"),
])
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call()


POINTS, TUBE = tube(60)


@pytest.mark.parametrize("ask", [
    lambda a, b, **o: libgraze.distance(a, b, pose_b=(4, 0.1, 0.2), **o),
    lambda a, b, **o: libgraze.penetration(a, b, pose_b=(0.5, 0.1, 0.2), along=(0, 0, 1), **o),
    lambda a, b, **o: libgraze.overlap_volume(a, b, pose_b=(0.5, 0.1, 0.2), **o),
    lambda a, b, **o: libgraze.overlap_depth(a, b, 0.1, pose_b=(0.5, 0.1, 0.2), max_cells=200, parts=2, **o),
    lambda a, b, **o: libgraze.manifold(a, b, pose_b=(0.5, 0.1, 0.2), direction=(0, 0, 1), **o),
    lambda a, b, **o: libgraze.distance_poses(a, b, numpy.random.default_rng(4).uniform(1, 3, (400, 3)), **o).lower.tolist(),
])
def test_threads_deadlines_and_ctrl_c(ask):
    a, b = libgraze.Mesh(POINTS, TUBE), libgraze.Mesh(POINTS, TUBE)
    with pytest.raises(libgraze.DeadlineExceeded, match="^the deadline of 0.0001 s passed$"):
        ask(a, b, deadline=1e-4)
    with pytest.raises(KeyboardInterrupt), ctrl_c(0.2):
        while True:
            ask(a, b)
    expected = ask(a, b)
    answers, errors = while_changed(a, POINTS, lambda: ask(a, b), times=5)
    assert all(answer == expected for answer in answers) and len(answers) + len(errors) >= 5
    assert all("another thread is" in error for error in errors)
