# SPDX-License-Identifier: MIT
"""A second reader of COLLADA, for test_collada.py: short, slow, with Python's floats and parser, and no line in common with
io/collada. It takes good files only. read(path) gives the positions, the faces and the parts, as (name, number of faces)."""

import math
import urllib.parse
import xml.etree.ElementTree as ElementTree

ONE = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
RADIAN = 0.017453292519943295


def times(a, b):
    return [[sum_of(a[i][0] * b[0][k], a[i][1] * b[1][k], a[i][2] * b[2][k], *([a[i][3]] if k == 3 else [])) for k in range(4)]
            for i in range(3)]


def sum_of(first, *others):
    for other in others:
        first = first + other
    return first


def put(m, p):
    return list(p) if m == ONE else [sum_of(r[0] * p[0], r[1] * p[1], r[2] * p[2], r[3]) for r in m]


def turns_over(m):
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0


def sine(degrees):
    """Sine and cosine."""
    rest = math.fmod(degrees, 360.0)
    quarter = round(rest / 90.0)
    small = rest - 90.0 * quarter
    s, c = math.sin(small * RADIAN), math.cos(small * RADIAN)
    if abs(small) == 30:
        s = math.copysign(0.5, small)
    return [(s, c), (c, -s), (-s, -c), (-c, s)][quarter % 4]


def rotation(x, y, z, degrees):
    n = x * x + y * y + z * z
    if n == 0:
        return ONE
    s, c = sine(degrees)
    v, length, t = (x, y, z), math.sqrt(n), 1 - c
    m = [[0.0] * 4 for _ in range(3)]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        first, second = (j, k) if j < k else (k, j)
        m[i][i] = (v[i] * v[i] + c * (v[first] * v[first] + v[second] * v[second])) / n
        m[min(i, j)][max(i, j)] = v[min(i, j)] * v[max(i, j)] * t / n
        m[max(i, j)][min(i, j)] = m[min(i, j)][max(i, j)]
        if i < j:
            m[i][j], m[j][i] = m[i][j] - v[k] * s / length, m[j][i] + v[k] * s / length
        else:
            m[j][i], m[i][j] = m[j][i] + v[k] * s / length, m[i][j] - v[k] * s / length
    return m


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(v):
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return [x / length for x in v]


def look(n):
    back = unit([n[i] - n[3 + i] for i in range(3)])
    right = unit(cross(n[6:9], back))
    up = cross(back, right)
    return [[right[i], up[i], back[i], n[i]] for i in range(3)]


def one_transform(kind, n):
    """The matrix, and whether it turns over."""
    if kind == "matrix":
        m = [n[4 * i : 4 * i + 4] for i in range(3)]
        return m, turns_over(m)
    if kind == "translate":
        return [ONE[i][:3] + [n[i]] for i in range(3)], False
    if kind == "scale":
        return [[n[i] if i == k else 0.0 * n[k] for k in range(3)] + [0.0] for i in range(3)], math.prod(n) < 0
    return (rotation(*n) if kind == "rotate" else look(n)), False


def numbers(e):
    return [float(x) for x in (e.text or "").split()]


def whole(e):
    return [int(x) for x in (e.text or "").split()] if e is not None else []


class Reader:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        for e in self.root.iter():
            e.tag = e.tag.split("}")[-1]
        self.ids = {(e.tag, e.get("id")): e for e in self.root.iter()}
        self.parents = {child: e for e in self.root.iter() for child in e}
        self.points, self.faces, self.parts = [], [], []

    def to(self, url, *tags):
        names = (url[1:], urllib.parse.unquote(url[1:]))
        return next(self.ids[tag, name] for tag in tags for name in names if (tag, name) in self.ids)

    def input(self, e, semantic):
        return next(i for i in e.iter("input") if i.get("semantic") == semantic)

    def rows(self, e, semantic, width):
        accessor = self.to(self.input(e, semantic).get("source"), "source").find("technique_common/accessor")
        values = numbers(self.to(accessor.get("source"), "float_array"))
        names = [p.get("name") for p in accessor.findall("param")]
        order = range(width)
        if width == 3:
            order = [i for i, name in enumerate(names) if name]
            if {str(names[i]).upper() for i in order} == set("XYZ"):
                order.sort(key=lambda i: names[i].upper())
        first, step = int(accessor.get("offset", 0)), int(accessor.get("stride", 1))
        return [[values[first + step * i + k] for k in order] for i in range(int(accessor.get("count")))]

    def names(self, e, semantic):
        accessor = self.to(self.input(e, semantic).get("source"), "source").find("technique_common/accessor")
        array = self.to(accessor.get("source"), "Name_array", "IDREF_array")
        return array.tag, array.text.split()[: int(accessor.get("count"))]

    def mesh(self, geometry):
        mesh, faces = geometry.find("mesh"), []
        for e in mesh:
            if e.tag not in ("triangles", "polylist", "polygons", "tristrips", "trifans") or e.get("count") == "0":
                continue
            step = 1 + max(int(i.get("offset")) for i in e.findall("input"))
            at = int(self.input(e, "VERTEX").get("offset"))
            lists = [whole(p)[at::step] for p in e.findall("p")]
            if e.tag == "triangles":
                faces += [lists[0][i : i + 3] for i in range(0, len(lists[0]), 3)]
            for n in whole(e.find("vcount")):
                faces.append(lists[0][:n])
                lists[0] = lists[0][n:]
            for corners in lists:
                n = range(len(corners) - 2)
                if e.tag == "polygons":
                    faces.append(corners)
                if e.tag == "tristrips":
                    faces += [[corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]] for i in n]
                if e.tag == "trifans":
                    faces += [[corners[0], corners[i + 1], corners[i + 2]] for i in n]
        return self.rows(mesh.find("vertices"), "POSITION", 3), [f for f in faces if len(f) > 2]

    def morph(self, controller):
        morph = controller.find("morph")
        points, faces = self.mesh(self.to(morph.get("source"), "geometry"))
        weights = [w for w, in self.rows(morph.find("targets"), "MORPH_WEIGHT", 1)]
        _, targets = self.names(morph.find("targets"), "MORPH_TARGET")
        if not any(weights):
            return points, faces
        if morph.get("method", "NORMALIZED") == "NORMALIZED":
            points = [[x * (1 - sum_of(0.0, *weights)) for x in p] for p in points]
        for weight, target in zip(weights, targets):
            if weight:
                others, _ = self.mesh(self.to("#" + target, "geometry"))
                points = [[x + weight * y for x, y in zip(p, q)] for p, q in zip(points, others)]
        return points, faces

    def local(self, node):
        m, over = ONE, False
        for e in node:
            if e.tag in ("matrix", "translate", "rotate", "scale", "lookat"):
                one, turned = one_transform(e.tag, numbers(e))
                m, over = times(m, one), over != turned
        return m, over

    def place(self, node):
        if node.tag != "node":
            return ONE, False
        (a, x), (b, y) = self.place(self.parents[node]), self.local(node)
        return times(a, b), x != y

    def joint(self, kind, name, instance):
        if kind == "IDREF_array":
            return self.ids["node", name]
        roots = [self.to(s.text.strip(), "node") for s in instance.findall("skeleton")] or [self.scene]
        for root in roots:
            level = [root]
            while level:
                for e in level:
                    if e.get("sid") == name and e.tag == "node":
                        return e
                level = [child for e in level for child in e if child.tag == "node"]
        raise KeyError(name)

    def skin(self, controller, instance):
        skin = controller.find("skin")
        source = self.to(skin.get("source"), "geometry", "controller")
        points, faces = self.mesh(source) if source.tag == "geometry" else self.morph(source)
        kind, names = self.names(skin.find("joints"), "JOINT")
        binds = self.rows(skin.find("joints"), "INV_BIND_MATRIX", 16)
        shape = skin.find("bind_shape_matrix")
        shape, over = one_transform("matrix", numbers(shape)) if shape is not None else (ONE, False)
        joints = []
        for name, bind in zip(names, binds):
            bind, turned = one_transform("matrix", bind)
            world, turned_too = self.place(self.joint(kind, name, instance))
            joints.append((times(times(world, bind), shape), (turned != turned_too) != over))
        e = skin.find("vertex_weights")
        weights, v = [w for w, in self.rows(e, "WEIGHT", 1)], whole(e.find("v"))
        j, w = (int(self.input(e, s).get("offset")) for s in ("JOINT", "WEIGHT"))
        step = 1 + max(int(i.get("offset")) for i in e.findall("input"))
        placed = []
        for point, n in zip(points, whole(e.find("vcount"))):
            total = [[0.0] * 4 for _ in range(3)]
            for i in range(n):
                m = shape if v[j] < 0 else joints[v[j]][0]
                total = [[x + weights[v[w]] * y for x, y in zip(*rows)] for rows in zip(total, m)] if weights[v[w]] else total
                v = v[step:]
            placed.append(put(total, point))
        return placed, faces, all(turned for _, turned in joints)

    def show(self, node, name, world, over):
        shown = [e for e in node if e.tag in ("instance_geometry", "instance_controller")]
        for e in node:
            m, turned = world, over
            if e.tag in ("node", "instance_node"):
                child = e if e.tag == "node" else self.to(e.get("url"), "node")
                m, turned = self.local(child)
                self.show(child, child.get("name") or child.get("id") or name, times(world, m), over != turned)
            if e not in shown:
                continue
            if e.tag == "instance_geometry":
                what = self.to(e.get("url"), "geometry")
                points, faces = self.mesh(what)
            else:
                what = self.to(e.get("url"), "controller")
                if what.find("morph") is not None:
                    points, faces = self.morph(what)
                else:
                    points, faces, turned = self.skin(what, e)
                    m = ONE
            if not faces:
                continue
            first = len(self.points)
            self.points += [put(m, p) for p in points]
            self.faces += [[first + c for c in (f[:1] + f[:0:-1] if turned else f)] for f in faces]
            called = [n for n in (name, what.get("name") or what.get("id")) if n] or ["default"]
            self.parts.append(("/".join(called) if len(shown) > 1 and name else called[0], len(faces)))

    def read(self):
        instance = self.root.find("scene/instance_visual_scene")
        self.scene = self.root.find(".//visual_scene") if instance is None else self.to(instance.get("url"), "visual_scene")
        self.show(self.scene, None, ONE, False)
        return self.points, self.faces, self.parts


def read(path):
    return Reader(path).read()
