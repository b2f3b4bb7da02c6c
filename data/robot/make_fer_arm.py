#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make fer_arm.urdf, and fer_arm.gltf and fer_arm_folded.gltf with the meshes of both in fer_arm.bin, from the links and the joint frames
beside them.

Usage: python3 data/robot/make_fer_arm.py [FOLDER]     FOLDER: where to write; beside this script unless given

The nodes are nested as the arm is: each link hangs in its joint's frame on the link before it. A joint's frame is
T(x, y, z) Rz(yaw) Ry(pitch) Rx(roll) of fer_kinematics.yaml, turned by the joint's angle about its z axis; joint 8 is the flange,
which does not turn and has no mesh. The hand sits on the flange, turned by -45 degrees about z, as franka_description mounts it.
Vertices of the STL files at equal positions become one; numbers stay the float32 of the files.
"""
import json
import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LINKS = ["fer_link%d" % i for i in range(8)] + ["fer_hand"]
# Limits of joints 1 to 7 as the robot's documentation has them: lower and upper (radians), velocity (radians a second), effort (Nm).
LIMITS = [
    (-2.8973, 2.8973, 2.175, 87),
    (-1.7628, 1.7628, 2.175, 87),
    (-2.8973, 2.8973, 2.175, 87),
    (-3.0718, -0.0698, 2.175, 87),
    (-2.8973, 2.8973, 2.61, 12),
    (-0.0175, 3.7525, 2.61, 12),
    (-2.8973, 2.8973, 2.61, 12),
]
# Angles of joints 1 to 7, in radians: the arm ready for work, and with its hand in its base. Both are within the joints' limits.
CONFIGURATIONS = {
    "fer_arm": (0.0, -math.pi / 4, 0.0, -3 * math.pi / 4, 0.0, math.pi / 2, math.pi / 4),
    "fer_arm_folded": (0.0, 0.4, 0.0, -2.9, 0.0, 1.8, math.pi / 4),
}


def read_stl(path):
    """A binary STL as (positions, triangles), equal positions joined in the order of the file."""
    with open(path, "rb") as file:
        data = file.read()
    (count,) = struct.unpack_from("<I", data, 80)
    number, positions, triangles = {}, [], []
    for i in range(count):
        corners = struct.unpack_from("<9f", data, 84 + 50 * i + 12)
        triangle = []
        for k in range(0, 9, 3):
            position = corners[k : k + 3]
            if position not in number:
                number[position] = len(positions)
                positions.append(position)
            triangle.append(number[position])
        triangles.append(triangle)
    return positions, triangles


def read_joints(path):
    """The joints' frames, in order: dictionaries of x, y, z, roll, pitch, yaw. As much of YAML as the file needs."""
    joints = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            key, _, value = line.split("#")[0].partition(":")
            if key.startswith("joint"):
                joints.append({})
            elif value.strip():
                joints[-1][key.strip()] = float(value)
    return joints


def turn(axis, angle):
    """The quaternion (x, y, z, w) of a turn about axis 0, 1 or 2."""
    quaternion = [0.0, 0.0, 0.0, math.cos(angle / 2)]
    quaternion[axis] = math.sin(angle / 2)
    return quaternion


def product(p, q):
    """First q, then p."""
    return [
        p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
        p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
        p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
        p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
    ]


def rounded(numbers):
    """Nine digits, as many as float32 needs, so that the last bits of a sine do not show; without negative zeros."""
    return [float("%.9g" % number) + 0.0 if abs(number) > 1e-12 else 0.0 for number in numbers]


def make_nodes(joints, angles):
    nodes = [{"name": "fer_link0", "mesh": 0}]
    for i, joint in enumerate(joints):
        rotation = product(turn(2, joint["yaw"]), product(turn(1, joint["pitch"]), turn(0, joint["roll"])))
        if i < len(angles):
            rotation = product(rotation, turn(2, angles[i]))
        node = {"name": "fer_link%d" % (i + 1)}
        node["translation"] = rounded((joint["x"], joint["y"], joint["z"]))
        node["rotation"] = rounded(rotation)
        if i + 1 < len(LINKS) - 1:
            node["mesh"] = i + 1
        nodes[-1]["children"] = [len(nodes)]
        nodes.append(node)
    nodes[-1]["children"] = [len(nodes)]
    nodes.append({"name": "fer_hand", "rotation": rounded(turn(2, -math.pi / 4)), "mesh": len(LINKS) - 1})
    return nodes


def make_meshes():
    """The glTF members for the meshes, and the bytes that they refer to."""
    data, views, accessors, meshes = b"", [], [], []

    def add(piece, target, **accessor):
        nonlocal data
        accessors.append({"bufferView": len(views), **accessor})
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(piece), "target": target})
        data += piece + b"\0" * (-len(piece) % 4)
        return len(accessors) - 1

    for link in LINKS:
        positions, triangles = read_stl(os.path.join(HERE, link + ".stl"))
        flat = [number for position in positions for number in position]
        corners = [corner for triangle in triangles for corner in triangle]
        low = [min(position[k] for position in positions) for k in range(3)]
        high = [max(position[k] for position in positions) for k in range(3)]
        place = add(struct.pack("<%df" % len(flat), *flat), 34962, componentType=5126, count=len(positions), type="VEC3", min=low, max=high)
        faces = add(struct.pack("<%dH" % len(corners), *corners), 34963, componentType=5123, count=len(corners), type="SCALAR")
        meshes.append({"name": link, "primitives": [{"attributes": {"POSITION": place}, "indices": faces}]})
    return {"meshes": meshes, "accessors": accessors, "bufferViews": views}, data


def make_urdf(joints):
    """The lines of the URDF: the frames as the kinematics have them, and for each link its mesh."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    lines.append("<!-- Made by data/robot/make_fer_arm.py. Copyright 2023 Franka Robotics GmbH. Licensed under the Apache License, Version 2.0 -->")
    lines.append('<robot name="fer_arm">')
    for name in LINKS[:-1] + ["fer_link8", LINKS[-1]]:
        if name == "fer_link8":
            lines.append('  <link name="fer_link8"/>')
            continue
        lines.append('  <link name="%s">' % name)
        lines.append('    <collision><geometry><mesh filename="%s.stl"/></geometry></collision>' % name)
        lines.append("  </link>")
    for i, joint in enumerate(joints):
        lines.append('  <joint name="fer_joint%d" type="%s">' % (i + 1, "revolute" if i < len(LIMITS) else "fixed"))
        lines.append('    <parent link="fer_link%d"/><child link="fer_link%d"/>' % (i, i + 1))
        lines.append('    <origin xyz="%r %r %r" rpy="%r %r %r"/>' % tuple(joint[key] for key in ("x", "y", "z", "roll", "pitch", "yaw")))
        if i < len(LIMITS):
            lines.append('    <axis xyz="0 0 1"/><limit lower="%r" upper="%r" velocity="%r" effort="%r"/>' % LIMITS[i])
        lines.append("  </joint>")
    lines.append('  <joint name="fer_hand_joint" type="fixed">')
    lines.append('    <parent link="fer_link8"/><child link="fer_hand"/>')
    lines.append('    <origin xyz="0.0 0.0 0.0" rpy="0.0 0.0 %r"/>' % (-math.pi / 4))
    lines.append("  </joint>")
    lines.append("</robot>")
    return lines


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    joints = read_joints(os.path.join(HERE, "fer_kinematics.yaml"))
    meshes, data = make_meshes()
    with open(os.path.join(folder, "fer_arm.bin"), "wb") as file:
        file.write(data)
    with open(os.path.join(folder, "fer_arm.urdf"), "w", encoding="ascii", newline="\n") as file:
        file.write("\n".join(make_urdf(joints)) + "\n")
    for name, angles in CONFIGURATIONS.items():
        asset = {
            "version": "2.0",
            "generator": "data/robot/make_fer_arm.py",
            "copyright": "Copyright 2023 Franka Robotics GmbH. Licensed under the Apache License, Version 2.0",
            "extras": {"joint_angles": rounded(angles)},
        }
        document = {
            "asset": asset,
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": make_nodes(joints, angles),
            **meshes,
            "buffers": [{"byteLength": len(data), "uri": "fer_arm.bin"}],
        }
        with open(os.path.join(folder, name + ".gltf"), "w", encoding="ascii", newline="\n") as file:
            lines = ",\n".join(
                '"%s": %s' % (key, "[\n%s\n]" % ",\n".join(json.dumps(v) for v in value) if isinstance(value, list) else json.dumps(value))
                for key, value in document.items()
            )
            file.write("{\n%s\n}\n" % lines)


if __name__ == "__main__":
    main()
