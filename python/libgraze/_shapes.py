# SPDX-License-Identifier: MIT
"""Shapes that a few numbers give, against each other and against meshes."""

from dataclasses import dataclass as _dataclass
from dataclasses import replace as _replace
from typing import Any as _Any
from typing import Optional as _Optional
from typing import Tuple as _Tuple

from . import _graze
from ._answers import answer as _answer
from ._numbers import size as _size
from ._numbers import three as _three
from ._pickling import pack, unpack

_Point = _Tuple[float, float, float]


def _round(radius, half_height):
    return _size("radius", radius), _size("half_height", half_height)


@_dataclass(frozen=True)
class Shape:
    """A set of real points that a few numbers give: make it by Shape.sphere(), Shape.box() and others.

    `radius` makes it larger on all sides, by so many world units; a box with a radius has round edges.

    >>> import libgraze
    >>> ball, rod = libgraze.Shape.sphere((0, 0, 2), 0.5), libgraze.Shape.capsule((-1, 0, 0), (1, 0, 0), 0.25)
    >>> libgraze.compare(ball, rod).relation
    'apart'
    """

    kind: str
    numbers: _Tuple[float, ...]
    radius: float = 0.0
    pose: _Any = None  #: None, a translation, or a matrix of 3 x 4 or 4 x 4 numbers; it may stretch
    points: _Any = None  #: of a hull

    @property
    def parts(self):
        """What the module in C reads."""
        return self.kind, self.numbers, self.radius, self.pose, self.points

    @staticmethod
    def point(p):
        """A point of three numbers."""
        return Shape("point", _three("p", p))

    @staticmethod
    def segment(p, q):
        """What is between two points."""
        return Shape("segment", _three("p", p) + _three("q", q))

    @staticmethod
    def triangle(p, q, r):
        """What is between three points."""
        return Shape("triangle", _three("p", p) + _three("q", q) + _three("r", r))

    @staticmethod
    def ray(origin, direction):
        """From a point along a direction, without end."""
        return Shape("ray", _three("origin", origin) + _three("direction", direction))

    @staticmethod
    def line(point, direction):
        """Through a point along a direction, without ends."""
        return Shape("line", _three("point", point) + _three("direction", direction))

    @staticmethod
    def sphere(centre, radius):
        """The ball around a point."""
        return Shape("point", _three("centre", centre), _size("radius", radius))

    @staticmethod
    def capsule(p, q, radius):
        """All points that are no farther than the radius from a segment."""
        return Shape("segment", _three("p", p) + _three("q", q), _size("radius", radius))

    @staticmethod
    def box(centre, half):
        """A box along the axes: its centre and its half widths. Turn it by at()."""
        return Shape("box", _three("centre", centre) + _three("half", half, _size))

    @staticmethod
    def cylinder(centre, radius, half_height):
        """A cylinder along z around a point."""
        return Shape("cylinder", _three("centre", centre) + _round(radius, half_height))

    @staticmethod
    def cone(centre, radius, half_height):
        """A cone along z: its base is half_height below the centre, its apex as much above."""
        return Shape("cone", _three("centre", centre) + _round(radius, half_height))

    @staticmethod
    def ellipsoid(centre, half):
        """An ellipsoid along the axes: its centre and its half axes."""
        return Shape("ellipsoid", _three("centre", centre) + _three("half", half, _size))

    @staticmethod
    def hull(of):
        """The convex hull of points, an array of shape (n, 3), or of a Mesh."""
        return Shape("hull", (), points=_graze._hull_corners(of))

    def __reduce__(self):
        return _again, (self.kind, self.numbers, self.radius, pack(self.pose), pack(self.points))

    def at(self, pose):
        """The same shape at a pose, which replaces the one that it has."""
        return _replace(self, pose=pose)

    def grown(self, by):
        """The same shape, larger on all sides by so much, world units."""
        return _replace(self, radius=_size("radius", self.radius + by))


def _again(kind, numbers, radius, pose, points):
    return Shape(kind, numbers, radius, unpack(pose), unpack(points))


@_dataclass(frozen=True)
class ShapeAnswer:
    """How two shapes lie to each other, how far apart, or how deep."""

    relation: (
        str  #: "apart", "touching" or "penetrating", proved; "undecided": a round shape that nearly touches
    )
    certainty: str  #: of the distance or depth: "exact", the nearest double; "enclosed" by the bounds; or "undecided"
    distance: float  #: world units; 0 unless they are apart
    lower: float  #: lower <= exact distance <= upper
    upper: float
    point_a: _Optional[_Point]  #: nearly the nearest point of A; unless apart, in the middle of the contact; rounded
    point_b: _Optional[_Point]  #: the same of B: point_a + depth * direction where they penetrate
    depth: float  #: how far A must move to be free of B: depth_upper; 0 unless they penetrate each other
    depth_lower: float  #: depth_lower <= exact depth <= depth_upper
    depth_upper: float  #: moved by depth_upper * direction, A is free
    direction: _Point  #: of length 1: from A to B, or where to move A; zeros if they touch and have several normals

    def __bool__(self):
        return self.relation != "apart"


@_dataclass(frozen=True)
class ShapeMeshAnswer:
    """How a shape lies to the surface of a mesh."""

    relation: str  #: as in ShapeAnswer, of the shape and the triangles
    location: str  #: if they are apart: "inside", "outside", or "unknown": in the box of an open mesh
    certainty: str  #: of the distance, as in ShapeAnswer
    distance: float  #: from the shape to the surface, world units; 0 unless they are apart
    lower: float  #: lower <= exact distance <= upper
    upper: float
    face: _Optional[int]  #: the nearest face, or one that is touched; None: the mesh has none
    point_shape: _Optional[_Point]  #: nearly the nearest points, rounded
    point_mesh: _Optional[_Point]

    def __bool__(self):
        return self.relation != "apart" or self.location == "inside"


def compare(a, b, *, pose=None, exact_distance=False, depth=True, deadline=0.0):
    """How a Shape lies to another Shape, or to a Mesh at a pose: apart, touching or penetrating, and how far.

    Proved; only for cylinders, cones and ellipsoids that nearly touch it may be "undecided". A mesh's
    surface has no inside of its own: `location` says whether a shape that is apart from it is inside. The answer is
    true if they are not apart, or the shape is inside. `exact_distance`: if both are of corners (no radius, no round
    shape), `distance` is the double nearest to the exact one; takes longer. `deadline` is for a Mesh: two shapes take microseconds.

    >>> import libgraze
    >>> box, ball = libgraze.Shape.box((0, 0, 0), (1, 1, 1)), libgraze.Shape.sphere((0, 0, 1.75), 1)
    >>> found = libgraze.compare(box, ball)
    >>> found.relation, round(found.depth, 9), found.direction
    ('penetrating', 0.25, (0.0, 0.0, -1.0))
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> libgraze.compare(libgraze.Shape.point((1, 1, 2)), floor).distance
    2.0
    """
    if isinstance(b, _graze.Mesh):
        return _answer(
            ShapeMeshAnswer,
            _graze.compare_mesh(a, b, pose=pose, exact_distance=exact_distance, deadline=deadline),
        )
    if pose is not None:
        raise TypeError("pose: is for a Mesh; a Shape has its own: Shape.at()")
    return _answer(
        ShapeAnswer, _graze.compare(a, b, exact_distance=exact_distance, depth=depth, deadline=deadline)
    )


@_dataclass(frozen=True)
class ShapeManifoldPoint:
    """One point where two shapes touch or penetrate."""

    point_a: _Point  #: of A's surface, rounded
    point_b: _Point  #: of B's surface, opposite
    depth: float  #: world units, 0 or above: how deep they are in each other there
    feature_a: tuple  #: the corner (i,) or edge (i, j) of A that has the point; (): a face, or a round surface
    feature_b: tuple  #: the same of B


@_dataclass(frozen=True)
class ShapeManifold:
    """Where two shapes touch or penetrate: few points for a physics engine."""

    answer: ShapeAnswer  #: what compare() says; its direction is the normal of all points
    points: _Tuple[ShapeManifoldPoint, ...]  #: at most four, the deepest first; none of shapes that are apart

    def __bool__(self):
        return len(self.points) > 0


def shape_manifold(a, b, *, face_angle=0.1):
    """Where two Shapes touch or penetrate, as at most four points: a ShapeManifold.

    Faces that lean against the plane of contact by less than `face_angle` (radians, 0 to 1) are laid over each other.

    >>> import libgraze
    >>> crate, floor = libgraze.Shape.box((0, 0, 1.75), (1, 1, 1)), libgraze.Shape.box((0, 0, 0), (3, 3, 1))
    >>> found = libgraze.shape_manifold(crate, floor)
    >>> found.answer.relation, sorted(point.feature_a for point in found.points)
    ('penetrating', [(0,), (1,), (2,), (3,)])
    """
    answer, points = _graze.shape_manifold(a, b, face_angle=face_angle)
    return ShapeManifold(_answer(ShapeAnswer, answer), tuple(ShapeManifoldPoint(*point) for point in points))


def compare_many(shapes, pairs, *, exact_distance=False, depth=True, deadline=0.0):
    """compare() of many pairs of shapes on all cores: a ShapeAnswers. `pairs` has two places in `shapes` in each row.

    >>> import libgraze
    >>> balls = [libgraze.Shape.sphere((x, 0, 0), 1) for x in range(4)]
    >>> libgraze.compare_many(balls, [(0, 1), (0, 2), (0, 3)]).relations.tolist()  # penetrating, touching, apart
    [3, 2, 1]
    """
    return _graze.compare_many(shapes, pairs, exact_distance=exact_distance, depth=depth, deadline=deadline)


def faces_touched(shape, mesh, *, pose=None, deadline=0.0):
    """The faces of a mesh that a shape touches or penetrates, in order: an array of their numbers.

    Exact for shapes of corners, also with a radius. For cylinders, cones and ellipsoids faces that cannot be decided
    are listed, too.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 0]], [[0, 1, 2], [1, 3, 2]])
    >>> libgraze.faces_touched(libgraze.Shape.sphere((2, 2, 1), 1), floor).tolist()
    [0, 1]
    """
    return _graze.faces_touched(shape, mesh, pose=pose, deadline=deadline)
