# SPDX-License-Identifier: MIT
"""Rays, moves, distances and pictures of scenes: the same as of their objects one by one."""

import gc
import os
import signal
import threading
import warnings
import weakref

import numpy
import pytest

import libgraze
from meshes import CUBE, ctrl_c, cube, in_threads, rotation, tube, while_changed


def make(count=12, seed=1):
    """A scene with gaps in its numbers, and its objects by number."""
    rng = numpy.random.default_rng(seed)
    scene, objects = libgraze.Scene(), {}
    shapes = [cube(), libgraze.Mesh(*tube(8)), cube(0.5)]
    for i in range(count):
        pose = numpy.eye(4)
        pose[:3, :3], pose[:3, 3] = rotation(*rng.uniform(-3, 3, 3)), rng.uniform(-4, 4, 3)
        mesh = shapes[i % 3]
        objects[scene.add(mesh, pose)] = (mesh, pose)
    for number in (0, 4):
        scene.remove(number)
        del objects[number]
    return scene, objects


def random_rays(count):
    rng = numpy.random.default_rng(2)
    return rng.uniform(-5, 5, (count, 3)), rng.normal(size=(count, 3))


def test_rays():
    scene, objects = make()
    names, listed = numpy.array(list(objects)), list(objects.values())
    origins, directions = random_rays(600)
    for find in ("first", "all"):
        found, expected = (libgraze.rays(x, origins, directions, find=find) for x in (scene, listed))
        for column in ("rays", "t", "points", "faces", "features", "normals", "sides"):
            assert numpy.array_equal(getattr(found, column), getattr(expected, column)), column
        hit = numpy.asarray(expected.objects) != libgraze.NONE
        assert hit.sum() > 30
        assert (numpy.asarray(found.objects)[hit] == names[numpy.asarray(expected.objects)[hit]]).all()
        assert (numpy.asarray(found.objects)[~hit] == libgraze.NONE).all()
    any_hit = numpy.asarray(libgraze.rays(scene, origins, directions, find="any"))
    assert numpy.array_equal(any_hit, libgraze.rays(listed, origins, directions, find="any")) and any_hit.any()
    one = libgraze.pick(scene, origins[any_hit][0], directions[any_hit][0])
    assert one.object in objects and 0 not in objects
    assert libgraze.pick(libgraze.Scene(), (0, 0, 0), (1, 0, 0)) is None
    assert len(libgraze.rays(libgraze.Scene(), origins, directions, find="all")) == 0
    with pytest.raises(ValueError, match="pose: is for a single"):
        libgraze.rays(scene, origins, directions, pose=(1, 2, 3))


def test_moves():
    scene, objects = make()
    touched = 0
    for number, (mesh, pose) in objects.items():
        to = -pose[:3, 3]
        expected = []
        for other, (other_mesh, other_pose) in objects.items():
            if other != number:
                move = libgraze.move(mesh, other_mesh, pose_a=pose, to_a=to, pose_b=other_pose)
                if move.has_contact:
                    expected.append((other, move))
        expected.sort(key=lambda pair: (pair[1].first_contact, pair[0]))
        assert libgraze.move_scene(scene, number, to) == expected
        assert libgraze.move_scene(scene, number, to, max_count=1) == expected[:1]
        touched += len(expected)
    assert touched > 5 and libgraze.move_scene(scene, number, to, max_count=0) == []


def test_distances():
    scene, objects = make(seed=5)
    expected = [(a, b, libgraze.distance(*(objects[k][0] for k in (a, b)), pose_a=objects[a][1], pose_b=objects[b][1]))
                for a in objects for b in objects if a < b]
    expected.sort(key=lambda row: (row[2].distance, row[0], row[1]))
    found = libgraze.distance_scene(scene, None)
    assert found == expected and len(found) == 45
    assert libgraze.distance_scene(scene) == expected[:1] and libgraze.distance_scene(scene, 7) == expected[:7]
    assert libgraze.distance_scene(libgraze.Scene()) == [] and libgraze.distance_scene(scene, 0) == []


def test_pictures():
    scene, objects = make()
    everything = [objects.get(i, (cube(), (0, 0, 0))) for i in range(12)]
    options = {"width": 64, "height": 48, "direction": (0, 0, -1), "region": ((-5, -5, -5), (5, 5, 5))}
    assert libgraze.aim(scene, **options) == libgraze.aim(everything, **options)
    try:
        picture = libgraze.picture(scene, result=scene.collide(find="contacts"), **options)
    except (libgraze.DeviceError, libgraze.Unsupported) as error:
        pytest.skip(str(error))
    assert numpy.ptp(numpy.asarray(picture.rgb)) > 0
    assert not numpy.array_equal(picture.pixels, libgraze.picture(everything, **options).pixels)
    with pytest.raises(ValueError, match="objects: there are none"):
        libgraze.picture(libgraze.Scene())


def test_names():
    scene = libgraze.Scene()
    scene.add(cube(), (0, 0, 0), name="floor")
    scene.add(cube(), (0.25, 0.25, 4), name="drop")
    assert scene.add(cube(), (9, 0, 0)) == 2
    assert libgraze.pick(scene, (0.5, 0.6, 9), (0, 0, -1)).object == "drop"
    assert libgraze.pick(scene, (9.5, 0.6, 9), (0, 0, -1)).object == 2
    assert numpy.asarray(libgraze.rays(scene, [(0.5, 0.6, 9)], (0, 0, -1)).objects).tolist() == [1]
    [(other, move)] = libgraze.move_scene(scene, "drop", (0.25, 0.25, 0))
    assert other == "floor" and move.first_contact == 0.75
    assert [row[:2] for row in libgraze.distance_scene(scene, None)] == [("floor", "drop"), ("floor", 2), ("drop", 2)]
    scene.set_pose("drop", (0.5, 0.25, 0.125))
    assert libgraze.move_scene(scene, "drop", (0.5, 5, 0))[0][1].started_inside
    assert not libgraze.move_scene(scene, "drop", (0.5, 5, 0), inside=False)[0][1].started_inside
    scene.set_pose("drop", (0.25, 0.25, 4))
    scene.ignore("floor", "drop")
    assert libgraze.move_scene(scene, "drop", (0.25, 0.25, 0)) == []
    assert [row[:2] for row in libgraze.distance_scene(scene, None)] == [("floor", 2), ("drop", 2)]


@pytest.mark.parametrize("call, error, text", [
    (lambda s: libgraze.move_scene(cube(), 0, (1, 2, 3)), TypeError, "scene: must be a libgraze.Scene"),
    (lambda s: libgraze.move_scene(s, 0, (1, 2, 3)), KeyError, "the scene has no object 0"),
    (lambda s: libgraze.move_scene(s, -1, (1, 2, 3)), KeyError, "."),
    (lambda s: libgraze.move_scene(s, "door", (1, 2, 3)), KeyError, "the scene has no object named 'door'"),
    (lambda s: libgraze.move_scene(s, 1, (1, 2)), ValueError, "to: 2 numbers"),
    (lambda s: libgraze.move_scene(s, 1, (1, 2, float("nan"))), ValueError, "to: must be finite"),
    (lambda s: libgraze.move_scene(s, 1, (1, 2, 3), max_count=-1), ValueError, "max_count: -1"),
    (lambda s: libgraze.move_scene(s, 1, (1, 2, 3), inside_rule="odd"), ValueError, "inside_rule"),
    (lambda s: libgraze.distance_scene([]), TypeError, "scene: must be a libgraze.Scene"),
    (lambda s: libgraze.distance_scene(s, -1), ValueError, "max_count: -1"),
    (lambda s: libgraze.distance_scene(s, "all"), TypeError, "."),
    (lambda s: libgraze.distance_scene(s, method="slices"), libgraze.Unsupported, "slices"),
])
def test_bad_arguments(call, error, text):
    scene, objects = make()
    with pytest.raises(error, match=text):
        call(scene)
    scene.set_pose(1, None)  # refused if a call had not ended its use of the scene, or of a mesh
    objects[6][0].positions = CUBE


def test_threads_deadlines_and_ctrl_c():
    points, faces = tube(60)
    mesh = libgraze.Mesh(points, faces)
    scene = libgraze.Scene()
    for x in (0, 3, 6):
        scene.add(mesh, (x, 0.1 * x, 0))
    origins, directions = random_rays(200000)
    calls = [lambda **o: libgraze.rays(scene, origins, directions, **o).t.tolist(),
             lambda **o: libgraze.move_scene(scene, 0, (9, 0.5, 0.25), **o),
             lambda **o: libgraze.distance_scene(scene, None, **o)]
    for call in calls:
        call()
        with pytest.raises(libgraze.DeadlineExceeded):
            call(deadline=1e-7)
        with pytest.raises(KeyboardInterrupt), ctrl_c(0.3):
            while True:
                call()
    small = lambda: libgraze.rays(scene, origins[:2000], directions[:2000]).t.tolist()
    expected = small()
    answers, errors = while_changed(mesh, points, small, times=10)
    assert all(answer == expected for answer in answers) and len(answers) + len(errors) >= 10
    assert all("another thread is" in error for error in errors)


def test_threads_take_turns_with_a_scene():
    points, faces = tube(24)
    mesh = libgraze.Mesh(points, faces)
    scene = libgraze.Scene()
    for i in range(6):
        scene.add(mesh, (1.5 * i, 0, 0), f"tube {i}")
    expected = scene.collide(find="pairs").object_pairs.tolist()
    found, errors = [], []

    def ask():
        try:
            for _ in range(20):
                found.append(scene.collide(find="pairs").object_pairs.tolist())
                scene.set_pose("tube 5", (7.5, 0, 0))
                scene.ignore("tube 0", "tube 5")
        except Exception as error:
            errors.append(error)

    in_threads(4, ask)
    assert not errors and len(found) == 80 and all(pairs == expected for pairs in found)


def test_a_scene_after_a_fork():
    points, faces = tube(90)
    mesh = libgraze.Mesh(points, faces)
    scene = libgraze.Scene()
    for i in range(4):
        scene.add(mesh, (0.05 * i, 0.02 * i, 0.01 * i))
    thread = threading.Thread(target=lambda: scene.collide(find="pairs"))
    thread.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork() # perhaps while the other thread has the scene
    if child == 0:
        os._exit(0 if len(scene) == 4 and scene.set_pose(0, (50, 0, 0)) is None else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_a_forked_child_can_ask():
    points, faces = tube(90)
    a, b = libgraze.Mesh(points, faces), libgraze.Mesh(numpy.asarray(points) + (0.3, 0, 0), faces)
    expected = numpy.asarray(libgraze.collide(a, b).pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if numpy.array_equal(libgraze.collide(a, b).pairs, expected) else 1)
    assert len(expected) > 0 and os.waitpid(child, 0)[1] == 0


def test_weak_references():
    mesh, scene = cube(), libgraze.Scene()
    scene.add(mesh)
    of_mesh, of_scene = weakref.ref(mesh), weakref.ref(scene)
    assert of_mesh() is mesh and of_scene() is scene
    del mesh
    assert of_mesh() is not None # the scene has it
    del scene
    gc.collect()
    assert of_mesh() is None and of_scene() is None
