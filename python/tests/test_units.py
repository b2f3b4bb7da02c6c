# SPDX-License-Identifier: MIT
"""load(file, unit=…): every coordinate beside Python's fractions, rounded once; a file without a unit keeps its numbers."""

import fractions
import random

import numpy
import pytest

import libgraze

UNITS = {"mm": "0.001", "cm": "0.01", "m": "1", "inch": "0.0254", "foot": "0.3048", "micron": "0.000001"}


def dae(metres, points):
    numbers = " ".join(repr(x) for point in points for x in point)
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="{metres}"/></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="{3 * len(points)}">{numbers}</float_array>
<technique_common><accessor source="#a" count="{len(points)}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("metres", ["0.001", "0.0254", "1", "0.0035", "0.3048", "39.37"])
def test_every_coordinate_is_rounded_once(tmp_path, unit, metres):
    random.seed(metres + unit)
    points = [[0.0, 0.0, 0.0], [1.1, 0.0, 0.3], [0.0, 2.2, 0.7]]
    points += [[random.uniform(-1, 1) * 10.0 ** random.randint(-9, 9) for _ in range(3)] for _ in range(200)]
    file = tmp_path / "a.dae"
    file.write_text(dae(metres, points))
    got = numpy.asarray(libgraze.load(file, unit=unit).positions)
    ratio = fractions.Fraction(metres) / fractions.Fraction(UNITS[unit])
    wanted = [[float(fractions.Fraction(x) * ratio) for x in point] for point in points]  # float() rounds to nearest
    assert got.tolist() == wanted
    assert numpy.asarray(libgraze.load(file).positions).tolist() == points


def test_a_file_without_a_unit_keeps_its_numbers(tmp_path):
    file = tmp_path / "a.obj"
    file.write_text("v 0 0 0\nv 1.1 0 0\nv 0 1 0\nf 1 2 3\n")
    for unit in [*UNITS, None]:
        assert numpy.asarray(libgraze.load(file, unit=unit).positions)[1][0] == 1.1


def test_what_is_no_unit_is_refused(tmp_path):
    file = tmp_path / "a.dae"
    file.write_text(dae("1", [[0.0, 0.0, 0.0], [1e308, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    with pytest.raises(ValueError, match='unit: "km" is none, must be mm, cm, m, inch, foot or micron'):
        libgraze.load(file, unit="km")
    with pytest.raises(TypeError):
        libgraze.load(file, "mm")
    with pytest.raises(ValueError, match="too large"):
        libgraze.load(file, unit="mm")
