# SPDX-License-Identifier: MIT
"""glTF and GLB, bit for bit beside the twin in gltf_twin.py: each form of accessor, primitive, node and container by itself,
then all of them at random. And bad files: each is refused with a message that names the element and the reason."""

import base64
import json
import random
import struct

import gltf_twin
import numpy
import pytest

import libgraze

TETRAHEDRON = [(0.1, 0.2, 0.3), (1.1, 0.0, -0.0), (0.0, 1.3, 0.0), (0.2, 0.1, 1.7)]
FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]


class Builder:
    """A glTF file being built: views and accessors over one buffer."""

    def __init__(self, **members):
        self.data = b""
        self.json = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "meshes": [], "nodes": [], **members}

    def view(self, data, **members):
        self.data += bytes(-len(self.data) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **members})
        self.data += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, rows, kind="VEC3", code="f", normalized=False, stride=0, offset=0, sparse=None, zeros=False, index="H"):
        types = {code: number for number, code in gltf_twin.CODES.items()}
        pack = [struct.pack(f"<{len(row)}{code}", *row) for row in rows]
        a = {"componentType": types[code], "count": len(rows), "type": kind}
        if normalized:
            a["normalized"] = True
        if not zeros:
            data = bytes(offset) + b"".join(p + bytes(max(stride - len(p), 0)) for p in pack)
            a["bufferView"] = self.view(data, **({"byteStride": stride} if stride else {}))
            if offset:
                a["byteOffset"] = offset
        if sparse:
            places = self.view(b"".join(struct.pack("<" + index, i) for i in sorted(sparse)))
            values = self.view(b"".join(struct.pack(f"<{len(sparse[i])}{code}", *sparse[i]) for i in sorted(sparse)))
            a["sparse"] = {"count": len(sparse), "indices": {"bufferView": places, "componentType": types[index]},
                           "values": {"bufferView": values}}
        self.json["accessors"].append(a)
        return len(self.json["accessors"]) - 1

    def primitive(self, points=TETRAHEDRON, indices=FACES, mode=None, code="H", attributes=None, targets=None, **how):
        p = {"attributes": {"POSITION": self.accessor(points, **how), **(attributes or {})}}
        if indices is not None:
            p["indices"] = self.accessor([(i,) for i in indices], "SCALAR", code)
        if mode is not None:
            p["mode"] = mode
        if targets:
            p["targets"] = targets
        return p

    def mesh(self, *primitives, **members):
        self.json["meshes"].append({"primitives": list(primitives), **members})
        return len(self.json["meshes"]) - 1

    def node(self, **members):
        self.json["nodes"].append(members)
        return len(self.json["nodes"]) - 1

    def write(self, folder, form="data", name="a"):
        text = self.text(form)
        path = folder / (name + (".glb" if form in ("glb", "unaligned", "padded") else ".gltf"))
        if form == "external":
            (folder / "the data").mkdir(exist_ok=True)
            (folder / "the data" / "of b.bin").write_bytes(self.data)
        if path.suffix == ".gltf":
            path.write_bytes(text)
            return path
        text += b" " * (-len(text) % 4)
        pad = b""
        if form in ("unaligned", "padded"):
            text += b" "
            pad = bytes(3) if form == "padded" else b""
        chunks = struct.pack("<I", len(text)) + b"JSON" + text + pad
        chunks += struct.pack("<I", len(self.data)) + b"BIN\0" + self.data
        path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
        return path

    def text(self, form="data"):
        buffer = {"byteLength": len(self.data)}
        if form == "data":
            buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        if form == "external":
            buffer["uri"] = "the%20data/of b.bin"
        return json.dumps({**self.json, "buffers": [buffer]}).encode()


def compare(path):
    points, triangles, parts = gltf_twin.read(path)
    mesh = libgraze.load(path)
    assert numpy.array(mesh.triangles).tolist() == [list(t) for t in triangles]
    got, expected = numpy.array(mesh.positions, dtype="f8"), numpy.array(points, dtype="f8")
    assert got.shape == expected.shape
    differ = (got.view("u8") != expected.view("u8")).any(axis=1)
    assert not differ.any(), (path, got[differ][:3].tolist(), expected[differ][:3].tolist())
    return parts


@pytest.mark.parametrize("form", ["data", "external", "glb", "unaligned", "padded"])
def test_containers(tmp_path, form):
    b = Builder()
    b.node(mesh=b.mesh(b.primitive()))
    compare(b.write(tmp_path, form))


@pytest.mark.parametrize("mode", [None, 4, 5, 6])
@pytest.mark.parametrize("code", [None, "B", "H", "I"])
def test_primitives(tmp_path, mode, code):
    b = Builder()
    points = [(0.1 * i, i * i / 7, -i / 3) for i in range(9)]
    indices = [0, 1, 2, 3, 3, 5, 8, 7, 6] if code else None
    b.node(mesh=b.mesh(b.primitive(points, indices, mode, code or "H")), scale=[1, -2, 1])
    b.node(mesh=0)
    compare(b.write(tmp_path))


@pytest.mark.parametrize("code", "fbBhH")
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("how", [{}, {"stride": 24}, {"stride": 16, "offset": 8}, {"sparse": {1: 2, 3: 3}},
                                 {"sparse": {0: 2, 2: 1}, "zeros": True, "index": "B"},
                                 {"sparse": {0: 1, 3: 2}, "stride": 20, "index": "I"}])
def test_accessors(tmp_path, code, normalized, how):
    b = Builder(extensionsUsed=["KHR_mesh_quantization"], extensionsRequired=["KHR_mesh_quantization"])
    most = {"b": 127, "B": 255, "h": 32767, "H": 65535, "f": 1}[code]
    least = {"b": -128, "B": 0, "h": -32768, "H": 0, "f": -1}[code]
    rows = [(least, most, 0), (0, least, most), (most, most // 2, most // 3), (1, most, least)]
    how = dict(how, normalized=normalized and code != "f", code=code)
    if "sparse" in how:
        how["sparse"] = {i: rows[k] for i, k in how["sparse"].items()}
    b.node(mesh=b.mesh({"attributes": {"POSITION": b.accessor(rows, **how)},
                        "indices": b.accessor([(i,) for i in FACES], "SCALAR", "B", sparse={2: (3,), 7: (0,)})}))
    compare(b.write(tmp_path))


def test_nodes(tmp_path):
    b = Builder(scene=1)
    m = b.mesh(b.primitive(), name="shape")
    b.json["scenes"] = [{"nodes": [4]}, {"nodes": [3, 0]}]
    b.node(children=[1, 2], translation=[0.1, 0.2, 0.3], rotation=[0.1, -0.7, 0.3, 0.5], scale=[1.5, -0.3, 2])
    b.node(mesh=m, rotation=[0, 0, 0.7071068, 0.7071068], name="turned")
    b.node(mesh=m, matrix=[0.3, 0.1, 0, 0, -0.2, 1.7, 0.4, 0, 0, 0.3, -1, 0, 7.1, 8.2, -9.3, 1])
    b.node(mesh=m, scale=[0, 1, -1], name="")
    b.node(mesh=m, name="not shown")
    assert compare(b.write(tmp_path)) == [("shape", 4), ("turned", 4), ("shape", 4)]
    b.json["nodes"] = [{"mesh": m, "rotation": [0, 0, 0.7071068, 0.7071068]}]
    b.json["scenes"], b.json["scene"] = [{"nodes": [0]}], 0
    quarter = numpy.array(libgraze.load(b.write(tmp_path)).positions)
    points = numpy.array(TETRAHEDRON, dtype="f4").astype("f8")
    assert (quarter == numpy.stack([-points[:, 1], points[:, 0], points[:, 2]], axis=1)).all()  # exactly


def test_instances(tmp_path):
    b = Builder(extensionsUsed=["EXT_mesh_gpu_instancing"])
    attributes = {"TRANSLATION": b.accessor([(0, 0, 0), (1.1, 2, 3), (-4, 5, 0.6)]),
                  "ROTATION": b.accessor([(0, 0, 0, 127), (90, 0, 0, 90), (12, -34, 56, 78)], "VEC4", "b", normalized=True),
                  "SCALE": b.accessor([(1, 1, 1), (-1, 2, 1), (0.3, 0.3, 0.3)])}
    b.node(mesh=b.mesh(b.primitive()), name="many", translation=[1, 2, 3.3],
           extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
    assert compare(b.write(tmp_path)) == [("many", 4)] * 3


def test_morphs(tmp_path):
    b = Builder()
    targets = [{"POSITION": b.accessor([(i * 0.1, 0.2, -i) for i in range(4)])}, {},
               {"POSITION": b.accessor(TETRAHEDRON, zeros=True, sparse={2: (0.5, 0.25, 9)})}]
    m = b.mesh(b.primitive(targets=targets), b.primitive(targets=targets), weights=[0.3, 1, -0.7])
    b.node(mesh=m)
    b.node(mesh=m, weights=[0, 0, 0.1], translation=[0.1, 0, 0])
    compare(b.write(tmp_path))


def skinned(b, second=True):
    binds = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0.2, 0.3, 1], [0.5, 0, 0, 0, 0, -2, 0.1, 0, 0, 0, 1, 0, 0, 1, 0, 1]]
    b.json["skins"] = [{"joints": [1, 2], "inverseBindMatrices": b.accessor(binds, "MAT4")}, {"joints": [2, 1]}]
    attributes = {"JOINTS_0": b.accessor([(0, 1, 0, 1)] * 4, "VEC4", "B"),
                  "WEIGHTS_0": b.accessor([(0.1, 0.2, 0, 0.3), (0.6, 0, 0, 0), (0, 0.5, 0, 0.1), (0.3, 0.3, 0, 0)], "VEC4")}
    if second:
        attributes["JOINTS_1"] = b.accessor([(1, 1, 0, 0)] * 4, "VEC4", "H")
        attributes["WEIGHTS_1"] = b.accessor([(102, 0, 0, 0), (0, 51, 51, 0)] * 2, "VEC4", "B", normalized=True)
    b.node(mesh=b.mesh(b.primitive(attributes=attributes)), skin=0, translation=[100, 0, 0])
    b.node(translation=[0.1, 1, 2], rotation=[0.3, 0, 0, 0.9], children=[2])
    b.node(scale=[1, 1, -1.5])
    return b


def test_skins(tmp_path):
    b = skinned(Builder())
    b.node(mesh=0, skin=1)
    compare(b.write(tmp_path))


def test_all_at_random(tmp_path):
    """Trees of nodes with meshes of everything, 150 files."""
    r = random.Random(45)
    for _ in range(150):
        b = Builder(extensionsUsed=["KHR_mesh_quantization"])
        for _ in range(r.randrange(1, 4)):
            shared = r.random() < 0.3
            some = []
            for _ in range(r.randrange(1, 4)):
                count = r.randrange(3, 12)
                code = r.choice("ffbBhH")
                rows = [tuple(r.uniform(-9, 9) if code == "f" else r.randrange(128) for _ in range(3)) for _ in range(count)]
                mode = r.choice([4, 4, 5, 6, 0, 1])
                corners = [r.randrange(count) for _ in range(3 * r.randrange(1, 9))] if mode != 4 or r.random() < 0.8 else None
                if corners is None:
                    rows = (rows * 3)[: 3 * (count // 3)]
                p = {"attributes": {"POSITION": b.accessor(
                    rows, code=code, normalized=code != "f" and r.random() < 0.5, stride=r.choice([0, 12, 28]),
                    offset=r.choice([0, 4]), sparse={r.randrange(len(rows)): rows[0]} if r.random() < 0.3 else None)},
                    "mode": mode}
                if corners is not None:
                    p["indices"] = b.accessor([(i,) for i in corners], "SCALAR", r.choice("BHI"))
                if shared and some and corners is not None and max(corners) < 3:
                    p["attributes"] = dict(some[0]["attributes"])
                some.append(p)
            b.mesh(*some)
        count = r.randrange(1, 8)
        for i in range(count):
            node = {"mesh": r.randrange(len(b.json["meshes"]))} if r.random() < 0.9 or i == 0 else {}
            if r.random() < 0.3:
                node["matrix"] = [r.uniform(-2, 2) if k % 4 < 3 else float(k == 15) for k in range(16)]
            else:
                if r.random() < 0.5:
                    node["translation"] = [r.uniform(-5, 5) for _ in range(3)]
                if r.random() < 0.5:
                    node["rotation"] = [r.uniform(-1, 1) for _ in range(4)]
                if r.random() < 0.5:
                    node["scale"] = [r.choice([-1, 1, 0.3, 2]) for _ in range(3)]
            b.node(**node)
            if i and r.random() < 0.6:
                b.json["nodes"][r.randrange(i)].setdefault("children", []).append(i)
        b.mesh(b.primitive())
        b.node(mesh=len(b.json["meshes"]) - 1)
        compare(b.write(tmp_path, r.choice(["data", "external", "glb", "unaligned", "padded"])))


def bad(change):
    """The good file after a change to its JSON."""
    b = Builder()
    b.node(mesh=b.mesh(b.primitive(), name="m"), name="n")
    change(b.json)
    return b


REFUSED = [
    (lambda j: j.update(asset={"version": "1.0"}), 'asset: glTF version "1.0" is not read, only 2.0'),
    (lambda j: j.update(asset={"version": 2}), 'asset: "version" is not a text'),
    (lambda j: j.update(asset={"version": "2.0", "minVersion": "2.1"}), 'asset: minVersion "2.1" is not read'),
    (lambda j: j.pop("asset"), "no glTF: there is no asset.version"),
    (lambda j: j.update(extensionsRequired=["KHR_draco_mesh_compression"]), '"KHR_draco_mesh_compression", which is not read'),
    (lambda j: j.update(extensionsRequired=["EXT_meshopt_compression"]), '"EXT_meshopt_compression", which is not read'),
    (lambda j: j.update(nodes=7), 'nodes: "nodes" is not an array'),
    (lambda j: j["nodes"][0].update(mesh=3), "nodes[0]: there is no meshes[3]"),
    (lambda j: j["nodes"][0].update(mesh=-1), 'nodes[0]: "mesh" is not a whole number'),
    (lambda j: j["nodes"][0].update(rotation=[0, 0, 0, 0]), "nodes[0]: its rotation is no quaternion"),
    (lambda j: j["nodes"][0].update(matrix=[1] * 15), 'nodes[0]: "matrix" is not an array of 16 numbers'),
    (lambda j: j["nodes"][0].update(matrix=[1] * 16), "nodes[0]: the last row of its matrix is not 0 0 0 1"),
    (lambda j: j["nodes"][0].update(matrix=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], scale=[1, 1, 1]),
     "nodes[0]: it has a matrix and also a scale"),
    (lambda j: j["nodes"][0].update(children=[0]), "nodes[0]: it is below itself"),
    (lambda j: j["nodes"].extend([{"children": [0]}, {"children": [0]}]),
     "nodes[2]: its child nodes[0] is a child of nodes[1] already"),
    (lambda j: j.update(scenes=[{"nodes": [0, 0]}]), "scenes[0]: it names nodes[0] twice"),
    (lambda j: j.update(scenes=[{"nodes": [5]}]), "scenes[0]: its nodes[5] does not exist"),
    (lambda j: (j["nodes"].append({"children": [0]}), j.update(scenes=[{"nodes": [0]}])),
     "scenes[0]: its nodes[0] is no root, but a child of nodes[1]"),
    (lambda j: j.update(scene=2, scenes=[{}]), "scenes[2]: there is no scenes[2]"),
    (lambda j: j.update(nodes=[]), "the scene shows no triangles"),
    (lambda j: j["meshes"][0]["primitives"][0].update(mode=7), "meshes[0].primitives[0]: its mode 7 is none"),
    (lambda j: j["accessors"][1].update(count=11), "its 11 corners are not whole triangles"),
    (lambda j: j["meshes"][0]["primitives"][0].update(mode=5) or j["accessors"][1].update(count=2), "2 corners has no triangle"),
    (lambda j: j["accessors"][0].update(count=5),
     "meshes[0].primitives[0]: accessors[0]: 5 elements end 12 bytes past the end of bufferViews[0]"),
    (lambda j: j["accessors"][0].update(count=3), "index 5 is 3, but there are 3 vertices"),
    (lambda j: j["accessors"][0].update(count=0), "accessors[0]: its count is 0"),
    (lambda j: j["accessors"][0].update(componentType=5124), "accessors[0]: its componentType 5124 is none"),
    (lambda j: j["accessors"][0].update(componentType=5122), "POSITION is accessors[0], whose 3 components of type 5122"),
    (lambda j: j["accessors"][0].update(type="VEC9"), "accessors[0]: its type is none of"),
    (lambda j: j["accessors"][0].pop("bufferView") or j["accessors"][0].update(count=2**32), "elements without a bufferView"),
    (lambda j: j["accessors"][0].update(count=2**33), "accessors[0]: 8589934592 elements are more than 4294967295"),
    (lambda j: j["bufferViews"][0].update(byteStride=8), "bufferViews[0].byteStride is 8, less than an element of 12 bytes"),
    (lambda j: j["bufferViews"][0].update(byteOffset=60), "bufferViews[0]: its bytes 60 to 108 are not all in buffers[0]"),
    (lambda j: j["bufferViews"][0].update(buffer=1), "bufferViews[0]: there is no buffers[1]"),
    (lambda j: j["accessors"][0].update(bufferView=9), "accessors[0]: there is no bufferViews[9]"),
    (lambda j: j["nodes"][0].update(skin=0), "nodes[0]: there is no skins[0]"),
    (lambda j: (j["nodes"][0].update(skin=0), j.update(skins=[{"joints": [0]}])), "it is shown with a skin, but has no JOINTS_0"),
    (lambda j: j["nodes"][0].update(weights=[1]), "nodes[0]: 1 weights for 0 morph targets"),
    (lambda j: j["meshes"][0]["primitives"][0].update(extensions={"KHR_draco_mesh_compression": {}}) or
     j["accessors"][0].pop("bufferView"), "its positions are only in KHR_draco_mesh_compression"),
    (lambda j: j["nodes"][0].update(extensions={"EXT_mesh_gpu_instancing": {"attributes": {}}}), "has no TRANSLATION, ROTATION"),
    (lambda j: j["accessors"][0].update(sparse={"count": 9}), "accessors[0]: its sparse count is 9, of 4 elements"),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_bad_files_are_refused_by_name(tmp_path, case):
    change, message = REFUSED[case]
    path = bad(change).write(tmp_path)
    with pytest.raises(Exception) as caught:
        libgraze.load(path)
    assert message in caught.value.args[0]


def refuse(path, message):
    with pytest.raises(Exception) as caught:
        libgraze.load(path)
    assert message in caught.value.args[0]


def test_restart_values_are_refused(tmp_path):
    b = Builder()
    b.node(mesh=b.mesh(b.primitive([(i, 0, i * i) for i in range(256)], [0, 1, 255], code="B")))
    refuse(b.write(tmp_path), "meshes[0].primitives[0]: index 2 is 255, the restart value")


def test_weights_that_are_not_one_are_refused(tmp_path):
    refuse(skinned(Builder(), second=False).write(tmp_path), "the weights of vertex 0 are 0.6 in sum, not 1")


def test_weights_that_are_no_number_are_refused(tmp_path):
    b = Builder()
    b.json["skins"] = [{"joints": [1]}]
    attributes = {"JOINTS_0": b.accessor([(0, 0, 0, 0)] * 4, "VEC4", "B"),
                  "WEIGHTS_0": b.accessor([(1, float("nan"), 0, 0)] * 4, "VEC4")}
    b.node(mesh=b.mesh(b.primitive(attributes=attributes)), skin=0)
    b.node()
    refuse(b.write(tmp_path), "the weights of vertex 0 are nan in sum, not 1")


def test_text_that_is_no_json_is_refused(tmp_path):
    path = tmp_path / "a.gltf"
    path.write_text('{"asset": {"version": "2.0"},\n "nodes": [}')
    refuse(path, "line 2: JSON: ")
    path.write_text('{"asset": {}, "asset": {"version": "2.0"}}')
    refuse(path, "duplicate")


def test_the_character_0_may_stand_in_extras_and_names(tmp_path):
    b = Builder()
    b.node(mesh=b.mesh(b.primitive()), name="lid\0", extras={"a": "\0"})
    path = tmp_path / "a.gltf"
    path.write_bytes(b.text())
    read = libgraze.load_model(path)
    assert [part.name for part in read.parts] == ["node 0"]
    assert read.notes == ("1 node with a name that holds the character 0: it is not used",)


@pytest.mark.parametrize("uri, message", [
    ("https://example.org/a.bin", "is no path relative to this file"), ("/etc/passwd", "is no path relative to this file"),
    ("file:a.bin", "is no path relative to this file"), ("none.bin", '"none.bin" cannot be opened'),
    ("a%2", "is not a file's name"), ("a%00", "is not a file's name"), (".", "is not a regular file"),
    ("data:text/plain,hello", "its data URI is not base64"), ("data:;base64,AB!D", "character 2 of the base64"),
    ("DATA:;base64,AB!D", "character 2 of the base64"), ("dat:a", "is no path relative to this file"),
    ("data:;base64,AB\nCD=", "character 2 of the base64 of its uri is a blank or a line's end"),
    ("a\0b", '"uri" is not a text'),
    ("data:;base64,AAAA", "byteLength is 72, but its data URI has 3 bytes"), (7, '"uri" is not a text'),
    (None, "it has no uri, and there is no binary chunk for it")])
def test_buffers_that_are_not_read(tmp_path, uri, message):
    b = Builder()
    b.node(mesh=b.mesh(b.primitive()))
    j = json.loads(b.text())
    j["buffers"][0]["uri"] = uri
    if uri is None:
        del j["buffers"][0]["uri"]
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(j))
    refuse(path, "buffers[0]: ")
    refuse(path, message)


def test_cut_glb_is_refused(tmp_path):
    b = Builder()
    b.node(mesh=b.mesh(b.primitive()))
    whole = b.write(tmp_path, "glb").read_bytes()
    for size in range(len(whole)):
        path = tmp_path / "cut.glb"
        path.write_bytes(whole[:size])
        with pytest.raises(Exception):
            libgraze.load(path)


def test_a_deep_chain_of_nodes_is_read(tmp_path):
    b = Builder()
    m = b.mesh(b.primitive())
    depth = 20000
    b.json["nodes"] = [{"children": [i + 1], "translation": [0, 0, 1]} for i in range(depth)] + [{"mesh": m}]
    assert numpy.array(libgraze.load(b.write(tmp_path)).positions)[:, 2].min() == depth


@pytest.mark.parametrize("bomb", ["instances", "nodes"])
def test_bombs_end_in_an_error(tmp_path, bomb):
    b = Builder()
    m = b.mesh(b.primitive([(i, 0, 0) for i in range(3000)], [0, 1, 2] * 3000))
    if bomb == "instances":
        zeros = b.accessor([(0.0, 0.0, 0.0)] * 3, zeros=True)
        b.json["accessors"][zeros]["count"] = 1_000_000
        b.node(mesh=m, extensions={"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": zeros}}})
    else:
        b.json["nodes"] = [{"mesh": m}] * 20000
    refuse(b.write(tmp_path), "its nodes show more than")
