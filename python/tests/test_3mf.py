# SPDX-License-Identifier: MIT
"""3MF, bit for bit beside the twin in threemf_twin.py: each form of archive, name, XML, number and reference by itself, then
all of them at random. And bad files: each is refused with a message that names the file of the package, the line and the
reason."""

import io
import random
import struct
import zipfile
import zlib

import numpy
import pytest
import threemf_twin

import libgraze

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
RELATIONS = ('<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
             'Target="{}" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>')
POINTS = [("0.1", "0.2", "-.3"), ("1.1", "0", "-0"), ("0", "13e-1", "0"), ("0.2", "0.1", "+1.7")]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def mesh(points=POINTS, faces=FACES):
    return ("<mesh><vertices>" + "".join('<vertex x="%s" y="%s" z="%s"/>' % p for p in points) + "</vertices><triangles>"
            + "".join('<triangle v1="%s" v2="%s" v3="%s"/>' % f for f in faces) + "</triangles></mesh>")


def obj(number, content=None, attributes=""):
    return f'<object id="{number}" {attributes}>{mesh() if content is None else content}</object>'


def model(objects, items="", attributes="", head=""):
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<model xmlns="{CORE}" xmlns:p="{PRODUCTION}" {attributes}>{head}'
            f"<resources>{objects}</resources><build>{items}</build></model>")


def files(root, others=None, name="3D/3dmodel.model", target=None):
    return {"_rels/.rels": RELATIONS.format(target or "/" + name), name: root, **(others or {})}


class Pipe(io.RawIOBase):
    """Nothing can be sought in it: then sizes and checksums stand behind the files."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def bytes_of(content):
    return content.encode() if isinstance(content, str) else content


def archive64(content):
    """Every size and place in 64 bits. Of a file that is too large to be had: its deflated bytes and its size."""
    data, directory, ones = b"", b"", 0xFFFFFFFF
    for name, text in content.items():
        if isinstance(text, tuple):
            packed, size, crc = *text, 0
        else:
            text = bytes_of(text)
            packed, size, crc = zlib.compress(text)[2:-4], len(text), zlib.crc32(text)
        name, sizes = name.encode(), struct.pack("<QQ", size, len(packed))
        local = struct.pack("<HHHHHIIIHH", 45, 0, 8, 0, 0, crc, ones, ones, len(name), 20) + name + struct.pack("<HH", 1, 16) + sizes
        extra = struct.pack("<HHB", 0x7777, 1, 0) + struct.pack("<HH", 1, 24) + sizes + struct.pack("<Q", len(data))
        directory += (b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 45, 45, 0, 8, 0, 0, crc, ones, ones, len(name), len(extra), 0,
                                              0xFFFF, 0, 0, ones) + name + extra)
        data += b"PK\3\4" + local + packed
    count = len(content)
    end = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(directory), len(data))
    locator = b"PK\6\7" + struct.pack("<IQI", 0, len(data) + len(directory), 1)
    return data + directory + end + locator + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, ones, ones, 3) + b"end"


def pack(folder, content, form="deflated"):
    path = folder / "a.3mf"
    if form == "64":
        path.write_bytes(archive64(content))
        return path
    stream = Pipe() if form == "piped" else io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED if form == "stored" else zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"a comment" if form == "comment" else b""
        for name, text in content.items():
            archive.writestr(name, bytes_of(text))
    path.write_bytes(stream.data if form == "piped" else stream.getvalue())
    return path


def compare(path):
    points, triangles, parts = threemf_twin.read(path)
    read = libgraze.load(path)
    assert numpy.array(read.triangles).tolist() == [list(t) for t in triangles]
    got, expected = numpy.array(read.positions, dtype="f8"), numpy.array(points, dtype="f8")
    assert got.shape == expected.shape
    differ = (got.view("u8") != expected.view("u8")).any(axis=1)
    assert not differ.any(), (path, got[differ][:3].tolist(), expected[differ][:3].tolist())
    return parts


def refuse(path, message):
    with pytest.raises(Exception) as caught:
        libgraze.load(path)
    assert message in caught.value.args[0]


ONE = model(obj(1), '<item objectid="1"/>')


@pytest.mark.parametrize("form", ["deflated", "stored", "piped", "64", "comment"])
def test_archives(tmp_path, form):
    assert compare(pack(tmp_path, files(ONE, {"Metadata/empty": "", "3D/Textures/": ""}), form)) == [("object 1", 4)]


@pytest.mark.parametrize("name, target", [("3D/3dmodel.model", "/3d/3DModel.MODEL"), ("3D/3dmodel.model", "3D/3dmodel.model"),
                                          ("/3D/a b.model", "/3D/a%20b.model"), ("3D/a%20b.model", "/3D/A b.model"),
                                          ("root.model", "/root.model"), ("3D/\u00e4.model", "/3D/%C3%A4.model")])
def test_names_of_files(tmp_path, name, target):
    content = files(ONE, name=name, target=target)
    content["[Content_Types].xml"] = "this is not looked at"
    compare(pack(tmp_path, content))


def test_numbers(tmp_path):
    r = random.Random(3)
    texts = ["0", "-0", "+0.0", "1e22", "1E+23", "-1e-5", ".5", "+.5e1", " 7 ", "\t8\n", "9007199254740993", "0.1e-320", "5e-324",
             "1.9e90", "123456789012345678901234567890", "0." + "3" * 800, "00012.50", "4.35", "&#32;6&#10;"]
    texts += [repr(struct.unpack("<d", struct.pack("<Q", r.getrandbits(64)))[0]) for _ in range(300)]
    texts += ["%.*f" % (r.randrange(1, 25), r.uniform(-1000, 1000)) for _ in range(300)]
    texts = [t for t in texts if "n" not in t and ("&" in t or abs(float(t)) < 2e90)]
    points = [(t, texts[i - 1], texts[i - 2]) for i, t in enumerate(texts)]
    corners = [(" 0", "1\n", "+2"[1:]), ("0002", "1", "3"), (str(len(points) - 1), "0", "0000000000001")]
    compare(pack(tmp_path, files(model(obj(1, mesh(points, corners)), '<item objectid="1"/>'))))


@pytest.mark.parametrize("text", [
    ONE.replace("xmlns=", "xmlns:c=").replace("<", "<c:").replace("<c:/", "</c:").replace("<c:?", "<?"),
    ONE.replace("<mesh>", "<!-- <mesh> --><?go on?><mesh>").replace("/><", "/>\n \t<"),
    "\ufeff" + ONE, ONE.replace("UTF-8", "UTF-16").encode("utf-16"), ONE.replace("\n", "\r\n").replace("<vertices>", "<vertices>\r"),
    ONE.replace('x="0.1"', "z='0.7' b=\"1\" x='0.1'").replace('z="-.3"', ""),
    ONE.replace("<triangle ", '<triangle pid="7" p1="0" v="1" v4="9" v11="9" ').replace("/>", "></whatever>").replace(
        "></whatever>", "/>"),
    model(obj(1) + '<basematerials id="9"><base name="a" displaycolor="#fff"/></basematerials>' + obj(2),
          '<item objectid="2"><metadatagroup><metadata name="a">b</metadata></metadatagroup></item>',
          head='<metadata name="Title">A &lt; B</metadata>'),
    ONE.replace("<vertex ", '<vertex xmlns:o="other" o:x="5" ', 1),
    ONE.replace("</mesh>", '<t:trianglesets xmlns:t="http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07">'
                '<t:triangleset name="a" identifier="b"><t:ref index="1"/></t:triangleset></t:trianglesets></mesh>'),
    ONE.replace("<build>", '<o:build xmlns:o="other"><o:item objectid="7"/></o:build><build>'),
    ONE.replace("</resources>", obj(5, "<mesh><vertices/><triangles/></mesh>") + "</resources>").replace(
        "</build>", '<item objectid="5"/></build>')])
def test_xml(tmp_path, text):
    compare(pack(tmp_path, files(text)))


def test_components(tmp_path):
    """Nested, several in one, mirrored once and twice; before and behind their objects; an object outside of the build."""
    objects = (obj(7, '<components><component objectid="3" transform="1 .5 0 0 1 0 0 0 -1 .1 .2 .3"/><component objectid="1"/>'
                      "</components>", 'name="outer"') + obj(1) + obj(2, attributes='name="leaf" partnumber="p"')
               + obj(3, '<components><component objectid="2" transform="0 1 0 -1 0 0 0 0 1 5 6 7"/><component objectid="1" '
                        'transform="-1 0 0 0 1 0 0 0 1 0 0 0"/></components>', 'partnumber="q"') + obj(4))
    items = ('<item objectid="7"/><item objectid="7" transform=" 0.1 0 0&#9;0 0.1 0 0 0 0.1  10 20 30 "/><item objectid="3"/>'
             '<item objectid="1" partnumber="of item"/><item objectid="1"/><item objectid="2"/>')
    parts = compare(pack(tmp_path, files(model(objects, items))))
    outer = ["leaf", "outer", "outer"]
    assert [n for n, _ in parts] == outer + outer + ["leaf", "q", "of item", "object 1", "leaf"]


def test_production(tmp_path):
    """The same numbers in three files."""
    other = model(obj(1, mesh([("9", "0", "0"), *POINTS[1:]]), 'name="a"') + obj(2, '<components><component objectid="1"/></components>'),
                  '<item objectid="1"/>')
    third = model(obj(1, mesh([("7", "0", "0"), *POINTS[1:]])))
    root = model(obj(1, '<components><component objectid="1" p:path="/3D/Objects/a.model"/><component objectid="1" '
                        'p:path="/3D/objects/B.model" transform="1 0 0 0 1 0 0 0 1 4 4 -1"/><component objectid="2"/></components>')
                 + obj(2), '<item objectid="1" p:UUID="x"/><item p:path="/3D/Objects/a.model" objectid="2"/>', 'requiredextensions="p"')
    path = pack(tmp_path, files(root, {"3D/Objects/a.model": other, "3D/Objects/b.model": third}))
    assert compare(path) == [("a", 4), ("object 1", 4), ("object 2", 4), ("a", 4)]


def test_all_at_random(tmp_path):
    r = random.Random(3)

    def transform():
        if r.random() < 0.4:
            return ""
        return ' transform="%s"' % " ".join(r.choice(["%g", "%.17g", "%.3f"]) % r.uniform(-3, 3) for _ in range(12))

    for _ in range(150):
        others = {f"3D/Objects/{k}.model": None for k in range(r.randrange(3))}
        made = {}
        for name in [*others, "root"]:
            objects, ids = "", r.sample(range(1, 12), r.randrange(1, 8))
            for i, number in enumerate(ids):
                attributes = r.choice(["", 'name="n%d"' % number, 'partnumber="p"', 'type="support"', 'type="other" name=""'])
                if i and r.random() < 0.5:
                    content = ""
                    for _ in range(r.randrange(1, 4)):
                        far = r.choice(list(others)) if name == "root" and others and r.random() < 0.4 else None
                        content += '<component objectid="%d"%s%s/>' % (
                            r.choice(made[far] if far else ids[:i]), transform(), f' p:path="/{far}"' if far else "")
                    content = f"<components>{content}</components>"
                else:
                    count = r.randrange(3, 9)
                    points = [tuple(repr(r.uniform(-9, 9)) for _ in range(3)) for _ in range(count)]
                    content = mesh(points, [tuple(r.sample(range(count), 3)) for _ in range(r.randrange(1, 9))])
                objects += obj(number, content, attributes)
            made[name] = ids
            items = "".join(f'<item objectid="{r.choice(ids)}"{transform()}/>' for _ in range(r.randrange(1, 4)))
            if name == "root" and others:
                far = r.choice(list(others))
                items += f'<item objectid="{r.choice(made[far])}" p:path="/{far}"{transform()}/>'
            text = model(objects, items)
            if name == "root":
                root = text
            else:
                others[name] = text
        compare(pack(tmp_path, files(root, others), r.choice(["deflated", "stored", "piped", "64"])))


def change(old, new, text=None):
    return lambda: files((text or model(obj(3), '<item objectid="3"/>')).replace(old, new, 1))


B = "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"
BO = "http://schemas.3mf.io/3dmanufacturing/booleanoperations/2023/07"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
D = "http://schemas.microsoft.com/3dmanufacturing/displacement/2022/07"
SC = "http://schemas.microsoft.com/3dmanufacturing/securecontent/2019/04"
V = "http://schemas.microsoft.com/3dmanufacturing/volumetric/2022/01"
S = "http://schemas.microsoft.com/3dmanufacturing/slice/2015/07"
ROOT = "3D/3dmodel.model: line 2: "
REFUSED = [
    (change('x="0.1"', 'x="0,1"'), ROOT + 'vertex 0: x: "0,1" is not a number'),
    (change('y="0"', 'y="0 1"'), ROOT + 'vertex 1: y: "0 1" is not a number'),
    (change('y="0"', 'y="0x10"'), ROOT + 'vertex 1: y: "0x10" is not a number'),
    (change('z="-0"', 'z="inf"'), ROOT + 'vertex 1: z: "inf" is not a finite number'),
    (change('z="-0"', 'z="1e999"'), ROOT + 'vertex 1: z: "1e999" is not a finite number'),
    (change('z="-0"', 'z=" "'), ROOT + 'vertex 1: z: " " is not a number'),
    (change('z="-0"', 'z=""'), ROOT + 'vertex 1: z: "" is not a number'),
    (change('z="-0"', 'z="' + "1" * 5000 + '"'), ROOT + "vertex 1: z: the number has more than 4095 characters"),
    (change('z="-0"', "Z='1'"), ROOT + "vertex 1 has no z"),
    (change('v3="1"', 'v3="4"'), ROOT + "triangle 0: v3 is 4, but the mesh has 4 vertices"),
    (change('v3="1"', 'v3="4294967296"'), ROOT + "triangle 0: v3 is 4294967296, but the mesh has 4 vertices"),
    (change('v3="1"', 'v3="18446744073709551616"'), ROOT + "triangle 0: v3 is 1000000000000000000, but"),
    (change('v3="1"', 'v3="-1"'), ROOT + 'triangle 0: v3: "-1" is not the number of a vertex'),
    (change('v3="1"', 'v3="1.0"'), ROOT + 'triangle 0: v3: "1.0" is not the number of a vertex'),
    (change('v3="1"', 'v3=""'), ROOT + 'triangle 0: v3: "" is not the number of a vertex'),
    (change('v2="2"', ""), ROOT + "triangle 0 has no v2"),
    (change("<vertices>", "<vertex/><vertices>"), ROOT + 'the element "vertex" does not belong here'),
    (change("</mesh>", "<vertices/></mesh>"), ROOT + "object 3: its mesh has a second <vertices>"),
    (change("</mesh>", "<triangles/></mesh>"), ROOT + "object 3: its mesh has a second <triangles>"),
    (change("<mesh>", "<mesh><triangles/>"), ROOT + "object 3: the triangles of its mesh stand before the vertices"),
    (change("<mesh>", "<mesh/><mesh>"), ROOT + "object 3: its mesh has no <vertices>"),
    (change("</mesh>", "</mesh>" + mesh()), ROOT + "object 3: it has more than one mesh or list of components"),
    (change("</mesh>", "</mesh><components/>"), ROOT + "object 3: it has more than one mesh or list of components"),
    (change(mesh(), ""), ROOT + "object 3: it has neither a mesh nor components"),
    (change(mesh(), "<components/>"), ROOT + "object 3: it has neither a mesh nor components"),
    (change('<object id="3"', '<object'), ROOT + "the object has no id"),
    (change('<object id="3"', '<object id="three"'), ROOT + 'the object\'s id "three" is not a whole number'),
    (change('<object id="3"', '<object id="3" type="hole"'), ROOT + 'object 3: the type "hole" is not one of 3MF\'s'),
    (change("<resources>", "<resources>\n" + obj(3)), "3D/3dmodel.model: line 3: a second object with id 3"),
    (change("</resources>", "</resources><resources/>"), ROOT + "a second <resources>"),
    (change("</build>", "</build><build/>"), ROOT + "a second <build>"),
    (change("<build>", "<build/><xbuild>"), "3D/3dmodel.model: line 2: "),
    (change('<build><item objectid="3"/></build>', ""), "3D/3dmodel.model: the model has no <build>"),
    (change('<item objectid="3"/>', ""), "3D/3dmodel.model: the build has no items"),
    (change('<item objectid="3"/>', '<item objectid="4"/>'), ROOT + "the item's object 4 is not in 3D/3dmodel.model"),
    (change('<item objectid="3"/>', "<item/>"), ROOT + "the item has no objectid"),
    (change(mesh(), '<components><component objectid="5"/></components>'), ROOT + "the component's object 5 is not in 3D/3dmodel.model"),
    (change(mesh(), '<components><component objectid="3"/></components>'), ROOT + "object 3: its components contain itself"),
    (change('"3"/></build>', '"3" transform="1 0 0 0 1 0 0 0 1 0 0"/></build>'), ROOT + "the item's transform has 11 numbers, and needs 12"),
    (change('"3"/></build>', '"3" transform="1 0 0 0 1 0 0 0 1 0 0 0 0"/></build>'), ROOT + "the item's transform has more than 12"),
    (change('"3"/></build>', '"3" transform="1 0 0 0 1 0 0 0 1 0 0 1,5"/></build>'), ROOT + 'the item\'s transform: "1,5" is not a number'),
    (change('"3"/></build>', '"3" transform="1 2 3 2 4 6 0 0 1 0 0 0"/></build>'), ROOT + "the item's transform is singular"),
    (change('"3"/></build>', '"3" transform=".1 .2 .3 .4 .5 .6 .7 .8 .9 0 0 0"/></build>'), ROOT + "the item's transform is singular"),
    (change('"3"/></build>', '"3" p:path="/3D/b.model"/></build>'), ROOT + 'the item\'s path "/3D/b.model" is no file of the package'),
    (change("<model ", '<model unit="mile" '), ROOT + 'the unit "mile" is none of'),
    (change("<model ", '<model requiredextensions="q" '), ROOT + 'requiredextensions: the prefix "q" stands for no namespace'),
    (change("<model ", '<model requiredextensions="p q" xmlns:q="http://a.org/b" '),
     ROOT + 'the model requires the extension "q", http://a.org/b: it is not known here'),
    (change("<model ", f'<model requiredextensions="b" xmlns:b="{B}" '), B + ": beam lattices are not read"),
    (change("<model ", f'<model requiredextensions="b" xmlns:b="{BO}" '), BO + ": boolean operations are not read"),
    (change("<model ", f'<model requiredextensions="b" xmlns:b="{D}" '), D + ": displaced surfaces are not read"),
    (change("<model ", f'<model requiredextensions="b" xmlns:b="{SC}" '), SC + ": encrypted content is not read"),
    (change("<model ", f'<model requiredextensions="b" xmlns:b="{V}" '), V + ": volumetric data is not read"),
    (change("</mesh>", f'<b:beamlattice xmlns:b="{B}"/></mesh>'), ROOT + 'object 3: it has an element "beamlattice": beam lattices'),
    (change(mesh(), f'<b:booleans xmlns:b="{BO}"/>'), ROOT + 'object 3: it has an element "booleans": boolean operations'),
    (change('<item objectid="3"', '<item Transform="1 0 0 0 1 0 0 0 1 5 0 0" objectid="3"'),
     ROOT + 'the item has an attribute "Transform", which 3MF does not have: transform is meant?'),
    (change('<item objectid="3"', '<item tranform="1 0 0 0 1 0 0 0 1 5 0 0" objectid="3"'), '"tranform", which 3MF'),
    (change('<item objectid="3"', '<item path="/3D/a.model" objectid="3"'), "the item has a path outside of the production"),
    (change("<model ", '<model Unit="inch" '), ROOT + 'the model has an attribute "Unit", which'),
    (change("<model ", '<model requiredExtensions="b" '), '"requiredExtensions", which 3MF does not have'),
    (change("<object ", '<object Type="support" '), '"Type", which 3MF does not have: type is meant?'),
    (change("<model ", f'<model xmlns:mc="{MC}" xmlns:b="urn:b" mc:MustUnderstand="b" '),
     'the model requires the extension "b", urn:b: it is not known here'),
    (change("<item ", f'<mc:AlternateContent xmlns:mc="{MC}"/><item '), 'the element "AlternateContent" of "markup comp'),
    (change(mesh(), '<b:shape xmlns:b="other"/>'), ROOT + "object 3: it has neither a mesh nor components"),
    (change('<object id="3"', f'<object xmlns:s="{S}" s:slicestackid="1" s:meshresolution="lowres" id="3"'),
     ROOT + "object 3: its mesh is a coarse or changed stand-in"),
    (change(CORE, "http://schemas.microsoft.com/3dmanufacturing/2013/01"), "is not the model of 3MF's core specification"),
    (change("<model ", "<modell "), 'its first element "modell" is not the model'),
    (change("</mesh>", ""), ROOT + "mismatched tag"),
    (change("?>", '?><!DOCTYPE model [<!ENTITY a "b">]>'), "it declares an entity, which is not allowed here"),
    (lambda: {"_rels/.rels": "<Relationships/>", "3D/3dmodel.model": ONE}, "_rels/.rels: it names no 3D model"),
    (lambda: {"a": "b"}, "it is a zip archive without _rels/.rels, so not a 3MF package"),
    (lambda: files(ONE, target="/3D/b.model"), '_rels/.rels: line 1: the package has no file "/3D/b.model"'),
    (lambda: {**files(ONE), "3D/3DMODEL.model": ONE}, "the package has several files of this name"),
    (lambda: files(model(obj(1, attributes=""), '<item objectid="1" p:path="/b.model"/>'), {"b.model": model(obj(1), attributes='unit="inch"')}),
     "b.model: line 2: the unit of this model, inch, is not that of the root model"),
    (lambda: files(model("", '<item objectid="2" p:path="/b.model"/>'), {"b.model": model(obj(1) + obj(
        2, '<components><component objectid="1" p:path="/3D/3dmodel.model"/></components>'))}),
     "b.model: line 2: the component has a path, which only the root model's may have"),
    (lambda: files(model("", '<item objectid="2" p:path="/b.model"/>'), {"b.model": model(obj(1))}),
     ROOT + "the item's object 2 is not in b.model"),
    (lambda: files(model("", '<item objectid="2" p:path="/b.model"/>'), {"b.model": "<"}), "b.model: line 1: "),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_bad_files_are_refused_by_name(tmp_path, case):
    content, message = REFUSED[case]
    refuse(pack(tmp_path, content()), message)


def test_damaged_archives_are_refused(tmp_path):
    for form in ["deflated", "stored", "piped", "64"]:
        whole = pack(tmp_path, files(ONE), form).read_bytes()
        for size in range(len(whole)):
            (tmp_path / "a.3mf").write_bytes(whole[:size])
            with pytest.raises(Exception):
                libgraze.load(tmp_path / "a.3mf")
    path = pack(tmp_path, files(ONE), "stored")
    whole = bytearray(path.read_bytes())

    def patched(at, value):
        data = bytearray(whole)
        data[at : at + len(value)] = value
        path.write_bytes(data)

    local = whole.index(b"PK\3\4", 10)
    entry = whole.index(b"PK\1\2", whole.index(b"PK\1\2") + 1)
    end = whole.rindex(b"PK\5\6")
    size = struct.unpack_from("<I", whole, entry + 24)[0]
    place = "3D/3dmodel.model: "
    patched(whole.index(b'x="0.1"') + 3, b"7")
    refuse(path, place + "its bytes do not have the checksum that the zip archive states")
    patched(entry + 8, b"\1")
    refuse(path, place + "it is encrypted")
    patched(entry + 10, b"\x0c")
    refuse(path, place + "it is packed by method 12; only 0 (stored) and 8 (deflated) are read")
    patched(entry + 24, struct.pack("<I", size - 1))
    refuse(path, place + "what the zip archive says about it at two places does not agree")
    patched(entry + 42, struct.pack("<I", local + 1))
    refuse(path, place + "it is not where the zip archive says")
    patched(local, b"PK\3\5")
    refuse(path, place + "it is not where the zip archive says")
    patched(entry + 20, struct.pack("<II", 0xFFFFFFFE, 0xFFFFFFFE))
    refuse(path, place + "it says that it has 4095 MiB unpacked")
    patched(end + 10, b"\3")
    refuse(path, "the zip archive is damaged: its directory has fewer files than it says")
    patched(end + 12, b"\xff\xff\xff\xff")
    refuse(path, "the zip archive is damaged: its directory ends past its end")


@pytest.mark.parametrize("more, message", [(-1, "it has more bytes than the"), (1, "it does not have the size that the zip archive")])
def test_sizes_that_lie_are_refused(tmp_path, more, message):
    path = pack(tmp_path, files(ONE))
    data = bytearray(path.read_bytes())
    for at, offset in ((data.index(b"PK\3\4", 10), 22), (data.index(b"PK\1\2", data.index(b"PK\1\2") + 1), 24)):
        struct.pack_into("<I", data, at + offset, struct.unpack_from("<I", data, at + offset)[0] + more)
    path.write_bytes(data)
    refuse(path, "3D/3dmodel.model: " + message)


def test_objects_of_one_line_each_are_named_by_their_line(tmp_path):
    text = ONE.replace("><", ">\n<")
    refuse(pack(tmp_path, files(text.replace('v3="3"', 'v3="9"'))), "3D/3dmodel.model: line 14: triangle 1: v3 is 9, but the mesh has 4")
