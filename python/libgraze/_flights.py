# SPDX-License-Identifier: MIT
"""Balls that fly through a level and bounce, off objects that may move."""

from dataclasses import dataclass as _dataclass
from typing import NamedTuple as _NamedTuple
from typing import Optional as _Optional
from typing import Tuple as _Tuple

from . import _graze
from ._answers import answer as _answer
from ._numbers import number, real
from ._numbers import three as _three

_Point = _Tuple[float, float, float]
_ZEROS = (0.0, 0.0, 0.0)


def _number(name, value):
    return number(name, value, 100)


class FlightMotion(_NamedTuple):
    """How an object moves while balls fly: its centre straight on or along a parabola; and it turns evenly about it.

    >>> import libgraze
    >>> lift = libgraze.FlightMotion(velocity=(0, 0, 2))
    >>> lift.pose(None, 1.5)[2]
    (0.0, 0.0, 1.0, 3.0)
    """

    velocity: _Point = _ZEROS  #: of the centre at the time `since`; world units a second
    acceleration: _Point = _ZEROS  #: of the centre; world units a second, each second
    spin: _Point = _ZEROS  #: radians a second, about this axis through the centre
    centre: _Point = _ZEROS  #: in the coordinates of the mesh; without a spin it means nothing
    since: float = 0.0  #: seconds: when the object is at its pose

    def pose(self, pose, time):
        """Where an object is at a time that is at `pose` at `since`: four rows of a matrix."""
        return _graze.flight_pose(pose, _numbers(self), time)

    @staticmethod
    def between(first, second, since, arrival, centre=_ZEROS):
        """The motion that leads evenly from one pose to another, by the shorter turn."""
        return FlightMotion(*_graze.flight_motion_between(first, second, since, arrival, centre))


def _numbers(motion):
    if motion is None:
        return (0.0,) * 13
    velocity, acceleration, spin, centre, since = motion
    return (since, *velocity, *acceleration, *spin, *centre)


@_dataclass(frozen=True)
class Bounce:
    """One bounce of a Flight."""

    time: float  #: seconds, by the caller's clock
    position: _Point  #: of the ball's middle: between radius and radius + skin from the surface
    before: _Point  #: velocity just before
    after: _Point  #: velocity just after
    normal: _Point  #: of length 1, from the level to the ball
    point: _Point  #: of the level
    surface: _Point  #: velocity of the object at that point
    object: int  #: its place in the list of objects
    face: int


class Flight:
    """A ball in flight. `state` is "flies", "rests", "full", "starts_inside", "limit", "rides" or "crushed".

    >>> import libgraze
    >>> plate = libgraze.Mesh([[0, -9, -9], [0, 9, -9], [0, 9, 9], [0, -9, 9]], [[0, 1, 2], [0, 2, 3]])
    >>> flight = libgraze.Flight((2, 0, 0))
    >>> goes = libgraze.FlightMotion(velocity=(30, 0, 0))  # half a unit a frame
    >>> [bounce] = flight.advance([plate], 1.0, radius=0.25, motions=[goes])
    >>> bounce.after, flight.state
    ((60.0, 0.0, 0.0), 'flies')
    """

    __slots__ = ("_data", "position", "velocity", "now", "state", "carrier", "bounces")

    _data: bytes
    position: _Point  #: at the time `now`
    velocity: _Point  #: at the time `now`
    now: float  #: seconds, by the caller's clock
    state: str  #: how it goes on; see docs/use/flight.md
    carrier: _Optional[int]  #: the object that it lies on, or lay on last; None: of none
    bounces: int  #: how often it has bounced

    def __init__(self, position, velocity=_ZEROS, time=0.0):
        position = _three("position", position, _number)
        velocity = _three("velocity", velocity, _number)
        time = _number("time", time)
        self._set(_graze.flight_from(position, velocity, time))

    def _set(self, values):
        self._data = values.pop("data")
        for name, value in values.items():
            setattr(self, name, value)

    def advance(
        self,
        objects,
        until,
        *,
        radius=0.0,
        skin=0.0,
        acceleration=None,
        restitution=1.0,
        friction=0.0,
        motions=None,
        max_bounces=64,
        deadline=0.0,
    ):
        """Let the ball fly on until a time: the list of its bounces.

        `objects` is a list of meshes, or of pairs of a mesh and a pose. `motions` has a FlightMotion, or None for what
        stands, for each of them. A ball of radius 0 is a point, and needs a skin. `until` may be infinite.
        """
        numbers = {"radius": radius, "skin": skin, "restitution": restitution, "friction": friction}
        numbers = {name: real(name, value) for name, value in numbers.items()}
        pairs = [entry if isinstance(entry, (tuple, list)) else (entry, None) for entry in objects]
        if motions is not None and len(motions) != len(pairs):
            raise ValueError(f"motions: {len(motions)} of them for {len(pairs)} objects")
        for i, motion in enumerate(motions or ()):
            if motion is not None and not isinstance(motion, FlightMotion):
                raise TypeError(f"motions: number {i} is {motion!r}, must be a FlightMotion or None")
        values, bounces = _graze.flight_advance(
            self._data,
            [mesh for mesh, _ in pairs],
            [pose for _, pose in pairs],
            None if motions is None else [_numbers(motion) for motion in motions],
            real("until", until),
            acceleration=acceleration,
            **numbers,
            max_bounces=max_bounces,
            deadline=deadline,
        )
        self._set(values)
        return [_answer(Bounce, bounce) for bounce in bounces]

    def __repr__(self):
        return f"<Flight at {self.position}, {self.state}>"
