# SPDX-License-Identifier: MIT
"""Names in scenes, what a mesh was made of, and what is pickled or copied."""

import copy
import pickle

import numpy as np
import pytest

import libgraze

CUBE = np.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
FACES = np.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
     [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]
)


def row(count, step=0.75, named=True):
    """Cubes in a row; each overlaps the next."""
    scene, cube = libgraze.Scene(), libgraze.Mesh(CUBE, FACES)
    for i in range(count):
        scene.add(cube, (i * step, 0, 0), f"link {i}" if named else None)
    return scene


def test_names():
    scene = row(3)
    assert scene.objects == ["link 0", "link 1", "link 2"] and len(scene) == 3
    assert "link 1" in scene and "link 9" not in scene and 2 in scene and 3 not in scene
    assert scene.add(libgraze.Mesh(CUBE, FACES), (9, 9, 9)) == 3
    assert scene.objects[3] == 3
    found = scene.collide()
    assert found.object_names == [("link 0", "link 1"), ("link 1", "link 2")]
    assert np.asarray(found.object_pairs).tolist() == [[0, 1], [1, 2]]
    assert scene.collide(reference="link 0").object_names == [("link 0", "link 1")]
    scene.set_pose("link 0", (0, 5, 0))
    assert scene.pose("link 0") == ((1, 0, 0, 0), (0, 1, 0, 5), (0, 0, 1, 0), (0, 0, 0, 1))
    assert scene.collide().object_names == [("link 1", "link 2")]
    scene.set_pose(3, (0.75, 0.5, 0))
    assert scene.collide(reference=3).object_names == [("link 1", 3), ("link 2", 3)]


def test_a_result_keeps_the_names_of_its_time():
    scene = row(2)
    found = scene.collide()
    scene.remove("link 1")
    assert scene.add(libgraze.Mesh(CUBE, FACES), (0.5, 0, 0), "new") == "new"
    assert found.object_names == [("link 0", "link 1")]
    assert scene.collide().object_names == [("link 0", "new")]
    assert "link 1" not in scene and scene.objects == ["link 0", "new"]


def test_bad_names():
    scene = row(2)
    mesh = scene.mesh("link 0")
    assert isinstance(mesh, libgraze.Mesh) and scene.mesh(1) is mesh
    with pytest.raises(ValueError, match="name.*'link 0'"):
        scene.add(mesh, None, "link 0")
    with pytest.raises(TypeError, match="name"):
        scene.add(mesh, None, 7)
    assert len(scene) == 2
    for call in (scene.remove, scene.mesh, scene.pose, lambda o: scene.set_pose(o, None), lambda o: scene.ignore(0, o),
                 lambda o: scene.collide(reference=o)):
        for wrong in ("nobody", 17, 2**32, 2**32 + 1, -1, 2**70, np.int64(-3)):
            with pytest.raises(KeyError, match=str(wrong)):
                call(wrong)
        for wrong in (1.5, True, b"link 0", [0]):
            with pytest.raises(TypeError, match="number or its name"):
                call(wrong)
    assert scene.pose(np.uint32(1)) == scene.pose("link 1") and scene.number("link 1") == 1


def test_pairs_that_are_ignored():
    scene = row(4, step=0.4)  # each overlaps the next two
    everything = scene.collide().object_names
    assert len(everything) == 5
    for i in range(3):
        scene.ignore(f"link {i + 1}", i)
    assert scene.collide().object_names == [("link 0", "link 2"), ("link 1", "link 3")]
    scene.ignore("link 0", "link 1", False)
    scene.ignore("link 0", "link 1", False)
    assert scene.collide().object_names == [("link 0", "link 1"), ("link 0", "link 2"), ("link 1", "link 3")]
    scene.remove("link 2")  # what takes its number is tested with all
    scene.add(libgraze.Mesh(CUBE, FACES), (0.8, 0, 0), "other")
    assert scene.collide(reference="other").object_names == [("link 0", "other"), ("link 1", "other"), ("other", "link 3")]


def test_many_ignored_pairs_as_by_a_set():
    rng = np.random.default_rng(5)
    scene = row(30, step=0.2, named=False)
    everything = {tuple(p) for p in np.asarray(scene.collide().object_pairs).tolist()}
    ignored = set()
    for _ in range(400):
        a, b = sorted(rng.integers(0, 30, 2).tolist())
        on = bool(rng.integers(0, 2))
        scene.ignore(*((a, b) if rng.integers(0, 2) else (b, a)), on)
        (ignored.add if on else ignored.discard)((a, b))
    assert {tuple(p) for p in np.asarray(scene.collide().object_pairs).tolist()} == everything - ignored


def test_what_a_mesh_was_made_of():
    mesh = libgraze.Mesh(CUBE.astype(np.float32), FACES)
    positions = np.asarray(mesh.positions)
    assert positions.dtype == np.float64 and np.array_equal(positions, CUBE) and not positions.flags.writeable
    assert np.array_equal(np.asarray(mesh.triangles), FACES) and mesh.triangle_faces is None
    mesh.positions = (CUBE + 1).astype(np.float32)
    assert np.array_equal(positions, CUBE + 1)  # the mesh's own memory
    del mesh
    assert np.array_equal(positions, CUBE + 1)
    assert repr(libgraze.Mesh(CUBE, FACES)) == "<libgraze.Mesh: 8 vertices, 12 faces>"


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_meshes_are_pickled(kind, again):
    mesh = libgraze.Mesh((CUBE / 3).astype(kind), FACES)
    other = again(mesh)
    assert other is not mesh and np.array_equal(np.asarray(other.positions), np.asarray(mesh.positions))
    assert np.array_equal(np.asarray(other.triangles), FACES)
    other.positions = CUBE.astype(kind)  # its own, and of the same type
    assert np.asarray(mesh.positions).max() < 0.5
    if kind is np.float32:
        with pytest.raises(TypeError, match="float32"):
            other.positions = CUBE / 3


def test_polygons_are_pickled(tmp_path):
    path = tmp_path / "house.off"
    path.write_text("OFF\n6 5 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 1\n0 1 1\n"
                    "3 0 2 1\n3 3 4 5\n4 0 1 4 3\n4 1 2 5 4\n4 2 0 3 5\n")
    mesh = libgraze.load(path)
    again = pickle.loads(pickle.dumps(mesh))
    assert again.face_count == 5 and again.is_closed
    assert np.array_equal(np.asarray(again.triangles), np.asarray(mesh.triangles))
    assert np.asarray(again.triangle_faces).tolist() == [0, 1, 2, 2, 3, 3, 4, 4]


def test_a_damaged_pickle_is_refused():
    restore = libgraze._graze._restore_mesh
    make, arguments = libgraze.Mesh(CUBE, FACES).__reduce__()
    assert make is restore
    points, is_float32, corners, sizes = arguments
    for bad in ((points, False, corners[:-8], None), (points, False, corners, b"\3\0\0\0"), (points[:24], False, corners, None),
                (points, False, corners, b"\xff\xff\xff\xff" * 12), (b"", False, b"", None)):
        with pytest.raises(ValueError):
            restore(*bad)
    for bad in ((b"1234", "I", 2), (b"1234", "I", -1), (b"1234", "x", 4), (b"12345678", "I", 2**62, 2**62), (b"1234", "I", 1, 0)):
        with pytest.raises(ValueError):
            libgraze._graze._restore_view(*bad)


def results():
    a, b = libgraze.Mesh(CUBE, FACES), libgraze.Mesh(CUBE - 0.25, FACES)
    yield libgraze.collide(a, b, find="contacts")
    yield libgraze.collide(a, b, find="curves")
    yield libgraze.collide(a, b, pose_b=(9, 0, 0))  # empty lists
    yield libgraze.collide(a, b, find="solids")
    yield row(3).collide(find="contacts")
    yield libgraze.collide_poses(a, b, [(0, 0, 0), (5, 0, 0)])
    yield libgraze.rays(a, [(0.5, 0.25, 5), (9, 9, 9)], [(0, 0, -1)] * 2, find="all")
    yield libgraze.nearest(a, [(0.5, 0.5, 3)])
    yield libgraze.distance_poses(a, b, [(5, 0, 0)])


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy,
                                   lambda x: pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(x))))])
def test_results_are_pickled(again):
    for result in results():
        saved = again(result)
        assert repr(saved) == repr(result) and bool(saved) == bool(result)
        names = [n for n in dir(type(result)) if n[0] != "_" and not callable(getattr(type(result), n))]
        assert len(names) > 3
        for name in names:
            value, other = getattr(result, name), getattr(saved, name)
            if isinstance(value, memoryview):
                assert other.format == value.format and other.shape == value.shape and other.readonly
                assert other.tobytes() == value.tobytes(), name
            else:
                assert other == value, name
        with pytest.raises(AttributeError):
            saved.anything = 1


def test_small_answers_and_errors_are_pickled():
    a = libgraze.Mesh(CUBE, FACES)
    found = libgraze.collide(a, a, pose_b=(0.5, 0.25, 0.125), find="curves")
    for made in (found.contacts, found.curves):
        assert len(made) > 0
        for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            assert again == made and type(again[0]) is type(made[0])
    with pytest.raises(AttributeError, match="contacts"):
        pickle.loads(pickle.dumps(libgraze.nearest(a, [(0.5, 0.5, 3)]))).contacts
    far = libgraze.distance(a, a, pose_b=(3, 0, 0))
    assert pickle.loads(pickle.dumps(far)) == far
    with pytest.raises(libgraze.InvalidMesh) as caught:
        libgraze.Mesh([[0, 0, float("nan")]] * 3)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.status == caught.value.status and again.element == 0


def test_in_another_process():
    import concurrent.futures
    import multiprocessing

    a = libgraze.Mesh(CUBE, FACES)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(libgraze.collide, a, a, pose_b=(0.5, 0, 0)).result(timeout=120)
    assert found and np.asarray(found.pairs).shape[1] == 2


def test_answers_have_all_their_members():
    """They are filled without their constructor (libgraze._answers)."""
    from dataclasses import fields

    a, b = libgraze.Mesh(CUBE, FACES), libgraze.Mesh(CUBE + (0.5, 0.25, 0.125), FACES)
    far, floor = libgraze.Mesh(CUBE + 5, FACES), libgraze.Shape.box((0, 0, -2), (9, 9, 1))
    ball, disc = libgraze.Shape.sphere((0, 0, 0), 2), libgraze.Mesh(CUBE[:3], FACES[:1] * 0)
    answers = [libgraze.distance(a, far), libgraze.penetration(a, b), libgraze.pick(a, (0.5, 0.25, 5), (0, 0, -1)),
               libgraze.move(a, far, to_a=(1, 1, 1)), libgraze.move_rigid(a, far, to_a=(1, 1, 1)),
               libgraze.move_deforming(a, far, end_a=CUBE + 1), libgraze.aim(a), libgraze.overlap_volume(a, b),
               libgraze.overlap_depth(a, b), *libgraze.overlap_depth(a, b, 0.01, parts=1).parts,
               libgraze.manifold(a, b), libgraze.manifold(a, b).points[0], libgraze.compare(ball, floor), libgraze.compare(ball, a),
               libgraze.compare(floor, disc), libgraze.is_convex(a), libgraze.is_convex(disc)]
    for answer in answers:
        assert list(vars(answer)) and set(vars(answer)) == {field.name for field in fields(answer)}
        assert type(answer)(**vars(answer)) == answer and pickle.loads(pickle.dumps(answer)) == answer
