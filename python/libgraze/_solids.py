# SPDX-License-Identifier: MIT
"""Convex hulls, fitted shapes, solids as convex parts, and meshes as shells."""

from dataclasses import dataclass as _dataclass
from typing import List as _List
from typing import Optional as _Optional
from typing import Tuple as _Tuple

from . import _graze
from ._answers import answer as _answer
from ._shapes import Shape

_Point = _Tuple[float, float, float]


def hull(of, *, deadline=0.0):
    """The exact convex hull of points, an array of shape (n, 3), or of a Mesh: a Mesh with polygons as faces.

    The points may not all lie on one line.

    >>> import libgraze
    >>> libgraze.hull([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [0.5, 0.5, 0.5], [1, 1, 0]])
    <libgraze.Mesh: 4 vertices, 4 faces>
    """
    return _graze.hull(of, deadline=deadline)


@_dataclass(frozen=True)
class Convexity:
    """Whether a mesh is the surface of a convex solid; if not, what shows it."""

    convex: bool
    fault: str  #: "convex", "degenerate", "open", "nonmanifold", "unoriented", "inside_out", "reflex", "several" or "wound"
    message: str  #: the same in English
    edge: _Tuple[int, ...]  #: the edge at fault, by its vertices
    faces: _Tuple[int, ...]  #: the faces at fault

    def __bool__(self):
        return self.convex


def is_convex(mesh):
    """Whether a mesh is the surface of a convex solid, exactly: a Convexity, which is true if it is.

    >>> import libgraze
    >>> tetrahedron = libgraze.hull([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]])
    >>> bool(libgraze.is_convex(tetrahedron))
    True
    """
    return _answer(Convexity, _graze.is_convex(mesh))


@_dataclass(frozen=True)
class Fitted:
    """A shape that certainly holds every vertex. `ratio`: its volume over that of the mesh's convex hull."""

    shape: Shape
    ratio: float  #: infinite if the hull has no volume


@_dataclass(frozen=True)
class Fit:
    """Simple shapes around a mesh."""

    sphere: Fitted
    least_radius: float  #: a proof: no ball around the vertices has a smaller radius
    certainty: str  #: of the smallest radius: "exact" if `least_radius` is the sphere's, else "enclosed" by the two
    capsule: Fitted
    box: Fitted  #: along the axes
    oriented_box: Fitted
    cylinder: Fitted  #: around the z axis of its pose
    ellipsoid: Fitted


def _placed(shape, centre, axes, ratio):
    columns = zip(*axes)
    pose = [[*row, at] for row, at in zip(columns, centre)]
    return Fitted(shape.at(tuple(map(tuple, pose))), ratio)


def _box(centre, axes, half, ratio):
    return _placed(Shape.box((0, 0, 0), half), centre, axes, ratio)


def _cylinder(centre, axes, half, ratio):
    return _placed(Shape.cylinder((0, 0, 0), half[0], half[2]), centre, axes, ratio)


def _ellipsoid(centre, axes, half, ratio):
    return _placed(Shape.ellipsoid((0, 0, 0), half), centre, axes, ratio)


def fit(mesh, *, deadline=0.0):
    """Sphere, capsule, box, oriented box, cylinder and ellipsoid around a mesh, and how tight each is: a Fit.

    >>> import libgraze
    >>> cube = libgraze.hull([[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)])
    >>> found = libgraze.fit(cube)
    >>> round(found.box.ratio, 9), round(found.sphere.shape.radius, 9), found.sphere.shape.numbers
    (1.0, 1.732050808, (1.0, 1.0, 1.0))
    """
    found = _graze.fit(mesh, deadline=deadline)
    centre, radius, least, ratio, certainty = found["sphere"]
    p, q, capsule_radius, capsule_ratio = found["capsule"]
    return Fit(
        sphere=Fitted(Shape.sphere(centre, radius), ratio),
        least_radius=least,
        certainty=certainty,
        capsule=Fitted(Shape.capsule(p, q, capsule_radius), capsule_ratio),
        box=_box(*found["box"]),
        oriented_box=_box(*found["oriented"]),
        cylinder=_cylinder(*found["cylinder"]),
        ellipsoid=_ellipsoid(*found["ellipsoid"]),
    )


def fit_map_points(mesh, points, normals=None, *, pose=None, deadline=0.0):
    """Take points that were found on a mesh's proxy back to the mesh: a MappedPoints.

    From each of `points` against its row of `normals`, outwards from the proxy, to the first face that is met; where
    there is none, or the normal is zeros, to the nearest point of the mesh. `points` and `normals` are of shape (n, 3),
    world coordinates, of which None asks for the nearest points; the mesh is at `pose`. For the few points of contacts:
    one after the other. A proxy is larger, so the mesh itself need not be in contact.

    >>> import libgraze
    >>> cube = libgraze.hull([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    >>> ball = libgraze.fit(cube).sphere.shape
    >>> touch = libgraze.compare(ball, libgraze.Shape.sphere((0, 0, 3), 0.5))
    >>> found = libgraze.fit_map_points(cube, [touch.point_a], [touch.direction])
    >>> found.along_normal.tolist(), found.points.tolist()
    ([True], [[0.0, 0.0, 1.0]])
    """
    return _graze.fit_map_points(mesh, points, normals, pose=pose, deadline=deadline)


@_dataclass(frozen=True)
class ConvexPart:
    """A convex part of a solid. Its farthest point from the solid is at least `lower` and at most `upper` away."""

    mesh: _graze.Mesh
    lower: float
    upper: float
    certainty: str  #: of how far it stands out: "exact" if `lower` and `upper` are equal or neighbours, else "enclosed"


@_dataclass(frozen=True)
class ConvexParts:
    """Convex parts of a solid."""

    parts: _List[ConvexPart]
    rounding: float  #: how far a corner may be from the exact one; corners that are doubles are exact

    def __len__(self):
        return len(self.parts)

    def __iter__(self):
        return iter(self.parts)


def _parts(found):
    return ConvexParts([ConvexPart(*part) for part in found[0]], found[1])


def convex_parts(mesh, *, max_parts=10000, deadline=0.0):
    """The solid of a closed mesh, cut exactly into convex parts: a ConvexParts. More than `max_parts` are an error.

    >>> import libgraze
    >>> cube = libgraze.hull([[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)])
    >>> len(libgraze.convex_parts(cube))
    1
    """
    return _parts(_graze.convex_parts(mesh, max_parts=max_parts, deadline=deadline))


def convex_cover(mesh, *, error: _Optional[float] = None, max_parts=64, deadline=0.0):
    """At most `max_parts` convex parts that cover the solid of a mesh, and how far each stands out: a ConvexParts.

    Each stands out by at most `error` if so few parts are enough for that; None: a hundredth of the box's diagonal.
    """
    if error is not None and not error > 0.0:
        raise ValueError(f"error: {error}, must be more than 0")
    return _parts(
        _graze.convex_cover(mesh, error=0.0 if error is None else error, max_parts=max_parts, deadline=deadline)
    )


@_dataclass(frozen=True)
class Shell:
    """What faces make that are joined over edges."""

    first_face: int  #: its lowest face
    face_count: int
    part: int  #: the part that it belongs to; a cavity belongs to that of the shell around it
    closed: bool
    inwards: bool  #: closed, and its faces look inwards


@_dataclass(frozen=True)
class Split:
    """A mesh taken apart: a part for each shell, cavities with the shell around them."""

    parts: _List[_graze.Mesh]  #: in the order of their lowest faces
    part_faces: _List[memoryview]  #: of each part: the faces of the whole that it has, ascending
    shells: _List[Shell]  #: in the order of their lowest faces
    face_shells: memoryview  #: the shell of each face of the whole

    def __len__(self):
        return len(self.parts)

    def __iter__(self):
        return iter(self.parts)


def split(mesh, *, deadline=0.0):
    """A mesh that holds an assembly, taken apart into its shells: a Split.

    Faces that meet in an edge are joined; where more than two meet, those that bound the same piece of material, so
    that parts which lie flush on each other are apart. Edges are the same if their ends have equal positions.

    >>> import libgraze
    >>> corners = [[x, y, z] for z in (0, 2) for y in (0, 2) for x in (0, 2)]
    >>> sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    >>> beside = [[x + 2, y, z] for x, y, z in corners]
    >>> both = libgraze.Mesh(corners + beside, sides + [[v + 8 for v in side] for side in sides])
    >>> libgraze.split(both).parts
    [<libgraze.Mesh: 8 vertices, 6 faces>, <libgraze.Mesh: 8 vertices, 6 faces>]
    """
    parts, part_faces, shells, face_shells = _graze.split(mesh, deadline=deadline)
    return Split(parts, part_faces, [Shell(*shell) for shell in shells], face_shells)
