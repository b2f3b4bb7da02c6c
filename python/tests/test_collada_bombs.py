# SPDX-License-Identifier: MIT
"""Small COLLADA files that ask for much: each ends in an error, as test_3mf_bombs.py measures it."""

import pytest
import test_3mf_bombs

HEAD = '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
SCENE = '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'


def geometry(triangles, name="g"):
    points = " ".join(f"{i} {i % 7} {i % 5}" for i in range(3 * triangles))
    corners = " ".join(str(i) for i in range(3 * triangles))
    return (f'<geometry id="{name}"><mesh><source id="{name}p"><float_array id="{name}a" count="{9 * triangles}">'
            f'{points}</float_array><technique_common><accessor source="#{name}a" count="{3 * triangles}" stride="3">'
            '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>'
            f'</technique_common></source><vertices id="{name}v"><input semantic="POSITION" source="#{name}p"/></vertices>'
            f'<triangles count="{triangles}"><input semantic="VERTEX" source="#{name}v" offset="0"/><p>{corners}</p>'
            "</triangles></mesh></geometry>")


def document(geometries, nodes, inside):
    return (HEAD + f"<library_geometries>{geometries}</library_geometries><library_nodes>{nodes}</library_nodes>"
            f'<library_visual_scenes><visual_scene id="s">{inside}</visual_scene></library_visual_scenes>' + SCENE)


SHOW = '<node><instance_geometry url="#g"/></node>'
TWICE = '<node id="n{0}"><instance_node url="#n{1}"/><instance_node url="#n{1}"/></node>'
FILES = {
    "doubling": (document(geometry(1), '<node id="n0"><instance_geometry url="#g"/></node>' + "".join(
        TWICE.format(i, i - 1) for i in range(1, 60)), '<node><instance_node url="#n59"/></node>'), "file of this size may"),
    "shown often": (document(geometry(2000), "", SHOW * 8000), "file of this size may"),
    "circle": (document(geometry(1), '<node id="n0"><instance_node url="#n0"/></node>',
                        '<node><instance_node url="#n0"/></node>'), "circle"),
    "deep": (document(geometry(1), "", "<node>" * 3000 + "</node>" * 3000), "more than 1000 elements within each other"),
    "counts": (document(geometry(1).replace('triangles count="1"', 'triangles count="4294967296"'), "", SHOW), "count"),
}


@pytest.mark.parametrize("name", FILES)
def test_bomb(tmp_path, name):
    text, message = FILES[name]
    path = tmp_path / "a.dae"
    path.write_text(text)
    assert len(text) < 500000
    test_3mf_bombs.run(str(path), message)
