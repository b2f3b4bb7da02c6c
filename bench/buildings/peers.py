# SPDX-License-Identifier: MIT
"""Which elements of a building overlap deeper than a millimetre? What other libraries say, and how long they take.

Run by hand, with a model from scripts/fetch-building, on one core:

    python3 -m venv build/peers
    build/peers/bin/pip install ifcopenshell==0.9.0.post1 manifold3d==3.5.4 python-fcl==0.7.0.11 coal==3.0.3 \\
        numpy==2.4.6
    taskset -c 0 build/peers/bin/python bench/buildings/peers.py build/graze \\
        build/building/duplex.ifc build/building/duplex.obj

Graze's verdicts are proved. So that the table does not rest on its word, those that are "deeper", and those on which a
peer differs, are looked at again here, by arithmetic of this file, in floating point: "deeper" by the distances of one
point from all triangles of both, and by how many a ray from it crosses; "not deeper" by points in the common box, of
which none may be deeper. That is a proof but for rounding in the first case, and a sample in the second.

Each peer is asked of all pairs whose boxes overlap, in the way that comes nearest to the question:

    IfcOpenShell  tree.clash_intersection_many(tolerance=0.001, check_all=True): its clash detection
    manifold3d    the volume V and surface A of the intersection; its mean thickness 2 V / A is above 0.001
    FCL, Coal     collide() with all contacts; the largest penetration depth is above 0.001
"""

import itertools
import json
import multiprocessing
import subprocess
import sys
import time

import numpy

DEPTH = 0.001
POINTS = 500  # in the common box of a pair that is not deeper


def read_obj(path):
    """{name: (vertices, triangles)} of an OBJ that ifc-to-obj made, in the file's order."""
    vertices, objects, faces = [], {}, None
    for line in open(path):
        kind, _, rest = line.partition(" ")
        if kind == "o":
            faces = []
            objects[rest.strip()] = faces
        elif kind == "v":
            vertices.append([float(number) for number in rest.split()])
        elif kind == "f":
            faces.append([int(corner.split("/")[0]) - 1 for corner in rest.split()])
    made = {}
    for name, faces in objects.items():
        used, triangles = numpy.unique(numpy.array(faces), return_inverse=True)
        made[name] = numpy.array(vertices)[used], triangles.reshape(-1, 3)
    return made


# ---- Points by brute force


def distances(points, corners):
    """How far points are from the nearest of some triangles (Ericson, Real-Time Collision Detection, 5.1.5)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    least = numpy.full(len(points), numpy.inf)
    for i, p in enumerate(points):
        ab, ac, ap, bp, cp = b - a, c - a, p - a, p - b, p - c
        d1, d2, d3, d4, d5, d6 = (numpy.einsum("ij,ij->i", x, y) for x, y in
                                  ((ab, ap), (ac, ap), (ab, bp), (ac, bp), (ab, cp), (ac, cp)))
        va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
        with numpy.errstate(divide="ignore", invalid="ignore"):
            total = va + vb + vc
            nearest = a + ab * (vb / total)[:, None] + ac * (vc / total)[:, None]
            on = (va <= 0) & (d4 - d3 >= 0) & (d5 - d6 >= 0)
            nearest[on] = (b + (c - b) * ((d4 - d3) / (d4 - d3 + d5 - d6))[:, None])[on]
            on = (vb <= 0) & (d2 >= 0) & (d6 <= 0)
            nearest[on] = (a + ac * (d2 / (d2 - d6))[:, None])[on]
            on = (vc <= 0) & (d1 >= 0) & (d3 <= 0)
            nearest[on] = (a + ab * (d1 / (d1 - d3))[:, None])[on]
        nearest[(d6 >= 0) & (d5 <= d6)] = c[(d6 >= 0) & (d5 <= d6)]
        nearest[(d3 >= 0) & (d4 <= d3)] = b[(d3 >= 0) & (d4 <= d3)]
        nearest[(d1 <= 0) & (d2 <= 0)] = a[(d1 <= 0) & (d2 <= 0)]
        least[i] = numpy.sqrt(numpy.nanmin(((nearest - p) ** 2).sum(axis=1)))
    return least


def crossings(points, corners):
    """How many triangles are above each point, along an odd direction; odd: inside, by the even-odd rule."""
    way = numpy.array([0.3018, 0.2117, 0.9296])
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    h = numpy.cross(way, ac)
    determinant = numpy.einsum("ij,ij->i", ab, h)
    counts = numpy.zeros(len(points), int)
    for i, p in enumerate(points):
        with numpy.errstate(divide="ignore", invalid="ignore"):
            s = p - a
            u = numpy.einsum("ij,ij->i", s, h) / determinant
            q = numpy.cross(s, ab)
            v = q @ way / determinant
            t = numpy.einsum("ij,ij->i", ac, q) / determinant
        counts[i] = ((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)).sum()
    return counts


def depths(points, one, other):
    """r + s of points; 0 of those that are not inside both."""
    inside = (crossings(points, one) % 2 == 1) & (crossings(points, other) % 2 == 1)
    found = numpy.zeros(len(points))
    if inside.any():
        found[inside] = distances(points[inside], one) + distances(points[inside], other)
    return found


def look_again(verdict, centre, a, b, random):
    """Whether arithmetic of this file agrees with a proved verdict."""
    one, other = a[0][a[1]], b[0][b[1]]
    if verdict:
        return depths(numpy.array([centre]), one, other)[0] > DEPTH
    low = numpy.maximum(a[0].min(axis=0), b[0].min(axis=0))
    high = numpy.minimum(a[0].max(axis=0), b[0].max(axis=0))
    points = low + (high - low) * random.random((POINTS, 3))
    return depths(points, one, other).max() <= DEPTH * (1 + 1e-6)


# ---- The libraries. Each returns (seconds, {(name, name): True, False or None: it gives no answer}).


def pairs_near(objects):
    boxes = {name: (v.min(axis=0), v.max(axis=0)) for name, (v, _) in objects.items()}
    return [(a, b) for a, b in itertools.combinations(objects, 2)
            if (boxes[a][0] <= boxes[b][1]).all() and (boxes[b][0] <= boxes[a][1]).all()]


def ask_graze(tool, obj, quiet):
    start = time.perf_counter()
    options = ["--quiet"] if quiet else ["--json"]
    done = subprocess.run([tool, "scene", obj, "--deeper-than", str(DEPTH), "--threads", "1", *options],
                          capture_output=True, text=True)
    return time.perf_counter() - start, None if quiet else json.loads(done.stdout)


def ask_ifcopenshell(ifc):
    import ifcopenshell
    import ifcopenshell.geom

    model = ifcopenshell.open(ifc)
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    tree = ifcopenshell.geom.tree(backend="opencascade.trianglebvh")
    for shape in ifcopenshell.geom.iterate(settings, model, 1):
        tree.add_element(shape)
    elements = [e for e in model.by_type("IfcElement") if e.Representation is not None]
    start = time.perf_counter()
    clashes = tree.clash_intersection_many(elements, elements, tolerance=DEPTH, check_all=True)
    seconds = time.perf_counter() - start
    found = set()
    for clash in clashes:
        one, other = (f"{x.is_a()}_{x.get_argument(0)}" for x in (clash.a, clash.b))
        if one != other:
            found.add(frozenset((one, other)))
    return seconds, found


def ask_manifold(objects, pairs):
    import manifold3d

    start = time.perf_counter()
    solids = {}
    for name, (v, f) in objects.items():
        mesh = manifold3d.Mesh64(numpy.ascontiguousarray(v), numpy.ascontiguousarray(f, dtype=numpy.uint64))
        mesh.merge()
        solid = manifold3d.Manifold(mesh)
        solids[name] = solid if solid.status() == manifold3d.Error.NoError and not solid.is_empty() else None
    answers = {}
    for a, b in pairs:
        if solids[a] is None or solids[b] is None:
            answers[a, b] = None
            continue
        common = solids[a] ^ solids[b]
        area = common.surface_area()
        answers[a, b] = bool(area > 0 and 2 * common.volume() / area > DEPTH)
    return time.perf_counter() - start, answers


def ask_fcl(objects, pairs):
    import fcl

    start = time.perf_counter()
    bodies = {}
    for name, (v, f) in objects.items():
        model = fcl.BVHModel()
        model.beginModel(len(f), len(v))
        model.addSubModel(v, f)
        model.endModel()
        bodies[name] = fcl.CollisionObject(model, fcl.Transform())
    answers = {}
    for a, b in pairs:
        result = fcl.CollisionResult()
        fcl.collide(bodies[a], bodies[b], fcl.CollisionRequest(num_max_contacts=100000, enable_contact=True), result)
        answers[a, b] = any(contact.penetration_depth > DEPTH for contact in result.contacts)
    return time.perf_counter() - start, answers


def ask_coal(objects, pairs):
    import coal

    start = time.perf_counter()
    bodies = {}
    for name, (v, f) in objects.items():
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(f), len(v))
        model.addVertices(v)
        model.addTriangles(f.astype(numpy.int64))
        model.endModel()
        bodies[name] = model
    at = coal.Transform3s.Identity() if hasattr(coal, "Transform3s") else coal.Transform3f()
    answers = {}
    for a, b in pairs:
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        request.num_max_contacts = 100000
        request.enable_contact = True
        coal.collide(bodies[a], at, bodies[b], at, request, result)
        depth = max((abs(result.getContact(i).penetration_depth) for i in range(result.numContacts())), default=0.0)
        answers[a, b] = depth > DEPTH
    return time.perf_counter() - start, answers


def in_a_process(ask, *arguments):
    """A library that crashes or hangs is told, and the others go on."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            return pool.apply_async(ask, arguments).get(600)
        except multiprocessing.TimeoutError:
            return None


def main(tool, ifc, obj):
    objects = read_obj(obj)
    names = list(objects)
    pairs = pairs_near(objects)
    quiet = min(ask_graze(tool, obj, True)[0] for _ in range(3))
    seconds, told = min((ask_graze(tool, obj, False) for _ in range(3)), key=lambda x: x[0])
    truth, centres = {}, {}
    for pair in told["pairs"]:
        key = names[pair["a"]], names[pair["b"]]
        truth[key] = pair["overlap"]["deeper"]
        centres[key] = pair["overlap"]["centre"]
    for key in pairs:
        truth.setdefault(key, False)  # not listed: apart
    decided = [key for key, deeper in truth.items() if deeper is not None]
    deeper = [key for key in decided if truth[key]]
    triangles = sum(len(f) for _, f in objects.values())
    print(f"{len(objects)} elements, {triangles} triangles, {len(pairs)} pairs whose boxes overlap; "
          f"{len(deeper)} of {len(decided)} decided ones are deeper than {DEPTH}")
    print(f"Graze: {quiet:.2f} s (--quiet), {seconds:.2f} s with the report and its places, reading the file included; "
          f"no answer for {len(truth) - len(decided)} pairs (open meshes)")

    asked = {"IfcOpenShell": (ask_ifcopenshell, ifc), "manifold3d": (ask_manifold, objects, pairs),
             "FCL": (ask_fcl, objects, pairs), "Coal": (ask_coal, objects, pairs)}
    random = numpy.random.default_rng(1)
    looked = {key: look_again(True, centres[key], objects[key[0]], objects[key[1]], random) for key in deeper}
    print(f"looked at again: {sum(looked.values())} of {len(deeper)} deeper pairs are")
    for library, question in asked.items():
        answer = in_a_process(*question)
        if answer is None:
            print(f"{library}: no end within 600 s")
            continue
        seconds, said = answer
        if isinstance(said, set):
            said = {key: frozenset(key) in said for key in pairs}
        best = [seconds] + [in_a_process(*question)[0] for _ in range(2)]
        missed = [key for key in decided if truth[key] and said.get(key) is False]
        invented = [key for key in decided if not truth[key] and said.get(key)]
        silent = [key for key in decided if said.get(key, False) is None]
        for key in missed + invented:
            if key not in looked:
                looked[key] = look_again(truth[key], centres.get(key), objects[key[0]], objects[key[1]], random)
        agree = sum(looked[key] for key in missed + invented)
        print(f"{library}: {min(best):.2f} s; missed {len(missed)}, invented {len(invented)}, no answer {len(silent)}; "
              f"looked at again: {agree} of {len(missed) + len(invented)} are as Graze says, as far as points tell")
        for what, keys in (("missed", missed), ("invented", invented)):
            for key in keys[:3]:
                print(f"    {what}: {key[0]}, {key[1]}")
    for key, fine in looked.items():
        if not fine:
            print(f"DIFFERS: {key}")


if __name__ == "__main__":
    main(*sys.argv[1:])
