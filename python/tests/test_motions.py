# SPDX-License-Identifier: MIT
"""Moving meshes: against exact times of boxes in fractions, and against collide() at many times."""

from fractions import Fraction

import numpy
import pytest

import libgraze
from meshes import CUBE, FACES, ctrl_c, cube, label_of, rotation, tube, while_changed


def box_times(size_a, size_b, start, end):
    """Exactly, when two boxes that begin with their low corners at 0 and at -start have common points; or None."""
    enter, leave = Fraction(0), Fraction(1)
    for s, e in zip(start, end):
        s, d = Fraction(s), Fraction(e) - Fraction(s)
        low, high = -Fraction(size_a) - s, Fraction(size_b) - s  # of A's corner relative to B's
        if d == 0:
            if low > 0 or high < 0:
                return None
            continue
        t = sorted((low / d, high / d))
        enter, leave = max(enter, t[0]), min(leave, t[1])
    return (enter, leave) if enter <= leave else None


def test_times_of_boxes_are_exact():
    rng = numpy.random.default_rng(1)
    touched = 0
    for _ in range(300):
        start, end = rng.uniform(-3, 3, (2, 3))
        a, b = 1.0, 1.0
        times = box_times(a, b, start, end)
        inside = bool((abs(start) < 1).all())
        m = libgraze.move(cube(a), cube(b), pose_a=start, to_a=end)
        assert m.has_contact == (times is not None) and m.certainty == "exact" and m.started_inside == inside
        found = libgraze.move_intervals(cube(a), cube(b), pose_a=start, to_a=end)
        assert len(found) == (times is not None)
        if times is None:
            assert m.first_contact == m.lower == m.upper == numpy.inf and m.faces == (None, None)
            continue
        touched += 1
        assert Fraction(m.lower) <= times[0] <= Fraction(m.upper) <= Fraction(numpy.nextafter(m.lower, 2))
        assert m.first_contact in (m.lower, m.upper)
        for bounds, exact in zip((found.enter_bounds, found.leave_bounds), times):
            assert Fraction(bounds[0, 0]) <= exact <= Fraction(bounds[0, 1])
        assert found.enter[0] == m.first_contact
        if times[0] > 0:
            axis = int(numpy.argmax(numpy.abs(m.normal)))
            assert sorted(numpy.abs(m.normal)) == [0, 0, 1], "the side that they meet with"
            at = start + m.first_contact * (end - start)
            assert abs(abs(at[axis]) - 1) < 1e-12 and m.normal[axis] * at[axis] > 0
            assert all(-1e-12 <= p - max(0, c) and p - min(1, 1 + c) <= 1e-12 for p, c in zip(m.point, at))
            assert m.ties >= 1
    assert 60 < touched < 240


def test_both_may_move_and_only_the_difference_counts():
    m = libgraze.move(cube(), cube(), pose_a=(0, 0, 4), to_a=(0, 0, 1), pose_b=(0.25, 0.5, 0), to_b=(0.25, 0.5, 1))
    assert (m.first_contact, m.normal) == (0.75, (0, 0, 1)) and m.point[2] == 1.75
    rest = libgraze.move(cube(), cube(), pose_b=(3, 0, 0), to_b=(-3, 0, 0))
    assert rest.first_contact == 1 / 3 and rest.lower <= Fraction(1, 3) <= rest.upper and rest.normal[0] == -1
    assert not libgraze.move(cube(), cube(), pose_b=(3, 0, 0)).has_contact
    nested = libgraze.move(cube(), cube(0.25), pose_b=(0.5, 0.5, 0.5), to_b=(2, 0.5, 0.5))
    assert nested.started_inside and nested.first_contact == 0 and nested.faces == (None, None)
    surfaces = libgraze.move(cube(), cube(0.25), pose_b=(0.5, 0.5, 0.5), to_b=(2, 0.5, 0.5), inside=False)
    assert not surfaces.started_inside and Fraction(surfaces.lower) <= Fraction(1, 6) <= Fraction(surfaces.upper)
    through = libgraze.move_intervals(cube(0.25), cube(), pose_a=(-1, 0.5, 0.5), to_a=(2, 0.5, 0.5))
    assert numpy.allclose(through.enter, [0.25, 1.75 / 3]) and numpy.allclose(through.leave, [1 / 3, 2 / 3])
    assert numpy.asarray(through.enter_faces).shape == (2, 2) and repr(through) == "<libgraze.ContactIntervals: 2>"


def test_a_corner_meets_a_face_first():
    """A tetrahedron on its tip over the cube: which vertex, which face."""
    tip = libgraze.Mesh([[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1.0]], [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
    m = libgraze.move(tip, cube(), pose_a=(0.3, 0.25, 3), to_a=(0.3, 0.25, 0))
    assert m.features == ((0,), ()) and m.point == (0.3, 0.25, 1.0) and m.faces[1] in (2, 3) and m.ties == 3
    edge = libgraze.move(tip, cube(), pose_a=(0.3, 0, 3), to_a=(0.3, 0, 0))
    assert edge.features == ((0,), (4, 5))


def touches(a, b, pose_a, pose_b=None):
    return bool(libgraze.collide(a, b, pose_a=pose_a, pose_b=pose_b, find="touch"))


def test_what_does_not_have_corners_only():
    """Two tubes: free at every time before `lower`, touching just after."""
    points, faces = tube(14)
    a, b = libgraze.Mesh(points, faces), libgraze.Mesh(points @ rotation(0.5, 0.2, 0.1).T, faces)
    rng = numpy.random.default_rng(2)
    contacts = 0
    for _ in range(30):
        start, end = rng.normal(size=3), rng.normal(size=3)
        start *= 4 / numpy.linalg.norm(start)
        m = libgraze.move(a, b, pose_a=start, to_a=end * 0.5 - start * 0.5)
        to = end * 0.5 - start * 0.5
        at = lambda t: start + t * (to - start)
        last = m.lower if m.has_contact else 1.0
        assert not any(touches(a, b, at(t)) for t in numpy.linspace(0, last - 1e-9, 40))
        if m.has_contact:
            contacts += 1
            assert touches(a, b, at(m.upper + 1e-9))
            assert libgraze.move(a, b, pose_a=start, to_a=to, method="naive") == m
            near = libgraze.nearest(b, [m.point])
            assert near.distances[0] < 1e-12 and (near.faces[0] == m.faces[1] or m.features[1] != ())
    assert contacts > 10


def test_many_paths_are_each_one_move():
    points, faces = tube(10)
    a, b = libgraze.Mesh(points, faces), cube()
    ends = numpy.random.default_rng(3).uniform(-4, 4, (60, 3))
    found = libgraze.move_paths(a, ends, b, pose_a=(3, 0, 0))
    each = [libgraze.move(a, b, pose_a=(3, 0, 0), to_a=end) for end in ends]
    assert len(found) == 60 and numpy.asarray(found.has_contact).tolist() == [m.has_contact for m in each]
    assert 10 < numpy.asarray(found.has_contact).sum() < 50 and "of 60 paths" in repr(found)
    for name, values in (("first_contact", found.first_contact), ("lower", found.lower), ("upper", found.upper),
                         ("point", found.points), ("normal", found.normals), ("ties", found.ties),
                         ("started_inside", found.started_inside)):
        assert numpy.array_equal(values, [getattr(m, name) for m in each]), name
    for row, m in enumerate(each):
        pad = lambda f: list(f) + [libgraze.NONE] * (2 - len(f))
        assert numpy.asarray(found.faces)[row].tolist() == [libgraze.NONE if f is None else f for f in m.faces]
        assert numpy.asarray(found.features_a)[row].tolist() == pad(m.features[0])
        assert numpy.asarray(found.features_b)[row].tolist() == pad(m.features[1])
    assert (numpy.asarray(found.certainties) == 0).all()
    assert len(libgraze.move_paths(a, numpy.empty((0, 3)), b)) == 0


def matrix_of(turn, at):
    matrix = numpy.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, at
    return matrix


def axis_angle(axis, angle):
    x, y, z = axis
    k = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + numpy.sin(angle) * k + (1 - numpy.cos(angle)) * k @ k


def log_of(turn):
    angle = numpy.arccos(numpy.clip((numpy.trace(turn) - 1) / 2, -1, 1))
    v = numpy.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return v / numpy.linalg.norm(v), angle


@pytest.mark.parametrize("screw", [False, True])
def test_turning_meshes(screw):
    """Free at every time before `lower`, touching at `upper`: poses by a slerp, or a screw, of the test's own."""
    points, faces = tube(8)
    a, b = libgraze.Mesh(points, faces), cube()
    rng = numpy.random.default_rng(4)
    contacts = 0
    for i in range(24):
        start, end = rng.normal(size=3), rng.normal(size=3)
        start *= 3.5 / numpy.linalg.norm(start)
        first, last = rotation(*rng.uniform(-3, 3, 3)), rotation(*rng.uniform(-3, 3, 3))
        m = libgraze.move_rigid(a, b, from_a=matrix_of(first, start), to_a=matrix_of(last, end)[:3 if i % 2 else 4],
                             screw=screw)
        axis, angle = log_of(last @ first.T)
        def pose(t):
            turn = axis_angle(axis, t * angle)
            if not screw:
                return matrix_of(turn @ first, start + t * (end - start))
            along = axis * (axis @ (end - start))  # the rest of the way is a turn about a line: solve for its point
            rest = end - start - along
            middle = start + rest / 2 + numpy.cross(axis, rest) / (2 * numpy.tan(angle / 2))
            return matrix_of(turn @ first, middle + turn @ (start - middle) + t * along)
        assert numpy.allclose(pose(1.0), matrix_of(last, end)) and m.certainty == label_of(m)
        until = m.lower if m.has_contact else 1.0
        assert not any(touches(a, b, pose(t)) for t in numpy.linspace(0, until - 1e-7, 40) if t >= 0)
        if m.has_contact and not m.started_inside and m.lower > 0:
            contacts += 1
            assert 0 <= m.upper - m.lower < 1e-4 and touches(a, b, pose(m.upper + 1e-7))
            assert abs(numpy.linalg.norm(m.normal) - 1) < 1e-9
    assert contacts > 8


def test_places_may_be_given_in_many_ways():
    door = libgraze.Mesh([[1, 0, 0], [2, 0, 0], [2, 0, 1.0]], [[0, 1, 2]])
    wall = libgraze.Mesh([[-1, 1, -1], [-1, 3, -1], [-1, 1, 3], [-1, 3, 3.0]], [[0, 1, 2], [1, 3, 2]])
    half = numpy.diag([-1, -1, 1, 1.0])
    ways = [(0, 0, 0, 0, 0, 1, 0), ((0, 0, 0), (0, 0, 5, 0)), half, half[:3], half.tolist(),
            numpy.array([0, 0, 0, 0, 0, 1, 0.0])]
    answers = [libgraze.move_rigid(door, wall, to_a=way) for way in ways]
    assert all(answer == answers[0] for answer in answers) and answers[0].lower <= 2 / 3 <= answers[0].upper
    assert libgraze.move_rigid(door, wall, to_a=half, t_max=0.5).has_contact is False
    moved = libgraze.move_rigid(door, wall, from_a=half, to_b=(0, 0, 0.5), from_b=(0, 0, 3))
    assert not moved.has_contact and moved.certainty == "exact"
    straight = libgraze.move_rigid(cube(), cube(), from_a=(0, 0, 4), to_a=(0, 0, 0))
    assert straight.lower <= 0.75 <= straight.upper
    rough = libgraze.move_rigid(door, wall, to_a=half, tolerance=0.1)
    assert rough.lower <= 2 / 3 <= rough.upper and rough.upper - rough.lower > answers[0].upper - answers[0].lower
    assert libgraze.move_rigid(door, wall, to_a=half, max_steps=1).certainty == "undecided"
    discrete = libgraze.move_rigid(door, wall, to_a=half, search="halving")
    assert discrete.certainty == "discrete"


def test_deforming_as_a_translation_is_a_move():
    rng = numpy.random.default_rng(5)
    touched = 0
    for i in range(60):
        start, end = rng.uniform(-3, 3, (2, 3))
        if (abs(start) <= 1).all():
            continue
        # a vertex is at CUBE + start, rounded, and CUBE + end: so close that only the last digits differ
        times = box_times(1, 1, start, end)
        m = libgraze.move_deforming(cube(), cube(), pose_a=start, end_a=(CUBE + (end - start)).astype("f8"))
        assert m.has_contact == (times is not None) and m.certainty == label_of(m) and m.undecided == 0
        if times is not None:
            touched += 1
            assert m.lower - 1e-14 <= times[0] <= m.upper + 1e-14 and m.upper - m.lower <= 2.0**-40
            other = libgraze.move_deforming(cube(), cube(), pose_b=-start, end_b=CUBE - (end - start))
            assert abs(other.lower - m.lower) < 1e-11
    assert touched > 10


def test_deforming():
    corners = numpy.array([[0, 0, 0], [4, 0, 0], [0, 4, 0.0]])
    cloth, floor = libgraze.Mesh(corners, [[0, 1, 2]]), libgraze.Mesh(corners, [[0, 1, 2]])
    end = corners.copy()
    end[1] = (2, 1, -4)
    m = libgraze.move_deforming(cloth, floor, pose_a=(0, 0, 1), end_a=end)
    assert m.has_contact and m.lower <= 0.25 <= m.upper and m.faces == (0, 0) and m.features[0] == (1,)
    assert libgraze.move_deforming(cloth, floor, pose_a=(0, 0, 1), end_a=end.astype(numpy.float32)) == m
    assert not libgraze.move_deforming(cloth, floor, pose_a=(0, 0, 1), end_a=end, t_max=0.2).has_contact
    early = libgraze.move_deforming(cloth, floor, pose_a=(0, 0, 1), end_a=end, separation=0.5)
    assert early.has_contact and abs(early.lower - 0.125) < 1e-9
    assert libgraze.move_deforming(cloth, floor).started_touching
    # a strip of two faces that is folded shut: vertex 3 comes down onto face 0
    strip = numpy.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 0.0]])
    folded = libgraze.Mesh(strip + [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2]], [[0, 1, 2], [1, 3, 2]])
    down = strip + [[0, 0, 0], [0, 0, 0], [0, 0, 0], [-3, -3, -0.5]]
    own = libgraze.move_deforming(folded, end_a=down)
    assert own.has_contact and Fraction(own.lower) <= Fraction(4, 5) <= Fraction(own.upper) and not own.started_touching
    assert own.faces == (0, 1) and (3,) in own.features
    assert not libgraze.move_deforming(folded).has_contact


A = cube()


@pytest.mark.parametrize("call, error, text", [
    (lambda: libgraze.move(A, CUBE), TypeError, "b: must be a libgraze.Mesh"),
    (lambda: libgraze.move(A, A, to_a=(1, 2)), ValueError, "to_a: 2 numbers, must be 3"),
    (lambda: libgraze.move(A, A, to_b=(1, 2, 3, 4)), ValueError, "to_b: too many numbers"),
    (lambda: libgraze.move(A, A, to_b=7), TypeError, "to_b: must be numbers"),
    (lambda: libgraze.move(A, A, to_a=(1, 2, float("nan"))), ValueError, "to_a: must be finite"),
    (lambda: libgraze.move(A, A, to_a=(1, 2, 1e300)), libgraze.InvalidPose, "."),
    (lambda: libgraze.move(A, A, pose_a=(1, 2)), ValueError, "pose_a: 2 numbers"),
    (lambda: libgraze.move(A, A, inside_rule="odd"), ValueError, "inside_rule"),
    (lambda: libgraze.move(A, A, method="slices"), libgraze.Unsupported, "slices"),
    (lambda: libgraze.move_intervals(A, A, to_a="far"), TypeError, "."),
    (lambda: libgraze.move_paths(A, CUBE[:, :2], A), ValueError, r"ends: an array of shape \(8, 2\)"),
    (lambda: libgraze.move_paths(A, CUBE + numpy.nan, A), ValueError, "ends: row 0 is not finite"),
    (lambda: libgraze.move_paths(A, CUBE.astype(">f8"), A), TypeError, "ends: an array of type"),
    (lambda: libgraze.move_paths(A, [[0, 0, 1e300]], A), libgraze.InvalidPose, "."),
    (lambda: libgraze.move_rigid(A, A, to_a=(1, 2)), ValueError, "to_a: 2 numbers, must be a translation"),
    (lambda: libgraze.move_rigid(A, A, to_a=(0, 0, 0, 0, 0, 0, 0)), ValueError, "to_a: the quaternion"),
    (lambda: libgraze.move_rigid(A, A, from_b=(0, 0, 0, 0, 0, 0, 0)), ValueError, "from_b: "),
    (lambda: libgraze.move_rigid(A, A, to_a=numpy.diag([2, 1, 1, 1.0])), ValueError, "to_a: the matrix must be a rotation"),
    (lambda: libgraze.move_rigid(A, A, to_b=numpy.diag([-1, 1, 1, 1.0])), ValueError, "to_b: .* mirror"),
    (lambda: libgraze.move_rigid(A, A, to_b=numpy.ones((4, 4))), ValueError, "to_b: the last row"),
    (lambda: libgraze.move_rigid(A, A, to_a=(0, 0, float("inf"))), ValueError, "to_a: must be finite"),
    (lambda: libgraze.move_rigid(A, A, to_a=(0, 0, 1), from_a=7), TypeError, "from_a: must be numbers"),
    (lambda: libgraze.move_rigid(A, A, to_a=(0, 0, 1), tolerance=-1.0), libgraze.InvalidArgument, "tolerance"),
    (lambda: libgraze.move_rigid(A, A, to_a=(0, 0, 1), max_steps=-1), ValueError, "max_steps: -1"),
    (lambda: libgraze.move_rigid(A, A, to_a=(0, 0, 1), t_max=2), libgraze.InvalidArgument, "t_max"),
    (lambda: libgraze.move_rigid(A, A, to_a=(0, 0, 1), search="bvh"), ValueError, "search is \"bvh\""),
    (lambda: libgraze.move_deforming(A, A, end_a=CUBE[:3]), ValueError, "end_a: 3 rows, the mesh has 8 vertices"),
    (lambda: libgraze.move_deforming(A, A, end_b=CUBE.ravel()), ValueError, "end_b: an array of 1 dimensions"),
    (lambda: libgraze.move_deforming(A, A, end_a=CUBE + numpy.inf), ValueError, "end_a: row 0 is not finite"),
    (lambda: libgraze.move_deforming(A, end_b=CUBE), ValueError, "b: is not given"),
    (lambda: libgraze.move_deforming(A, 7), TypeError, "b: must be a libgraze.Mesh"),
    (lambda: libgraze.move_deforming(A, A, t_max=0.0), libgraze.InvalidArgument, "t_max"),
    (lambda: libgraze.move_deforming(A, A, max_steps=-1), ValueError, "max_steps: -1"),
    (lambda: libgraze.move_deforming(A, A, max_steps=0), libgraze.InvalidArgument, "max_steps"),
    (lambda: libgraze.move_deforming(A, A, separation=float("nan")), libgraze.InvalidArgument, "separation"),
])
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call()


POINTS, TUBE = tube(60)


@pytest.mark.parametrize("name, ask", [
    ("move", lambda a, b, **o: libgraze.move(a, b, pose_a=(0, 0.1, 3), to_a=(0, 0, 0.3), method="naive", **o)),
    ("intervals", lambda a, b, **o: libgraze.move_intervals(a, b, pose_a=(0, 0.1, 3), to_a=(0, 0, -3), **o).enter.tolist()),
    ("paths", lambda a, b, **o: libgraze.move_paths(a, numpy.random.default_rng(7).uniform(-1, 1, (300, 3)), b,
                                                 pose_a=(0, 0, 3), **o).lower.tolist()),
    ("rigid", lambda a, b, **o: libgraze.move_rigid(a, b, from_a=(0, 0.1, 3), to_a=(0, 0, 0, 0, 1, 0, 1), tolerance=1e-300,
                                                 **o)),
    ("deforming", lambda a, b, **o: libgraze.move_deforming(a, b, pose_a=(0, 0.1, 3), end_a=POINTS[:, [1, 2, 0]] - (0, 0, 3), **o)),
])
def test_threads_deadlines_and_ctrl_c(name, ask):
    a, b = libgraze.Mesh(POINTS, TUBE), libgraze.Mesh(POINTS, TUBE)
    with pytest.raises(libgraze.DeadlineExceeded):
        ask(a, b, deadline=1e-4)
    with pytest.raises(KeyboardInterrupt), ctrl_c(0.2):
        while True:
            ask(a, b)
    if name == "move":
        return  # its naive method takes long
    expected = ask(a, b)
    answers, errors = while_changed(a, POINTS, lambda: ask(a, b), times=5)
    assert all(answer == expected for answer in answers) and len(answers) + len(errors) >= 5
    assert all("another thread is" in error for error in errors)
