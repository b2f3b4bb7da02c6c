# SPDX-License-Identifier: MIT
"""A second reader of 3MF, for test_3mf.py: short, slow, with Python's zip, XML and floats, and no line in common with
io/threemf. It takes good files only. read(path) gives the positions, the triangles and the parts, as (name, number of
triangles)."""

import xml.etree.ElementTree as tree
import zipfile
from urllib.parse import unquote

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
PATH = "{http://schemas.microsoft.com/3dmanufacturing/production/2015/06}path"
START = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
IDENTITY = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]


def times(a, b):
    return [[a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k] + (a[i][3] if k == 3 else 0.0) for k in range(4)]
            for i in range(3)]


def matrix(element):
    text = element.get("transform")
    if text is None:
        return IDENTITY, False
    n = [float(x) for x in text.split()]
    (a, b, c), (d, e, f), (g, h, i) = n[0:3], n[3:6], n[6:9]
    return [[n[3 * k + r] for k in range(4)] for r in range(3)], a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0


def put(m, p):
    return p if m == IDENTITY else tuple(r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3] for r in m)


def key(name):
    return unquote(name).lstrip("/").lower()


class Package:
    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.files = {key(name): archive.read(name) for name in archive.namelist()}
        self.models = {}
        relations = tree.fromstring(self.files["_rels/.rels"])
        self.root = key(next(r.get("Target") for r in relations if r.get("Type") == START))
        self.points, self.faces, self.parts = [], [], []
        for item in self.model(self.root)[1]:
            self.show(self.root, item, IDENTITY, False, [], [item.get("partnumber")])

    def model(self, name):
        if name not in self.models:
            model = tree.fromstring(self.files[name])
            objects = {int(o.get("id")): o for o in model.find(CORE + "resources").findall(CORE + "object")}
            self.models[name] = objects, model.find(CORE + "build").findall(CORE + "item")
        return self.models[name]

    def show(self, file, element, above, turned, names, numbers):
        local, odd = matrix(element)
        world, turned = times(above, local), turned != odd
        if PATH in element.attrib:
            file = key(element.get(PATH))
        o = self.model(file)[0][int(element.get("objectid"))]
        names, numbers = names + [o.get("name")], numbers + [o.get("partnumber")]
        for component in o.findall(f"{CORE}components/{CORE}component"):
            self.show(file, component, world, turned, names, numbers)
        mesh = o.find(CORE + "mesh")
        if mesh is None or len(mesh.find(CORE + "triangles")) == 0:
            return
        first = len(self.points)
        self.points += [put(world, tuple(float(v.get(a)) for a in "xyz")) for v in mesh.find(CORE + "vertices")]
        for t in mesh.find(CORE + "triangles").findall(CORE + "triangle"):
            a, b, c = (first + int(t.get(v)) for v in ("v1", "v2", "v3"))
            self.faces.append((a, c, b) if turned else (a, b, c))
        name = next((n for n in [*reversed(names), *reversed(numbers)] if n), f"object {int(o.get('id'))}")
        self.parts.append((name, len(self.faces) - sum(n for _, n in self.parts)))


def read(path):
    package = Package(path)
    return package.points, package.faces, package.parts
