# SPDX-License-Identifier: MIT
"""COLLADA, bit for bit beside the twin in collada_twin.py: each form of source, primitive, transform, node and controller by
itself, then all of them at random. And bad files: each is refused with a message that names the element and the reason."""

import collections
import random

import collada_twin
import numpy
import pytest

import libgraze

TETRAHEDRON = [(0.1, 0.2, 0.3), (1.1, 0.0, -0.0), (0.0, 1.3, 0.0), (0.2, 0.1, 1.7)]
FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
XYZ = '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>'


def text(numbers):
    return " ".join(repr(n) if isinstance(n, float) else str(n) for n in numbers)


def source(name, values, width, params=XYZ, kind="float", offset=0, stride=None, count=None):
    stride = stride or width
    tag = {"float": "float_array", "Name": "Name_array", "IDREF": "IDREF_array"}[kind]
    count = (len(values) - offset) // stride if count is None else count
    return (f'<source id="{name}"><{tag} id="{name}-array" count="{len(values)}">{text(values)}</{tag}><technique_common>'
            f'<accessor source="#{name}-array" count="{count}" offset="{offset}" stride="{stride}">{params}</accessor>'
            "</technique_common></source>")


def positions(name, points, **how):
    return source(name + "-p", [x for p in points for x in p], 3, **how)


def primitive(kind, count, inside, name, more="", offset=0):
    return f'<{kind} count="{count}"><input semantic="VERTEX" source="#{name}-v" offset="{offset}"/>{more}{inside}</{kind}>'


def geometry(name, points=TETRAHEDRON, primitives=None, sources=None, label=""):
    if primitives is None:
        primitives = primitive("triangles", len(FACES) // 3, f"<p>{text(FACES)}</p>", name)
    return (f'<geometry id="{name}"{label}><mesh>{sources or positions(name, points)}<vertices id="{name}-v">'
            f'<input semantic="NORMAL" source="#none"/><input semantic="POSITION" source="#{name}-p"/></vertices>{primitives}'
            "</mesh></geometry>")


def document(nodes='<node id="n" name="n"><instance_geometry url="#g"/></node>', geometries=None, more="", asset="",
             scene='<scene><instance_visual_scene url="#s"/></scene>', version="1.4.1"):
    geometries = geometry("g") if geometries is None else geometries
    return (f'<?xml version="1.0"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="{version}">\n'
            f"<asset>{asset}</asset>\n<library_geometries>{geometries}</library_geometries>\n{more}<library_visual_scenes>"
            f'<visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>{scene}</COLLADA>')


def write(folder, data):
    path = folder / "a.dae"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def edges(cycles):
    """The directed edges of polygons, those that run both ways within one taken out."""
    count = collections.Counter((a, b) for c in cycles for a, b in zip(c, [*c[1:], c[0]]) if a != b)
    return {e: n for e, n in (count - collections.Counter({(b, a): n for (a, b), n in count.items()})).items()}


def compare(path):
    points, faces, parts = collada_twin.read(path)
    mesh = libgraze.load(path)
    assert mesh.face_count == len(faces)
    triangles = numpy.array(mesh.triangles).tolist()
    if mesh.triangle_faces is None:
        assert triangles == faces
    else:
        of = collections.defaultdict(list)
        for triangle, face in zip(triangles, numpy.array(mesh.triangle_faces).tolist()):
            of[face].append(triangle)
        for i, face in enumerate(faces):
            assert edges(of[i]) == edges([face])
    got, expected = numpy.array(mesh.positions, dtype="f8"), numpy.array(points, dtype="f8").reshape(-1, 3)
    assert got.shape == expected.shape
    differ = (got.view("u8") != expected.view("u8")).any(axis=1)
    assert not differ.any(), (path, got[differ][:3].tolist(), expected[differ][:3].tolist())
    return parts


def test_an_encoding_that_is_not_read_is_named(tmp_path):
    text = document().replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="windows-1252"?>')
    with pytest.raises(Exception, match='line 1: the encoding "windows-1252" is not read: save it as UTF-8'):
        libgraze.load(write(tmp_path, text.encode()))


@pytest.mark.parametrize("version", ["1.4.0", "1.4.1", "1.5.0", "1.5"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings(tmp_path, version, encoding):
    d = document(version=version).replace('<?xml version="1.0"?>', f'<?xml version="1.0" encoding="{encoding.replace("-sig", "")}"?>')
    compare(write(tmp_path, d.encode(encoding)))


def test_prefixes_and_comments(tmp_path):
    d = document().replace("<COLLADA xmlns=", "<!-- <a> --><?b?><c:COLLADA xmlns:c=")
    for tag in ("COLLADA", "geometry", "source", "p"):
        d = d.replace(f"</{tag}>", f"</c:{tag}>").replace(f"<{tag} ", f"<c:{tag} ").replace(f"<{tag}>", f"<c:{tag}>")
    compare(write(tmp_path, d))


def test_numbers(tmp_path):
    numbers = ["+.1", "3.E-1", "1e22", "-0", "0.1000000000000000055511151231257827", "16777219", "5e-324", "1.7976931348623157e89",
               "00001.50", "123456789012345678901234567890", "\n\t7\r\n", "<!-- 9 -->1<!---->2 ", "<![CDATA[3.3]]>", "&#49;2", "4"]
    g = geometry("g").replace(text([x for p in TETRAHEDRON for x in p]), " ".join(numbers)).replace('count="12"', 'count="15"', 1)
    compare(write(tmp_path, document(geometries=g.replace('count="4" offset', 'count="5" offset'))))


@pytest.mark.parametrize("params, stride, offset", [
    (XYZ, 3, 0), (XYZ, 7, 2), ('<param name="Z"/><param name="X"/><param name="Y"/>', 3, 1),
    ('<param name="a"/><param name="b"/><param name="c"/>', 4, 0),
    ('<param type="float"/><param name="X"/><param name=""/><param name="Y"/><param/><param name="Z"/><param/>', 7, 1)])
def test_sources(tmp_path, params, stride, offset):
    r = random.Random(stride)
    values = [r.uniform(-9, 9) for _ in range(4 * stride + offset)]
    compare(write(tmp_path, document(geometries=geometry("g", sources=source(
        "g-p", values, 3, params, offset=offset, stride=stride)))))


NINE = [(0.1 * i, i * i / 7, -i / 3) for i in range(9)]


@pytest.mark.parametrize("kind, count, inside", [
    ("triangles", 3, "<p>0 1 2 3 4 5 8 7 6</p>"), ("triangles", 0, "<p/>"), ("triangles", 0, ""),
    ("polylist", 3, "<vcount>3 5 4</vcount><p>0 1 2 3 4 5 6 7 8 7 6 5</p>"),
    ("polylist", 4, "<vcount>3 2 1 0</vcount><p>0 1 2 3 4 5</p>"), ("polylist", 0, "<vcount/><p> </p>"),
    ("polygons", 3, "<p>0 1 2 3</p><p>4 5 6</p><p>8 7</p>"), ("polygons", 1, "<p>1 2 3 4 5 6 7 8</p>"),
    ("tristrips", 2, "<p>0 1 2 3 4 5 6</p><p>8 6 4 2</p>"), ("tristrips", 2, "<p>0 1 2 3</p><p>1 2</p>"),
    ("trifans", 2, "<p>0 1 2 3 4 5 6</p><p>8 6 4 2</p>"), ("trifans", 2, "<p>0 1</p><p>5 4 3 2</p>"),
    ("lines", 2, "<p>0 1 1 2</p>"), ("linestrips", 2, "<p>0 1 1 2</p><p>3 4</p>")])
@pytest.mark.parametrize("offset, more", [(0, 0), (0, 1), (1, 1), (2, 3)])
def test_primitives(tmp_path, kind, count, inside, offset, more):
    if more:  # other numbers around each corner's; -1 is "none"
        pieces = []
        for piece in inside.split("<p>"):
            head, _, tail = piece.partition("</p>")
            if pieces:
                head = text(x for i in head.split() for x in [*[-1] * offset, i, *[7] * (more - offset)])
            pieces.append(head + ("</p>" if _ else "") + tail)
        inside = "<p>".join(pieces)
    inputs = f'<input semantic="NORMAL" source="#none" offset="{more}"/>'
    p = primitive(kind, count, inside, "g", inputs if more else "", offset)
    plain = primitive("triangles", 1, "<p>0 1 2</p>", "g")
    compare(write(tmp_path, document(geometries=geometry("g", NINE, p + plain))))


TRANSFORMS = [("matrix", [0.3, -0.2, 0, 7.1, 0.1, 1.7, 0.3, 8.2, 0, 0.4, -1, -9.3, 0, 0, 0, 1]), ("translate", [0.1, 0.2, 0.3]),
              ("rotate", [0, 0, 1, 90]), ("rotate", [1, 0, 0, -270]), ("rotate", [0, -2, 0, 180.0]), ("rotate", [0, 0, 3, 450]),
              ("rotate", [1, 1, 1, 120]), ("rotate", [0.3, -0.5, 0.7, 33.3]), ("rotate", [0, 1, 0, 30]), ("rotate", [0, 1, 0, 60]),
              ("rotate", [1, 0, 0, 1e-9]), ("rotate", [1, 0, 0, -12345.678]), ("rotate", [0, 0, 0, 0]), ("scale", [-1, 2, 0.3]),
              ("scale", [-1, -1, -1]), ("lookat", [1, 2, 3, 0, 0.5, -1, 0, 1, 0]), ("rotate", [0, 1, 0, 45]),
              ("scale", [0, 1, 1])]


def element(name, numbers):
    return f"<{name}>{text(numbers)}</{name}>"


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transforms(tmp_path, transform):
    compare(write(tmp_path, document(f'<node name="n">{element(*transform)}<instance_geometry url="#g"/></node>')))


def test_quarter_turns_are_exact(tmp_path):
    for turn in (90, -270, 450, 89.99999999999999):
        d = document(f'<node>{element("rotate", [0, 0, 5, turn])}<instance_geometry url="#g"/></node>')
        got, points = numpy.array(libgraze.load(write(tmp_path, d)).positions), numpy.array(TETRAHEDRON)
        exact = (got == numpy.stack([-points[:, 1], points[:, 0], points[:, 2]], axis=1)).all()
        assert exact == (turn % 90 == 0)


def test_nodes(tmp_path):
    inner = ('<node><scale>1 -1 1</scale><instance_geometry url="#g"/><node name="deep"><translate>0 0 1</translate>'
             '<instance_geometry url="#g"/><instance_geometry url="#h"/></node></node>')
    library = ('<library_nodes><node id="a"><rotate>0 0 1 30</rotate>' + inner + '</node><node id="b" name="B"><instance_node '
               'url="#a"/><translate>1 2 3</translate><instance_node url="#a"/></node></library_nodes>')
    nodes = ('<node name="left" layer="hidden"><translate>5 0.1 0</translate><instance_node url="#b"/></node>'
             '<node id="right"><instance_node url="#b"/><matrix>1 0 0 0 0 1 0 0 0 0 1 9 0 0 0 1</matrix></node>'
             '<node><instance_geometry url="#g"/></node>')
    d = document(nodes, geometry("g") + geometry("h", label=' name="H"'), more=library)
    parts = compare(write(tmp_path, d))
    assert parts == ([("a", 4), ("deep/g", 4), ("deep/H", 4)] * 4 + [("g", 4)])


def test_ids_with_escapes_and_ids_of_two_kinds(tmp_path):
    d = document('<node id="g"><instance_geometry url="#a%20b%C3%BC"/></node>', geometry("a bü"))
    compare(write(tmp_path, d))


def controllers(kind, method, joints="Name", normal=True):
    weights = [0.3, 1.0, -0.7] if kind == "morph" else [0.1, 0.2, 0.7, 1.0, 0.0]
    targets = "".join(geometry(f"t{i}", [(x + i, y * 2, z - i / 7) for x, y, z in TETRAHEDRON]) for i in range(3))
    morph = (f'<controller id="m"><morph source="#g"{method}>' + source("mt", ["t0", "t1", "t2"], 1, "<param/>", "IDREF")
             + source("mw", weights[:3], 1, '<param name="w"/>') + '<targets><input semantic="MORPH_TARGET" source="#mt"/>'
             '<input semantic="MORPH_WEIGHT" source="#mw"/></targets></morph></controller>')
    binds = [1, 0, 0, 0.1, 0, 1, 0, 0.2, 0, 0, 1, 0.3, 0, 0, 0, 1, 0.5, 0, 0, 0, 0, -2, 0, 1, 0, 0.1, 1, 0, 0, 0, 0, 1]
    names = ["one", "two"] if joints == "Name" else ["bone1", "bone2"]
    skin = (f'<controller id="k"><skin source="#{"m" if kind == "both" else "g"}"><bind_shape_matrix>1 0 0 0 0 0 -1 0 0 1 0 0.3 0 '
            "0 0 1</bind_shape_matrix>" + source("kj", names, 1, '<param name="JOINT"/>', joints)
            + source("kb", binds, 16, '<param type="float4x4"/>') + source("kw", [0.1, 0.2, 0.7, 1.0, 0.0], 1, "<param/>")
            + '<joints><input semantic="JOINT" source="#kj"/><input semantic="INV_BIND_MATRIX" source="#kb"/></joints>'
            '<vertex_weights count="4"><input semantic="JOINT" source="#kj" offset="0"/><input semantic="WEIGHT" source="#kw" '
            'offset="1"/><vcount>1 2 3 2</vcount><v>0 3 1 3 0 4 0 0 1 1 -1 2 1 3 1 4</v></vertex_weights></skin></controller>')
    return geometry("g") + targets, "<library_controllers>" + morph + skin + "</library_controllers>"


BONES = ('<node id="bone1" sid="one"><translate>0.1 1 2</translate><rotate>1 0 0 37</rotate><node id="x"><node id="bone2" '
         'sid="two"><scale>1 1 -1.5</scale></node></node></node>')


@pytest.mark.parametrize("method", ["", ' method="NORMALIZED"', ' method="RELATIVE"'])
def test_morphs(tmp_path, method):
    g, c = controllers("morph", method)
    d = document('<node name="n"><translate>0.1 0 0</translate><instance_controller url="#m"/></node>' * 2, g, c)
    assert compare(write(tmp_path, d)) == [("n", 4)] * 2


@pytest.mark.parametrize("kind", ["skin", "both"])
@pytest.mark.parametrize("joints", ["Name", "IDREF"])
@pytest.mark.parametrize("skeleton", ["", "<skeleton>#bone1</skeleton>", "<skeleton> #x</skeleton><skeleton>#bone1 </skeleton>"])
def test_skins(tmp_path, kind, joints, skeleton):
    g, c = controllers(kind, ' method="RELATIVE"', joints)
    nodes = f'<node id="n"><translate>9 9 9</translate><instance_controller url="#k">{skeleton}</instance_controller></node>'
    compare(write(tmp_path, document('<node><scale>2 -1 1</scale>' + BONES + "</node>" + nodes, g, c)))


def test_all_at_random(tmp_path):
    """Trees of nodes with meshes of everything, 150 files."""
    r = random.Random(45)
    for _ in range(150):
        geometries, names = "", ["g"]
        for k in range(r.randrange(1, 4)):
            count, stride, offset = r.randrange(3, 12), r.choice([3, 3, 4, 6]), r.choice([0, 0, 2])
            values = [r.choice([r.uniform(-9, 9), float(r.randrange(9)), r.uniform(-1, 1) * 10.0 ** r.randrange(-30, 30)])
                      for _ in range(count * stride + offset)]
            primitives = ""
            for kind in r.choices(["triangles", "polylist", "polygons", "tristrips", "trifans", "lines"], k=r.randrange(1, 4)):
                width = r.choice([1, 1, 2, 3])
                at = r.randrange(width)
                lists = [r.sample(range(count), r.randrange(3, count + 1)) for _ in range(r.randrange(1, 4))]
                number = len(lists)
                inside = ""
                if kind in ("triangles", "polylist", "lines"):
                    if kind == "polylist":
                        inside = "<vcount>" + text(map(len, lists)) + "</vcount>"
                    flat = [c for f in lists for c in f]
                    size = {"triangles": 3, "lines": 2, "polylist": 1}[kind]
                    flat = flat[: len(flat) // size * size]
                    number = number if kind == "polylist" else len(flat) // size
                    lists = [flat]
                for f in lists:
                    inside += "<p>" + text(c if i == at else r.randrange(-1, 99) for c in f for i in range(width)) + "</p>"
                more = "".join(f'<input semantic="TEXCOORD" source="#none" set="{i}" offset="{i}"/>' for i in range(width) if i != at)
                primitives += primitive(kind, number, inside, f"g{k}", more, at)
            geometries += geometry(f"g{k}", primitives=primitives, sources=source(
                f"g{k}-p", values, 3, offset=offset, stride=stride, count=count))
            names.append(f"g{k}")
        nodes, open_nodes, library = "", 0, ""
        for i in range(r.randrange(1, 8)):
            node = f'<node id="n{i}">' + "".join(element(*t) for t in r.choices(TRANSFORMS, k=r.choice([0, 1, 1, 2, 4])))
            node += "".join(f'<instance_geometry url="#{r.choice(names)}"/>' for _ in range(r.choice([0, 1, 1, 2])))
            if i and library and r.random() < 0.3:
                node += '<instance_node url="#shared"/>'
            nodes += node
            if r.random() < 0.5:
                open_nodes += 1
            else:
                nodes += "</node>"
            if i == 0:
                library = '<library_nodes><node id="shared">' + element(*r.choice(TRANSFORMS)) + (
                    '<instance_geometry url="#g"/></node></library_nodes>')
        d = document(nodes + "</node>" * open_nodes + '<node id="last"><instance_geometry url="#g"/></node>',
                     geometry("g") + geometries, library)
        compare(write(tmp_path, d))


def refuse(path, message):
    with pytest.raises(Exception) as caught:
        libgraze.load(path)
    assert message in caught.value.args[0], caught.value.args[0]


def change(*pairs):
    def changed(d):
        for before, after in zip(pairs[::2], pairs[1::2]):
            assert before in d
            d = d.replace(before, after)
        return d
    return changed


P = f"<p>{text(FACES)}</p>"
NODE = '<instance_geometry url="#g"/>'
REFUSED = [
    (change('version="1.4.1"', 'version="1.3.0"'), 'line 2: COLLADA: its version is "1.3.0"; 1.4 and 1.5 are read'),
    (change('version="1.4.1"', ""), "line 2: COLLADA: it has no version"),
    (change("<asset>", '<asset><unit meter="0,01"/>'), 'line 3: unit: its meter "0,01" is not a finite number above 0'),
    (change("<asset>", '<asset><unit meter="0"/>'), 'its meter "0" is not'),
    (change("<asset>", '<asset><unit meter="inf"/>'), 'its meter "inf" is not'),
    (change("<asset>", "<asset><up_axis>UP</up_axis>"), 'line 3: up_axis: "UP" is none of X_UP, Y_UP and Z_UP'),
    (change('<node id="n"', '<node id="n" name="b"><asset><unit meter="2"/></asset></node><node id="n2"'),
     'line 5: node "n": unit: it has another unit (2 m) than the file (1 m)'),
    (change('<geometry id="g">', '<geometry id="g"><asset><up_axis>Z_UP</up_axis></asset>'),
     'geometry "g": up_axis: it has another up axis than the file'),
    (change('scene url="#s"', 'scene url="#t"'), 'instance_visual_scene: no visual_scene has the id "t"'),
    (change('scene url="#s"', 'scene url="b.dae#s"'), 'its visual_scene "b.dae#s" is in another file, which is not read'),
    (change('<scene><instance_visual_scene url="#s"/></scene>', "", "<visual_scene", '<visual_scene id="t"/><visual_scene'),
     "line 2: COLLADA: it does not say which scene it shows, and there are 2 visual scenes"),
    (change(NODE, ""), "the scene shows no faces (0 geometries, 0 lines)"),
    (change(NODE, '<instance_geometry url="#h"/>'), 'line 5: node "n": instance_geometry: no geometry has the id "h"'),
    (change(NODE, "<instance_geometry/>"), 'node "n": instance_geometry: it names no geometry'),
    (change(NODE, '<instance_geometry url="parts.dae#g"/>'), 'its geometry "parts.dae#g" is in another file, which is not read'),
    (change(NODE, '<instance_node url="#n"/>' + NODE), 'node "n": instance_node: the node that it shows is around it'),
    (change(NODE, '<instance_node url="http://a.b/c.dae#n"/>'), '"http://a.b/c.dae#n" is in another file'),
    (change(NODE, '<instance_controller url="#c"/>'), 'no controller has the id "c"'),
    (change(NODE, "<skew>30 0 1 0 1 0</skew>" + NODE), 'line 5: node "n": skew: it has 6 numbers, not 7'),
    (change(NODE, "<skew>30 0 1 0 1 0 0</skew>" + NODE), 'line 5: node "n": skew: a skew is not read'),
    (change(NODE, "<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix>" + NODE), 'matrix: its last row is not 0 0 0 1'),
    (change(NODE, "<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0</matrix>" + NODE), "matrix: it has 15 numbers, not 16"),
    (change(NODE, "<translate>1 2 3 4</translate>" + NODE), "translate: it has 4 numbers, not 3"),
    (change(NODE, "<translate>1 2 NaN</translate>" + NODE), "translate: number 3 is not finite"),
    (change(NODE, "<rotate>0 0 0 1</rotate>" + NODE), "rotate: its axis has no finite length above 0"),
    (change(NODE, "<lookat>0 0 0 0 0 1 0 0 1</lookat>" + NODE), "lookat: eye, point and up vector give no direction"),
    (change(NODE, "<scale>1e300 1 1</scale><scale>1e300 1 1</scale>" + NODE), 'node "n": its place in the scene is not finite'),
    (change("</library_geometries>", '<geometry id="g"/></library_geometries>'), 'more than one geometry has the id "g"'),
    (change("<mesh>", "<convex_mesh>", "</mesh>", "</convex_mesh>"), 'geometry "g": it is a convex_mesh, which is not read'),
    (change("<mesh>", "<brep>", "</mesh>", "</brep>"), 'line 4: geometry "g": it is a brep, which is not read'),
    (change("<mesh>", "<spline>", "</mesh>", "</spline>"), 'geometry "g": it is a spline, which is not read'),
    (change("<mesh>", "<x>", "</mesh>", "</x>"), 'geometry "g": it has no mesh'),
    (change("<vertices", "<v", "</vertices", "</v"), 'geometry "g": mesh: it has no vertices'),
    (change("<vertices", '<vertices id="a"/><vertices'), 'geometry "g": mesh: it has more than one vertices element'),
    (change('semantic="POSITION"', 'semantic="P"'), 'vertices "g-v": it has no input POSITION'),
    (change('semantic="NORMAL"', 'semantic="POSITION"'), 'vertices "g-v": input: there is another POSITION'),
    (change('source="#g-p"', 'source="#h"'), 'vertices "g-v": input: no source has the id "h"'),
    (change("technique_common", "technique"), 'source "g-p": it has no accessor in a technique_common'),
    (change("float_array", "int_array"), 'source "g-p": accessor: its numbers are no float_array'),
    (change('source="#g-p-array"', 'source="#a"'), 'source "g-p": accessor: no array has the id "a"'),
    (change('count="12">0.1', 'count="13">0.1'), 'float_array "g-p-array": its count is 13, but it has 12 numbers'),
    (change('count="12">0.1', 'count="11">0.1'), 'float_array "g-p-array": its count is 11, but it has 12 numbers'),
    (change('count="12">0.1', 'count="4294967296">0.1'), "its count is 4294967296, but it has 12 numbers"),
    (change('count="12">0.1', 'count="-1">0.1'), 'its count "-1" is not a whole number from 0 on'),
    (change('count="12">0.1', 'count="1e9">0.1'), 'its count "1e9" is not a whole number'),
    (change('count="12">0.1', ">0.1"), 'float_array "g-p-array": it has no count'),
    (change(">0.1 0.2", ">0,1 0.2"), 'float_array "g-p-array": number 1 is "0,1", which is not a number'),
    (change(">0.1 0.2", ">0.1 0x2"), 'number 2 is "0x2", which is not a number'),
    (change(">0.1 0.2", ">0.1 NaN"), 'source "g-p": accessor: the y coordinate of position 0 is not a finite number'),
    (change("0.2 0.1 1.7", "0.2 0.1 1e999"), "the z coordinate of position 3 is not a finite number"),
    (change("0.2 0.1 1.7", "-INF 0.1 1.7"), "the x coordinate of position 3 is not a finite number"),
    (change('count="4" offset', 'count="5" offset'),
     "accessor: 5 elements, 3 apart from number 0 on, end past the 12 numbers of the array"),
    (change('offset="0" stride="3"', 'offset="1" stride="3"'), "4 elements, 3 apart from number 1 on, end past"),
    (change('stride="3"', 'stride="2"'), "accessor: its stride 2 is less than the 3 numbers of an element"),
    (change('stride="3"', 'stride="0"'), "accessor: its stride 0 is less than the 3"),
    (change('stride="3"', 'stride="9007199254740992"'), "end past the 12 numbers"),
    (change('<param name="Z" type="float"/>', ""), "accessor: it gives 2 numbers for a position, not 3"),
    (change('<param name="Z" type="float"/>', '<param type="float"/>'), "it gives 2 numbers for a position, not 3: of its 3 params"),
    (change('<param name="Z"', '<param name="X"'), "accessor: its params are not X, Y and Z, but some of them"),
    (change('<param name="Z"', '<param name="W"'), "its params are not X, Y and Z, but some of them"),
    (change(P, f"{P}<p/>"), 'geometry "g": triangles: it has more than one p'),
    (change('<triangles count="4"', '<triangles count="5"'), "triangles: its count is 5 triangles, but p has 12 corners"),
    (change('<triangles count="4"', "<triangles"), "triangles: it has no count"),
    (change(P, "<p>0 1 2 3</p>"), "triangles: its count is 4 triangles, but p has 4 corners"),
    (change(P, "<p>0 1 2.5</p>"), 'p: number 3 is "2.5", which is not a whole number'),
    (change(P, "<p>0 1 4</p>"), 'geometry "g": p: corner 3 is vertex 4, but there are 4'),
    (change(P, "<p>0 -1 4</p>"), 'geometry "g": p: corner 2 is vertex -1, but there are 4'),
    (change(P, "<p>0 99999999999999999999999 4</p>"), "p: corner 2 is vertex 1000000000000000000, but there are 4"),
    (change('offset="0"/><p>', 'offset="1"/><p>', P, "<p>0 1 0 1 0</p>"), "p: its 5 numbers are no whole corners of 2"),
    (change('offset="0"/><p>', "/><p>"), "input: it has no offset"),
    (change('semantic="VERTEX"', 'semantic="POSITION"'), "triangles: it has no input VERTEX"),
    (change('source="#g-v"', 'source="#g-p"'), "input: its source is not the vertices of this mesh"),
    (change("<triangles", "<quads", "</triangles", "</quads"), 'geometry "g": quads: no primitive of a mesh is called so'),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_bad_files_are_refused_by_name(tmp_path, case):
    changed, message = REFUSED[case]
    refuse(write(tmp_path, changed(document())), message)


@pytest.mark.parametrize("inside, message", [
    ('<polylist count="2">{i}<vcount>3 3</vcount><p>0 1 2 3 0</p></polylist>', "polylist: vcount says 6 corners, but p has 5"),
    ('<polylist count="2">{i}<vcount>3 4</vcount><p>0 1 2 3 0 1 2 3 1</p></polylist>', "vcount says 7 corners, but p has 9"),
    ('<polylist count="3">{i}<vcount>3 3</vcount><p>0 1 2 3 0 1</p></polylist>', "its count is 3, but vcount has 2 numbers"),
    ('<polylist count="2">{i}<vcount>3 -3</vcount><p>0 1 2 3 0 1</p></polylist>', "vcount: polygon 1 has -3 corners"),
    ('<polylist count="1">{i}<vcount>4294967296000</vcount><p>0 1 2</p></polylist>', "vcount says 4294967296000 corners, but p has 3"),
    ('<polylist count="1">{i}<p>0 1 2</p></polylist>', "polylist: it has no vcount"),
    ('<polylist count="1">{i}<vcount>3</vcount></polylist>', "polylist: it has no p"),
    ('<triangles count="1">{i}</triangles>', "triangles: it has no p"),
    ('<lines count="5">{i}</lines>', "lines: it has no p"),
    ('<polygons count="1">{i}</polygons>', "polygons: its count is 1, but it has 0 p"),
    ('<polygons count="2">{i}<p>0 1 2</p></polygons>', "polygons: its count is 2, but it has 1 p"),
    ('<polygons count="2">{i}<p>0 1 2</p><ph><p>0 1 2</p><h>1 2 3</h></ph></polygons>', "ph: a polygon with a hole (ph) is not read"),
    ('<tristrips count="1">{i}<p>0 1 2</p><p>0 1 2</p></tristrips>', "tristrips: its count is 1, but it has 2 p"),
    ('<trifans count="1">{i}<p>0 1 2</p><p>0 1 2</p></trifans>', "trifans: its count is 1, but it has 2 p"),
    ('<lines count="1">{i}<p>0 1 2</p></lines>', "lines: its count is 1 lines, but p has 3 corners"),
    ('<linestrips count="1">{i}<p>0 1 9</p></linestrips>', "p: corner 3 is vertex 9, but there are 4")])
def test_bad_primitives_are_refused_by_name(tmp_path, inside, message):
    inside = inside.format(i='<input semantic="VERTEX" source="#g-v" offset="0"/>')
    refuse(write(tmp_path, document(geometries=geometry("g", primitives=inside))), message)


@pytest.mark.parametrize("before, after, message", [
    ('<skin source="#g"', '<skin source="#k"', "skin: its source is a controller that is no morph, which is not read"),
    ('<skin source="#g"', '<skin source="#q"', 'skin: no controller has the id "q"'),
    ('"kj-array" count="2">one two', '"kj-array" count="3">one two', 'Name_array "kj-array": its count is 3, but it has 2 names'),
    ("one two", "one tow", 'instance_controller: no node is its joint "tow"'),
    ("<bind_shape_matrix>1", "<bind_shape_matrix>", "bind_shape_matrix: it has 15 numbers, not 16"),
    ("0 0 0 1</bind", "0 0 1 1</bind", "bind_shape_matrix: its last row is not 0 0 0 1"),
    (' 0 0 0 1</float_array>', ' 0 0 1 1</float_array>', "the last row of inverse bind matrix 1 is not 0 0 0 1"),
    ('vertex_weights count="4"', 'vertex_weights count="5"', "vertex_weights: its count is 5, but the mesh has 4 vertices"),
    ("<vcount>1 2 3 2", "<vcount>1 2 3", "vcount: it has 3 numbers for 4 vertices"),
    ("<vcount>1 2 3 2", "<vcount>1 2 3 3", "v: it ends at vertex 3"),
    ("<vcount>1 2 3 2", "<vcount>1 2 3 1", "vertex_weights: it has more numbers than the vertices need"),
    ("<v>0 3 1", "<v>2 3 1", "v: vertex 0 has joint 2, but there are 2"),
    ("<v>0 3 1", "<v>-2 3 1", "v: vertex 0 has joint -2, but there are 2"),
    ("<v>0 3 1", "<v>0 5 1", "v: vertex 0 has weight 5, but there are 5"),
    ("<v>0 3 1", "<v>0 0 1", "vertex_weights: the weights of vertex 0 are 0.1 in sum, not 1"),
    ('"INV_BIND_MATRIX"', '"X"', "joints: it has no input INV_BIND_MATRIX"),
    ('"JOINT" source="#kj" offset="0"', '"JOINT" source="#kb" offset="0"', "its joints are not those of the skin's joints element")])
def test_bad_skins_are_refused_by_name(tmp_path, before, after, message):
    g, c = controllers("skin", "")
    assert before in c
    d = document(BONES + '<node id="n"><instance_controller url="#k"/></node>', g, c.replace(before, after))
    refuse(write(tmp_path, d), message)


@pytest.mark.parametrize("before, after, message", [
    (' method="RELATIVE"', ' method="SUM"', "morph: its method is neither NORMALIZED nor RELATIVE"),
    ("t0 t1 t2", "t0 t1 t9", 'input: no geometry has the id "t9"'),
    ('"MORPH_WEIGHT"', '"W"', "targets: it has no input MORPH_WEIGHT"),
    ('count="3" offset="0" stride="1"><param name="w"/>', 'count="2" offset="0" stride="1"><param name="w"/>', "3 targets have 2 weights"),
    ("0.3 1.0 -0.7", "0.3 NaN -0.7", "weight 1 is not a finite number")])
def test_bad_morphs_are_refused_by_name(tmp_path, before, after, message):
    g, c = controllers("morph", ' method="RELATIVE"')
    assert before in c
    refuse(write(tmp_path, document('<node><instance_controller url="#m"/></node>', g, c.replace(before, after))), message)


def test_joints_of_libraries_are_refused(tmp_path):
    g, c = controllers("skin", "", "IDREF")
    library = f"<library_nodes>{BONES}</library_nodes>"
    d = document('<node id="n"><instance_node url="#bone1"/><instance_controller url="#k"/></node>', g, c + library)
    refuse(write(tmp_path, d), 'node "bone1": it is a joint, but no node of the scene itself')


def test_damaged_xml_is_refused(tmp_path):
    whole = document()
    for size in range(0, len(whole) - 1, 7):
        with pytest.raises(Exception):
            libgraze.load(write(tmp_path, whole[:size]))
    bomb = '<!DOCTYPE COLLADA [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<COLLADA'
    refuse(write(tmp_path, whole.replace("<COLLADA", bomb)), "line 2: it declares an entity")
    refuse(write(tmp_path, whole.replace("<asset>", "<a>" * 1001)), "more than 1000 elements within each other")


def test_a_long_chain_of_nodes_is_read(tmp_path):
    depth = 20000
    library = "".join(f'<node id="c{i}"><translate>0 0 1</translate><instance_node url="#c{i + 1}"/></node>' for i in range(depth))
    library += f'<node id="c{depth}"><instance_geometry url="#g"/></node>'
    d = document('<node><instance_node url="#c0"/></node>', more=f"<library_nodes>{library}</library_nodes>")
    assert numpy.array(libgraze.load(write(tmp_path, d)).positions)[:, 2].min() == depth


@pytest.mark.parametrize("bomb", ["doubling", "empty", "meshes", "circle", "skins"])
def test_bombs_end_in_an_error(tmp_path, bomb):
    geometries, more, message = None, "", "what the scene shows, as often as it says, is more than a file of this size may make"
    nodes = '<node><instance_node url="#c0"/></node>'
    last = '<instance_geometry url="#g"/>' if bomb == "doubling" else ""
    chain = "".join(f'<node id="c{i}"><instance_node url="#c{i + 1}"/><instance_node url="#c{i + 1}"/></node>' for i in range(60))
    more = f'<library_nodes>{chain}<node id="c60">{last}</node></library_nodes>'
    if bomb == "circle":
        more, message = more.replace('"#c60"', '"#c3"'), "the nodes go in a circle"
    if bomb == "meshes":
        geometries = geometry("g", [(i, 0, 0) for i in range(3000)])
        nodes, message = '<node><instance_geometry url="#g"/></node>' * 20000, "have more than the"
    if bomb == "skins":
        geometries, more = controllers("skin", "", "IDREF")
        more = more.replace("<bind_shape_matrix>", "<bind_shape_matrix>" + " " * 50)
        more = more.replace("bone1 bone2", "bone1 bone2" + " bone1" * 5000).replace('count="2"', 'count="5002"', 1)
        nodes = BONES + '<node><instance_controller url="#k"/></node>' * 20000
    refuse(write(tmp_path, document(nodes, geometries, more)), message)
