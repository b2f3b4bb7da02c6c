# SPDX-License-Identifier: MIT
"""Meshes as a GLB file and as a page for a notebook or a browser, with the faces that touch in another colour."""

import base64
import json
import struct
from array import array

from . import _graze

_COLORS = ((0.42, 0.62, 0.87), (0.93, 0.75, 0.36), (0.56, 0.76, 0.49), (0.75, 0.58, 0.80), (0.62, 0.62, 0.62))
_TOUCHING = (0.85, 0.16, 0.16)


def _list(objects, pose):
    """The objects as (mesh, matrix, name), and for a scene the number of each."""
    if isinstance(objects, _graze.Scene):
        names = objects.objects
        numbers = [n if isinstance(n, int) else objects.number(n) for n in names]
        return [(objects.mesh(n), objects.pose(n), str(n)) for n in names], numbers
    if isinstance(objects, _graze.Mesh):
        objects = [(objects, pose)]
    elif pose is not None:
        raise TypeError("pose: is for a single mesh; give pairs (mesh, pose)")
    listed = []
    for i, item in enumerate(objects):
        mesh, where = item if isinstance(item, (tuple, list)) and len(item) == 2 else (item, None)
        if not isinstance(mesh, _graze.Mesh):
            raise TypeError(f"objects[{i}]: must be a libgraze.Mesh or a pair (mesh, pose)")
        listed.append((mesh, _graze._pose_rows(where), "AB"[i] if i < 2 else str(i)))
    return listed, list(range(len(listed)))


def _touching(result, numbers):
    """For each object the faces that the result names."""
    faces = [set() for _ in numbers]
    if result is None:
        return faces
    pairs = result.pairs.tolist()
    if len(result.object_pairs):
        place = {number: i for i, number in enumerate(numbers)}
        starts, counts = result.object_first_pairs.tolist(), result.object_pair_counts.tolist()
        for (a, b), start, count in zip(result.object_pairs.tolist(), starts, counts):
            if a not in place or b not in place:
                raise ValueError("result: names an object that is not shown")
            for face_a, face_b in pairs[start : start + count]:
                faces[place[a]].add(face_a)
                faces[place[b]].add(face_b)
    else:
        for face_a, face_b in pairs:
            faces[0].add(face_a)
            faces[-1].add(face_b)
    return faces


class _Glb:
    """Collects what a GLB file holds."""

    def __init__(self):
        self.data = bytearray()
        self.json = {"asset": {"version": "2.0", "generator": "graze"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [],
                     "meshes": [], "materials": [], "accessors": [], "bufferViews": []}

    def material(self, color):
        self.json["materials"].append({"doubleSided": True, "pbrMetallicRoughness": {
            "baseColorFactor": [*color, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.7}})
        return len(self.json["materials"]) - 1

    def accessor(self, values, kind, component, count, target, **more):
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(values) * values.itemsize,
                                         "target": target})
        self.data += values.tobytes()
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component,
                                       "count": count, "type": kind, **more})
        return len(self.json["accessors"]) - 1

    def add(self, mesh, matrix, name, touching, color, touching_color):
        flat = mesh.positions.tolist()
        low, high = [min(p[k] for p in flat) for k in range(3)], [max(p[k] for p in flat) for k in range(3)]
        if max(map(abs, low + high)) > 1e30:
            raise ValueError(f"objects: the coordinates of {name} are too large for a picture's floats")
        middle = [0.5 * l + 0.5 * h for l, h in zip(low, high)]  # float32 keeps more digits near 0
        points = array("f", (p[k] - middle[k] for p in flat for k in range(3)))
        bounds = {"min": [min(points[k::3]) for k in range(3)], "max": [max(points[k::3]) for k in range(3)]}
        position = self.accessor(points, "VEC3", 5126, len(flat), 34962, **bounds)
        triangles, owners = mesh.triangles.tolist(), mesh.triangle_faces
        owners = range(len(triangles)) if owners is None else owners.tolist()
        primitives = []
        for wanted, material in ((False, color), (True, touching_color)):
            chosen = array("I", (v for t, face in zip(triangles, owners) if (face in touching) == wanted for v in t))
            if len(chosen):
                index = self.accessor(chosen, "SCALAR", 5125, len(chosen), 34963)
                primitives.append({"attributes": {"POSITION": position}, "indices": index, "material": material})
        self.json["meshes"].append({"primitives": primitives, "name": name})
        moved = [row[3] + sum(row[k] * middle[k] for k in range(3)) for row in matrix[:3]]
        columns = [[row[k] for row in matrix[:3]] + [0.0] for k in range(3)] + [moved + [1.0]]
        self.json["nodes"].append({"mesh": len(self.json["meshes"]) - 1, "name": name,
                                   "matrix": [x for column in columns for x in column]})
        self.json["scenes"][0]["nodes"].append(len(self.json["nodes"]) - 1)

    def finish(self):
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.json, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.data) + b"\0" * (-len(self.data) % 4)
        size = 12 + 8 + len(text) + 8 + len(data)
        return (struct.pack("<III", 0x46546C67, 2, size) + struct.pack("<II", len(text), 0x4E4F534A) + text +
                struct.pack("<II", len(data), 0x004E4942) + data)


class Show:
    """A view of meshes. A notebook shows it by itself; `save()` writes a page (.html) or a model (.glb)."""

    def __init__(self, glb):
        self.glb = glb  #: the bytes of a GLB file (glTF 2.0)

    @property
    def html(self):
        """A page that needs nothing else: drag to turn, wheel to come nearer, shift and drag to shift."""
        return _PAGE.replace("@MODEL@", base64.b64encode(self.glb).decode())

    def save(self, path):
        """Write the page or the model, by the name's end."""
        name = str(path)
        if name.lower().endswith(".glb"):
            with open(path, "wb") as file:
                file.write(self.glb)
        elif name.lower().endswith(".html"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.html)
        else:
            raise ValueError(f"path: {name} must end in .html or .glb")

    def _repr_html_(self):
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 420px; border: 0"></iframe>'

    def __repr__(self):
        return f"<libgraze.Show: {len(self.glb)} bytes; save() writes .html or .glb>"


def show(objects, result=None, *, pose=None):
    """A view of a Mesh, at `pose`; of a sequence of Meshes and of pairs (mesh, pose); or of a Scene.

    The faces that `result` lists, found with find="pairs" or more, are red.

    >>> import libgraze
    >>> a = libgraze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> view = libgraze.show([a, (a, (0.25, 0.25, 0))], libgraze.collide(a, a, pose_b=(0.25, 0.25, 0)))
    >>> view.glb[:4]
    b'glTF'
    """
    listed, numbers = _list(objects, pose)
    if not listed:
        raise ValueError("objects: there are none")
    if result is not None and not len(result.object_pairs) and len(result.pairs) and len(listed) > 2:
        raise ValueError(f"result: is about one or two meshes, {len(listed)} are shown")
    glb = _Glb()
    touching = _touching(result, numbers)
    red = glb.material(_TOUCHING)
    colours = [glb.material(color) for color in _COLORS]
    for i, ((mesh, matrix, name), faces) in enumerate(zip(listed, touching)):
        glb.add(mesh, matrix, name, faces, colours[i % len(colours)], red)
    return Show(glb.finish())


_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>graze</title>
<style>html, body, canvas { margin: 0; width: 100%; height: 100%; display: block; background: #fff } p { position: absolute;
 top: 1em; left: 1em; font: 14px sans-serif }</style></head>
<body><canvas></canvas><script>
"use strict";
const bytes = Uint8Array.from(atob("@MODEL@"), c => c.charCodeAt(0)), view = new DataView(bytes.buffer);
const textSize = view.getUint32(12, true), model = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + textSize)));
const data = bytes.buffer.slice(28 + textSize), canvas = document.querySelector("canvas");
const gl = canvas.getContext("webgl2", {antialias: true, preserveDrawingBuffer: true});
if (!gl) document.body.innerHTML = "<p>This browser has no WebGL 2.</p>"; else start();
function start() {
    const program = gl.createProgram();
    const parts = [[gl.VERTEX_SHADER, `#version 300 es
        in vec3 position; uniform mat4 toView, project; out vec3 at;
        void main() { vec4 p = toView * vec4(position, 1.0); at = p.xyz; gl_Position = project * p; }`],
        [gl.FRAGMENT_SHADER, `#version 300 es
        precision highp float; in vec3 at; uniform vec3 color; out vec4 shown;
        void main() { vec3 n = normalize(cross(dFdx(at), dFdy(at)));
            shown = vec4(color * (0.35 + 0.65 * abs(dot(n, normalize(vec3(0.3, 0.5, 1.0))))), 1.0); }`]];
    for (const [kind, text] of parts) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
    }
    gl.linkProgram(program); gl.useProgram(program); gl.enable(gl.DEPTH_TEST);
    const buffer = (accessor, target, type) => {
        const a = model.accessors[accessor], v = model.bufferViews[a.bufferView], id = gl.createBuffer();
        gl.bindBuffer(target, id); gl.bufferData(target, new type(data, v.byteOffset, v.byteLength / 4), gl.STATIC_DRAW);
        return id;
    };
    const place = gl.getAttribLocation(program, "position"), draws = [], low = [1e300, 1e300, 1e300], high = [-1e300, -1e300, -1e300];
    for (const node of model.nodes) {
        const m = node.matrix;
        for (const primitive of model.meshes[node.mesh].primitives) {
            const array = gl.createVertexArray(), p = model.accessors[primitive.attributes.POSITION];
            gl.bindVertexArray(array);
            buffer(primitive.attributes.POSITION, gl.ARRAY_BUFFER, Float32Array);
            gl.enableVertexAttribArray(place); gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
            buffer(primitive.indices, gl.ELEMENT_ARRAY_BUFFER, Uint32Array);
            draws.push({array, m, count: model.accessors[primitive.indices].count,
                color: model.materials[primitive.material].pbrMetallicRoughness.baseColorFactor.slice(0, 3)});
            for (let i = 0; i < 8; i++) {
                const c = [0, 1, 2].map(k => (i >> k & 1 ? p.max : p.min)[k]);
                for (let k = 0; k < 3; k++) {
                    const x = m[k] * c[0] + m[4 + k] * c[1] + m[8 + k] * c[2] + m[12 + k];
                    low[k] = Math.min(low[k], x); high[k] = Math.max(high[k], x);
                }
            }
        }
    }
    const middle = low.map((x, k) => (x + high[k]) / 2), size = Math.hypot(...low.map((x, k) => high[k] - x)) || 1;
    let turn = 0.6, tilt = 0.4, far = 1.1 * size, shift = [0, 0];
    function draw() {
        const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth || 300, h = canvas.clientHeight || 150;
        canvas.width = w * ratio; canvas.height = h * ratio;
        gl.viewport(0, 0, canvas.width, canvas.height);
        gl.clearColor(1, 1, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        const ct = Math.cos(turn), st = Math.sin(turn), cu = Math.cos(tilt), su = Math.sin(tilt);
        const rows = [[ct, st, 0], [-st * su, ct * su, cu], [st * cu, -ct * cu, su]]; // z is up
        const near = Math.max(far - size, far * 0.01), back = far + size, f = 2.2;
        gl.uniformMatrix4fv(gl.getUniformLocation(program, "project"), false, new Float32Array([f * Math.min(1, h / w), 0, 0, 0,
            0, f * Math.min(w / h, 1), 0, 0, 0, 0, (near + back) / (near - back), -1, 0, 0, 2 * near * back / (near - back), 0]));
        for (const d of draws) {
            const out = new Float32Array(16);
            for (let j = 0; j < 4; j++)
                for (let i = 0; i < 3; i++) {
                    let sum = j == 3 ? [shift[0], shift[1], -far][i] : 0;
                    for (let k = 0; k < 3; k++) sum += rows[i][k] * (d.m[4 * j + k] - (j == 3 ? middle[k] : 0));
                    out[4 * j + i] = sum;
                }
            out[15] = 1;
            gl.uniformMatrix4fv(gl.getUniformLocation(program, "toView"), false, out);
            gl.uniform3fv(gl.getUniformLocation(program, "color"), d.color);
            gl.bindVertexArray(d.array); gl.drawElements(gl.TRIANGLES, d.count, gl.UNSIGNED_INT, 0);
        }
    }
    canvas.onpointermove = e => {
        if (!e.buttons) return;
        if (e.shiftKey) { shift[0] += e.movementX * far / 600; shift[1] -= e.movementY * far / 600; }
        else { turn -= e.movementX / 150; tilt = Math.max(-1.57, Math.min(1.57, tilt + e.movementY / 150)); }
        draw();
    };
    canvas.onpointerdown = e => canvas.setPointerCapture(e.pointerId);
    canvas.onwheel = e => { e.preventDefault(); far *= Math.exp(e.deltaY / 600); draw(); };
    window.onresize = draw; draw();
}
</script></body></html>
"""
