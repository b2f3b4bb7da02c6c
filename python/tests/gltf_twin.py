# SPDX-License-Identifier: MIT
"""A second reader of glTF, for test_gltf.py: short, slow, with Python's floats, and no line in common with io/gltf. It takes
good files only. read(path) gives the positions, the triangles and the parts, as (name, number of triangles)."""

import base64
import json
import math
import pathlib
import struct
import urllib.parse

CODES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
RANGES = {"b": 127, "B": 255, "h": 32767, "H": 65535}
IDENTITY = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]


class File:
    def __init__(self, path):
        self.folder = pathlib.Path(path).parent
        data = pathlib.Path(path).read_bytes()
        self.chunk = None
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            begin = data.find(b"BIN\0", 20 + size) - 4
            if begin > 0:
                self.chunk = data[begin + 8 : begin + 8 + struct.unpack_from("<I", data, begin)[0]]
            data = data[20 : 20 + size]
        self.json = json.loads(data)
        self.buffers = {}

    def buffer(self, i):
        if i not in self.buffers:
            uri = self.json["buffers"][i].get("uri")
            if uri is None:
                self.buffers[i] = self.chunk
            elif uri.startswith("data:"):
                self.buffers[i] = base64.b64decode(uri.split(",", 1)[1])
            else:
                self.buffers[i] = (self.folder / urllib.parse.unquote(uri)).read_bytes()
        return self.buffers[i]

    def elements(self, view, offset, count, code, components, strided):
        v = self.json["bufferViews"][view]
        size = struct.calcsize("<" + code) * components
        step = v.get("byteStride", size) if strided else size
        at = v.get("byteOffset", 0) + offset
        return [struct.unpack_from(f"<{components}{code}", self.buffer(v["buffer"]), at + i * step) for i in range(count)]

    def accessor(self, i):
        a = self.json["accessors"][i]
        code, components, count = CODES[a["componentType"]], SIZES[a["type"]], a["count"]
        if "bufferView" in a:
            rows = self.elements(a["bufferView"], a.get("byteOffset", 0), count, code, components, True)
        else:
            rows = [(0,) * components] * count
        if "sparse" in a:
            s = a["sparse"]
            places, values = s["indices"], s["values"]
            n = s["count"]
            where = self.elements(places["bufferView"], places.get("byteOffset", 0), n, CODES[places["componentType"]], 1, False)
            what = self.elements(values["bufferView"], values.get("byteOffset", 0), n, code, components, False)
            for (place,), row in zip(where, what):
                rows[place] = row
        if a.get("normalized"):
            return [tuple(max(x / RANGES[code], -1.0) for x in row) for row in rows]
        return [tuple(float(x) for x in row) for row in rows]


def times(a, b):
    return [[a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k] + (a[i][3] if k == 3 else 0.0) for k in range(4)]
            for i in range(3)]


def put(m, p):
    if m == IDENTITY:
        return p
    return tuple(row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3] for row in m)


def negative(m):
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0


def turned(q):
    x, y, z, w = q
    n = x * x + y * y + z * z + w * w
    return [[((x * x + w * w) - (y * y + z * z)) / n, 2 * (x * y - z * w) / n, 2 * (x * z + y * w) / n],
            [2 * (x * y + z * w) / n, ((y * y + w * w) - (x * x + z * z)) / n, 2 * (y * z - x * w) / n],
            [2 * (x * z - y * w) / n, 2 * (y * z + x * w) / n, ((z * z + w * w) - (x * x + y * y)) / n]]


def composed(t, q, s):
    r = turned([float(x) for x in q])
    return [[r[i][k] * s[k] for k in range(3)] + [float(t[i])] for i in range(3)], math.prod(s) < 0


def local(node):
    if "matrix" in node:
        m = [[float(node["matrix"][4 * k + i]) for k in range(4)] for i in range(3)]
        return m, negative(m)
    return composed(node.get("translation", (0, 0, 0)), node.get("rotation", (0, 0, 0, 1)), node.get("scale", (1, 1, 1)))


def triangles(mode, corners):
    if mode == 4:
        return [tuple(corners[i : i + 3]) for i in range(0, len(corners), 3)]
    n = len(corners) - 2
    if mode == 5:
        return [(corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]) for i in range(n)]
    return [(corners[i + 1], corners[i + 2], corners[0]) for i in range(n)]


class Reader(File):
    def worlds(self):
        nodes = self.json.get("nodes", [])
        parent = {c: i for i, node in enumerate(nodes) for c in node.get("children", [])}

        def world(i):
            m, odd = local(nodes[i])
            if i not in parent:
                return m, odd
            above, above_odd = world(parent[i])
            return times(above, m), odd != above_odd

        self.world = [world(i) for i in range(len(nodes))]
        self.roots = [i for i in range(len(nodes)) if i not in parent]

    def points(self, primitive, weights, skin, matrix):
        attributes = primitive["attributes"]
        points = self.accessor(attributes["POSITION"])
        for target, weight in zip(primitive.get("targets", []), weights):
            if weight and "POSITION" in target:
                moves = self.accessor(target["POSITION"])
                points = [tuple(a + weight * b for a, b in zip(p, d)) for p, d in zip(points, moves)]
        if skin is None:
            return [put(matrix, p) for p in points]
        sets = []
        while f"JOINTS_{len(sets)}" in attributes:
            n = len(sets)
            sets.append((self.accessor(attributes[f"JOINTS_{n}"]), self.accessor(attributes[f"WEIGHTS_{n}"])))
        placed = []
        for i, p in enumerate(points):
            m = [[0.0] * 4 for _ in range(3)]
            for joints, weights in sets:
                for joint, weight in zip(joints[i], weights[i]):
                    if weight:
                        m = [[x + weight * y for x, y in zip(r, s)] for r, s in zip(m, skin[int(joint)])]
            placed.append(put(m, p))
        return placed

    def joints(self, skin):
        s = self.json["skins"][skin]
        binds = [IDENTITY] * len(s["joints"])
        if "inverseBindMatrices" in s:
            rows = self.accessor(s["inverseBindMatrices"])
            binds = [[[row[4 * k + i] for k in range(4)] for i in range(3)] for row in rows]
        odd = [self.world[j][1] != negative(b) for j, b in zip(s["joints"], binds)]
        return [times(self.world[j][0], b) for j, b in zip(s["joints"], binds)], all(odd)

    def instances(self, node):
        attributes = node.get("extensions", {}).get("EXT_mesh_gpu_instancing", {}).get("attributes")
        if attributes is None:
            return [(None, False)]
        lists = {name: self.accessor(i) for name, i in attributes.items()}
        count = len(next(iter(lists.values())))
        rest = {"TRANSLATION": (0.0, 0.0, 0.0), "ROTATION": (0.0, 0.0, 0.0, 1.0), "SCALE": (1.0, 1.0, 1.0)}
        return [composed(*(lists[k][i] if k in lists else rest[k] for k in rest)) for i in range(count)]

    def show(self, i, out):
        node = self.json["nodes"][i]
        for matrix, odd in self.instances(node) if "mesh" in node else []:
            world, flip = self.world[i]
            if matrix is not None:
                world, flip = times(world, matrix), flip != odd
            mesh = self.json["meshes"][node["mesh"]]
            skin = None
            if "skin" in node:
                skin, flip = self.joints(node["skin"])
            weights = node.get("weights", mesh.get("weights", []))
            count, before, first = 0, None, 0
            for primitive in mesh["primitives"]:
                if primitive.get("mode", 4) < 4:
                    continue
                if primitive.get("targets") or primitive["attributes"] != before:
                    first = len(out[0])
                    out[0].extend(self.points(primitive, weights, skin, world))
                before = primitive["attributes"]
                corners = range(self.json["accessors"][before["POSITION"]]["count"])
                if "indices" in primitive:
                    corners = [int(x) for x, in self.accessor(primitive["indices"])]
                faces = triangles(primitive.get("mode", 4), corners)
                out[1].extend(tuple(first + x for x in ((a, c, b) if flip else (a, b, c))) for a, b, c in faces)
                count += len(faces)
            if count:
                out[2].append((node.get("name") or mesh.get("name") or f"node {i}", count))
        for child in node.get("children", []):
            self.show(child, out)


def read(path):
    reader = Reader(path)
    reader.worlds()
    roots = reader.roots
    if reader.json.get("scenes"):
        roots = reader.json["scenes"][reader.json.get("scene", 0)].get("nodes", [])
    out = ([], [], [])
    for root in roots:
        reader.show(root, out)
    return out
