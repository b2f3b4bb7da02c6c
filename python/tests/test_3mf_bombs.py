# SPDX-License-Identifier: MIT
"""Small 3MF files that ask for much: each ends in an error, within seconds (one on a quiet machine) and 200 MB."""

import os
import subprocess
import sys
import zlib

import pytest
import test_3mf

LIMIT_MB = 200
SECONDS = 5  # of processor time: five times what a quiet machine takes

READ = """
import resource, sys
import libgraze
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    libgraze.load(sys.argv[1])
except Exception as e:
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_maxrss - before, used.ru_utime + used.ru_stime, e.args[0])
"""

HEAD = f'<model xmlns="{test_3mf.CORE}"><resources>'
ONE = test_3mf.obj(1)
VERTEX = '<vertex x="0" y="0" z="0"/>'


def chain(step, count):
    return HEAD + ONE + "".join(
        f'<object id="{i}"><components>' + f'<component objectid="{i - 1}"/>' * step + "</components></object>"
        for i in range(2, count)) + f'</resources><build><item objectid="{count - 1}"/></build></model>'


# name: the beginning, what is repeated, how often in thousands, and the error
BOMBS = {
    "gigabytes": (HEAD + '<object id="1"><mesh><vertices>', VERTEX, 160000, "it says that it has 4119 MiB unpacked"),
    "vertices": (HEAD + '<object id="1"><mesh><vertices>', VERTEX, 2000, "its bytes do not have the checksum"),
    "tag": (HEAD + '<object id="1" name="', "x", 30000, "a tag or comment of more than 1 MiB"),
    "comment": (HEAD + "<!--", VERTEX, 2000, "a tag or comment of more than 1 MiB"),
    "deep": (HEAD + "<metadata>", "<a>", 2000, "more than 1000 elements within each other"),
    "components": (HEAD + ONE + '<object id="2"><components>', '<component objectid="1"/>', 2000,
                   "objects, components and items, too many for a file of this size"),
    "items": (HEAD + ONE + "</resources><build>", '<item objectid="1"/>', 2000, "objects, components and items, too many for a file of this size"),
    "objects": (HEAD, '<object id="1"><mesh><vertices/><triangles/></mesh></object>', 1000, "objects, components and items, too many for a file of this size"),
}


def run(path, message):
    ran = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=True)
    kilobytes, seconds, reason = ran.stdout.split(" ", 2)
    assert message in reason
    assert float(seconds) < SECONDS
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):
        assert int(kilobytes) < LIMIT_MB * 1000


@pytest.mark.parametrize("name", BOMBS)
def test_repeated(tmp_path, name):
    begin, part, thousands, message = BOMBS[name]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    first = packer.compress(begin.encode()) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(part.encode() * 1000) + packer.flush(zlib.Z_FULL_FLUSH)  # may stand many times: it begins anew
    packed = first + block * thousands + packer.flush()
    root = packed, len(begin) + 1000 * len(part) * thousands
    run(test_3mf.pack(tmp_path, test_3mf.files(root), "64"), message)


@pytest.mark.parametrize("model, message", [
    (chain(2, 65), "the items up to this one show more objects than a file of this size may"),
    (chain(1, 30000), "components are more than 100 deep within each other"),
    (HEAD + "<metadata>" + "".join(f"<a{i:x}/>" for i in range(1500000)), "its names and tags need more than 64 MiB"),
    (HEAD + "<metadata>" + "".join(f'<q xmlns:a{i:x}="b"/>' for i in range(900000)), "its names and tags need more than 64 MiB"),
    (HEAD.replace("<model", "<model " + " ".join(f'xmlns:a{i}="b"' for i in range(2000))), "more than 1000 namespaces"),
    (HEAD + '<object id="1"><mesh><vertices>' + VERTEX + "</vertices><triangles>" + '<triangle v1="0" v2="0" v3="4294967297"/>',
     "triangle 0: v3 is 4294967297, but the mesh has 1 vertices")],
    ids=["doubling", "chain", "names", "prefixes", "namespaces", "counts"])
def test_made(tmp_path, model, message):
    run(test_3mf.pack(tmp_path, test_3mf.files(model)), message)
