# SPDX-License-Identifier: MIT
"""Queries whose answers are small: as dataclasses. And names for numbers in arrays."""

from dataclasses import dataclass as _dataclass, field as _field
from enum import IntEnum as _IntEnum
from typing import Optional as _Optional
from typing import Tuple as _Tuple
from typing import Union as _Union

from . import _graze
from ._answers import answer as _answer

_Point = _Tuple[float, float, float]

#: Where an array has no face, no object or no vertex.
NONE = 0xFFFFFFFF


@_dataclass(frozen=True)
class RayHit:
    """Where a ray meets a face: at origin + t * direction; lower <= exact t <= upper."""

    t: float
    lower: float
    upper: float
    distance: float  #: from the origin, world units
    point: _Point  #: world coordinates, each the nearest double
    normal: _Point  #: of the face, of length 1; zeros: it has no area
    object: _Union[int, str]  #: which of the objects; 0 for a single mesh; in a scene its name, or its number
    face: int  #: of several at the same t the first by object, then by face
    feature: _Tuple[int, ...]  #: (): inside of the face; (v,): at a vertex; (v, w): on an edge
    side: str  #: from where the ray comes: "front", "back" or "along" the face


def pick(
    target,
    origin,
    direction=None,
    *,
    end=None,
    pose=None,
    t_min=None,
    t_max=None,
    skip_front=False,
    skip_back=False,
    method=None,
    deadline=0.0,
):
    """What a ray hits first: a RayHit, or None.

    The ray goes from `origin` along `direction` without end, or to the point `end`: t is then 0 to 1. It is cut at
    `t_min` and `t_max`. `target` is a Mesh, at `pose`; a Scene; or a sequence of Meshes and of pairs (mesh, pose).

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> hit = libgraze.pick(floor, (1, 1, 5), (0, 0, -2))
    >>> hit.t, hit.distance, hit.point, hit.face, hit.side
    (2.5, 5.0, (1.0, 1.0, 0.0), 0, 'front')
    >>> libgraze.pick(floor, (2, 0, 5), end=(2, 0, -5)).feature  # the edge between vertices 0 and 1
    (0, 1)
    >>> libgraze.pick(floor, (9, 9, 5), (0, 0, -1)) is None
    True
    """
    found = _graze.pick(
        target,
        origin,
        direction,
        end=end,
        pose=pose,
        t_min=t_min,
        t_max=t_max,
        skip_front=skip_front,
        skip_back=skip_back,
        method=method,
        deadline=deadline,
    )
    return None if found is None else _answer(RayHit, found)


def rays(
    target,
    origins,
    directions=None,
    *,
    ends=None,
    find="first",
    pose=None,
    t_min=None,
    t_max=None,
    skip_front=False,
    skip_back=False,
    method=None,
    deadline=0.0,
):
    """What each of many rays hits, on all cores.

    `find` says what is asked:

    - "first": a RayHits with a row for each ray; `faces` is libgraze.NONE where it hits nothing;
    - "all": a RayHits with a row for each hit, in the order of rays, then of t;
    - "any": an array of booleans, one for each ray.

    `origins`, `directions` and `ends` are arrays of shape (n, 3), or one point for all rays. Else as libgraze.pick.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> hits = libgraze.rays([floor, (floor, (0, 0, 1))], [[1, 1, 5], [9, 9, 5]], (0, 0, -1))
    >>> hits.t.tolist(), hits.objects.tolist() == [1, libgraze.NONE]
    ([4.0, inf], True)
    >>> libgraze.rays([floor, (floor, (0, 0, 1))], [[1, 1, 5], [9, 9, 5]], (0, 0, -1), find="all").t.tolist()
    [4.0, 5.0]
    >>> libgraze.rays(floor, [[1, 1, 5], [9, 9, 5]], ends=(1, 1, -5), find="any").tolist()
    [True, False]
    """
    return _graze.rays(
        target,
        origins,
        directions,
        ends=ends,
        find=find,
        pose=pose,
        t_min=t_min,
        t_max=t_max,
        skip_front=skip_front,
        skip_back=skip_back,
        method=method,
        deadline=deadline,
    )


class Location(_IntEnum):
    """Where a point is: the numbers that locate() gives."""

    OUTSIDE = 0  #: not on the surface, and not inside
    INSIDE = 1  #: not on the surface, and inside by the rule that was asked for
    ON_SURFACE = 2  #: on a face. Open meshes have this answer, too
    UNKNOWN = 3  #: in the box of a mesh that is open, or not wound as "nonzero" needs it


def locate(mesh, points, *, pose=None, inside_rule="even_odd", deadline=0.0):
    """Where each of many points is, exactly, on all cores: an array of the numbers of libgraze.Location.

    `points` is of shape (n, 3), world coordinates; the mesh is at `pose`. `inside_rule`, here and elsewhere: "even_odd",
    "nonzero", or "auto": for each mesh the one that fits it, which mesh.inside_rule tells.

    >>> import libgraze
    >>> tetrahedron = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> libgraze.locate(tetrahedron, [[1, 1, 1], [9, 9, 9], [1, 1, 0]]).tolist()
    [1, 0, 2]
    """
    return _graze.locate(mesh, points, pose=pose, inside_rule=inside_rule, deadline=deadline)


def nearest(mesh, points, *, pose=None, locate=True, inside_rule="even_odd", deadline=0.0):
    """How far each of many points is from a mesh's surface, exactly, on all cores: a PointDistances.

    `locate=False` saves time: what is not on the surface is then libgraze.Location.UNKNOWN.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> near = libgraze.nearest(floor, [[1, 1, 5], [-3, -4, 0]])
    >>> near.distances.tolist(), near.points.tolist(), near.features[1, 0]
    ([5.0, 5.0], [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]], 0)
    """
    return _graze.nearest(mesh, points, pose=pose, locate=locate, inside_rule=inside_rule, deadline=deadline)


@_dataclass(frozen=True)
class Move:
    """The first contact of a motion from time 0 to 1; lower <= exact time <= upper."""

    has_contact: bool  #: proved: the surfaces meet, or the objects overlap at the start
    first_contact: float  #: infinite without a contact; up to `lower` there is certainly none
    lower: float
    upper: float
    certainty: str  #: "exact", also that there is none; "enclosed" by the bounds; "undecided": only `lower` is proved
    started_touching: bool  #: whether the surfaces touch at the start
    started_inside: bool  #: whether the insides overlap at the start; of surfaces that deform False
    faces: _Tuple[_Optional[int], _Optional[int]]  #: of A and of B, those that meet first
    features: _Tuple[_Tuple[int, ...], _Tuple[int, ...]]  #: (): inside of the face; (v,); (v, w): an edge
    normal: _Point  #: which way to move A to free it, of length 1; zeros: see `reason`, and of surfaces that deform
    point: _Point  #: where the faces meet, world coordinates; zeros of surfaces that deform
    ties: int  #: how many pairs of faces meet at that time; 0: not known
    compared: int = _field(compare=False)  #: how many pairs of triangles were compared; moves may be equal without
    undecided: int  #: how many of these were neither proved to meet nor proved apart
    reason: _Optional[str]  #: why `normal` is zeros, of objects that touch at the start; else None


def move(
    a,
    b,
    *,
    to_a=None,
    to_b=None,
    pose_a=None,
    pose_b=None,
    inside=True,
    inside_rule="even_odd",
    method=None,
    deadline=0.0,
):
    """The first contact of two meshes that move along straight lines without turning: a Move. The time is exact.

    They begin at `pose_a` and `pose_b`. `to_a` and `to_b` are where the translations of these poses are at the end:
    three numbers; None: it rests. `inside=False` does not ask whether they overlap at the start, which saves time.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> m = libgraze.move(floor, floor, pose_a=(0, 0, 3), to_a=(0, 0, -1))
    >>> m.has_contact, m.first_contact, m.certainty, m.faces, m.normal
    (True, 0.75, 'exact', (0, 0), (0.0, 0.0, 1.0))
    """
    return _answer(
        Move,
        _graze.move(
            a,
            b,
            to_a=to_a,
            to_b=to_b,
            pose_a=pose_a,
            pose_b=pose_b,
            inside=inside,
            inside_rule=inside_rule,
            method=method,
            deadline=deadline,
        ),
    )


@_dataclass(frozen=True)
class OverlapTime:
    """When the insides of two solids begin to overlap, on a motion from time 0 to 1."""

    overlaps: bool  #: proved: the insides have common points at some time of the way
    first_overlap: float  #: up to then they have none, just after it they have; infinite: never
    lower: float  #: lower <= exact time <= upper
    upper: float
    certainty: str  #: "exact", also that there is none; "undecided": none up to `lower`, see `reason`
    started_inside: bool  #: whether they overlap at the start
    faces: _Tuple[_Optional[int], _Optional[int]]  #: of A and of B, faces that cross from then on; None: not known
    reason: _Optional[str]  #: why it is undecided, such as an open mesh

    def __bool__(self):
        return self.overlaps


def first_overlap(
    a,
    b,
    *,
    to_a=None,
    to_b=None,
    pose_a=None,
    pose_b=None,
    inside_rule="even_odd",
    method=None,
    deadline=0.0,
):
    """When the insides of two solids first overlap on a motion as move() has it: an OverlapTime. Touching is no overlap.

    >>> import libgraze
    >>> box = libgraze.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> libgraze.first_overlap(box, box, pose_a=(0, 0, -4), to_a=(0, 0, 0)).first_overlap  # it touches there, at 0.5
    0.5
    >>> bool(libgraze.first_overlap(box, box, pose_a=(0, 0, 2), to_a=(0, -2, 2)))  # its base on the tip of the other
    False
    """
    return _answer(
        OverlapTime,
        _graze.first_overlap(
            a,
            b,
            to_a=to_a,
            to_b=to_b,
            pose_a=pose_a,
            pose_b=pose_b,
            inside_rule=inside_rule,
            method=method,
            deadline=deadline,
        ),
    )


def move_intervals(a, b, *, to_a=None, to_b=None, pose_a=None, pose_b=None, method=None, deadline=0.0):
    """All times at which two surfaces touch on a motion as move() has it: a ContactIntervals.

    >>> import libgraze
    >>> box = libgraze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> times = libgraze.move_intervals(box, box, pose_a=(-2, 0, 0), to_a=(2, 0, 0))
    >>> times.enter.tolist(), times.leave.tolist()
    ([0.25], [0.75])
    """
    return _graze.move_intervals(
        a,
        b,
        to_a=to_a,
        to_b=to_b,
        pose_a=pose_a,
        pose_b=pose_b,
        method=method,
        deadline=deadline,
    )


def move_paths(
    a,
    ends,
    b,
    *,
    pose_a=None,
    pose_b=None,
    inside=True,
    inside_rule="even_odd",
    method=None,
    deadline=0.0,
):
    """The first contacts of A on many straight paths, B at rest, on all cores: a Moves with a row for each.

    Each row is what move() says for this `to_a`: `ends` is an array of shape (n, 3).

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> libgraze.move_paths(floor, [[0, 0, -1], [0, 0, 9]], floor, pose_a=(0, 0, 3)).first_contact.tolist()
    [0.75, inf]
    """
    return _graze.move_paths(
        a,
        ends,
        b,
        pose_a=pose_a,
        pose_b=pose_b,
        inside=inside,
        inside_rule=inside_rule,
        method=method,
        deadline=deadline,
    )


def move_rigid(
    a,
    b,
    *,
    from_a=None,
    to_a=None,
    from_b=None,
    to_b=None,
    screw=False,
    tolerance=0.0,
    t_max=1.0,
    max_steps=100_000_000,
    inside=True,
    inside_rule="even_odd",
    search="advance",
    deadline=0.0,
):
    """The first contact of two meshes that move and turn, as a proved interval: a Move.

    A place (`from_a`, …) is a translation of three numbers; one with a quaternion, (x, y, z, qx, qy, qz, qw); or a
    matrix of 3 x 4 or 4 x 4 that is a rotation within 1e-9. Without `to_a` A rests. Between its places a mesh's origin
    moves along a line, and it turns by the shortest way, evenly; with `screw=True` it does both along an axis in space.
    Nothing is sampled.

    The search aims at `lower` and `upper` between which nothing can travel farther than `tolerance` (0: a millionth of
    the smaller mesh); where two surfaces meet at a grazing angle they stay farther apart. "undecided": rounding might
    hide a contact after `lower`, or it took more than `max_steps`: `has_contact` is False then, but nothing is proved.

    >>> import libgraze
    >>> door = libgraze.Mesh([[1, 0, 0], [2, 0, 0], [2, 0, 1]], [[0, 1, 2]])
    >>> wall = libgraze.Mesh([[-1, 1, -1], [-1, 3, -1], [-1, 1, 3], [-1, 3, 3]], [[0, 1, 2], [1, 3, 2]])
    >>> m = libgraze.move_rigid(door, wall, to_a=(0, 0, 0, 0, 0, 1, 0))  # half a turn about z
    >>> m.has_contact, m.certainty, m.lower <= 2 / 3 <= m.upper, m.upper - m.lower < 1e-5  # cos(120°) * 2 = -1
    (True, 'enclosed', True, True)
    """
    return _answer(
        Move,
        _graze.move_rigid(
            a,
            b,
            from_a=from_a,
            to_a=to_a,
            from_b=from_b,
            to_b=to_b,
            screw=screw,
            tolerance=tolerance,
            t_max=t_max,
            max_steps=max_steps,
            inside=inside,
            inside_rule=inside_rule,
            search=search,
            deadline=deadline,
        ),
    )


def move_deforming(
    a,
    b=None,
    *,
    end_a=None,
    end_b=None,
    pose_a=None,
    pose_b=None,
    t_max=1.0,
    time_tolerance=2.0**-40,
    tolerance=0.0,
    separation=0.0,
    max_steps=4096,
    deadline=0.0,
):
    """The first contact of two surfaces that deform, every vertex along a straight line: a Move.

    `end_a` is an array with the position of each vertex of A at time 1, in mesh coordinates; None: it rests. Without
    `b`: of A with itself. Surfaces nearer than `separation` count as touching.

    >>> import libgraze
    >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    >>> cloth, floor = libgraze.Mesh(corners, [[0, 1, 2]]), libgraze.Mesh(corners, [[0, 1, 2]])
    >>> m = libgraze.move_deforming(cloth, floor, pose_a=(0, 0, 1), end_a=[[1, 1, -3], [4, 0, 0], [0, 4, 0]])
    >>> m.has_contact, m.certainty, m.lower <= 1 / 3 <= m.upper, m.features[0]
    (True, 'enclosed', True, (0,))
    """
    return _answer(
        Move,
        _graze.move_deforming(
            a,
            b,
            end_a=end_a,
            end_b=end_b,
            pose_a=pose_a,
            pose_b=pose_b,
            t_max=t_max,
            time_tolerance=time_tolerance,
            tolerance=tolerance,
            separation=separation,
            max_steps=max_steps,
            deadline=deadline,
        ),
    )


def picture(
    objects,
    *,
    pose=None,
    result=None,
    width=1200,
    height=900,
    direction=None,
    up=None,
    region=None,
    whole=False,
    names=None,
    title=None,
    caption=None,
    legend=True,
    inset=True,
    colours=None,
    touch_colours=None,
):
    """Draw meshes, and what a query found about them: a Picture, whose `pixels` are an array of bytes.

    `objects` is a Mesh, at `pose`; a Scene; or a sequence of Meshes and of pairs (mesh, pose): those of the query, in its
    order.
    Result.picture() knows them. OpenGL is opened by the first picture; where there is none it raises libgraze.DeviceError,
    or libgraze.Unsupported if this build has no pictures.

    `direction` is from the eye to the objects; without it a side is chosen that shows the contact. `region` is a box,
    two corners, that is shown instead of the objects' own. `colours` has three bytes for each object. `legend` and
    `inset` write the verdict and add a closer view of a small contact.

        result = libgraze.collide(a, b, pose_b=(0, 0, 2.5), find="curves")
        result.picture(width=800, height=600).save("contact.png")
    """
    return _graze.picture(
        objects,
        pose=pose,
        result=result,
        width=width,
        height=height,
        direction=direction,
        up=up,
        region=region,
        whole=whole,
        names=names,
        title=title,
        caption=caption,
        legend=legend,
        inset=inset,
        colours=colours,
        touch_colours=touch_colours,
    )


@_dataclass(frozen=True)
class Aim:
    """How a picture is taken, without drawing it."""

    #: a matrix of 4 x 4: for h = to_pixels @ (x, y, z, 1), h[0] / h[3] is the column, h[1] / h[3] the row from the top,
    #: whole numbers at the corners of pixels, and h[2] / h[3] the depth, 0 near to 1 far
    to_pixels: _Tuple[_Tuple[float, ...], ...]
    direction: _Point  #: from the eye to the objects, of length 1


def aim(objects, *, pose=None, width=1200, height=900, direction=None, up=None, region=None):
    """A view of objects, without drawing. A picture with the same `direction`, legend=False, inset=False and no result has
    it; without a direction each chooses its own. It needs no OpenGL.

    With ray_through_pixel() it says what is at a pixel:

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> view = libgraze.aim(floor, width=200, height=200, direction=(0, 0, -1))
    >>> origin, along = libgraze.ray_through_pixel(view.to_pixels, 70, 130)
    >>> libgraze.pick(floor, origin, along, t_max=1.0).face
    0
    """
    return _answer(
        Aim,
        _graze.aim(
            objects,
            pose=pose,
            width=width,
            height=height,
            direction=direction,
            up=up,
            region=region,
        ),
    )


@_dataclass(frozen=True)
class OverlapVolume:
    """The volume that two solids have in common: lower <= exact volume <= upper, cubes of world units."""

    lower: float
    upper: float  #: 0 exactly if the insides have no common point
    certainty: str  #: "exact"; "enclosed" by the bounds; "undecided": see `reason`; the bounds hold then, too
    reason: _Optional[str]


def overlap_volume(a, b, *, pose_a=None, pose_b=None, inside_rule="even_odd", method=None, deadline=0.0):
    """Enclose the volume of the intersection of two closed meshes: an OverlapVolume.

    >>> import libgraze
    >>> t = libgraze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> v = libgraze.overlap_volume(t, t, pose_b=(0.5, 0, 0))  # a tetrahedron of half the size
    >>> v.lower <= 1 / 48 <= v.upper, v.upper - v.lower < 1e-12, v.certainty
    (True, True, 'enclosed')
    """
    return _answer(
        OverlapVolume,
        _graze.overlap_volume(
            a,
            b,
            pose_a=pose_a,
            pose_b=pose_b,
            inside_rule=inside_rule,
            method=method,
            deadline=deadline,
        ),
    )


@_dataclass(frozen=True)
class OverlapPart:
    """A place where two solids overlap deeper than was asked: lower <= its depth <= upper."""

    lower: float  #: 0: it is not known to be deeper
    upper: float
    centre: _Point  #: a point of depth `lower`; the middle of the box if that is 0
    box: _Tuple[_Point, _Point]  #: the lowest and the highest corner: it holds all points of this place that may be deeper


@_dataclass(frozen=True)
class OverlapDepth:
    """How deep two solids overlap: lower <= exact depth <= upper, world units."""

    lower: float
    upper: float
    certainty: str  #: of the bounds: "exact"; "enclosed"; "undecided": see `reason`; the bounds hold then, too
    deeper: _Optional[bool]  #: proved; None: not asked, or not decided (`reason`)
    centre: _Optional[_Point]  #: a point of depth `lower`; None if that is 0
    reason: _Optional[str]
    part_count: int  #: how many places there are that are, or may be, deeper; `parts` has as many as asked for
    parts: _Tuple[OverlapPart, ...]  #: the deepest first
    cells: int  #: into how many cells the common box was cut, for judging speed


def overlap_depth(
    a,
    b,
    deeper_than=None,
    *,
    pose_a=None,
    pose_b=None,
    measure=True,
    tolerance=0.001,
    max_cells=100000,
    parts=0,
    inside_rule="even_odd",
    deadline=0.0,
):
    """How deep two closed meshes overlap: an OverlapDepth. The depth is the largest r + s such that around one point a
    ball of radius r is in A and one of radius s in B.

    With `deeper_than` it is also decided whether it is deeper; with measure=False that alone, which is faster. `parts`
    is how many places that are deeper are listed, at most.

    >>> import libgraze
    >>> t = libgraze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> libgraze.overlap_depth(t, t, 0.001, pose_b=(1e-9, 0, 0.9999), measure=False).deeper  # noise, at the tip
    False
    >>> d = libgraze.overlap_depth(t, t, 0.001, pose_b=(0, 0, 0.9), parts=4)
    >>> d.deeper, d.certainty, d.upper <= 0.1, len(d.parts)
    (True, 'enclosed', True, 1)
    """
    values = _graze.overlap_depth(
        a,
        b,
        deeper_than,
        pose_a=pose_a,
        pose_b=pose_b,
        measure=measure,
        tolerance=tolerance,
        max_cells=max_cells,
        parts=parts,
        inside_rule=inside_rule,
        deadline=deadline,
    )
    values["parts"] = tuple(_answer(OverlapPart, part) for part in values["parts"])
    return _answer(OverlapDepth, values)


def overlap_depths(
    scene,
    pairs,
    deeper_than=None,
    *,
    measure=True,
    tolerance=0.001,
    max_cells=100000,
    parts=0,
    inside_rule="even_odd",
    deadline=0.0,
):
    """How deep many pairs of a scene's objects overlap, on all threads: a list of OverlapDepth, each as overlap_depth()
    has it.

    `pairs`: of objects, by name or number, as Scene.collide().object_pairs has them; (a, b, depth) gives a pair a depth
    of its own in place of `deeper_than`.

    >>> import libgraze
    >>> t = libgraze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> scene = libgraze.Scene()
    >>> [scene.add(t, (0, 0, z)) for z in (0, 0.9, 0.9999)]
    [0, 1, 2]
    >>> [d.deeper for d in libgraze.overlap_depths(scene, [(0, 1), (0, 2), (1, 2, 0.5)], 0.001)]
    [True, False, False]
    """
    found = _graze.overlap_depths(
        scene,
        pairs,
        deeper_than,
        measure=measure,
        tolerance=tolerance,
        max_cells=max_cells,
        parts=parts,
        inside_rule=inside_rule,
        deadline=deadline,
    )
    for values in found:
        values["parts"] = tuple(_answer(OverlapPart, part) for part in values["parts"])
    return [_answer(OverlapDepth, values) for values in found]


@_dataclass(frozen=True)
class ManifoldPoint:
    """One point of a Manifold."""

    position: _Point  #: world coordinates; of bodies that overlap half-way between their surfaces
    normal: _Point  #: of length 1, from B to A
    depth: float  #: 0 or above: how far A is inside B along the normal
    faces: _Tuple[int, int]  #: of A and of B
    features: _Tuple[_Tuple[int, ...], _Tuple[int, ...]]  #: of these faces: (): inside; (v,); (v, w): an edge


@_dataclass(frozen=True)
class Manifold:
    """Where two bodies touch or overlap, as few points: for a physics engine. lower <= exact depth <= upper."""

    certainty: str  #: "exact"; "enclosed" by the bounds; "undecided": a mesh is open, its surfaces were looked at
    penetrating: bool  #: whether the insides have common points
    reason: _Optional[str]
    normal: _Point  #: of length 1, from B to A: that of the first points; zeros if there are none
    depth: float  #: how far A must move along `normal`
    lower: float
    upper: float
    points: _Tuple[ManifoldPoint, ...]  #: those with one normal stand together


def manifold(
    a,
    b,
    *,
    pose_a=None,
    pose_b=None,
    max_points=4,
    direction=None,
    surfaces=False,
    inside_rule="even_odd",
    method=None,
    deadline=0.0,
):
    """Few points that stand for all contacts of two bodies: a Manifold.

    `max_points` points for each normal, 1 to 16. `direction` says which way to move A if they overlap; without it one is
    searched for. `surfaces=True` looks at the surfaces only, as is done with open meshes.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> t = libgraze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> m = libgraze.manifold(t, floor)
    >>> m.normal, len(m.points), sorted(p.position for p in m.points)
    ((0.0, 0.0, 1.0), 3, [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)])
    """
    answer = _graze.manifold(
        a,
        b,
        pose_a=pose_a,
        pose_b=pose_b,
        max_points=max_points,
        direction=direction,
        surfaces=surfaces,
        inside_rule=inside_rule,
        method=method,
        deadline=deadline,
    )
    answer["points"] = tuple(_answer(ManifoldPoint, point) for point in answer["points"])
    return _answer(Manifold, answer)


def distance_poses(a, b, poses, *, pose_a=None, relative_error=0.0, method=None, deadline=0.0):
    """The distances of two surfaces at many poses of B, on all cores: a Distances with a row for each.

    `poses` is an array of numbers of shape (n, 3), (n, 3, 4) or (n, 4, 4), or a list of poses: those of a sweep of a
    joint, say. Each row is what distance() says.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> libgraze.distance_poses(floor, floor, [(0, 0, 2), (7, 0, 0), None]).distances.tolist()
    [2.0, 3.0, 0.0]
    """
    return _graze.distance_poses(
        a,
        b,
        poses,
        pose_a=pose_a,
        relative_error=relative_error,
        method=method,
        deadline=deadline,
    )


def move_scene(
    scene,
    object,
    to,
    *,
    max_count=None,
    inside=True,
    inside_rule="even_odd",
    method=None,
    deadline=0.0,
):
    """What an object of a scene touches while it moves along a straight line and all others rest.

    `object` is its number or its name; `to` is where the translation of its pose is at the end. A list of pairs (name or
    number of the other object, Move), the first contact first; with `max_count` no more than so many.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> scene = libgraze.Scene()
    >>> [scene.add(floor, (0, 0, z)) for z in (4, 0, 2)]
    [0, 1, 2]
    >>> [(other, move.first_contact) for other, move in libgraze.move_scene(scene, 0, (0, 0, 0))]
    [(2, 0.5), (1, 1.0)]
    """
    found = _graze.move_scene(
        scene,
        object,
        to,
        max_count=max_count,
        inside=inside,
        inside_rule=inside_rule,
        method=method,
        deadline=deadline,
    )
    return [(other, _answer(Move, move)) for other, move in found]
