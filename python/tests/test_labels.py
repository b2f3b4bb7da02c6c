# SPDX-License-Identifier: MIT
"""Labels: the certainty of every answer that has bounds, where it is exact, enclosed and undecided."""

import numpy

import libgraze
from libgraze import Shape
from meshes import CUBE, FACES, cube, label_of, tube

OPEN = libgraze.Mesh(CUBE, FACES[:11])


def is_neighbour(lower, upper):
    return lower <= upper <= numpy.nextafter(lower, numpy.inf)


def test_distances():
    points, faces = tube(10)
    rough = libgraze.Mesh(points, faces)
    assert libgraze.distance(cube(), cube(), pose_b=(3, 0, 0)).certainty == "exact"
    slanted = libgraze.distance(cube(), cube(), pose_b=(2, 2, 0))
    assert slanted.certainty == "exact" and slanted.lower < slanted.upper
    near = libgraze.distance(rough, rough, pose_b=(3.1, 0.2, 0.4), relative_error=0.5)
    assert near.certainty == "enclosed" == label_of(near) and near.lower > 0
    rows = libgraze.distance_poses(rough, rough, numpy.array([[3.1, 0.2, 0.4], [0, 0, 0]]), relative_error=0.5)
    assert list(rows.certainties) == [3, 0] and rows.touching[1]


def test_motions():
    straight = libgraze.move(cube(), cube(), pose_a=(0, 0, 4), to_a=(0, 0, -5))
    assert straight.certainty == "exact" and straight.lower < straight.upper and straight.first_contact == 1 / 3
    assert libgraze.move(cube(), cube(), pose_a=(0, 0, 4), to_a=(0, 0, 5)).certainty == "exact"
    assert list(libgraze.move_paths(cube(), [(0, 0, -3), (0, 0, 9)], cube(), pose_a=(0, 0, 3)).certainties) == [0, 0]
    turning = dict(from_a=(0, 0, 3), to_a=(0, 0, 0, 0, 0, 1, 9))
    comes = libgraze.move_rigid(cube(), cube(), **turning)
    assert comes.has_contact and comes.certainty == "enclosed" and comes.lower < comes.upper
    assert libgraze.move_rigid(cube(), cube(), **turning, max_steps=1).certainty == "undecided"
    assert libgraze.move_rigid(cube(), cube(), **turning, t_max=0.25).certainty == "exact"
    assert libgraze.move_rigid(cube(), cube(), **turning, search="halving").certainty == "discrete"
    end = CUBE - (0, 0, 3)
    sinks = libgraze.move_deforming(cube(), cube(), pose_a=(0, 0, 2), end_a=end)
    assert sinks.has_contact and sinks.certainty == "enclosed" and sinks.lower < sinks.upper
    assert libgraze.move_deforming(cube(), cube(), pose_a=(0, 0, 2), end_a=CUBE + (0, 0, 3)).certainty == "exact"
    assert libgraze.move_deforming(cube(), cube(), pose_a=(0, 0, 1), end_a=end).certainty == "exact"


def test_solids():
    shift = dict(pose_b=(0.5, 0.25, 0))
    along = libgraze.penetration(cube(), cube(), along=(1, 1, 0), **shift)
    assert along.certainty == "exact" and along.lower < along.upper and along.depth == 1.25 * 2**0.5
    points, faces = tube(10)
    rough = libgraze.Mesh(points, faces)
    least = libgraze.penetration(rough, rough, pose_b=(0.3, 0.2, 0.1))
    assert least.certainty == "enclosed" and least.lower < least.upper and least.penetrating and least.reason is None
    assert libgraze.penetration(cube(), cube(), pose_b=(1, 0, 0)).certainty == "exact"
    assert libgraze.penetration(cube(), OPEN, **shift).certainty == "undecided"
    assert libgraze.overlap_volume(cube(), cube(), **shift).certainty == "enclosed"
    assert libgraze.overlap_volume(cube(), cube(), pose_b=(1, 0, 0)).certainty == "exact"
    assert libgraze.overlap_volume(cube(), OPEN).certainty == "undecided"
    assert libgraze.overlap_depth(cube(), cube(), pose_b=(1, 0, 0)).certainty == "exact"
    assert libgraze.overlap_depth(cube(), OPEN).certainty == "undecided"
    pressed = dict(pose_a=(0.25, 0.125, 0.75))
    assert libgraze.manifold(cube(), cube(), **pressed).certainty == "exact"
    assert libgraze.manifold(cube(), cube(), surfaces=True, **pressed).certainty == "enclosed"


def test_shapes():
    box, point, ball = Shape.box((0, 0, 0), (1, 1, 1)), Shape.point((3, 2, 0.5)), Shape.sphere((4, 0, 0), 0.3)
    inner, egg = Shape.box((0.5, 0, 0), (1, 1, 1)), Shape.ellipsoid((0, 0, 0), (1, 1, 2))
    answer = libgraze.compare(egg, point)
    low, high = answer.lower - 1e-9, answer.upper + 1e-9
    while answer.certainty != "undecided":  # grown until it touches, but for roundings
        assert low < (low + high) / 2 < high
        near = Shape.sphere((3, 2, 0.5), (low + high) / 2)
        answer = libgraze.compare(egg, near)
        low, high = ((low + high) / 2, high) if answer.relation == "apart" else (low, (low + high) / 2)
    exact = libgraze.compare(box, point, exact_distance=True)
    assert exact.certainty == "exact" and exact.lower < exact.upper and exact.distance == 5**0.5
    assert libgraze.compare(box, ball).certainty == "enclosed"
    deep = libgraze.compare(box, inner)
    assert deep.certainty == "enclosed" and deep.relation == "penetrating" and deep.depth_lower < deep.depth_upper
    rows = libgraze.compare_many([box, point, ball, egg, near], [(0, 1), (0, 2), (3, 4)], exact_distance=True)
    assert list(rows.certainties) == [0, 3, 2]
    assert libgraze.compare(point, cube(), exact_distance=True).certainty == "exact"
    assert libgraze.compare(ball, cube()).certainty == "enclosed"
    assert libgraze.compare(inner, cube()).certainty == "exact"  # it touches: the distance is 0


def test_fits_and_parts():
    points, faces = tube(10)
    found = libgraze.fit(cube())
    assert found.certainty == "enclosed" and found.least_radius < found.sphere.shape.radius
    for part in libgraze.convex_cover(libgraze.Mesh(points, faces), max_parts=4):
        assert part.certainty == ("exact" if is_neighbour(part.lower, part.upper) else "enclosed")
