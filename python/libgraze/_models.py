# SPDX-License-Identifier: MIT
"""Files part by part: what load_model() gives."""

from dataclasses import dataclass
from typing import Optional, Tuple

from . import _graze


@dataclass(frozen=True)
class Part:
    """A part of a model: a mesh at a pose."""

    name: Optional[str]  #: as the file has it; None where the file has no parts. Names may repeat
    mesh: "_graze.Mesh"  #: parts that show the same mesh share it
    pose: Tuple[Tuple[float, ...], ...]  #: four rows of four numbers, from the mesh to the file's world


@dataclass(frozen=True)
class Model:
    """What a file holds, in the file's own coordinates."""

    format: str  #: "glTF"
    unit_in_metres: Optional[float]  #: what 1 in the file is; None where neither the file nor its format tells
    up: Optional[str]  #: the axis that points up: "x", "y" or "z"; None where it is not known
    notes: Tuple[str, ...]  #: what was skipped or read in an unusual way
    parts: Tuple[Part, ...]  #: in the order of the file

    def scene(self):
        """A new Scene with an object for each part, called by its name; of equal names the second is "NAME (2)"."""
        scene = _graze.Scene()
        for part in self.parts:
            scene.add(part.mesh, part.pose, name=free_name(scene, part.name) if part.name is not None else None)
        return scene


def free_name(scene, name):
    """`name`, or where a scene has it already "NAME (2)", "NAME (3)", …"""
    tried, number = name, 1
    while tried in scene:
        number += 1
        tried = f"{name} ({number})"
    return tried


def load_model(path):
    """Read a file part by part: glTF with its nodes, OBJ with its groups, STL with its solids.

    A mesh that a file shows at several places is one Mesh. load() gives all of a file as one mesh.

    >>> import libgraze
    >>> arm = libgraze.load_model("data/robot/fer_arm.gltf")
    >>> arm.format, arm.unit_in_metres, arm.up, len(arm.parts)
    ('glTF', 1.0, 'y', 9)
    >>> arm.scene().objects[-1]
    'fer_hand'
    """
    format, unit, up, notes, parts = _graze._load_model(path)
    return Model(format, unit, up, tuple(notes), tuple(Part(*part) for part in parts))
