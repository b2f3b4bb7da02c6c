# SPDX-License-Identifier: MIT
"""libgraze.trimesh.CollisionManager, beside trimesh's own where python-fcl is installed."""

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
import libgraze.trimesh  # noqa: E402


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = (x, y, z)
    return pose


def two_cubes():
    manager = libgraze.trimesh.CollisionManager()
    cube = trimesh.creation.box()
    manager.add_object("left", cube)
    manager.add_object("right", cube, at(5))
    return manager, cube


def test_single():
    manager, cube = two_cubes()
    assert manager.in_collision_single(cube) is True
    assert manager.in_collision_single(cube, at(2.5)) is False
    found, names, data = manager.in_collision_single(cube, at(4.25, 0.125), return_names=True, return_data=True)
    assert found and names == {"right"} and len(data) > 0
    for contact in data:
        assert contact.names == {"right", "__external"} and contact.point.shape == (3,)
        assert np.isclose(contact.depth, 0.25) and 0 <= contact.index("right") < 12
        assert np.isclose(np.linalg.norm(contact.normal), 1.0)


def test_internal_and_changes():
    manager, cube = two_cubes()
    assert manager.in_collision_internal() is False
    manager.add_object("third", cube, at(5.5))
    assert manager.in_collision_internal(return_names=True) == (True, {("right", "third")})
    manager.set_transform("third", at(-0.5))
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "third")})
    manager.remove_object("third")
    assert manager.in_collision_internal() is False
    manager.add_object("left", cube, at(5.5))  # replaces it
    assert manager.in_collision_internal() is True
    for call in (lambda: manager.remove_object("nobody"), lambda: manager.set_transform("nobody", at(0))):
        with pytest.raises(ValueError, match="nobody"):
            call()
    with pytest.raises(ValueError, match="transform"):
        manager.set_transform("right", np.eye(3))


def test_what_others_get_wrong():
    """One inside the other collides; flush cubes touch, and are not deep in each other."""
    manager, _ = two_cubes()
    small = trimesh.creation.box(extents=(0.25, 0.25, 0.25))
    assert manager.in_collision_single(small) is True
    assert manager.min_distance_single(trimesh.creation.box(), at(1)) == 0.0
    assert manager.min_distance_single(small) == pytest.approx(-0.625)


def test_distances():
    manager, cube = two_cubes()
    assert manager.min_distance_single(cube, at(3)) == 1.0
    distance, name, data = manager.min_distance_single(cube, at(3), return_name=True, return_data=True)
    assert (distance, name) == (1.0, "right")
    assert np.isclose(np.linalg.norm(data.point("right") - data.point("__external")), 1.0)
    assert manager.min_distance_internal(return_names=True) == (4.0, ("left", "right"))
    assert manager.min_distance_internal(name="left") == 4.0
    other, _ = two_cubes()
    other.set_transform("left", at(2.25))
    other.set_transform("right", at(9))
    assert manager.min_distance_other(other, return_names=True) == (1.25, ("left", "left"))
    assert manager.in_collision_other(other) is False
    other.set_transform("right", at(5.5))
    assert manager.in_collision_other(other, return_names=True) == (True, {("right", "right")})
    assert libgraze.trimesh.CollisionManager().min_distance_internal() == np.inf


def test_the_same_names_as_fcl():
    pytest.importorskip("fcl")
    random = np.random.default_rng(7)
    mesh = trimesh.creation.icosphere(subdivisions=2, radius=0.5)
    managers = [libgraze.trimesh.CollisionManager(), trimesh.collision.CollisionManager()]
    for i in range(60):
        pose = trimesh.transformations.random_rotation_matrix(random.random(3))
        pose[:3, 3] = random.uniform(0, 4, 3)
        for manager in managers:
            manager.add_object(str(i), mesh, pose)
    found = [manager.in_collision_internal(return_names=True) for manager in managers]
    assert found[0] == found[1] and len(found[0][1]) > 10


def test_the_callers_matrix_is_copied():
    manager, cube, pose = libgraze.trimesh.CollisionManager(), trimesh.creation.box(), np.eye(4)
    for i in range(3):
        pose[0, 3] = 3 * i + i * i
        manager.add_object(f"cube {i}", cube, pose)
    assert manager.min_distance_internal(return_names=True) == (3.0, ("cube 0", "cube 1"))
    pose[0, 3] = 2.5
    manager.set_transform("cube 0", pose)
    pose[0, 3] = 100.0
    assert manager.min_distance_internal(return_names=True) == (0.5, ("cube 0", "cube 1"))


def test_the_deepest_of_those_that_overlap():
    manager, cube = libgraze.trimesh.CollisionManager(), trimesh.creation.box()
    for name, pose in {"a": at(0.875), "b": at(0, 0.5), "c": at(7), "d": at(7, 0.25)}.items():
        manager.add_object(name, cube, pose)
    distance, names = manager.min_distance_internal(return_names=True)
    assert np.isclose(distance, -0.75) and names == ("c", "d")
    distance, name = manager.min_distance_single(cube, return_name=True)
    assert np.isclose(distance, -0.5) and name == "b"


def test_guests_are_forgotten():
    manager, _ = two_cubes()
    for i in range(60):
        assert manager.in_collision_single(trimesh.creation.icosphere(subdivisions=1, radius=0.5 + i / 100)) is True
    assert len(manager._meshes) <= 20
    assert manager.in_collision_internal() is False
