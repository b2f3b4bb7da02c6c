# SPDX-License-Identifier: MIT
"""Meshes, queries and results; bad input; threads."""

import array
import doctest
import gc
import gzip
import os
import signal
import threading

import numpy
import pytest

import libgraze

CUBE = numpy.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
FACES = numpy.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
     [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]
)


def cube(size=1.0):
    return libgraze.Mesh(size * CUBE, FACES)


def test_the_documentation_runs():
    assert doctest.testmod(libgraze).failed == 0


@pytest.mark.parametrize("kind", ["float64", "float32", "lists", "strided", "int32", "buffers"])
def test_many_kinds_of_arrays(kind):
    vertices, faces = CUBE, FACES
    if kind == "float32":
        vertices = CUBE.astype(numpy.float32)
    elif kind == "lists":
        vertices, faces = CUBE.tolist(), FACES.tolist()
    elif kind == "strided":
        wide = numpy.zeros((16, 6))
        wide[::2, ::2] = CUBE
        vertices = wide[::2, ::2]
        faces = numpy.asfortranarray(FACES)
    elif kind == "int32":
        faces = FACES.astype(numpy.int32)
    elif kind == "buffers":
        vertices = memoryview(array.array("d", CUBE.ravel())).cast("B").cast("d", shape=[8, 3])
    mesh = libgraze.Mesh(vertices, faces)
    assert (mesh.vertex_count, mesh.face_count, mesh.is_closed) == (8, 12, True)
    result = libgraze.collide(mesh, mesh, pose_b=(0.5, 0.25, 0.125), find="solids")
    assert result and result.solids == "penetrating" and result.kinds["crossing"] > 0


def test_is_balanced():
    assert cube().is_balanced
    ring, apex = [(1, 0, 0), (-1, 1, 0), (-1, -1, 0)], [(0, 0, z) for z in (1, 2, 3, 4)]
    cones = [(i, (i + 1) % 3, 3 + c) for c in range(4) for i in range(3)]
    assert not libgraze.Mesh(ring + apex, cones).is_balanced and libgraze.Mesh(ring + apex, cones).is_closed


def test_relations():
    assert not libgraze.collide(cube(), cube(), pose_b=(2, 0, 0))
    assert libgraze.collide(cube(), cube(), pose_b=(2, 0, 0)).relation == "apart"
    assert not libgraze.collide(cube(), cube(0.25), pose_b=(0.5, 0.5, 0.5), find="touch")
    inside = libgraze.collide(cube(), cube(0.25), pose_b=(0.5, 0.5, 0.5))
    assert inside and inside.relation == "b_inside_a" and inside.certainty == "exact"
    flush = libgraze.collide(cube(), cube(), pose_b=(1, 0, 0), find="solids")
    assert flush.solids == "touching" and "as solids touching" in repr(flush)
    matrix = numpy.eye(4)
    matrix[0, 3] = 1.0
    assert libgraze.collide(cube(), cube(), pose_b=matrix, find="solids").solids == "touching"
    assert libgraze.collide(cube(), cube(), pose_b=matrix[:3].tolist(), find="any").relation == "colliding"


def test_results_are_not_copied_and_live_as_long_as_needed():
    result = libgraze.collide(cube(), cube(), pose_b=(0.5, 0.25, 0.125), find="contacts")
    pairs, points = numpy.asarray(result.pairs), numpy.asarray(result.contact_points)
    normals = numpy.asarray(result.contact_normals)
    assert pairs.shape == (result.pair_count, 2) and pairs.dtype == numpy.uint32
    assert points.shape[1] == 3 and points.dtype == numpy.float64 and not points.flags.writeable
    assert numpy.shares_memory(pairs, numpy.asarray(result.pairs))
    assert numpy.allclose(numpy.linalg.norm(normals, axis=1), 1.0)
    first, counts = numpy.asarray(result.contact_first_points), numpy.asarray(result.contact_point_counts)
    assert (first + counts).max() == len(points)
    before = pairs.copy()
    del result
    gc.collect()
    assert (pairs == before).all() and pairs.max() < 12
    with pytest.raises(ValueError):
        pairs[0, 0] = 7
    nothing = libgraze.collide(cube(), cube(), pose_b=(3, 0, 0))
    assert numpy.asarray(nothing.pairs).shape == (0, 2)


def test_all_methods_give_the_same():
    pairs = [libgraze.collide(cube(), cube(), pose_b=(0.5, 0.25, 0.125), method=name).pairs.tolist()
             for name in ("naive", "bvh", "kdtree")]
    assert pairs[0] == pairs[1] == pairs[2]


def test_distance_and_within():
    d = libgraze.distance(cube(), cube(), pose_b=(3, 0.5, 0))
    assert (d.distance, d.lower, d.upper, d.certainty, d.touching) == (2.0, 2.0, 2.0, "exact", False)
    assert d.point_a[0] == 1.0 and d.point_b[0] == 3.0
    assert not libgraze.within(cube(), cube(), 2.0, pose_b=(3, 0, 0))
    assert libgraze.within(cube(), cube(), numpy.nextafter(2.0, 3.0), pose_b=(3, 0, 0))
    assert libgraze.within(cube(), cube(), 0.0, pose_b=(1, 0, 0))
    assert not libgraze.within(cube(), cube(), 0.0, pose_b=(1.000001, 0, 0))
    for wrong in (-1.0, numpy.nan):
        with pytest.raises(ValueError, match="clearance"):
            libgraze.within(cube(), cube(), wrong)


def test_penetration():
    p = libgraze.penetration(cube(), cube(), pose_b=(0.75, 0.25, 0))
    assert p.penetrating and p.certainty == "exact" and p.lower <= 0.25 <= p.upper
    assert p.direction == (-1.0, 0.0, 0.0)
    p = libgraze.penetration(cube(), cube(), pose_b=(0.75, 0.25, 0), along=(0, -1, 0))
    assert (p.lower, p.upper) == (0.75, 0.75)
    assert not libgraze.penetration(cube(), cube(), pose_b=(1, 0, 0)).penetrating
    open_mesh = libgraze.Mesh(CUBE, FACES[:11])
    assert libgraze.penetration(open_mesh, open_mesh).certainty == "undecided"


def test_positions_can_change():
    mesh = cube()
    assert not libgraze.collide(mesh, cube(), pose_b=(1.5, 0, 0))
    mesh.positions = 2.0 * CUBE
    assert libgraze.collide(mesh, cube(), pose_b=(1.5, 0, 0))
    with pytest.raises(ValueError, match="positions: 3 rows, the mesh has 8 vertices"):
        mesh.positions = CUBE[:3]
    mesh.positions = CUBE.astype(numpy.float32)  # become doubles
    assert numpy.array_equal(numpy.asarray(mesh.positions), CUBE)
    single = libgraze.Mesh(CUBE.astype(numpy.float32), FACES)
    single.positions = 2.0 * numpy.asarray(single.positions)  # doubles that are floats
    with pytest.raises(TypeError, match="positions: must be float32.*rounded"):
        single.positions = CUBE + 0.1
    assert numpy.array_equal(numpy.asarray(single.positions), 2.0 * CUBE)
    with pytest.raises(AttributeError):
        del mesh.positions


def test_a_mesh_with_itself():
    assert not libgraze.self_collide(cube())
    crossing = libgraze.Mesh(numpy.vstack([CUBE, CUBE + 0.5]), numpy.vstack([FACES, FACES + 8]))
    assert libgraze.self_collide(crossing).pair_count > 0


def test_poses_of_all_shapes():
    mesh, flat = cube(), numpy.arange(16.0)
    pose = numpy.eye(4)
    pose[:3, 3] = (3.0, 0.5, 0.25)
    expected = libgraze.distance(mesh, mesh, pose_b=(3.0, 0.5, 0.25))
    nearly = pose.copy()
    nearly[3] = (1e-17, 0, 0, 1 - 1e-16)  # a rounded product
    for good in (pose, pose[:3], pose.ravel(), pose[:3].ravel(), pose.tolist(), memoryview(pose), nearly, numpy.float32(pose),
                 numpy.asfortranarray(pose)):
        assert libgraze.distance(mesh, mesh, pose_b=good) == expected
    for bad in (pose[:, :3], pose.T[:2], flat[:9].reshape(3, 3), flat[:4], b"abc", "abc", numpy.array([1j, 0, 0]), 2 * pose,
                numpy.zeros((0, 4)), numpy.full(3, numpy.nan)):
        with pytest.raises((TypeError, ValueError), match="pose_b|B"):
            libgraze.distance(mesh, mesh, pose_b=bad)


def test_messages_name_what_is_wrong():
    mesh = cube()
    with pytest.raises(ValueError, match='find: "solids" needs two meshes'):
        libgraze.self_collide(mesh, find="solids")
    for call, name in ((lambda: libgraze.nearest(mesh, (0, 0, 5)), "points"), (lambda: libgraze.locate(mesh, (0, 0, 5)), "points"),
                       (lambda: libgraze.Mesh(CUBE, [0, 1, 2]), "faces"), (lambda: libgraze.Mesh([0.0, 1.0, 2.0]), "vertices")):
        with pytest.raises(TypeError, match=f"{name}: row 0 is no sequence"):
            call()


def test_a_soup_is_whole():
    assert libgraze.Mesh(CUBE[:6]).face_count == 2
    for rows in (1, 4, 5, 8):
        with pytest.raises(ValueError, match=f"vertices: {rows} rows"):
            libgraze.Mesh(CUBE[:rows])


def test_files(tmp_path):
    path = tmp_path / "cube.obj"
    path.write_text("".join("v %g %g %g\n" % tuple(p) for p in CUBE) +
                    "".join("f %d %d %d\n" % tuple(f + 1) for f in FACES))
    assert libgraze.collide(libgraze.load(path), cube(), find="solids").solids == "same"
    path.write_text("v 0 0 0\nf 1 2 3\n")
    with pytest.raises(libgraze.FormatError, match="cube.obj") as caught:
        libgraze.load(path)
    assert caught.value.status == "GRZ_ERROR_FORMAT"
    with pytest.raises(OSError):
        libgraze.load(tmp_path / "missing.stl")
    packed = tmp_path / "cube.obj.gz"
    packed.write_bytes(gzip.compress("".join("v %g %g %g\n" % tuple(p) for p in CUBE).encode() +
                                     "".join("f %d %d %d\n" % tuple(f + 1) for f in FACES).encode()))
    assert libgraze.collide(libgraze.load(packed), cube(), find="solids").solids == "same"
    step = tmp_path / "part.step"
    step.write_text("ISO-10303-21;\n")
    with pytest.raises(libgraze.Unsupported, match="STEP is not read: it holds curved surfaces: export STL or 3MF"):
        libgraze.load(step)


@pytest.mark.parametrize("vertices, faces, error, text", [
    (CUBE[:, :2], FACES, ValueError, r"vertices: an array of shape \(8, 2\)"),
    (CUBE.ravel(), FACES, ValueError, "vertices: an array of 1 dimensions"),
    (CUBE.astype(">f8"), FACES, TypeError, "vertices: an array of type"),
    (CUBE.astype(complex), FACES, TypeError, "vertices"),
    (CUBE, FACES.astype(float), TypeError, "faces: an array of type"),
    (CUBE, FACES.astype(numpy.int16), TypeError, "faces"),
    (CUBE, FACES - 1, ValueError, "faces: row 0 has the vertex -1"),
    (CUBE, FACES + 1, libgraze.InvalidMesh, "8"),
    (CUBE, [[0, 1]], ValueError, "faces: row 0 has 2 numbers"),
    (CUBE, 7, TypeError, "faces: must be an array"),
    ([[0, 0, "a"]], None, TypeError, "."),
    ([[0, 0, float("nan")]] * 3, None, libgraze.InvalidMesh, "."),
    ([], None, libgraze.InvalidMesh, "."),
])
def test_bad_arrays(vertices, faces, error, text):
    with pytest.raises(error, match=text):
        libgraze.Mesh(vertices, faces)


def test_bad_arguments():
    a = cube()
    with pytest.raises(TypeError, match="b: must be a libgraze.Mesh"):
        libgraze.collide(a, CUBE)
    with pytest.raises(ValueError, match="pose_b: 2 numbers"):
        libgraze.collide(a, a, pose_b=(1, 2))
    with pytest.raises(ValueError, match="last row"):
        libgraze.collide(a, a, pose_a=numpy.ones((4, 4)))
    with pytest.raises(libgraze.InvalidPose):
        libgraze.collide(a, a, pose_a=(float("inf"), 0, 0))
    with pytest.raises(ValueError, match='find: "pair"'):
        libgraze.collide(a, a, find="pair")
    with pytest.raises(libgraze.Error, match="bhv"):
        libgraze.collide(a, a, method="bhv")
    with pytest.raises(ValueError, match="inside_rule"):
        libgraze.collide(a, a, inside_rule="odd")
    with pytest.raises(libgraze.InvalidArgument, match="clearance"):
        libgraze.collide(a, a, clearance=-1.0)
    assert isinstance(libgraze.DeadlineExceeded("x"), TimeoutError)
    with pytest.raises(TypeError):
        libgraze.Result()


def large(rings, shift=0.0):
    """A bumpy tube of 4 * rings^2 triangles."""
    u, v = numpy.meshgrid(numpy.arange(rings), numpy.arange(2 * rings), indexing="ij")
    a, b = 2 * numpy.pi * u / rings, numpy.pi * v / rings
    r = 1.0 + 0.4 * numpy.cos(a) * (1 + 0.2 * numpy.sin(9 * b))
    points = numpy.stack([r * numpy.cos(b), r * numpy.sin(b), 0.4 * numpy.sin(a)], axis=-1) + shift
    i, j = u, v
    k, l = (u + 1) % rings, (v + 1) % (2 * rings)
    at = lambda p, q: p * 2 * rings + q
    faces = numpy.stack([numpy.stack([at(i, j), at(k, j), at(k, l)], -1),
                         numpy.stack([at(i, j), at(k, l), at(i, l)], -1)])
    return points.reshape(-1, 3), faces.reshape(-1, 3)


def test_many_poses():
    a, b = cube(), cube(0.5)
    poses = numpy.tile(numpy.eye(4), (200, 1, 1))
    poses[:, :3, 3] = numpy.random.default_rng(5).uniform(-2, 2, (200, 3))
    each = [libgraze.collide(a, b, pose_b=pose) for pose in poses]
    found = libgraze.collide_poses(a, b, poses, find="pairs")
    assert len(found) == 200 and "of 200 poses" in repr(found)
    assert numpy.asarray(found.colliding).tolist() == [bool(r) for r in each]
    assert numpy.asarray(found.pair_counts).tolist() == [r.pair_count for r in each]
    assert 0 < numpy.asarray(found.colliding).sum() < 200 and numpy.asarray(found.colliding).dtype == bool
    for same in (poses[:, :3], poses[:, :3, 3], list(poses), [p[:3, 3].tolist() for p in poses]):
        assert numpy.asarray(libgraze.collide_poses(a, b, same).colliding).tolist() == [bool(r) for r in each]
    names = ["apart", "colliding", "overlapping", "a_inside_b", "b_inside_a"]
    relations = numpy.asarray(libgraze.collide_poses(a, b, poses, find="any").relations)
    assert [names[r] for r in relations] == [r.relation for r in each]
    assert len(libgraze.collide_poses(a, b, numpy.empty((0, 3)))) == 0
    short = poses.astype(numpy.float32)
    assert numpy.array_equal(libgraze.collide_poses(a, b, short).colliding,
                             libgraze.collide_poses(a, b, short.astype(float)).colliding)
    for kind in "i4", "u4", "i8", "u8":
        moves = numpy.array([[0, 0, 0], [1, 0, 0], [3, 0, 0]], kind)
        assert numpy.asarray(libgraze.collide_poses(a, a, moves).colliding).tolist() == [True, True, False]
    assert not numpy.asarray(libgraze.collide_poses(a, a, numpy.array([[-3, 0, 0]])).colliding)[0]
    for bad in (numpy.eye(4), numpy.zeros((2, 4)), poses + 1):
        with pytest.raises(ValueError, match="poses"):
            libgraze.collide_poses(a, b, bad)
    for bad in (poses.astype(complex), poses.astype(">f8"), numpy.zeros((2, 3), bool)):
        with pytest.raises(TypeError, match="poses: an array of type"):
            libgraze.collide_poses(a, b, bad)
    with pytest.raises(ValueError, match="contacts"):
        libgraze.collide_poses(a, b, poses, find="contacts")
    poses[7, 0, 0] = float("nan")
    with pytest.raises(libgraze.InvalidPose) as caught:
        libgraze.collide_poses(a, b, poses)
    assert caught.value.element == 7


def test_scenes():
    scene = libgraze.Scene()
    mesh = cube()
    numbers = [scene.add(mesh, (1.5 * i, 0, 0)) for i in range(5)]
    assert numbers == [0, 1, 2, 3, 4] and len(scene) == 5 and repr(scene) == "<libgraze.Scene: 5 objects>"
    assert not scene.collide()
    scene.set_pose(3, (3.5, 0.25, 0.125))
    result = scene.collide(find="contacts")
    assert numpy.asarray(result.object_pairs).tolist() == [[2, 3]]
    assert numpy.asarray(result.object_pair_counts).tolist() == [result.pair_count]
    assert numpy.asarray(result.object_contact_counts)[0] == len(numpy.asarray(result.contact_normals))
    scene.set_pose(3, (4.0, 0, 0))
    flush = scene.collide(find="solids")
    assert numpy.asarray(flush.object_solids).tolist() == [2]
    assert numpy.asarray(scene.collide(reference=1).object_pairs).shape == (0, 2)
    scene.remove(2)
    assert len(scene) == 4 and not scene.collide() and scene.add(cube(0.25), (3.25, 0.25, 0.25)) == 2
    assert not scene.collide(), "the small cube is where nothing is any more"
    scene.set_pose(2, (0.25, 0.25, 0.25))
    assert numpy.asarray(scene.collide().object_relations).tolist() == [4]
    mesh.positions = 2.0 * CUBE
    assert len(numpy.asarray(scene.collide().object_pairs)) >= 2
    for wrong in (lambda: scene.remove(77), lambda: scene.set_pose(77, None)):
        with pytest.raises(KeyError, match="no object 77"):
            wrong()
    with pytest.raises(ValueError):
        scene.add(mesh, (1, 2))


def test_deadlines():
    points, faces = large(200)
    a, b = libgraze.Mesh(points, faces), libgraze.Mesh(points, faces)
    with pytest.raises(libgraze.DeadlineExceeded):
        libgraze.collide(a, b, pose_b=(1e-3, 0, 0), deadline=1e-6)
    assert libgraze.collide(a, b, pose_b=(1e-3, 0, 0), find="any", deadline=1000.0)


def test_threads_run_at_the_same_time_and_never_crash():
    points, faces = large(60)
    mesh, other = libgraze.Mesh(points, faces), libgraze.Mesh(points, faces)
    expected = libgraze.collide(mesh, other, pose_b=(0.7, 0.1, 0.2)).pairs.tolist()
    errors, answers = [], []

    def ask():
        for _ in range(20):
            try:
                answers.append(libgraze.collide(mesh, other, pose_b=(0.7, 0.1, 0.2)).pairs.tolist())
            except RuntimeError as error:
                errors.append(str(error))

    def change():
        for _ in range(200):
            try:
                mesh.positions = points
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(3)] + [threading.Thread(target=change)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer == expected for answer in answers) and len(answers) + len(errors) >= 60
    assert all("another thread is" in error for error in errors)


def test_ctrl_c_ends_a_query():
    points, faces = large(150)
    a, b = libgraze.Mesh(points, faces), libgraze.Mesh(points, faces)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                libgraze.collide(a, b, pose_b=(0.7, 0.1, 0.2), method="naive")
    finally:
        timer.join()
    assert libgraze.collide(a, b, pose_b=(9, 9, 9), find="any").relation == "apart"


def test_contacts_and_curves():
    """One object each, as the arrays say it."""
    result = libgraze.collide(cube(), cube(), pose_b=(0.5, 0.25, 0.125), find="curves")
    pairs, points = numpy.asarray(result.pairs), numpy.asarray(result.contact_points)
    assert len(result.contacts) == len(result.contact_pairs) > 0
    rows = 0
    for contact, pair, normal in zip(result.contacts, result.contact_pairs, numpy.asarray(result.contact_normals)):
        assert contact.faces == tuple(pairs[pair]) and contact.normal == tuple(normal) and contact.objects is None
        assert contact.kind == "crossing" and len(contact.points) == 2
        assert numpy.array_equal(contact.points, points[rows : rows + 2])
        rows += 2
    assert rows == len(points)
    kept = numpy.asarray(result.contacts[0].points)
    assert numpy.shares_memory(kept, points)
    (curve,) = result.curves
    assert curve.closed and numpy.array_equal(curve.points, result.curve_points)
    del result, points, curve
    assert kept.shape == (2, 3) and numpy.isfinite(kept).all()  # the memory lives as long as a contact's points
    flat = libgraze.collide(cube(), cube(), pose_b=(1, 0, 0), find="contacts")
    kinds = [contact.kind for contact in flat.contacts]
    assert set(kinds) == {"touching", "coplanar"} and flat.curves == ()
    names = ("none", "touching", "coplanar", "crossing")
    assert kinds == [names[kind] for kind in flat.contact_kinds]
    assert all(c.normal[0] == -1 for c in flat.contacts if c.kind == "coplanar")
    assert max(len(c.points) for c in flat.contacts) > 2
    apart = libgraze.collide(cube(), cube(), pose_b=(3, 0, 0), find="curves")
    assert apart.contacts == () == apart.curves


def test_contacts_of_a_scene():
    """They name their objects, and are those of the two alone."""
    scene = libgraze.Scene()
    places = {"left": (0, 0, 0), "middle": (0.75, 0.25, 0.125), "right": (1.5, 0, 0), None: (1.5, 0.5, 0.5)}
    for name, place in places.items():
        scene.add(cube(), place, name)
    found = scene.collide(find="contacts")
    asked = {("left", "middle"), ("middle", "right"), ("middle", 3), ("right", 3)}
    assert {contact.objects for contact in found.contacts} == asked
    for a, b in asked:
        place = places[None if b == 3 else b]
        alone = libgraze.collide(cube(), cube(), pose_a=places[a], pose_b=place, find="contacts").contacts
        here = [contact for contact in found.contacts if contact.objects == (a, b)]
        assert len(here) == len(alone) > 0
        assert [c[:4] for c in here] == [c[:4] for c in alone]


def test_brief_queries_do_not_share_results():
    """A result of two small meshes that were apart is used again, but only once nobody has it."""
    a = cube()
    first, second = libgraze.collide(a, a, pose_b=(5, 0, 0)), libgraze.collide(a, a, pose_b=(0, 5, 0))
    del first
    third = libgraze.collide(a, a, pose_b=(0.5, 0.5, 0.5))
    pairs = numpy.array(third.pairs)
    fourth = libgraze.collide(a, a, pose_b=(0.25, 0.25, 0.25), find="curves")
    assert second.relation == "apart" and len(second.pairs) == 0
    assert third.relation == "colliding" and len(pairs) > 0 and numpy.array_equal(third.pairs, pairs)
    assert len(fourth.curves) > 0
    del second, third, fourth
    again = libgraze.collide(a, a, pose_b=(0.5, 0.5, 0.5))
    assert numpy.array_equal(again.pairs, pairs) and len(again.curves) == 0
