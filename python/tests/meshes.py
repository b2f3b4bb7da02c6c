# SPDX-License-Identifier: MIT
"""What the tests share: meshes, a brute force in NumPy, threads that disturb, a Ctrl-C."""

import contextlib
import os
import signal
import threading

import numpy

import libgraze

CUBE = numpy.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
FACES = numpy.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
     [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]
)


def cube(size=1.0):
    return libgraze.Mesh(size * CUBE, FACES)


def label_of(answer):
    """The certainty that a number has which is proved to be between its bounds. Neighbours may have either."""
    if answer.lower < answer.upper == numpy.nextafter(answer.lower, numpy.inf):
        return answer.certainty if answer.certainty in ("exact", "enclosed") else "exact or enclosed"
    return "exact" if answer.lower == answer.upper else "enclosed"


def tube(rings, shift=0.0):
    """A bumpy closed tube of 4 * rings^2 triangles, wound outwards."""
    u, v = numpy.meshgrid(numpy.arange(rings), numpy.arange(2 * rings), indexing="ij")
    a, b = 2 * numpy.pi * u / rings, numpy.pi * v / rings
    r = 1.0 + 0.4 * numpy.cos(a) * (1 + 0.2 * numpy.sin(9 * b))
    points = numpy.stack([r * numpy.cos(b), r * numpy.sin(b), 0.4 * numpy.sin(a)], axis=-1) + shift
    k, l = (u + 1) % rings, (v + 1) % (2 * rings)
    at = lambda p, q: p * 2 * rings + q
    faces = numpy.stack([numpy.stack([at(u, v), at(k, l), at(k, v)], -1),
                         numpy.stack([at(u, v), at(u, l), at(k, l)], -1)])
    return points.reshape(-1, 3), faces.reshape(-1, 3)


def ray_hits(points, faces, origins, directions):
    """Moeller and Trumbore: t of every ray and face (infinite: none), and how far inside the face it is."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    e, f = b - a, c - a
    p = numpy.cross(directions[:, None], f[None])
    det = (e[None] * p).sum(-1)
    s = origins[:, None] - a[None]
    with numpy.errstate(divide="ignore", invalid="ignore"):
        u = (s * p).sum(-1) / det
        q = numpy.cross(s, e[None])
        v = (directions[:, None] * q).sum(-1) / det
        t = (f[None] * q).sum(-1) / det
        inside = numpy.minimum(numpy.minimum(u, v), 1 - u - v)
        return numpy.where((inside >= 0) & (t >= 0), t, numpy.inf), inside


def rotation(x, y, z):
    """A matrix of 3 x 3: turns about x, then y, then z."""
    (a, b), (c, d), (e, f) = ((numpy.cos(w), numpy.sin(w)) for w in (x, y, z))
    return (numpy.array([[e, -f, 0], [f, e, 0], [0, 0, 1]]) @ numpy.array([[c, 0, d], [0, 1, 0], [-d, 0, c]])
            @ numpy.array([[1, 0, 0], [0, a, -b], [0, b, a]]))


def in_threads(count, work):
    """Let so many threads do the same, and wait for them."""
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextlib.contextmanager
def ctrl_c(after):
    """Press Ctrl-C after some seconds, unless the block is over."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()


def while_changed(mesh, points, ask, times=20):
    """Ask while another thread gives the mesh the same positions again and again: every answer, and every error."""
    errors, answers, stop = [], [], threading.Event()

    def change():
        while not stop.is_set():
            try:
                mesh.positions = points
            except RuntimeError as error:
                errors.append(str(error))

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(times):
            try:
                answers.append(ask())
            except RuntimeError as error:
                errors.append(str(error))
    finally:
        stop.set()
        thread.join()
    return answers, errors
