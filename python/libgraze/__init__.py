# SPDX-License-Identifier: MIT
"""Exact collision detection between triangle meshes.

>>> import libgraze
>>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
>>> a = libgraze.Mesh(corners, [[0, 1, 2]])
>>> result = libgraze.collide(a, a, pose_b=(0.25, 0.25, 0))
>>> bool(result), result.relation, result.pair_count
(True, 'colliding', 1)
>>> result.pairs.tolist()
[[0, 0]]
>>> libgraze.distance(a, a, pose_b=(0, 0, 2)).distance
2.0

Meshes are of any array with a buffer: NumPy's, array.array, memoryview; or of lists. Results are buffers over their own
memory: numpy.asarray(result.pairs) copies nothing.
"""

from dataclasses import dataclass as _dataclass
from typing import Optional as _Optional
from typing import Tuple as _Tuple

from . import _graze
from ._graze import (
    Cancelled,
    ContactIntervals,
    DeadlineExceeded,
    DeviceBusy,
    DeviceError,
    Distances,
    Error,
    FileError,
    Flat,
    FlatHits,
    FlatNearest,
    FormatError,
    InvalidArgument,
    InvalidMesh,
    InvalidPose,
    MappedPoints,
    Mesh,
    Moves,
    OutOfMemory,
    Picture,
    PointDistances,
    PoseResults,
    RayHits,
    Result,
    Scene,
    ShapeAnswers,
    TooManyPairs,
    Unsupported,
    __version__,
    collide,
    collide_poses,
    load,
    methods,
    ray_through_pixel,
    self_collide,
)
from ._answers import answer as _answer
from ._contacts import Contact, Curve
from ._events import ContactId, ContactTracker, SceneEvent, SceneEvents
from ._flights import Bounce, Flight, FlightMotion
from ._models import Model, Part, load_model
from ._robots import Collision, Joint, Link, Robot
from ._queries import (
    NONE,
    Aim,
    Location,
    Manifold,
    ManifoldPoint,
    Move,
    OverlapTime,
    OverlapDepth,
    OverlapPart,
    OverlapVolume,
    RayHit,
    aim,
    distance_poses,
    first_overlap,
    locate,
    manifold,
    move,
    move_deforming,
    move_intervals,
    move_paths,
    move_rigid,
    move_scene,
    nearest,
    overlap_depth,
    overlap_depths,
    overlap_volume,
    pick,
    picture,
    rays,
)

from ._shapes import (
    Shape,
    ShapeAnswer,
    ShapeManifold,
    ShapeManifoldPoint,
    ShapeMeshAnswer,
    compare,
    compare_many,
    faces_touched,
    shape_manifold,
)
from ._solids import (
    ConvexPart,
    ConvexParts,
    Convexity,
    Fit,
    Fitted,
    Shell,
    Split,
    convex_cover,
    convex_parts,
    fit,
    fit_map_points,
    hull,
    is_convex,
    split,
)
from ._show import Show, show
from ._pickling import Saved, register as _register

_Point = _Tuple[float, float, float]

_register(
    Result,
    PoseResults,
    RayHits,
    PointDistances,
    MappedPoints,
    Moves,
    ContactIntervals,
    Distances,
    Picture,
    ShapeAnswers,
    FlatNearest,
    FlatHits,
)


@_dataclass(frozen=True)
class Distance:
    """The distance of two surfaces: the double nearest to it, and lower <= exact distance <= upper."""

    distance: float
    lower: float
    upper: float
    certainty: str  #: "exact"; with a relative_error "enclosed" by the bounds; "undecided": they may even touch
    touching: bool  #: whether the exact distance is 0
    faces: _Tuple[_Optional[int], _Optional[int]]  #: the nearest faces
    point_a: _Point  #: the nearest point of A, world coordinates, rounded
    point_b: _Point
    ties: int  #: how many pairs of faces are at exactly this distance


def distance(a, b, *, pose_a=None, pose_b=None, relative_error=0.0, deadline=0.0):
    """Measure the distance of two meshes' surfaces.

    Poses are None, a translation of three numbers, or a matrix of 3 x 4 or 4 x 4 numbers.
    """
    return _answer(
        Distance,
        _graze.distance(a, b, pose_a=pose_a, pose_b=pose_b, relative_error=relative_error, deadline=deadline),
    )


@_dataclass(frozen=True)
class Penetration:
    """How far one of two closed meshes must move to be free of the other: lower <= exact depth <= upper."""

    depth: float
    lower: float
    upper: float
    certainty: str  #: of the depth: "exact", the nearest double; "enclosed" by the bounds; "undecided": see `reason`
    penetrating: bool  #: whether the insides have common points
    direction: _Point  #: where to move A, of length 1; zeros if it need not move
    reason: _Optional[str]


def penetration(a, b, *, pose_a=None, pose_b=None, along=None, deadline=0.0):
    """Enclose the penetration of two closed meshes; with `along`, of A in that direction."""
    return _answer(
        Penetration, _graze.penetration(a, b, pose_a=pose_a, pose_b=pose_b, along=along, deadline=deadline)
    )


def distance_scene(scene, max_count=1, *, relative_error=0.0, method=None, deadline=0.0):
    """The pairs of objects of a scene that are nearest to each other: a list of (object, object, Distance).

    Objects are given by name, or by number if they have none.

    No more than `max_count` pairs, the nearest first; None: all pairs.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> scene = libgraze.Scene()
    >>> [scene.add(floor, (0, 0, z)) for z in (4, 0, 1)]
    [0, 1, 2]
    >>> [(a, b, found.distance) for a, b, found in libgraze.distance_scene(scene, 2)]
    [(1, 2, 1.0), (0, 2, 3.0)]
    """
    found = _graze.distance_scene(
        scene, max_count, relative_error=relative_error, method=method, deadline=deadline
    )
    return [(a, b, _answer(Distance, answer)) for a, b, answer in found]


def within(a, b, clearance, *, pose_a=None, pose_b=None, deadline=0.0):
    """Whether two surfaces are nearer than `clearance`, or touch. Proved either way. Within 0: whether they touch."""
    if not clearance >= 0.0:
        raise ValueError(f"clearance: {clearance}, must be 0 or more")
    result = collide(a, b, pose_a=pose_a, pose_b=pose_b, find="touch", clearance=clearance, deadline=deadline)
    return result.clearance == "not_met" or result.colliding



# With a filename and no number OSError tells "[Errno None] None: 'FILE'", and not the reason.
FileError.__str__ = lambda error: str(error.args[0]) if len(error.args) == 1 else OSError.__str__(error)

__all__ = [
    "Aim",
    "Bounce",
    "Cancelled",
    "Collision",
    "Contact",
    "ContactId",
    "ContactIntervals",
    "ContactTracker",
    "ConvexPart",
    "ConvexParts",
    "Convexity",
    "Curve",
    "DeadlineExceeded",
    "DeviceBusy",
    "DeviceError",
    "Distance",
    "Distances",
    "Error",
    "FileError",
    "Fit",
    "Fitted",
    "Flat",
    "FlatHits",
    "FlatNearest",
    "Flight",
    "FlightMotion",
    "FormatError",
    "InvalidArgument",
    "InvalidMesh",
    "InvalidPose",
    "Joint",
    "Link",
    "Location",
    "Manifold",
    "ManifoldPoint",
    "MappedPoints",
    "Mesh",
    "Model",
    "Move",
    "Moves",
    "NONE",
    "OutOfMemory",
    "OverlapTime",
    "OverlapDepth",
    "OverlapPart",
    "OverlapVolume",
    "Part",
    "Penetration",
    "Picture",
    "PointDistances",
    "PoseResults",
    "RayHit",
    "RayHits",
    "Result",
    "Robot",
    "Saved",
    "Scene",
    "SceneEvent",
    "SceneEvents",
    "Shape",
    "ShapeAnswer",
    "ShapeAnswers",
    "ShapeManifold",
    "ShapeManifoldPoint",
    "ShapeMeshAnswer",
    "Shell",
    "Show",
    "Split",
    "TooManyPairs",
    "Unsupported",
    "__version__",
    "aim",
    "collide",
    "collide_poses",
    "compare",
    "compare_many",
    "convex_cover",
    "convex_parts",
    "distance",
    "distance_poses",
    "distance_scene",
    "faces_touched",
    "first_overlap",
    "fit",
    "fit_map_points",
    "hull",
    "is_convex",
    "load",
    "load_model",
    "locate",
    "manifold",
    "methods",
    "move",
    "move_deforming",
    "move_intervals",
    "move_paths",
    "move_rigid",
    "move_scene",
    "nearest",
    "overlap_depth",
    "overlap_depths",
    "overlap_volume",
    "penetration",
    "pick",
    "picture",
    "ray_through_pixel",
    "rays",
    "self_collide",
    "shape_manifold",
    "show",
    "split",
    "within",
]
