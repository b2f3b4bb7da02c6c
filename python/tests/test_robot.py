# SPDX-License-Identifier: MIT
"""Robots and models from files: the same answers as the tool's, places worked out by hand, and what is refused."""

import json
import math
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import libgraze

ROOT = Path(__file__).resolve().parents[2]
ARM, SMALL = ROOT / "data/robot/fer_arm.urdf", ROOT / "tests/cli/data/robot/arm.urdf"
FEET = ROOT / "tests/cli/data/robot/feet.urdf"
TOOL = Path(os.environ.get("GRAZE_TOOL", Path(libgraze.__file__).parents[2] / "graze"))
PACKAGES = {"robot": SMALL.parent}

needs_files = pytest.mark.skipif(not ARM.exists() or not SMALL.exists(), reason="the robots of the source folder are not here")
needs_tool = pytest.mark.skipif(not os.access(TOOL, os.X_OK), reason="the tool is not here")

# A robot, values of its joints, and whether --allow-adjacent is on. tests/cli/golden/robot.txt has some of them.
QUESTIONS = [
    (ARM, {}, False),
    (ARM, {}, True),
    (ARM, {"fer_joint2": 0.4, "fer_joint4": -2.9, "fer_joint6": 1.8, "fer_joint7": 0.785}, True),
    (ARM, {"fer_joint1": 2.5, "fer_joint2": 1.7, "fer_joint4": -3.0, "fer_joint6": 3.7}, True),
    (SMALL, {}, False),
    (SMALL, {"shoulder": math.pi, "rail": -9.0}, False),
    (SMALL, {"shoulder": 3.0, "rail": -7.75}, True),
    (SMALL, {"wrist": 100.0}, True),
    (FEET, {}, False),
]


def ask_tool(path, values, adjacent, *more):
    command = [TOOL, "scene", "--json", "--package", f"robot={SMALL.parent}"] if path == SMALL else [TOOL, "scene", "--json"]
    command += ["--allow-adjacent"] if adjacent else []
    for joint, value in values.items():
        command += ["--joint", f"{joint}={value!r}"]
    run = subprocess.run([*command, *more, path], capture_output=True, text=True, timeout=100)
    assert run.returncode in (0, 1, 3), run.stderr
    return json.loads(run.stdout)


def pairs_of(told):
    """What the tool says is not apart, and what it cannot decide."""
    return sorted((pair["a"], pair["b"]) for pair in told["pairs"] + told["undecidable"])


@needs_files
@needs_tool
@pytest.mark.parametrize("path, values, adjacent", QUESTIONS)
def test_a_robot_answers_as_the_tool_does(path, values, adjacent):
    told = ask_tool(path, values, adjacent)
    robot = libgraze.Robot(path, packages=PACKAGES)
    scene = robot.scene(values, allow_adjacent=adjacent)
    assert [f"{path}:{name}" for name in scene.objects] == told["objects"]
    found = scene.collide(find="pairs")
    assert found.relation == told["relation"]
    assert sorted(map(tuple, found.object_pairs.tolist())) == pairs_of(told)
    assert found.pair_count == told["pair_count"] and found.kinds == told["kinds"]
    # Within a kilometre is every pair that is not excluded.
    excluded = {(pair["a"], pair["b"]) for pair in told["scope"]["excluded"]}
    tested = {tuple(pair) for pair in scene.collide(find="touch", clearance=1000.0).object_pairs.tolist()}
    assert tested == {(a, b) for b in range(len(scene)) for a in range(b)} - excluded
    assert len(tested) == told["scope"]["tested"]


@needs_files
@needs_tool
def test_srdf_excludes_as_the_tool_does(tmp_path):
    rules = tmp_path / "a.srdf"
    rules.write_text("<robot><disable_collisions link1='base' link2='upper' reason='Never'/>"
                     "<disable_collisions link1='flag' link2='upper'/></robot>")
    told = ask_tool(SMALL, {}, False, "--allow-file", rules)
    robot = libgraze.Robot(SMALL, packages=PACKAGES, srdf=rules)
    found = robot.scene().collide(find="pairs")
    assert sorted(map(tuple, found.object_pairs.tolist())) == pairs_of(told)
    assert found.pair_count == told["pair_count"]
    assert libgraze.Robot(SMALL, packages=PACKAGES).scene().collide(find="pairs").pair_count > found.pair_count
    # As names of the tool do, links may be globs; and a link is not tested against itself anyway.
    rules.write_text("<robot><disable_collisions link1='base' link2='u*'/><disable_collisions link1='upper' link2='upper'/>"
                     "<disable_collisions link1='fl[a]g' link2='*'/></robot>")
    told = ask_tool(SMALL, {}, False, "--allow-file", rules)
    found = libgraze.Robot(SMALL, packages=PACKAGES, srdf=rules).scene().collide(find="pairs")
    assert sorted(map(tuple, found.object_pairs.tolist())) == pairs_of(told)
    rules.write_text("<robot>\n<disable_collisions link1='base' link2='uper'/></robot>")
    with pytest.raises(ValueError, match=r"a.srdf: line 2: no link is called uper; did you mean upper\?"):
        libgraze.Robot(SMALL, srdf=rules)


# What SRDF may say besides two links. Exclusions in the tool are pairs of shapes, in Python pairs of links.
@needs_files
@needs_tool
@pytest.mark.parametrize("rule, count", [
    ("link1='base' link2='base'", 0),
    ("link1='upper' link2='upper'", 0),
    ("link1='base' link2='*'", 5),
    ("link1='up*' link2='slide'", 2),
    ("link1='?lag' link2='b[a]se'", 0),
])
def test_a_link_and_itself_and_globs_are_read_as_the_tool_reads_them(tmp_path, rule, count):
    rules = tmp_path / "a.srdf"
    rules.write_text(f"<robot><disable_collisions {rule}/></robot>")
    told = ask_tool(SMALL, {}, False, "--allow-file", rules)
    scene = libgraze.Robot(SMALL, packages=PACKAGES, srdf=rules).scene()
    excluded = {(pair["a"], pair["b"]) for pair in told["scope"]["excluded"]}
    tested = {tuple(pair) for pair in scene.collide(find="touch", clearance=1000.0).object_pairs.tolist()}
    assert tested == {(a, b) for b in range(len(scene)) for a in range(b)} - excluded
    assert len(excluded) == count + 1  # the two shapes of one link


@needs_files
@needs_tool
def test_srdf_of_another_robot_is_noted_or_refused_as_the_tool_does(tmp_path):
    rules = tmp_path / "a.srdf"
    text = "<robot name='{}'>\n<disable_collisions link1='base' link2='{}'/></robot>"
    rules.write_text(text.format("leg", "upper"))
    note = f"{rules}: it is for a robot called leg, and that of {SMALL} is called arm: is it the right file?"
    robot = libgraze.Robot(SMALL, packages=PACKAGES, srdf=rules)
    told = ask_tool(SMALL, {}, False, "--allow-file", rules)["notes"]
    assert [one for one in told if "leg" in one] == [one for one in robot.notes if "leg" in one]
    assert robot.notes[-1] == note
    rules.write_text(text.format("leg", "shin"))
    refusal = "line 2: no (link|object) is called shin.*; the file is for a robot called leg, not for arm"
    with pytest.raises(ValueError, match=refusal):
        libgraze.Robot(SMALL, packages=PACKAGES, srdf=rules)
    run = subprocess.run([TOOL, "scene", "--package", f"robot={SMALL.parent}", "--allow-file", rules, SMALL],
                         capture_output=True, text=True, timeout=100)
    assert run.returncode == 2 and re.search(refusal, run.stderr)
    rules.write_text(text.format("arm", "upper"))
    assert libgraze.Robot(SMALL, packages=PACKAGES, srdf=rules).notes == ("joint pole is floating: it stays at zero",)


@needs_files
def test_what_a_robot_is():
    robot = libgraze.Robot(SMALL, packages=PACKAGES)
    assert robot.name == "arm" and [link.name for link in robot.links] == ["base", "upper", "slide", "tool", "finger", "flag"]
    assert robot.links[0].joint is None and robot.links[2].joint == "rail"
    shoulder, rail, wrist, grip, pole = robot.joints
    assert shoulder.kind == "revolute" and shoulder.axis == (0, 0, 1) and shoulder.limits == (-1, 3.5)
    assert (rail.parent, rail.child) == ("upper", "slide") and wrist.limits is None
    assert (grip.follows, grip.multiplier, grip.offset, grip.moves) == ("rail", 2, 1, False)
    assert [joint.moves for joint in robot.joints] == [True, True, True, False, False]
    assert [shape.name for shape in robot.collisions] == ["base", "upper/bone", "upper/1", "slide", "tool", "finger"]
    assert robot.collisions[1].size == (1, 0.5, 0.5) and robot.collisions[2].size == (0.25, 4)
    assert robot.collisions[3].mesh == "package://robot/meshes/cube.obj" and robot.collisions[4].size == (0.5,)
    assert robot.notes == ("joint pole is floating: it stays at zero",)
    assert "'arm': 6 links, 5 joints" in repr(robot)


@needs_files
def test_links_are_where_the_joints_put_them():
    robot = libgraze.Robot(SMALL, packages=PACKAGES)
    places = robot.place({"shoulder": math.pi / 2, "rail": 2})
    assert np.allclose(np.asarray(places["slide"])[:3, 3], [0, 10, 0], atol=1e-14)
    assert np.allclose(np.asarray(places["finger"])[:3, 3], [0, 10, 5 + 2 * 2 + 1], atol=1e-14)
    scene = robot.scene()
    before = scene.pose("tool")
    robot.move(scene, {"rail": 1})
    assert scene.pose("tool")[0][3] == before[0][3] + 1
    robot.move(scene)
    assert scene.pose("tool") == before
    assert np.allclose(scene.pose("upper/bone"), [[1, 0, 0, 2], [0, 0.5, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 1]])


@needs_files
@pytest.mark.parametrize("values, error, text", [
    ({"shoulders": 1}, KeyError, r"no joint is called shoulders; did you mean shoulder\?"),
    ({"grip": 1}, ValueError, "joint grip: it follows joint rail"),
    ({"pole": 1}, ValueError, "joint pole: a floating joint stays at zero"),
    ({"shoulder": 4}, ValueError, "joint shoulder: 4.0 is beyond its limits, -1.0 to 3.5 rad"),
    ({"rail": 6}, ValueError, "joint grip: 13.0 is beyond its limits, -20.0 to 12.0 m"),
    ({"wrist": math.nan}, ValueError, "joint wrist: nan is not finite"),
    ({"wrist": "a"}, ValueError, "could not convert"),
])
def test_values_that_a_joint_cannot_have(values, error, text):
    robot = libgraze.Robot(SMALL, packages=PACKAGES)
    with pytest.raises(error, match=text):
        robot.place(values)
    if "limits" in text:
        robot.place(values, limits=False)


def write(folder, text):
    path = folder / "a.urdf"
    path.write_text(text)
    return path


def test_files_that_are_refused(tmp_path):
    with pytest.raises(libgraze.FileError) as caught:
        libgraze.Robot(tmp_path / "no.urdf")
    assert caught.value.filename == tmp_path / "no.urdf"
    assert str(caught.value) == caught.value.args[0] and str(caught.value).startswith(f"{tmp_path / 'no.urdf'}: ")
    with pytest.raises(libgraze.FormatError, match="line 1: this is xacro: run `xacro FILE > robot.urdf`"):
        libgraze.Robot(write(tmp_path, "<robot xmlns:xacro='x'><xacro:include filename='b'/></robot>"))
    mesh = "<robot><link name='a'><collision><geometry><mesh filename='%s'/></geometry></collision></link></robot>"
    with pytest.raises(libgraze.FileError, match="package b is not found near the file: give packages="):
        libgraze.Robot(write(tmp_path, mesh % "package://b/c.stl")).scene()
    with pytest.raises(libgraze.Unsupported, match="only package:// and file:// are known"):
        libgraze.Robot(write(tmp_path, mesh % "http://b/c.stl")).scene()
    with pytest.raises(libgraze.FileError, match="c.stl"):
        libgraze.Robot(write(tmp_path, mesh % "package://b/c.stl"), packages={"b": tmp_path}).scene()
    with pytest.raises(ValueError, match="no link has collision geometry"):
        libgraze.Robot(write(tmp_path, "<robot><link name='a'/></robot>")).scene()


DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="inch" meter="0.0254"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="9">0 0 0 10 0 0 0 10 7</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>"""


@needs_files
@needs_tool
def test_the_unit_of_a_collada_mesh_counts_and_its_up_axis_does_not(tmp_path):
    (tmp_path / "m.dae").write_text(DAE)
    shape = "<collision><geometry><%s/></geometry></collision>"
    path = write(tmp_path, "<robot><link name='a'>%s</link><link name='b'>%s</link><joint name='j' type='fixed'>"
                 "<parent link='a'/><child link='b'/><origin xyz='0.1 0.1 0.05'/></joint></robot>"
                 % (shape % "mesh filename='m.dae' scale='2 1 1'", shape % "box size='0.01 0.2 0.2'"))
    robot = libgraze.Robot(path)
    scene = robot.scene()
    assert np.array_equal(np.asarray(scene.pose("a")), np.diag([2 * 0.0254, 0.0254, 0.0254, 1]))
    note = "line 1: link a: m.dae is COLLADA; its unit of 0.0254 m is applied; its up axis is not z and is not turned"
    told, found = ask_tool(path, {}, False), scene.collide(find="pairs")
    assert f"{path}: {note}" in told["notes"] and robot.notes == (note,)
    assert found.colliding and found.pair_count == told["pair_count"]
    robot.move(scene)  # a second time nothing grows
    assert np.array_equal(np.asarray(robot.scene().pose("a")), np.asarray(scene.pose("a")))


@needs_files
@needs_tool
def test_the_unit_of_another_mesh_does_not_count_and_is_noted(tmp_path):
    import zipfile
    core = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
    points = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
    with zipfile.ZipFile(tmp_path / "m.3mf", "w") as package:
        package.writestr("_rels/.rels", '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                         '<Relationship Target="/3D/3dmodel.model" Id="r" '
                         'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>')
        package.writestr("3D/3dmodel.model", f'<model xmlns="{core}" unit="millimeter"><resources><object id="1"><mesh>'
                         f"<vertices>{points}</vertices><triangles>{faces}</triangles></mesh></object></resources>"
                         '<build><item objectid="1"/></build></model>')
    path = write(tmp_path, "<robot><link name='a'><collision><geometry><mesh filename='m.3mf'/></geometry></collision></link>"
                 "</robot>")
    robot = libgraze.Robot(path)
    assert np.array_equal(np.asarray(robot.scene().pose("a")), np.eye(4))
    note = ("line 1: link a: m.3mf is not COLLADA; its unit of 0.001 m does not count: its numbers are metres, "
            "times the scale")
    assert robot.notes == (note,) and f"{path}: {note}" in ask_tool(path, {}, False)["notes"]


def test_names_that_repeat_are_told_apart(tmp_path):
    box = "<collision name='b'><geometry><box size='1 1 1'/></geometry></collision>"
    robot = libgraze.Robot(write(tmp_path, f"<robot><link name='a'>{box}{box}</link></robot>"))
    assert robot.scene().objects == ["a/b", "a/b (2)"]


@needs_files
def test_models_have_parts_units_and_shared_meshes():
    arm = libgraze.load_model(ROOT / "data/robot/fer_arm.gltf")
    assert (arm.format, arm.unit_in_metres, arm.up, len(arm.parts)) == ("glTF", 1.0, "y", 9)
    assert [part.name for part in arm.parts][-1] == "fer_hand"
    assert sum(part.mesh.face_count for part in arm.parts) == libgraze.load(ROOT / "data/robot/fer_arm.gltf").face_count
    nodes = libgraze.load_model(ROOT / "tests/cli/data/nodes.gltf")
    assert len({id(part.mesh) for part in nodes.parts}) < len(nodes.parts)
    parts = libgraze.load_model(ROOT / "tests/cli/data/parts.obj")
    assert parts.unit_in_metres is None and parts.up is None and len(parts.parts) > 1
    assert np.array_equal(parts.parts[0].pose, np.eye(4))
    cow = libgraze.load_model(ROOT / "data/cow_spot.ply")
    assert [part.name for part in cow.parts] == [None] and cow.scene().objects == [0]
    with pytest.raises(libgraze.FileError):
        libgraze.load_model("no/such/file")


@needs_files
@needs_tool
@pytest.mark.parametrize("path", ["data/robot/fer_arm_folded.gltf", "tests/cli/data/nodes.gltf", "tests/cli/data/parts.obj",
                                  "tests/cli/data/solids.stl"])
def test_a_model_answers_as_the_tool_does(path):
    told = ask_tool(ROOT / path, {}, False)
    found = libgraze.load_model(ROOT / path).scene().collide(find="pairs")
    assert sorted(map(tuple, found.object_pairs.tolist())) == pairs_of(told)
    assert found.pair_count == told["pair_count"] and found.kinds == told["kinds"]
