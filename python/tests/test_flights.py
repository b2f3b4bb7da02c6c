# SPDX-License-Identifier: MIT
"""Balls that fly and bounce, off plates that stand, go and turn: against formulas, and frames against one call."""

import math

import numpy
import pytest

import libgraze
from meshes import cube, rotation

FLOOR = [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]]


def floor():
    return libgraze.Mesh(*FLOOR)


def test_a_ball_falls_on_a_floor():
    flight = libgraze.Flight((1, 2, 5.5), (3, 0, 0))
    assert flight.state == "flies" and flight.now == 0 and flight.carrier is None
    [bounce] = flight.advance([floor()], 1.5, radius=0.5, acceleration=(0, 0, -10), restitution=0.5)
    assert abs(bounce.time - 1) < 1e-3 and abs(bounce.before[2] + 10) < 1e-2
    assert bounce.after[2] == -0.5 * bounce.before[2] and bounce.surface == (0, 0, 0)
    assert bounce.normal == (0, 0, 1) and bounce.object == 0 and bounce.face in (0, 1)
    assert flight.now == 1.5 and abs(flight.velocity[2] - (bounce.after[2] - 10 * (1.5 - bounce.time))) < 1e-12
    assert flight.bounces == 1 and "flies" in repr(flight)


def test_what_moves_is_met_and_rests_are_told():
    lift = libgraze.FlightMotion(velocity=(0, 0, 2), since=1)
    level = [(floor(), (0, 0, -1)), cube(0.5)]
    frames, once = libgraze.Flight((5, 5, 1), time=1), libgraze.Flight((5, 5, 1), time=1)
    how = dict(radius=0.25, acceleration=(0, 0, -10), restitution=0.25, friction=0.5, motions=[lift, None])
    found = [b for i in range(120) for b in frames.advance(level, 1 + (i + 1) / 60, **how)]
    assert once.advance(level, 3, **how) == found and len(found) > 1
    assert (once.position, once.velocity, once.state) == (frames.position, frames.velocity, frames.state)
    assert found[0].surface == (0, 0, 2) and found[0].object == 0
    assert once.state == "rides" and once.carrier == 0 and abs(once.position[2] - 3.25) < 1e-2


def test_motions_and_poses():
    rng = numpy.random.default_rng(4)
    for _ in range(50):
        first, second = (
            numpy.column_stack([rotation(*rng.uniform(-1, 1, 3)), rng.uniform(-2, 2, 3)]) for _ in range(2)
        )
        m = libgraze.FlightMotion.between(first, second, 2.0, 2.5, centre=(1, 0, 2))
        assert m.since == 2 and m.centre == (1, 0, 2)
        assert numpy.allclose(numpy.array(m.pose(first, 2.5))[:3], second, atol=1e-12)
        assert numpy.array_equal(numpy.array(m.pose(first, 2.0))[:3], first)
    # A door, about its hinge.
    door = libgraze.Mesh([[0, 0, -1], [4, 0, -1], [4, 0, 1], [0, 0, 1]], [[0, 1, 2], [0, 2, 3]])
    flight = libgraze.Flight((2, 1.5, 0.25))
    turns = libgraze.FlightMotion(spin=(0, 0, 2))
    [bounce] = flight.advance([door], 1, radius=0.25, motions=[turns])
    assert abs(bounce.time - (math.atan2(1.5, 2) - math.asin(0.1)) / 2) < 1e-3


def test_bad_arguments():
    flight = libgraze.Flight((0, 0, 1))
    with pytest.raises(ValueError, match="1 of them for 2 objects"):
        flight.advance([floor(), floor()], 1, radius=0.1, motions=[None])
    with pytest.raises(libgraze.InvalidArgument, match="a point"):
        flight.advance([floor()], 1)
    with pytest.raises(libgraze.InvalidArgument, match="until is -1"):
        flight.advance([floor()], -1, radius=0.1)
    with pytest.raises(TypeError):
        flight.advance(["floor"], 1, radius=0.1)
    with pytest.raises(ValueError, match="position"):
        libgraze.Flight((0, 0))
    with pytest.raises(ValueError, match="time is nan, must be finite"):
        libgraze.Flight((0, 0, 1), time=math.nan)
    with pytest.raises(ValueError, match=r"velocity\[1\] is inf"):
        libgraze.Flight((0, 0, 1), (0, math.inf, 0))
    with pytest.raises(libgraze.InvalidArgument, match="radius is -1, must be 0 or "):
        flight.advance([floor()], 1, radius=-1)
    with pytest.raises(TypeError, match="until is 'later', must be a number"):
        flight.advance([floor()], "later", radius=1)
    with pytest.raises(TypeError, match="motions: number 0 is 7, must be a FlightMotion or None"):
        flight.advance([floor()], 1, radius=1, motions=[7])
    with pytest.raises(libgraze.InvalidPose, match="turned and moved"):
        libgraze.FlightMotion.between(None, numpy.diag([1, 2, 1, 1]), 0, 1)
    with pytest.raises(ValueError, match="max_bounces"):
        flight.advance([floor()], 1, radius=0.1, max_bounces=-1)
    assert flight.position == (0, 0, 1)
