# SPDX-License-Identifier: MIT
"""Views for notebooks: what is in the GLB file, read by itself, and which faces are red."""

import base64
import json
import re
import struct

import numpy as np
import pytest

import libgraze

CUBE = np.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
FACES = np.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
     [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]
)


def read(glb):
    """The objects of a GLB file: name, plain triangles and red ones, each (n, 3, 3) in world coordinates."""
    magic, version, size = struct.unpack_from("<III", glb)
    assert (magic, version, size) == (0x46546C67, 2, len(glb)) and size % 4 == 0
    text_size, kind = struct.unpack_from("<II", glb, 12)
    assert kind == 0x4E4F534A
    model = json.loads(glb[20 : 20 + text_size])
    data_size, kind = struct.unpack_from("<II", glb, 20 + text_size)
    assert kind == 0x004E4942 and model["buffers"][0]["byteLength"] <= data_size
    data = glb[28 + text_size :]
    assert len(data) == data_size

    def array(accessor):
        a = model["accessors"][accessor]
        v = model["bufferViews"][a["bufferView"]]
        assert v["byteOffset"] % 4 == 0
        columns = {"VEC3": 3, "SCALAR": 1}[a["type"]]
        values = np.frombuffer(data, {5126: "<f4", 5125: "<u4"}[a["componentType"]], a["count"] * columns, v["byteOffset"])
        assert values.nbytes == v["byteLength"]
        return values.reshape(-1, columns), a

    objects = []
    for node in model["nodes"]:
        matrix, parts = np.array(node["matrix"]).reshape(4, 4).T, [np.zeros((0, 3, 3)), np.zeros((0, 3, 3))]
        for primitive in model["meshes"][node["mesh"]]["primitives"]:
            points, a = array(primitive["attributes"]["POSITION"])
            assert np.allclose(points.min(axis=0), a["min"]) and np.allclose(points.max(axis=0), a["max"])
            world = points @ matrix[:3, :3].T + matrix[:3, 3]
            parts[primitive["material"] == 0] = world[array(primitive["indices"])[0].reshape(-1, 3)]
        objects.append((node["name"], *parts))
    return objects


def same_triangles(found, expected):
    key = lambda t: np.array(sorted(np.round(np.asarray(t).reshape(-1, 9), 4).tolist()))  # noqa: E731
    return len(found) == len(expected) and np.allclose(key(found), key(expected), atol=1e-3)


def test_what_touches_is_red():
    a, b = libgraze.Mesh(CUBE, FACES), libgraze.Mesh(CUBE, FACES)
    turned = np.array([[0, -1, 0, 1.75], [1, 0, 0, 0.5], [0, 0, 1, 0.25], [0, 0, 0, 1.0]])
    result = libgraze.collide(a, b, pose_b=turned)
    view = result.show()
    objects = read(view.glb)
    assert [name for name, _, _ in objects] == ["A", "B"]
    pairs = np.asarray(result.pairs)
    for i, (pose, (_, plain, red)) in enumerate(zip((np.eye(4), turned), objects)):
        corners = (CUBE @ pose[:3, :3].T + pose[:3, 3])[FACES]
        touched = np.isin(np.arange(12), pairs[:, i])
        assert 0 < touched.sum() < 12
        assert same_triangles(red, corners[touched]) and same_triangles(plain, corners[~touched])
    assert view.glb == libgraze.show([a, (b, turned)], result).glb
    assert view.glb in base64.b64decode(re.search('atob\\("([^"]*)"', view.html).group(1))
    assert view._repr_html_().startswith("<iframe") and "GLB" not in view.html[:100] and "@MODEL@" not in view.html


def test_scenes_polygons_and_far_offsets(tmp_path):
    path = tmp_path / "house.off"
    path.write_text("OFF\n6 5 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 1\n0 1 1\n"
                    "3 0 2 1\n3 3 4 5\n4 0 1 4 3\n4 1 2 5 4\n4 2 0 3 5\n")
    house = libgraze.load(path)
    scene = libgraze.Scene()
    scene.add(house, (1e7, 0, 0), name="first")
    scene.add(house, (1e7, 5, 0))
    scene.add(house, (1e7, 5, 0.9), name="third")
    found = scene.collide(find="pairs")
    objects = read(libgraze.show(scene, found).glb)
    assert [name for name, _, _ in objects] == ["first", "1", "third"]
    assert [len(red) > 0 for _, _, red in objects] == [False, True, True]
    assert all(len(plain) + len(red) == 8 for _, plain, red in objects)
    assert np.allclose(objects[0][1].min(axis=(0, 1)), [1e7, 0, 0]) and np.allclose(objects[0][1].max(axis=(0, 1)), [1e7 + 1, 1, 1])


def test_files_and_errors(tmp_path):
    a = libgraze.Mesh(CUBE, FACES)
    view = libgraze.show(a, pose=(1, 2, 3))
    assert np.allclose(read(view.glb)[0][1].min(axis=(0, 1)), [1, 2, 3])
    view.save(tmp_path / "a.glb")
    view.save(tmp_path / "a.html")
    assert (tmp_path / "a.glb").read_bytes() == view.glb and (tmp_path / "a.html").read_text().startswith("<!doctype html>")
    with pytest.raises(ValueError, match="path"):
        view.save(tmp_path / "a.png")
    with pytest.raises(TypeError, match=r"objects\[1\]"):
        libgraze.show([a, 7])
    for nothing in ([], libgraze.Scene()):
        with pytest.raises(ValueError, match="objects"):
            libgraze.show(nothing)
    with pytest.raises(ValueError, match="result"):
        libgraze.show([a, a, (a, (9, 9, 9))], libgraze.collide(a, a))
    with pytest.raises(ValueError, match="too large"):
        libgraze.show(libgraze.Mesh(1e60 * CUBE, FACES))
    assert libgraze.show([[a, np.eye(4).ravel()], (a, np.float32([1, 2, 3]))]).glb[:4] == b"glTF"
    with pytest.raises(TypeError, match="pose"):
        libgraze.show([a], pose=(1, 2, 3))
    with pytest.raises(ValueError, match="pose"):
        libgraze.show(a, pose=((1, 2), (3, 4)))
    scene = libgraze.Scene()
    scene.add(a)
    scene.add(a)
    with pytest.raises(ValueError, match=r"libgraze.show\(scene, result\)"):
        scene.collide(find="pairs").show()
