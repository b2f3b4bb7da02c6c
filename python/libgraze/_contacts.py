# SPDX-License-Identifier: MIT
"""The contacts and curves of a result, one object each. The arrays that hold the same (`contact_points`, …) are faster."""

from typing import NamedTuple, Optional, Tuple, Union

from ._pickling import pack, unpack

_KINDS = ("none", "touching", "coplanar", "crossing")
_Name = Union[int, str]


class Contact(NamedTuple):
    """Where one triangle of A meets one of B: a point, a segment or a convex polygon."""

    faces: Tuple[int, int]  #: the face of A and the one of B
    kind: str  #: "touching", "coplanar" or "crossing"
    points: memoryview  #: one or more points in world coordinates, (n, 3) doubles; not a copy
    normal: Tuple[
        float, float, float
    ]  #: which way to move A to free it here, a unit vector; zeros if neither triangle has area
    objects: Optional[Tuple[_Name, _Name]]  #: of a scene: names, or numbers, of the two objects; else None

    def __reduce__(self):
        return _again, (Contact, *map(pack, self))


class Curve(NamedTuple):
    """Contacts joined end to end."""

    points: (
        memoryview  #: in world coordinates, (n, 3) doubles; a closed curve ends with its first point again
    )
    closed: bool  #: whether it ends where it begins

    def __reduce__(self):
        return _again, (Curve, *map(pack, self))


def _again(kind, *values):
    return kind(*map(unpack, values))


def contacts_of(result):
    """Every contact of a result, in the order of the arrays."""
    points = result.contact_points
    pairs = result.pairs.tolist()
    objects = [None] * len(result.contact_pairs)
    counts = zip(
        result.object_names, result.object_first_contacts.tolist(), result.object_contact_counts.tolist()
    )
    for names, first, count in counts:
        objects[first : first + count] = [names] * count
    columns = zip(
        result.contact_pairs.tolist(),
        result.contact_kinds.tolist(),
        result.contact_first_points.tolist(),
        result.contact_point_counts.tolist(),
        result.contact_normals.tolist(),
        objects,
    )
    return tuple(
        Contact(tuple(pairs[pair]), _KINDS[kind], points[first : first + count], tuple(normal), names)
        for pair, kind, first, count, normal, names in columns
    )


def curves_of(result):
    """Every curve of a result, in the order of the arrays."""
    points = result.curve_points
    columns = zip(
        result.curve_first_points.tolist(), result.curve_point_counts.tolist(), result.curve_closed.tolist()
    )
    return tuple(Curve(points[first : first + count], closed) for first, count, closed in columns)
