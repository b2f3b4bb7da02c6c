# SPDX-License-Identifier: MIT
"""Points against a mesh: inside by ray parity and by solid angles, distances by a brute force over all faces."""

import pickle

import numpy
import pytest

import libgraze
from libgraze import Location, Shape
from meshes import CUBE, FACES, ctrl_c, cube, ray_hits, rotation, tube, while_changed


def winding(points, faces, queries):
    """How often the surface winds round each point: the sum of solid angles (van Oosterom and Strackee)."""
    a, b, c = (points[faces[:, k]][None] - queries[:, None] for k in range(3))
    la, lb, lc = (numpy.linalg.norm(x, axis=-1) for x in (a, b, c))
    dot = lambda p, q: (p * q).sum(-1)
    top = dot(a, numpy.cross(b, c))
    return numpy.arctan2(top, la * lb * lc + dot(a, b) * lc + dot(a, c) * lb + dot(b, c) * la).sum(1) / (2 * numpy.pi)


def segment_nearest(p, a, b):
    d = b - a
    return a + numpy.clip(((p - a) * d).sum(-1) / (d * d).sum(-1), 0, 1)[..., None] * d


def surface_nearest(points, faces, queries):
    """Distances (queries, faces): the foot on the plane if it is inside of the face, else the nearest of its edges."""
    a, b, c = (points[faces[:, k]][None] for k in range(3))
    p = queries[:, None]
    n = numpy.cross(b - a, c - a)
    n = n / numpy.linalg.norm(n, axis=-1)[..., None]
    foot = p - ((p - a) * n).sum(-1)[..., None] * n
    inside = numpy.ones(foot.shape[:2], bool)
    for s, e in ((a, b), (b, c), (c, a)):
        inside &= (numpy.cross(e - s, foot - s) * n).sum(-1) >= 0
    best = numpy.where(inside, numpy.linalg.norm(p - foot, axis=-1), numpy.inf)
    for s, e in ((a, b), (b, c), (c, a)):
        best = numpy.minimum(best, numpy.linalg.norm(p - segment_nearest(p, s, e), axis=-1))
    return best


def test_inside_is_what_solid_angles_say():
    points, faces = tube(12)
    queries = numpy.random.default_rng(1).uniform(-1.6, 1.6, (3000, 3)) * (1, 1, 0.35)
    wound = winding(points, faces, queries)
    assert abs(wound - wound.round()).max() < 1e-6 and 300 < (abs(wound) > 0.5).sum() < 2700
    mesh = libgraze.Mesh(points, faces)
    for rule in ("even_odd", "nonzero"):
        found = numpy.asarray(libgraze.locate(mesh, queries, inside_rule=rule))
        assert found.dtype == numpy.uint32 and (found == (abs(wound) > 0.5)).all()
    assert (numpy.asarray(libgraze.nearest(mesh, queries).locations) == found).all()


def test_inside_rules_differ_where_a_surface_crosses_itself():
    double = libgraze.Mesh(numpy.vstack([CUBE, CUBE + 0.5]), numpy.vstack([FACES, FACES + 8]))
    queries = [[0.75, 0.75, 0.75], [0.25, 0.25, 0.25], [3, 3, 3]]
    assert libgraze.locate(double, queries).tolist() == [Location.OUTSIDE, Location.INSIDE, Location.OUTSIDE]
    assert libgraze.locate(double, queries, inside_rule="nonzero").tolist() == [1, 1, 0]


def test_auto_is_the_rule_that_the_mesh_has():
    double = libgraze.Mesh(numpy.vstack([CUBE, CUBE + 0.5]), numpy.vstack([FACES, FACES + 8]))
    nested = libgraze.Mesh(numpy.vstack([CUBE, CUBE / 2 + 0.25]), numpy.vstack([FACES, FACES + 8]))
    queries = [[0.75, 0.75, 0.75], [0.5625, 0.5625, 0.5625], [3, 3, 3]]
    assert (cube().inside_rule, double.inside_rule, nested.inside_rule) == ("even_odd", "nonzero", "even_odd")
    assert libgraze.locate(double, queries, inside_rule="auto").tolist() == [1, 1, 0]
    assert libgraze.locate(nested, queries[1:], inside_rule="auto").tolist() == [0, 0]
    assert numpy.asarray(libgraze.nearest(double, queries, inside_rule="auto").locations).tolist() == [1, 1, 0]
    # Each of two meshes has its own rule: the common volume is that of the wall of the nested one within the other.
    volume = libgraze.overlap_volume(double, nested, inside_rule="auto")
    assert volume.lower <= 1 - 0.125 <= volume.upper and volume.upper - volume.lower < 1e-9
    for one, other in ((double, double), (nested, nested)):
        for ask in (libgraze.overlap_volume, libgraze.overlap_depth):
            assert ask(one, other, inside_rule="auto") == ask(one, other, inside_rule=one.inside_rule)
    shift = {"pose_b": (0.75, 0.75, 0.75), "inside_rule": "auto"}
    small = libgraze.Mesh(CUBE / 8, FACES)
    assert libgraze.collide(double, small, find="solids", **shift).solids == "b_inside_a"
    assert libgraze.move(double, small, to_a=(9, 0, 0), **shift).started_inside
    with pytest.raises(ValueError, match='"auto"'):
        libgraze.locate(double, queries, inside_rule="automatic")


def test_the_surface_is_exact():
    """Whole coordinates in eighths on the cube: inside, outside and on it by comparing numbers."""
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(-1, 10) / 8] * 3), -1).reshape(-1, 3)
    inside = ((grid > 0) & (grid < 1)).all(axis=1)
    outside = ((grid < 0) | (grid > 1)).any(axis=1)
    expected = numpy.where(inside, Location.INSIDE, numpy.where(outside, Location.OUTSIDE, Location.ON_SURFACE))
    assert (numpy.asarray(libgraze.locate(cube(), grid)) == expected).all()
    moved = libgraze.locate(cube(), grid + (2, -1, 0.5), pose=(2, -1, 0.5))
    assert (numpy.asarray(moved) == expected).all()
    near = libgraze.nearest(cube(), grid)
    assert (numpy.asarray(near.locations) == expected).all()
    assert ((numpy.asarray(near.distances) == 0) == (expected == Location.ON_SURFACE)).all()
    box = numpy.where(inside, numpy.minimum(grid, 1 - grid).min(axis=1),
                      numpy.linalg.norm(numpy.maximum(0, numpy.maximum(-grid, grid - 1)), axis=1))
    assert numpy.array_equal(numpy.asarray(near.distances)[~outside], box[~outside])
    assert numpy.allclose(near.distances, box, rtol=1e-15)
    signed = numpy.asarray(near.signed_distances)
    assert (signed[inside] < 0).all() and numpy.array_equal(abs(signed), near.distances)
    features = numpy.asarray(near.features)[outside]
    corner = numpy.isin(numpy.clip(grid, 0, 1), (0, 1)).all(axis=1)[outside]
    assert (((features != libgraze.NONE).sum(axis=1) == 1) == corner).all() and 0 < corner.sum() < len(corner)


def test_distances_are_those_of_all_faces():
    points, faces = tube(12)
    queries = numpy.random.default_rng(2).uniform(-2, 2, (800, 3))
    pose = numpy.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation(0.4, 1.0, -0.2), (0.1, 0.2, 0.3)
    posed = points @ pose[:3, :3].T + pose[:3, 3]
    each = surface_nearest(posed, faces, queries)
    near = libgraze.nearest(libgraze.Mesh(points, faces), queries, pose=pose)
    distances, lower, upper = (numpy.asarray(x) for x in (near.distances, near.lower, near.upper))
    assert len(near) == 800 and repr(near) == "<libgraze.PointDistances: 800 points>"
    assert numpy.allclose(distances, each.min(axis=1), rtol=1e-12, atol=1e-14)
    assert (lower <= distances).all() and (distances <= upper).all() and (upper <= numpy.nextafter(lower, 9)).all()
    own = each[numpy.arange(800), numpy.asarray(near.faces)]
    assert numpy.allclose(own, each.min(axis=1), rtol=1e-12), "the nearest face"
    assert numpy.allclose(numpy.linalg.norm(numpy.asarray(near.points) - queries, axis=1), distances, atol=1e-13)
    wound = winding(posed, faces, queries)
    assert (numpy.sign(near.signed_distances) == numpy.where(abs(wound) > 0.5, -1, 1)).all()
    fast = libgraze.nearest(libgraze.Mesh(points, faces), queries, pose=pose, locate=False)
    assert numpy.array_equal(fast.distances, distances)
    assert (numpy.asarray(fast.locations) == Location.UNKNOWN).all() and numpy.isnan(fast.signed_distances).all()


def test_open_meshes():
    sheet = libgraze.Mesh(CUBE, FACES[:11])
    assert libgraze.locate(sheet, [[0.5, 0.5, 0.5], [9, 9, 9], [0.5, 0.5, 0]]).tolist() == [
        Location.UNKNOWN, Location.OUTSIDE, Location.ON_SURFACE]
    near = libgraze.nearest(sheet, [[0.5, 0.5, 0.25], [9, 9, 9], [0.5, 0.5, 0]])
    assert near.distances.tolist()[0] == 0.25 and numpy.isnan(near.signed_distances[0])
    assert near.signed_distances[2] == 0.0


def test_arrays():
    queries = numpy.random.default_rng(3).uniform(-1, 2, (64, 3)).astype(numpy.float32)
    wide = numpy.zeros((128, 6), numpy.float32)
    wide[::2, ::2] = queries
    expected = libgraze.locate(cube(), queries.astype(float)).tolist()
    for given in (queries, wide[::2, ::2], numpy.asfortranarray(queries), queries.tolist()):
        assert libgraze.locate(cube(), given).tolist() == expected
        assert numpy.asarray(libgraze.nearest(cube(), given).locations).tolist() == expected
    assert numpy.asarray(libgraze.locate(cube(), numpy.empty((0, 3)))).shape == (0,)
    assert len(libgraze.nearest(cube(), [])) == 0 and numpy.asarray(libgraze.nearest(cube(), []).points).shape == (0, 3)
    signed = numpy.asarray(libgraze.nearest(cube(), queries).signed_distances)
    assert numpy.isfinite(signed).all(), "the array outlives its object"


@pytest.mark.parametrize("call", [libgraze.locate, libgraze.nearest, libgraze.fit_map_points])
@pytest.mark.parametrize("arguments, names, error, text", [
    ((CUBE, CUBE), {}, TypeError, "mesh: must be a libgraze.Mesh"),
    ((cube(), CUBE[:, :2]), {}, ValueError, r"points: an array of shape \(8, 2\)"),
    ((cube(), CUBE.ravel()), {}, ValueError, "points: an array of 1 dimensions"),
    ((cube(), CUBE.astype(">f4")), {}, TypeError, "points: an array of type"),
    ((cube(), CUBE.astype(int)), {}, TypeError, "points: an array of type"),
    ((cube(), CUBE + numpy.inf), {}, ValueError, "points: row 0 is not finite"),
    ((cube(), [[0, 0, 0], [0, float("nan"), 0]]), {}, ValueError, "points: row 1 is not finite"),
    ((cube(), [[0, 0]]), {}, ValueError, "points: row 0 has 2 numbers"),
    ((cube(), 7), {}, TypeError, "points: must be an array"),
    ((cube(), [[0, 0, 1e300]]), {}, libgraze.InvalidArgument, "."),
    ((cube(), CUBE), {"pose": numpy.ones((4, 4))}, ValueError, "pose: the last row"),
    ((cube(), CUBE), {"pose": (float("nan"), 0, 0)}, libgraze.InvalidPose, "."),
    ((cube(), CUBE), {"inside_rule": "odd"}, ValueError, "inside_rule"),
    ((cube(), CUBE), {"deadline": float("nan")}, libgraze.InvalidArgument, "deadline"),
])
def test_bad_arguments(call, arguments, names, error, text):
    if call is libgraze.fit_map_points and "inside_rule" in names:
        error, text = TypeError, "inside_rule"
    with pytest.raises(error, match=text):
        call(*arguments, **names)


@pytest.mark.parametrize("call", [libgraze.locate, lambda *a, **b: libgraze.nearest(*a, **b).distances,
                                  lambda mesh, p, **b: libgraze.fit_map_points(mesh, p, p, **b).distances])
def test_threads_deadlines_and_ctrl_c(call):
    points, faces = tube(60)
    mesh = libgraze.Mesh(points, faces)
    queries = numpy.random.default_rng(4).uniform(-1.5, 1.5, (2000, 3))
    expected = call(mesh, queries).tolist()
    answers, errors = while_changed(mesh, points, lambda: call(mesh, queries).tolist())
    assert all(answer == expected for answer in answers) and len(answers) + len(errors) >= 20
    assert all("another thread is" in error for error in errors)
    many = numpy.random.default_rng(5).uniform(-1.5, 1.5, (3000000, 3)) * (1, 1, 0.4)
    with pytest.raises(libgraze.DeadlineExceeded):
        call(mesh, many, deadline=0.02)
    with pytest.raises(KeyboardInterrupt), ctrl_c(0.3):
        while True:
            call(mesh, many)


def test_points_of_a_proxy_are_taken_to_the_mesh():
    """Points around a tube, with normals: by the rays' brute force, else by that of distances."""
    points, faces = tube(12)
    rng = numpy.random.default_rng(6)
    pose = numpy.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation(0.4, 1.0, -0.2), (0.1, 0.2, 0.3)
    posed = points @ pose[:3, :3].T + pose[:3, 3]
    outwards = rng.normal(size=(400, 3))
    queries = pose[:3, 3] + 1.8 * outwards / numpy.linalg.norm(outwards, axis=1)[:, None]
    normals = outwards + rng.normal(size=(400, 3)) * 0.3
    normals[::10] = 0
    t, inside = ray_hits(posed, faces, queries, -normals)
    zero = ~normals.any(axis=1)
    clear = zero | (abs(inside) > 1e-9).all(axis=1)  # no edge is so near that rounding says whether it is met
    meets = numpy.isfinite(t).any(axis=1)
    each = surface_nearest(posed, faces, queries)
    ways = numpy.where(numpy.isfinite(t), t, 1e9) * numpy.linalg.norm(normals, axis=1)[:, None]
    expected = numpy.where(meets, ways.min(axis=1), each.min(axis=1))
    mesh = libgraze.Mesh(points, faces)
    found = libgraze.fit_map_points(mesh, queries, normals, pose=pose)
    along, at, distances = (numpy.asarray(x) for x in (found.along_normal, found.points, found.distances))
    assert len(found) == 400 and repr(found) == "<libgraze.MappedPoints: 400 points>" and along.dtype == bool
    assert (along == meets)[clear].all() and 50 < (along & clear).sum() < 350 and 50 < (~along & clear).sum()
    assert not along[zero].any() and zero.sum() == 40
    assert numpy.allclose(distances[clear], expected[clear], rtol=1e-9)
    assert numpy.allclose(numpy.linalg.norm(at - queries, axis=1), distances, atol=1e-12)
    row = numpy.arange(400), numpy.asarray(found.faces)
    own = numpy.where(along, ways[row], each[row])
    assert numpy.allclose(own[clear], expected[clear], rtol=1e-9), "the face that has the point"
    near = libgraze.nearest(mesh, queries, pose=pose)
    free = libgraze.fit_map_points(mesh, queries, pose=pose)
    assert not numpy.asarray(free.along_normal).any()
    for name in ("points", "faces", "features", "distances"):
        assert numpy.array_equal(getattr(free, name), getattr(near, name)), name
        assert numpy.array_equal(numpy.asarray(getattr(found, name))[~along], numpy.asarray(getattr(near, name))[~along])
    again = pickle.loads(pickle.dumps(found))
    assert numpy.array_equal(again.along_normal, along) and numpy.array_equal(again.features, found.features)


def test_contacts_of_fitted_shapes_are_taken_to_the_mesh():
    """Balls come near each proxy of a cube; straight above a face its contact is that of the cube."""
    mesh, ball = cube(), Shape.sphere((0.5, 0.5, 4), 0.5)
    fitted = libgraze.fit(mesh)
    for proxy in (fitted.sphere, fitted.capsule, fitted.box, fitted.oriented_box, fitted.cylinder, fitted.ellipsoid):
        touch = libgraze.compare(proxy.shape, ball)
        mapped = libgraze.fit_map_points(mesh, [touch.point_a], [touch.direction])
        assert mapped.along_normal.tolist() == [True] and mapped.faces[0] in (2, 3), proxy
        assert numpy.allclose(numpy.asarray(mapped.points)[0, 2], 1, atol=1e-12)
        assert mapped.distances[0] == pytest.approx(touch.point_a[2] - 1, abs=0.05)
    assert libgraze.fit_map_points(mesh, [(3, 3, 3)], [(-1, 0, 0)]).points.tolist() == [[1, 1, 1]]


@pytest.mark.parametrize("normals, names, error, text", [
    (CUBE[:7], {}, ValueError, "normals: 7 rows, points has 8"),
    (CUBE[:, :2], {}, ValueError, r"normals: an array of shape \(8, 2\)"),
    (CUBE + numpy.inf, {}, ValueError, "normals: row 0 is not finite"),
    (7, {}, TypeError, "normals: must be an array"),
    (None, {"deadline": -1.0}, libgraze.InvalidArgument, "deadline"),
])
def test_bad_normals(normals, names, error, text):
    with pytest.raises(error, match=text):
        libgraze.fit_map_points(cube(), CUBE, normals, **names)


def test_a_point_at_fault_is_named():
    points = CUBE.copy()
    points[5, 1] = 1e300
    with pytest.raises(libgraze.InvalidArgument) as raised:
        libgraze.fit_map_points(cube(), points, CUBE - 0.5)
    assert raised.value.element == 5
