# SPDX-License-Identifier: MIT
"""Pictures as arrays: against rays through the middle of each pixel. Without OpenGL: what is said then."""

import gc
import os
import signal
import struct
import subprocess
import sys
import warnings
import zlib

import numpy
import pytest

import libgraze
from meshes import CUBE, FACES, cube, in_threads, ray_hits, rotation, tube, while_changed


@pytest.fixture(scope="module")
def gl():
    """Skips where no picture can be drawn; what is raised must say so."""
    try:
        libgraze.picture(cube(), width=16, height=16)
    except (libgraze.DeviceError, libgraze.Unsupported) as error:
        assert "OpenGL" in str(error)
        pytest.skip(str(error))


def plain(objects, **options):
    return libgraze.picture(objects, width=97, height=64, legend=False, inset=False, **options)


def pixel_rays(to_pixels, width, height):
    """Origins and directions of the rays through the middles of all pixels, by the inverse of the matrix."""
    columns, rows = numpy.meshgrid(numpy.arange(width) + 0.5, numpy.arange(height) + 0.5)
    back = numpy.linalg.inv(numpy.array(to_pixels))
    ends = []
    for depth in (0.0, 1.0):
        h = numpy.stack([columns, rows, numpy.full_like(rows, depth), numpy.ones_like(rows)], -1) @ back.T
        ends.append((h[..., :3] / h[..., 3:]).reshape(-1, 3))
    return ends[0], ends[1] - ends[0]


@pytest.mark.parametrize("direction", [None, (0.3, -0.7, -0.6)])
def test_pixels_show_what_rays_hit(gl, direction):
    points, faces = tube(10)
    turned = numpy.eye(4)
    turned[:3, :3], turned[:3, 3] = rotation(0.5, 0.4, 0.3), (0.6, 0.5, 0.4)
    picture = plain([libgraze.Mesh(points, faces), (cube(), turned)], direction=direction,
                    colours=numpy.array([[255, 0, 0], [0, 255, 0]], numpy.uint8))
    pixels = numpy.asarray(picture.pixels)
    assert pixels.shape == (64, 97, 4) and pixels.dtype == numpy.uint8 and (pixels[..., 3] == 255).all()
    assert (picture.width, picture.height, repr(picture)) == (97, 64, "<libgraze.Picture: 97 x 64 pixels>")
    origins, directions = pixel_rays(picture.to_pixels, 97, 64)
    best, clear = [], numpy.ones(97 * 64, bool)
    for corners, triangles in ((points, faces), (CUBE @ turned[:3, :3].T + turned[:3, 3], FACES)):
        t, inside = ray_hits(corners, triangles, origins, directions)
        best.append(t.min(axis=1))
        # edges are drawn as lines, and pixels beside them are mixtures: leave out what is near to one
        hit = t.min(axis=1, keepdims=True)
        clear &= ~((abs(inside) < 0.25) & (t <= hit * 1.2)).any(axis=1)
    first, second = best
    mask = lambda values: values.reshape(64, 97)
    hits = numpy.isfinite(mask(first)), numpy.isfinite(mask(second))
    # a pixel is clear of outlines if all around it say the same
    owner = numpy.where(~hits[0] & ~hits[1], 0, numpy.where(mask(first) < mask(second), 1, 2))
    same = numpy.zeros_like(owner, bool)
    inner = owner[2:-2, 2:-2]
    same[2:-2, 2:-2] = numpy.all([owner[2 + i:62 + i, 2 + j:95 + j] == inner
                                  for i in range(-2, 3) for j in range(-2, 3)], axis=0)
    background = pixels[0, 0, :3]
    empty = (pixels[..., :3] == background).all(axis=-1)
    assert empty[same & (owner == 0)].all()
    assert not empty[same & (owner != 0)].any()
    red = pixels[..., 0].astype(int) > pixels[..., 1]
    inside = same & mask(clear)
    assert red[inside & (owner == 1)].all() and not red[inside & (owner == 2)].any()
    assert all((inside & (owner == k)).sum() > 20 for k in (1, 2)) and (same & (owner == 0)).sum() > 500


def test_the_view_is_that_of_aim(gl):
    objects = [cube(), (cube(0.5), (1.5, 0, 0))]
    for options in ({"direction": (0.1, -1, -0.5)}, {"direction": (0, 1, 0), "up": (0, 0, 1)},
                    {"direction": (1, 1, 1), "region": ((-1, -1, -1), (2, 2, 2))}):
        picture = plain(objects, **options)
        view = libgraze.aim(objects, width=97, height=64, **options)
        assert view.to_pixels == picture.to_pixels and view.direction == picture.direction
    assert numpy.allclose(view.direction, numpy.ones(3) / 3**0.5) and picture.visible == 0.0


def test_rays_through_pixels():
    """No OpenGL is needed."""
    view = libgraze.aim(cube(), width=97, height=64, direction=(0.3, -0.7, -0.6))
    origins, directions = pixel_rays(view.to_pixels, 97, 64)
    for row, column in ((0, 0), (63, 96), (20, 40)):
        origin, along = libgraze.ray_through_pixel(view.to_pixels, column + 0.5, row + 0.5)
        assert numpy.allclose(origin, origins[row * 97 + column]) and numpy.allclose(along, directions[row * 97 + column])
    assert libgraze.pick(cube(), *libgraze.ray_through_pixel(numpy.array(view.to_pixels), 48.5, 32), t_max=1.0) is not None
    with pytest.raises(ValueError, match="to_pixels: 3 numbers"):
        libgraze.ray_through_pixel((1, 2, 3), 0, 0)
    with pytest.raises(libgraze.InvalidArgument):
        libgraze.ray_through_pixel(numpy.zeros((4, 4)), 0, 0)


def test_pictures_are_not_copied_and_live_as_long_as_needed(gl):
    picture = plain(cube())
    pixels, rgb = numpy.asarray(picture.pixels), numpy.asarray(picture.rgb)
    assert rgb.shape == (64, 97, 3) and numpy.shares_memory(pixels, rgb) and not pixels.flags.writeable
    assert (rgb == pixels[..., :3]).all()
    before = pixels.copy()
    del picture
    gc.collect()
    assert (pixels == before).all()
    with pytest.raises(ValueError):
        pixels[0, 0, 0] = 7


def test_pictures_of_results(gl):
    a, b = cube(), libgraze.Mesh(*tube(10))
    result = libgraze.collide(a, b, pose_b=(0.5, 0.25, 0.125), find="curves")
    own = result.picture(width=600, height=450, title="T", names=["box", None], caption="C")
    given = libgraze.picture([a, (b, (0.5, 0.25, 0.125))], result=result, width=600, height=450, title="T",
                          names=["box", None], caption="C")
    assert numpy.array_equal(own.pixels, given.pixels) and own.visible > 0
    bare = libgraze.picture([a, (b, (0.5, 0.25, 0.125))], width=600, height=450, title="T", names=["box", None], caption="C")
    assert not numpy.array_equal(own.pixels, bare.pixels)
    other = result.picture(width=600, height=450, title="U", names=["box", None], caption="C")
    assert not numpy.array_equal(own.pixels, other.pixels)
    crossing = libgraze.Mesh(numpy.vstack([CUBE, CUBE + 0.5]), numpy.vstack([FACES, FACES + 8]))
    assert libgraze.self_collide(crossing, find="contacts").picture(width=64, height=64).visible > 0
    scene = libgraze.Scene()
    scene.add(a)
    scene.add(a, (0.5, 0.25, 0))
    found = scene.collide(find="contacts")
    with pytest.raises(ValueError, match="libgraze.picture"):
        found.picture()
    assert libgraze.picture([a, (a, (0.5, 0.25, 0))], result=found, width=64, height=64).visible > 0
    with pytest.raises(TypeError, match="picture: takes keywords only"):
        result.picture(a)
    with pytest.raises(TypeError, match="picture: the result knows"):
        result.picture(pose=(1, 2, 3))
    # a result of other meshes is no crash
    libgraze.picture([libgraze.Mesh(CUBE[:3], [[0, 1, 2]]), a], result=result, width=64, height=64)


def decode_png(data):
    """Of 8-bit pictures without interlacing."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + chunk)
        if kind == b"IHDR":
            width, height, depth, color, *_ = struct.unpack(">IIBBBBB", chunk)
            size = (height, width, {2: 3, 6: 4}[color])
            assert depth == 8
        body += chunk if kind == b"IDAT" else b""
        at += 12 + length
    height, width, step = size
    lines, out = zlib.decompress(body), numpy.zeros((height + 1, width * step), int)
    for y in range(height):
        kind, line = lines[y * (width * step + 1)], lines[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)]
        for x, value in enumerate(line):
            left, up = (out[y + 1, x - step] if x >= step else 0), out[y, x]
            corner = out[y, x - step] if x >= step else 0
            p = left + up - corner
            paeth = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
            out[y + 1, x] = (value + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
    return out[1:].reshape(size)


def test_files(gl, tmp_path):
    picture = plain(cube())
    picture.save(tmp_path / "cube.png")
    saved = decode_png((tmp_path / "cube.png").read_bytes())
    assert (saved[..., :3] == numpy.asarray(picture.rgb)).all()
    with pytest.raises(libgraze.FileError):
        picture.save(tmp_path / "missing" / "cube.png")


def test_without_opengl():
    """Where EGL finds no driver it is an exception that says so, and all else works."""
    code = ("import libgraze, sys\n"
            "mesh = libgraze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]])\n"
            "try:\n    libgraze.picture(mesh)\n"
            "except (libgraze.DeviceError, libgraze.Unsupported) as error:\n    print(type(error).__name__, error)\n"
            "print(libgraze.aim(mesh).direction != (0, 0, 0), bool(libgraze.collide(mesh, mesh)))\n")
    nowhere = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere", "__EGL_VENDOR_LIBRARY_DIRS": "/nowhere"}
    answer = subprocess.run([sys.executable, "-c", code], env={**os.environ, **nowhere, "PYTHONPATH": os.pathsep.join(sys.path)},
                            capture_output=True, text=True, timeout=60)
    lines = answer.stdout.splitlines()
    assert answer.returncode == 0 and lines[0].startswith(("DeviceError", "Unsupported")), answer
    assert "OpenGL" in lines[0] or "EGL" in lines[0]


@pytest.mark.parametrize("objects, names, error, text", [
    (7, {}, TypeError, "objects: must be a libgraze.Mesh"),
    ([], {}, ValueError, "objects: there are none"),
    ([cube(), 7], {}, TypeError, r"objects\[1\]: must be a libgraze.Mesh"),
    (cube(), {"width": 0}, ValueError, "width: 0, must be 1 to"),
    (cube(), {"height": -5}, ValueError, "height: -5"),
    (cube(), {"width": 10**6}, ValueError, "width: 1000000"),
    (cube(), {"direction": (0, 0, 0)}, ValueError, "direction: may not be all zeros"),
    (cube(), {"direction": (0, 0)}, ValueError, "direction: 2 numbers"),
    (cube(), {"up": (0, float("nan"), 0)}, ValueError, "up: must be finite"),
    (cube(), {"region": ((0, 0, 0), (0, 0, 0))}, ValueError, "region: must be"),
    (cube(), {"region": (1, 2, 3)}, ValueError, "region: must be"),
    (cube(), {"region": ((0, 0, 0), (1, -1, 1))}, ValueError, "region: must be"),
    (cube(), {"names": ["a", "b"]}, ValueError, "names: must be a sequence"),
    (cube(), {"names": "a"}, ValueError, "names: must be a sequence"),
    (cube(), {"names": [7]}, TypeError, "names: item 0"),
    (cube(), {"colours": numpy.zeros((2, 3), numpy.uint8)}, ValueError, "colours: 6 bytes, must be 3 for each of 1"),
    (cube(), {"colours": numpy.zeros((1, 3))}, TypeError, "colours: an array of type"),
    (cube(), {"touch_colours": [[0, 0, 256]]}, ValueError, "touch_colours: row 0"),
    (cube(), {"touch_colours": [[0, 0, 0]] * 2}, ValueError, "touch_colours: 2 rows"),
    (cube(), {"result": 7}, TypeError, "result: must be a libgraze.Result"),
    (cube(), {"pose": (1, 2)}, ValueError, "pose: 2 numbers"),
    (cube(), {"title": 7}, TypeError, "."),
])
def test_bad_arguments(objects, names, error, text):
    with pytest.raises(error, match=text):
        libgraze.picture(objects, **names)


def test_threads(gl):
    mesh = libgraze.Mesh(*tube(20))
    expected = plain(mesh).pixels.tolist()
    answers, errors = [], []

    def ask():
        for _ in range(4):
            try:
                answers.append(plain(mesh).pixels.tolist())
            except libgraze.DeviceBusy as error:
                errors.append(error)

    in_threads(3, ask)
    assert len(answers) + len(errors) == 12 and answers and all(answer == expected for answer in answers)
    points = tube(20)[0]
    answers, errors = while_changed(mesh, points, lambda: plain(mesh).pixels.tolist(), times=4)
    assert all(answer == expected for answer in answers) and all("another thread is" in error for error in errors)


def test_a_forked_child_is_refused(gl):
    """Instead of a driver that waits for threads that the child does not have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore") # newer Pythons warn of threads
        child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            plain([cube()])
            os._exit(1)
        except libgraze.DeviceError as error:
            os._exit(0 if "fork()" in str(error) else 2)
    assert os.waitpid(child, 0)[1] == 0
