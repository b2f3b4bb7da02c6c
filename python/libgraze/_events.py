# SPDX-License-Identifier: MIT
"""From frame to frame: what began, stays and ended in a scene, and contacts that persist."""

from dataclasses import dataclass as _dataclass
from typing import Optional as _Optional

from . import _graze
from ._numbers import real
from ._queries import NONE


@_dataclass(frozen=True)
class SceneEvent:
    """A pair of objects of a Scene in two answers. Their states are "apart", "undecided", "near" or "colliding"."""

    a: int  #: the number of one object, now or when it was there
    b: int  #: the number of the other, a < b
    serial_a: int  #: a's serial number: numbers of objects are given again, these are not
    serial_b: int  #: of b, likewise
    before: str  #: the state in the answer before
    now: str  #: in this one


class SceneEvents:
    """Which pairs of a Scene began, stay and ended since the answer before.

    >>> import libgraze
    >>> floor = libgraze.Mesh([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> scene = libgraze.Scene()
    >>> scene.add(floor), scene.add(floor, (0, 0, 1))
    (0, 1)
    >>> events = libgraze.SceneEvents(scene)
    >>> events.update(scene.collide())
    >>> events.began
    []
    >>> scene.set_pose(1, (1, 0, 0))
    >>> events.update(scene.collide())
    >>> [(pair.a, pair.b, pair.before, pair.now) for pair in events.began]
    [(0, 1, 'apart', 'colliding')]
    """

    def __init__(self, scene):
        self._made = _graze.SceneEvents(scene)

    def update(self, result):
        """Compare a Result of the scene, its newest, with that of the last update."""
        self._made.update(result)

    def pairs(self, event, state="colliding"):
        """The pairs that "began", "stays" or "ended" to be "colliding", "near" or "undecided": a list, sorted."""
        return [SceneEvent(*row) for row in self._made.pairs(event, state)]

    @property
    def began(self):
        """The pairs that collide now, and did not before."""
        return self.pairs("began")

    @property
    def stays(self):
        """The pairs that collide now, as before."""
        return self.pairs("stays")

    @property
    def ended(self):
        """The pairs that collided before, and do not now."""
        return self.pairs("ended")


@_dataclass(frozen=True)
class ContactId:
    """What a ContactTracker says of a point."""

    id: int  #: 1 or above; a tracker never gives a number to two contacts
    before: _Optional[int]  #: its index among the points of the last update; None: it is new
    age: int  #: in how many updates before it was there, one after the other
    match: str  #: how it was found: "new", by its "features", or the "nearest"


def _half(feature, face):
    """A feature and a face as four numbers that a tracker compares."""
    return tuple(feature) + (NONE,) * (2 - len(feature)), face


def _rows(a, b, manifold):
    answer = getattr(manifold, "answer", None)
    if answer is None:  # of meshes
        for point in manifold.points:
            (x, face_a), (y, face_b) = (_half(f, i) for f, i in zip(point.features, point.faces))
            yield a, b, x, y, face_a, face_b, point.position, point.normal
        return
    sign = 1.0 if answer.relation == "penetrating" else -1.0  # from B to A
    normal = tuple(sign * value + 0.0 for value in answer.direction or (0.0, 0.0, 0.0))
    for point in manifold.points:
        middle = tuple(0.5 * p + 0.5 * q for p, q in zip(point.point_a, point.point_b))
        yield a, b, _half(point.feature_a, NONE)[0], _half(point.feature_b, NONE)[0], NONE, NONE, middle, normal


class ContactTracker:
    """Contacts that persist: which point of this frame's manifolds is which of the last frame's.

    >>> import libgraze
    >>> floor, tracker = libgraze.Shape.box((0, 0, -1), (9, 9, 1)), libgraze.ContactTracker()
    >>> for x in (0.0, 0.25, 0.5):
    ...     crate = libgraze.Shape.box((x, 0, 1), (1, 1, 1))
    ...     ids = tracker.update([(7, 1, libgraze.shape_manifold(crate, floor))])
    ...     print(sorted(i.id for i in ids), ids[0].age, ids[0].match)
    [1, 2, 3, 4] 0 new
    [1, 2, 3, 4] 1 features
    [1, 2, 3, 4] 2 features
    """

    def __init__(self):
        self._made = _graze.ContactTracker()

    def update(self, contacts, *, match_distance=0.0, match_angle=0.5235987755982988):
        """Number the contact points of a frame: a list with a ContactId for each, in order.

        `contacts` are (a, b, Manifold or ShapeManifold) for each pair of bodies; a and b are the caller's numbers of
        the two. A point whose features are new takes the number of the nearest of before that is left, at most
        `match_distance` away and with a normal within `match_angle` (radians).
        """
        rows = []
        for i, contact in enumerate(contacts):
            if not isinstance(contact, (tuple, list)) or len(contact) != 3 or not hasattr(contact[2], "points"):
                raise TypeError(f"contacts: number {i} is {contact!r}, must be a, b and their manifold")
            rows += _rows(*contact)
        distance, angle = real("match_distance", match_distance), real("match_angle", match_angle)
        ids = self._made.update(rows, match_distance=distance, match_angle=angle)
        return [ContactId(*row) for row in ids]

    @property
    def ended(self):
        """The numbers of the contacts that the last update ended, ascending."""
        return self._made.ended
