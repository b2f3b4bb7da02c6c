# SPDX-License-Identifier: MIT
"""SceneEvents against sets of pairs, and ContactTracker: contacts that slide, jump and end."""

import doctest
import math

import numpy
import pytest

import libgraze
from meshes import cube


def test_examples():
    assert doctest.testmod(libgraze._events).failed == 0


def pairs_of(events, event, state="colliding"):
    return [(pair.a, pair.b) for pair in events.pairs(event, state)]


@pytest.mark.parametrize("clearance", [0.0, 0.75])
def test_events_are_differences_of_sets(clearance):
    rng = numpy.random.default_rng(4)
    scene, mesh = libgraze.Scene(), cube()
    events = libgraze.SceneEvents(scene)
    before, seen = {}, {"colliding": 0, "near": 0}
    for frame in range(60):
        if len(scene) < 9:
            scene.add(mesh, rng.integers(0, 7, 3) / 2)
        elif frame % 3 == 0:
            scene.remove(int(rng.choice(scene.objects)))
        scene.set_pose(int(rng.choice(scene.objects)), rng.integers(0, 7, 3) / 2)
        result = scene.collide(clearance=clearance)
        events.update(result)
        now = {}
        for a, b in result.object_pairs.tolist():
            touches = libgraze.collide(mesh, mesh, pose_a=scene.pose(a), pose_b=scene.pose(b)).colliding
            now[a, b] = "colliding" if touches else "near"
        for state in ("colliding", "near"):
            old, new = ({p for p, s in pairs.items() if s == state} for pairs in (before, now))
            renewed = {(e.a, e.b) for e in events.pairs("ended", state)} & new  # the numbers were given again
            assert pairs_of(events, "stays", state) == sorted((old & new) - renewed)
            assert pairs_of(events, "began", state) == sorted((new - old) | renewed)
            assert set(pairs_of(events, "ended", state)) == (old - new) | renewed
            seen[state] += len(old | new)
        assert [(e.a, e.b) for e in events.began] == pairs_of(events, "began")
        assert events.stays == events.pairs("stays") and events.ended == events.pairs("ended")
        before = now
    assert seen["colliding"] > 200 and (seen["near"] > 100 if clearance else seen["near"] == 0)


def test_events_of_numbers_that_are_given_again():
    scene = libgraze.Scene()
    scene.add(cube(), name="floor")
    scene.add(cube(), (0.5, 0, 0), name="crate")
    events = libgraze.SceneEvents(scene)
    events.update(scene.collide())
    first = events.began[0]
    assert (first.a, first.b, first.before, first.now) == (0, 1, "apart", "colliding")
    scene.remove("crate")
    scene.add(cube(), (0.5, 0, 0), name="barrel")
    assert scene.number("barrel") == 1
    events.update(scene.collide(reference="floor"))
    assert events.ended[0].serial_b == first.serial_b and events.began[0].serial_b > first.serial_b
    assert events.stays == [] and events.began[0].serial_a == first.serial_a


def test_what_events_refuse():
    scene, other = libgraze.Scene(), libgraze.Scene()
    scene.add(cube())
    events = libgraze.SceneEvents(scene)
    old = scene.collide()
    scene.collide()
    with pytest.raises(ValueError, match="has changed since the query"):
        events.update(old)
    with pytest.raises(ValueError, match="another scene"):
        events.update(other.collide())
    with pytest.raises(ValueError, match="not that of a query of a scene"):
        events.update(libgraze.collide(cube(), cube()))
    with pytest.raises(TypeError, match="must be a libgraze.Result"):
        events.update(7)
    with pytest.raises(TypeError, match="must be a libgraze.Scene"):
        libgraze.SceneEvents(cube())
    for event, state, text in (
        ("starts", "near", 'event is "starts", must be "began", "stays" or "ended"'),
        ("began", "apart", 'state is "apart", must be "undecided", "near" or "colliding"'),
        ("began", "far", 'state is "far", must be'),
    ):
        with pytest.raises(ValueError, match=text):
            events.pairs(event, state)


def test_contacts_of_meshes_persist():
    n, tracker = 12, libgraze.ContactTracker()
    grid = numpy.array([[0.25 * i, 0.25 * j, 0] for j in range(n + 1) for i in range(n + 1)])
    cells = [i + (n + 1) * j for j in range(n) for i in range(n)]
    floor = libgraze.Mesh(grid, [f for c in cells for f in ((c, c + 1, c + n + 2), (c, c + n + 2, c + n + 1))])
    kinds = set()
    for frame in range(30):
        m = libgraze.manifold(cube(), floor, pose_a=(0.3 + 0.03 * frame, 0.4 + 0.01 * frame, 0))
        ids = tracker.update([(5, 6, m)], match_distance=0.05)
        assert sorted(i.id for i in ids) == [1, 2, 3, 4] and all(i.age == frame for i in ids)
        assert all(len(p.features[0]) == 1 for p in m.points), "corners of the cube"
        assert (ids[0].before is None) == (frame == 0) and tracker.ended == []
        kinds |= {i.match for i in ids}
    assert kinds == {"new", "features", "nearest"}
    assert tracker.update([]) == [] and tracker.ended == [1, 2, 3, 4]
    assert tracker.update([(5, 6, m)])[0].id == 5


def test_contacts_of_shapes_persist():
    tracker, floor = libgraze.ContactTracker(), libgraze.Shape.box((0, 0, -1), (9, 9, 1))
    for frame in range(6):  # touching and penetrating take turns; the bodies, too
        crate = libgraze.Shape.box((0.01 * frame, 0, 1 - 0.0625 * (frame % 2)), (1, 1, 1))
        pair = (crate, floor) if frame % 3 else (floor, crate)
        numbers = (2**63, 1) if frame % 3 else (1, 2**63)
        ids = tracker.update([(*numbers, libgraze.shape_manifold(*pair))])
        assert sorted(i.id for i in ids) == [1, 2, 3, 4] and {i.age for i in ids} == {frame}
    balls = [libgraze.shape_manifold(libgraze.Shape.sphere((x, 0, 1), 1), floor) for x in (0, 3)]
    ids = tracker.update([(8, 1, balls[0]), (9, 1, balls[1])])
    assert [i.id for i in ids] == [5, 6] and tracker.ended == [1, 2, 3, 4]


@pytest.mark.parametrize("call, error, text", [
    (lambda t, m: t.update([(1, 2, m)], match_distance=-1), ValueError, "match_distance is -1"),
    (lambda t, m: t.update([(1, 2, m)], match_angle=math.nan), ValueError, "match_angle"),
    (lambda t, m: t.update([(-1, 2, m)]), ValueError, "must be from 0 to"),
    (lambda t, m: t.update([(1, 2**64, m)]), ValueError, "must be from 0 to"),
    (lambda t, m: t.update([("a", 2, m)]), TypeError, ""),
    (lambda t, m: t.update([(1, 2, None)]), TypeError, "contacts: number 0 is .*, must be a, b and their manifold"),
    (lambda t, m: t.update([(1, 2, m)], match_distance="far"), TypeError, "match_distance is 'far', must be a number"),
])
def test_what_trackers_refuse(call, error, text):
    tracker, m = libgraze.ContactTracker(), libgraze.manifold(cube(), cube(), pose_a=(0, 0, 1))
    with pytest.raises(error, match=text):
        call(tracker, m)
    assert tracker.update([(1, 2, m)])[0].match == "new"
