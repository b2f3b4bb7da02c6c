# SPDX-License-Identifier: MIT
"""Points, boxes and segments in the plane: all searches against numpy on small integers, where numpy is exact."""

import doctest
import threading
from pathlib import Path

import numpy
import pytest

import libgraze

SEARCHES = ("naive", "grid", "quadtree", "sweep")


def test_the_document_shows_what_is_printed():
    document = Path(__file__).resolve().parents[2] / "docs" / "use" / "flat.md"
    if not document.exists():
        pytest.skip("there is no docs/use/flat.md here")
    found = doctest.testfile(str(document), module_relative=False)
    assert found.failed == 0 and found.attempted >= 7


def random_boxes(count, seed=1):
    low = numpy.random.default_rng(seed).integers(0, 60, (count, 2))
    size = numpy.random.default_rng(seed + 1).integers(0, 6, (count, 2))
    return numpy.hstack([low, low + size]).astype(float)


def touching(a, b):
    return (a[:, None, :2] <= b[None, :, 2:]).all(-1) & (b[None, :, :2] <= a[:, None, 2:]).all(-1)


def squares(boxes, points):
    """Squared distances (points, boxes): exact for small integers."""
    out = numpy.maximum(numpy.maximum(boxes[None, :, :2] - points[:, None], points[:, None] - boxes[None, :, 2:]), 0)
    return (out * out).sum(-1)


@pytest.mark.parametrize("search", SEARCHES)
def test_boxes_as_numpy_has_them(search):
    boxes = random_boxes(300)
    flat = libgraze.Flat(boxes, search=search)
    assert len(flat) == 300 and repr(flat) == "<libgraze.Flat: 300 items>"
    wanted = numpy.argwhere(numpy.triu(touching(boxes, boxes), 1))
    pairs = numpy.asarray(flat.pairs())
    assert pairs.dtype == numpy.uint32 and len(wanted) > 100 and (pairs == wanted).all()
    found = numpy.asarray(flat.in_box((10, 12), (30, 20)))
    assert (found == numpy.flatnonzero(touching(boxes, numpy.array([[10, 12, 30, 20.0]])))).all() and len(found) > 10
    points = numpy.random.default_rng(5).integers(-20, 90, (200, 2)).astype(float)
    exact = squares(boxes, points)
    assert (numpy.asarray(flat.in_circle(points[0], 25)) == numpy.flatnonzero(exact[0] <= 625)).all()
    near = flat.nearest(points)
    assert len(near) == 200 and repr(near) == "<libgraze.FlatNearest: 200 points>"
    assert (numpy.asarray(near.numbers) == exact.argmin(1)).all()  # the lowest of several
    assert (numpy.asarray(near.distances) == numpy.sqrt(exact.min(1))).all()


@pytest.mark.parametrize("search", SEARCHES)
def test_rays(search):
    flat = libgraze.Flat([[0, 0, 4, 1], [2, 3, 2, 3]], search=search)
    numbers = flat.add([[5, 0, 9, 3]], "segment")
    assert numbers.tolist() == [2] and flat.item(2) == ("segment", (5.0, 0.0), (9.0, 3.0))
    first = flat.first_hits([[-1, 0.75], [2, -3], [0, 9]], [[0, 0.75], [2, -1], [0, 10]])
    assert numpy.asarray(first.numbers).tolist() == [0, 0, libgraze.NONE]
    assert numpy.asarray(first.t).tolist() == [1.0, 1.5, numpy.inf] and repr(first) == "<libgraze.FlatHits: 3>"
    every = flat.all_hits((-1, 0.75), (0, 0.75))
    assert every.numbers.tolist() == [0, 2] and every.t.tolist() == [1.0, 7.0] and len(every) == 2
    assert flat.all_hits((-1, 0.75), (0, 0.75), endless=False).numbers.tolist() == [0]
    assert flat.first_hits([[-1, 0.75]], [[-0.5, 0.75]], endless=False).numbers.tolist() == [libgraze.NONE]


@pytest.mark.parametrize("search", SEARCHES)
def test_what_moves_is_as_made_anew(search):
    boxes, other = random_boxes(200, 3), random_boxes(200, 7)
    flat = libgraze.Flat(boxes, search=search)
    for numbers in (numpy.array([3, 150]), numpy.arange(10, 190)):
        boxes[numbers] = other[numbers]
        flat.move(boxes[numbers], numbers)
        assert (numpy.asarray(flat.pairs()) == numpy.asarray(libgraze.Flat(boxes).pairs())).all()
    flat.move(other)
    assert (numpy.asarray(flat.pairs()) == numpy.asarray(libgraze.Flat(other).pairs())).all()
    flat.remove([5, 7])
    assert len(flat) == 198 and flat.item(5) is None and not {5, 7} & set(numpy.asarray(flat.pairs()).ravel().tolist())
    assert flat.add(numpy.array([[1, 2], [3, 4], [5, 6]], numpy.float32), "point").tolist() == [5, 7, 200]
    assert flat.item(7) == ("point", (3.0, 4.0), (3.0, 4.0))


def test_empty_sets():
    flat = libgraze.Flat()
    assert len(flat) == 0 and numpy.asarray(flat.pairs()).shape == (0, 2) and flat.in_circle((0, 0), 9).tolist() == []
    near = flat.nearest([[1, 2]])
    assert near.numbers.tolist() == [libgraze.NONE] and near.distances.tolist() == [numpy.inf]


def test_what_is_refused():
    flat = libgraze.Flat([[0, 0, 1, 1]])
    for call, kind, text in [
        (lambda: libgraze.Flat([[0, 0, 1, 1], [2, 2, 1, 3]]), libgraze.InvalidArgument, "item 1: x of from is 2, above 1, that of to"),
        (lambda: libgraze.Flat([[0, 0, 1]]), ValueError, "items: row 0 has 3 numbers, must be 4"),
        (lambda: libgraze.Flat(numpy.zeros((3, 3))), ValueError, "must be \\(n, 4\\)"),
        (lambda: libgraze.Flat([[0, 0]], "circle"), ValueError, "kind"),
        (lambda: libgraze.Flat([[0, 0, 1, 1]], search="tree"), ValueError, "search"),
        (lambda: libgraze.Flat([[numpy.nan, 0]], "point"), libgraze.InvalidArgument, "item 0: x of from is not finite"),
        (lambda: flat.add([[0, 0, 1, 2]], deadline=-1.0), libgraze.InvalidArgument, "deadline"),
        (lambda: flat.move([[0, 0, 1, 1]], [1]), libgraze.InvalidArgument, "there is no item 1"),
        (lambda: flat.move([[0, 0, 1, 1]], [0, 0]), ValueError, "numbers: 2, but there are 1 items"),
        (lambda: flat.remove([0, 0]), libgraze.InvalidArgument, "listed twice"),
        (lambda: flat.remove([-1]), ValueError, "numbers"),
        (lambda: flat.remove(numpy.zeros((1, 1), int)), TypeError, "one dimension"),
        (lambda: flat.remove(3), TypeError, "numbers"),
        (lambda: flat.in_box((0, 0), (1,)), ValueError, "max: 1 numbers, must be 2"),
        (lambda: flat.in_box((1, 0), (0, 1)), libgraze.InvalidArgument, "lower corner"),
        (lambda: flat.in_circle((0, 0), -1), libgraze.InvalidArgument, "radius"),
        (lambda: flat.nearest([[0, 0, 0]]), ValueError, "must be 2"),
        (lambda: flat.first_hits([[0, 0]], [[1, 1], [2, 2]]), ValueError, "through: 2 rows"),
        (lambda: flat.all_hits((0, 0), (0, 0)), libgraze.InvalidArgument, "no direction"),
    ]:
        with pytest.raises(kind, match=text):
            call()
    assert len(flat) == 1


def test_threads_ask_at_once_and_change_alone():
    boxes = random_boxes(6000)
    flat = libgraze.Flat(boxes)
    wanted = len(flat.pairs())
    found, refused = [], 0
    threads = [threading.Thread(target=lambda: found.append(len(flat.pairs()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        try:
            flat.move(boxes[:1], [0])
        except RuntimeError as error:
            assert "another thread" in str(error)
            refused += 1
    for thread in threads:
        thread.join()
    assert all(count == wanted for count in found)
