# SPDX-License-Identifier: MIT
"""Queries whose answers are small: as dataclasses. And names for numbers in arrays."""

from dataclasses import dataclass as _dataclass
from enum import IntEnum as _IntEnum
from typing import Optional as _Optional
from typing import Tuple as _Tuple

from . import _graze

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
    object: int  #: which of the objects; 0 for a single mesh
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
    `t_min` and `t_max`. `target` is a Mesh, at `pose`, or a sequence of Meshes and of pairs (mesh, pose).

    >>> import graze
    >>> floor = graze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> hit = graze.pick(floor, (1, 1, 5), (0, 0, -2))
    >>> hit.t, hit.distance, hit.point, hit.face, hit.side
    (2.5, 5.0, (1.0, 1.0, 0.0), 0, 'front')
    >>> graze.pick(floor, (2, 0, 5), end=(2, 0, -5)).feature  # the edge between vertices 0 and 1
    (0, 1)
    >>> graze.pick(floor, (9, 9, 5), (0, 0, -1)) is None
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
    return None if found is None else RayHit(**found)


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

    - "first": a RayHits with a row for each ray; `faces` is graze.NONE where it hits nothing;
    - "all": a RayHits with a row for each hit, in the order of rays, then of t;
    - "any": an array of booleans, one for each ray.

    `origins`, `directions` and `ends` are arrays of shape (n, 3), or one point for all rays. Else as graze.pick.

    >>> import graze
    >>> floor = graze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> hits = graze.rays([floor, (floor, (0, 0, 1))], [[1, 1, 5], [9, 9, 5]], (0, 0, -1))
    >>> hits.t.tolist(), hits.objects.tolist() == [1, graze.NONE]
    ([4.0, inf], True)
    >>> graze.rays([floor, (floor, (0, 0, 1))], [[1, 1, 5], [9, 9, 5]], (0, 0, -1), find="all").t.tolist()
    [4.0, 5.0]
    >>> graze.rays(floor, [[1, 1, 5], [9, 9, 5]], ends=(1, 1, -5), find="any").tolist()
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
    """Where each of many points is, exactly, on all cores: an array of the numbers of graze.Location.

    `points` is of shape (n, 3), world coordinates; the mesh is at `pose`.

    >>> import graze
    >>> tetrahedron = graze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> graze.locate(tetrahedron, [[1, 1, 1], [9, 9, 9], [1, 1, 0]]).tolist()
    [1, 0, 2]
    """
    return _graze.locate(mesh, points, pose=pose, inside_rule=inside_rule, deadline=deadline)


def nearest(mesh, points, *, pose=None, locate=True, inside_rule="even_odd", deadline=0.0):
    """How far each of many points is from a mesh's surface, exactly, on all cores: a PointDistances.

    `locate=False` saves time: what is not on the surface is then graze.Location.UNKNOWN.

    >>> import graze
    >>> floor = graze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> near = graze.nearest(floor, [[1, 1, 5], [-3, -4, 0]])
    >>> near.distances.tolist(), near.points.tolist(), near.features[1, 0]
    ([5.0, 5.0], [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]], 0)
    """
    return _graze.nearest(
        mesh, points, pose=pose, locate=locate, inside_rule=inside_rule, deadline=deadline
    )
