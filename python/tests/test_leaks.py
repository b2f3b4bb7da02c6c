# SPDX-License-Identifier: MIT
"""Calls that succeed and calls that fail leave nothing behind: no reference, no block, no mesh in use."""

import gc
import os
import sys
from pathlib import Path

import numpy
import pytest

import libgraze
from meshes import CUBE, FACES, cube, tube

DATA = Path(__file__).resolve().parents[2] / "tests/cli/data"
NODES, ROBOT = DATA / "nodes.gltf", DATA / "robot/arm.urdf"
BOX = libgraze.Shape.box((0.5, 0.5, 0.5), (0.25, 0.5, 1))
MESH, OTHER = cube(), cube()
RAYS, POSES = numpy.ones((300, 3)), numpy.tile(numpy.eye(4), (3, 1, 1))
SCENE = libgraze.Scene()
for place in ((0, 0, 0), (3, 0, 0), (6, 1, 0)):
    SCENE.add(MESH, place)
SCENE.remove(0)
FLAT = libgraze.Flat([[0, 0, 1, 1], [1, 1, 2, 2]])
MANIFOLDS = [libgraze.manifold(MESH, OTHER, pose_b=(0, 0, z)) for z in (1, 0.75)]
SHAPE_MANIFOLDS = [libgraze.shape_manifold(BOX, BOX.at((0.25, 0, z))) for z in (2, 1.75)]


def events_of_a_scene():
    scene = libgraze.Scene()
    scene.add(MESH)
    scene.add(OTHER, (0.5, 0, 0))
    events = libgraze.SceneEvents(scene)
    events.update(scene.collide())
    assert len(events.began) == 1 and events.stays == []
    result = scene.collide()
    scene.set_pose(1, (5, 0, 0))
    events.update(result)  # raises: the scene has changed


CALLS = {
    "flat": lambda: libgraze.Flat(numpy.ones((40, 4)), search="grid").pairs().tolist(),
    "flat kind": lambda: libgraze.Flat([[0, 0]], "circle"),
    "flat items": lambda: libgraze.Flat([[1, 1, 0, 0]]),
    "flat move": lambda: FLAT.move([[0, 0, 1, 1]], [1]),
    "flat add": lambda: FLAT.remove(numpy.asarray(FLAT.add([[3, 3, 4, 4]]))),
    "flat add row": lambda: FLAT.add([[3, 3]]),
    "flat numbers": lambda: FLAT.move([[0, 0, 1, 1]], [7]),
    "flat remove": lambda: FLAT.remove([9]),
    "flat box": lambda: FLAT.in_box((0, 0), (1, 1)).tolist(),
    "flat circle": lambda: FLAT.in_circle((0, 0), -1),
    "flat nearest": lambda: FLAT.nearest([[0, 0], [9, 9]]).numbers,
    "flat nearest nan": lambda: FLAT.nearest([[0, numpy.nan]]),
    "flat first": lambda: FLAT.first_hits([[-1, 0]], [[0, 0]]).t,
    "flat first rows": lambda: FLAT.first_hits([[-1, 0]], [[0, 0], [1, 1]]),
    "flat all": lambda: FLAT.all_hits((-1, 0), (0, 0)).t,
    "flat item": lambda: (FLAT.item(0), FLAT.item(99)),
    "scene rays": lambda: libgraze.rays(SCENE, RAYS, (1, 1, 1)).points,
    "scene rays all": lambda: libgraze.rays(SCENE, -RAYS, (3, 1, 1), find="all").rays,
    "model": lambda: libgraze.load_model(NODES).scene().collide().relation,
    "model none": lambda: libgraze.load_model("no/such/file"),
    "robot": lambda: libgraze.Robot(ROBOT, packages={"robot": ROBOT.parent}).scene(allow_adjacent=True).collide().relation,
    "robot joint": lambda: libgraze.Robot(ROBOT).place({"none": 1}),
    "robot limits": lambda: libgraze.Robot(ROBOT).place({"shoulder": 9}),
    "robot package": lambda: libgraze.Robot(ROBOT, packages={"robot": "/nowhere"}).scene(),
    "robot none": lambda: libgraze.Robot("no/such.urdf"),
    "robot srdf": lambda: libgraze.Robot(ROBOT, srdf="no/such.srdf"),
    "scene pose": lambda: libgraze.rays(SCENE, RAYS, (1, 1, 1), pose=(1, 2, 3)),
    "move scene": lambda: libgraze.move_scene(SCENE, 1, (6, 0, 0)),
    "move scene number": lambda: libgraze.move_scene(SCENE, 0, (6, 0, 0)),
    "distance scene": lambda: libgraze.distance_scene(SCENE, None),
    "distance scene method": lambda: libgraze.distance_scene(SCENE, method="none"),
    "rays first": lambda: libgraze.rays([MESH, (OTHER, (1, 2, 3))], RAYS, (1, 1, 1)).points,
    "rays all": lambda: libgraze.rays([MESH, (OTHER, (1, 2, 3))], -RAYS, (1, 0.9, 0.8), find="all").rays,
    "rays any": lambda: libgraze.rays(MESH, RAYS.tolist(), ends=(0.3, 0.2, 0.1), find="any").tolist(),
    "rays float32": lambda: libgraze.rays(MESH, RAYS.astype(numpy.float32), (1, 1, 1)),
    "rays rows": lambda: libgraze.rays(MESH, RAYS, RAYS[:7]),
    "rays list": lambda: libgraze.rays([MESH, (OTHER, (1, 2))], RAYS, RAYS),
    "rays item": lambda: libgraze.rays([MESH, (7, None)], RAYS, RAYS),
    "rays nan": lambda: libgraze.rays(MESH, RAYS, RAYS + numpy.nan),
    "rays method": lambda: libgraze.rays(MESH, RAYS, RAYS, method="none"),
    "rays all method": lambda: libgraze.rays(MESH, RAYS, RAYS, find="all", method="none"),
    "pick": lambda: libgraze.pick(MESH, (0.3, 0.4, 5), (0, 0, -1)),
    "pick nothing": lambda: libgraze.pick(MESH, (3, 4, 5), (0, 0, -1)),
    "pick zero": lambda: libgraze.pick(MESH, (3, 4, 5), (0, 0, 0)),
    "locate": lambda: libgraze.locate(MESH, RAYS, pose=(1, 2, 3)),
    "locate deadline": lambda: libgraze.locate(MESH, RAYS, deadline=-1.0),
    "nearest": lambda: libgraze.nearest(MESH, RAYS).signed_distances,
    "nearest mesh": lambda: libgraze.nearest(7, RAYS),
    "nearest deadline": lambda: libgraze.nearest(MESH, RAYS, deadline=-1.0),
    "move": lambda: libgraze.move(MESH, OTHER, pose_a=(3, 0, 0), to_a=(0.1, 0.2, 0.3)),
    "move end": lambda: libgraze.move(MESH, OTHER, to_a=(1, 2)),
    "move intervals": lambda: libgraze.move_intervals(MESH, OTHER, pose_a=(3, 0, 0), to_a=(-3, 0.2, 0.3)).enter,
    "move intervals method": lambda: libgraze.move_intervals(MESH, OTHER, method="none"),
    "move paths": lambda: libgraze.move_paths(MESH, RAYS[:20] * 3, OTHER, pose_a=(3, 0, 0)).faces,
    "move paths method": lambda: libgraze.move_paths(MESH, RAYS[:20], OTHER, method="none"),
    "move rigid": lambda: libgraze.move_rigid(MESH, OTHER, from_a=(3, 0, 0), to_a=POSES[0]),
    "move rigid place": lambda: libgraze.move_rigid(MESH, OTHER, to_a=2 * POSES[0][:3]),
    "move deforming": lambda: libgraze.move_deforming(MESH, OTHER, pose_a=(3, 0, 0), end_a=CUBE - (3, 0, 0)),
    "move deforming rows": lambda: libgraze.move_deforming(MESH, OTHER, end_a=CUBE, end_b=CUBE[:3]),
    "overlap": lambda: libgraze.overlap_volume(MESH, OTHER, pose_b=(0.1, 0.2, 0.3)),
    "overlap mesh": lambda: libgraze.overlap_volume(MESH, 7),
    "overlap depth": lambda: libgraze.overlap_depth(MESH, OTHER, 0.01, pose_b=(0.1, 0.2, 0.3), parts=3, max_cells=100).parts,
    "overlap depth mesh": lambda: libgraze.overlap_depth(MESH, 7, 0.1, parts=2),
    "overlap depth number": lambda: libgraze.overlap_depth(MESH, OTHER, -0.1, parts=2),
    "manifold": lambda: libgraze.manifold(MESH, OTHER, pose_b=(0, 0, 1)),
    "contact tracker": lambda: (lambda t: [t.update([(1, 2, m), (5, 4, s)]) for m in MANIFOLDS for s in SHAPE_MANIFOLDS] and t.ended)(
        libgraze.ContactTracker()),
    "contact tracker row": lambda: libgraze.ContactTracker().update([(-1, 2, MANIFOLDS[0])]),
    "scene events": lambda: events_of_a_scene(),
    "scene events word": lambda: libgraze.SceneEvents(libgraze.Scene()).pairs("starts"),
    "scene events scene": lambda: libgraze.SceneEvents(7),
    "manifold direction": lambda: libgraze.manifold(MESH, OTHER, direction=(0, 0, 0)),
    "distance poses": lambda: libgraze.distance_poses(MESH, OTHER, POSES).points_a,
    "distance poses list": lambda: libgraze.distance_poses(MESH, OTHER, [None, (1, 2)]),
    "distance": lambda: libgraze.distance(MESH, OTHER, pose_b=(3, 0, 0)),
    "penetration": lambda: libgraze.penetration(MESH, OTHER, pose_b=(0.75, 0.25, 0), along=(1, 0, 0)),
    "curves": lambda: libgraze.collide(MESH, OTHER, pose_b=(0.5, 0.25, 0.125), find="curves").curve_closed,
    "features": lambda: (lambda r: (r.contact_features, r.region, r.near_pairs))(
        libgraze.collide(MESH, OTHER, pose_b=(0.5, 0.25, 0.125), find="contacts")),
    "contacts": lambda: libgraze.collide(MESH, OTHER, pose_b=(0.5, 0.25, 0.125), find="curves").contacts[0].points,
    "curve": lambda: libgraze.collide(MESH, OTHER, pose_b=(0.5, 0.25, 0.125), find="curves").curves,
    "compare": lambda: libgraze.compare(BOX, libgraze.Shape.hull(CUBE).at(POSES[0])),
    "compare kind": lambda: libgraze.compare(BOX, libgraze.Shape("disc", ())),
    "compare radius": lambda: libgraze.compare(BOX, libgraze.Shape.hull(CUBE).grown(-1)),
    "compare mesh": lambda: libgraze.compare(BOX, MESH, pose=POSES[0]),
    "compare no mesh": lambda: libgraze.compare(libgraze.Shape.hull(CUBE), 7),
    "compare many": lambda: libgraze.compare_many([BOX] * 3 + [libgraze.Shape.hull(CUBE)], [(0, 1), (2, 3)]).points_a,
    "compare many pairs": lambda: libgraze.compare_many([BOX, libgraze.Shape.hull(CUBE)], [(0, 2)]),
    "compare many item": lambda: libgraze.compare_many([libgraze.Shape.hull(CUBE), 7], [(0, 1)]),
    "faces touched": lambda: libgraze.faces_touched(BOX, MESH),
    "faces touched mesh": lambda: libgraze.faces_touched(libgraze.Shape.hull(CUBE), 7),
    "hull": lambda: libgraze.hull(CUBE),
    "hull of mesh": lambda: libgraze.hull(MESH),
    "hull line": lambda: libgraze.hull(CUBE[:2]),
    "hull corners": lambda: libgraze.Shape.hull(MESH),
    "is convex": lambda: libgraze.is_convex(MESH),
    "fit": lambda: libgraze.fit(MESH),
    "fit mesh": lambda: libgraze.fit(7),
    "fit map points": lambda: libgraze.fit_map_points(MESH, 3 * RAYS, RAYS).points,
    "fit map points mesh": lambda: libgraze.fit_map_points(7, RAYS, RAYS),
    "fit map points rows": lambda: libgraze.fit_map_points(MESH, RAYS, RAYS[:2]),
    "fit map points deadline": lambda: libgraze.fit_map_points(MESH, RAYS, RAYS, deadline=-1.0),
    "split": lambda: libgraze.split(MESH),
    "split no mesh": lambda: libgraze.split(3),
    "convex parts": lambda: libgraze.convex_parts(MESH),
    "convex parts most": lambda: libgraze.convex_parts(MESH, max_parts=0),
    "convex cover": lambda: libgraze.convex_cover(MESH, error=0.5),
    "convex cover mesh": lambda: libgraze.convex_cover(libgraze.Mesh(CUBE, FACES[1:])),
    "collide fails": lambda: libgraze.collide(MESH, OTHER, method="none"),
    "aim": lambda: libgraze.aim([MESH, (OTHER, POSES[0])], direction=(1, 2, 3)),
    "aim direction": lambda: libgraze.aim(MESH, direction=(0, 0, 0)),
    "through pixel": lambda: libgraze.ray_through_pixel(POSES[0] + 1, 1, 2),
    "picture names": lambda: libgraze.picture(MESH, names=[7], colours=[[1, 2, 3]]),
    "picture colours": lambda: libgraze.picture(MESH, names=["a"], colours=numpy.zeros((1, 3), numpy.uint8), touch_colours=[[1, 2, 300]]),
    "result picture": lambda: libgraze.collide(MESH, OTHER).picture(width=-1),
}


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_left(name):
    def ask(times):
        for _ in range(times):
            try:
                CALLS[name]()
            except (ValueError, TypeError, RuntimeError, LookupError, OSError):
                pass
        gc.collect()

    ask(100)
    references = [sys.getrefcount(x) for x in (MESH, OTHER, RAYS, POSES, CUBE, libgraze.RayHits, libgraze.Result, None)]
    for _ in range(4):  # the interpreter's own caches grow now and then, what leaks grows each time
        blocks = sys.getallocatedblocks()
        ask(200)
        grown = sys.getallocatedblocks() - blocks
        if grown < 100:
            break
    assert grown < 100
    after = [sys.getrefcount(x) for x in (MESH, OTHER, RAYS, POSES, CUBE, libgraze.RayHits, libgraze.Result, None)]
    assert all(abs(b - a) < 50 for a, b in zip(references, after)), "200 calls or more, a reference each would be 200"
    MESH.positions = CUBE  # refused if a call had not ended its use
    OTHER.positions = CUBE
    SCENE.set_pose(1, (3, 0, 0))
    assert MESH.face_count == len(FACES)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc/self/statm")
def test_memory_is_held_once():
    def used():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    points, faces = tube(200)
    mesh = libgraze.Mesh(points, faces)
    result = libgraze.collide(mesh, mesh)
    before = used()
    arrays = [numpy.asarray(a) for a in (mesh.positions, mesh.triangles, result.pairs)]
    assert sum(a.nbytes for a in arrays) > 10e6 and sum(int(a.sum()) for a in arrays[1:]) > 0
    assert used() - before < 1e6
