# SPDX-License-Identifier: MIT
"""Robots: URDF and SRDF, places of links, scenes of collision shapes."""

import difflib
import fnmatch
import math
import os
from dataclasses import dataclass
from typing import Optional, Tuple

from . import _graze
from ._models import free_name


@dataclass(frozen=True)
class Link:
    """A rigid part of a robot."""

    name: str
    joint: Optional[str]  #: the joint above it; None: it is the root


@dataclass(frozen=True)
class Joint:
    """Joins a link to the link above it."""

    name: str
    kind: str  #: "fixed", "revolute", "continuous", "prismatic", "floating", "planar" or "spherical"
    parent: str  #: the link above
    child: str  #: the link that it moves
    axis: Tuple[float, float, float]  #: of length 1 where the joint moves
    limits: Optional[Tuple[float, float]]  #: radians, metres if prismatic; None: there are none
    follows: Optional[str]  #: the joint whose value is multiplied by `multiplier`, with `offset` added; None
    multiplier: float
    offset: float

    @property
    def moves(self):
        """Whether it takes a value: it is no fixed, floating, planar or spherical joint, and follows none."""
        return self.follows is None and self.kind in ("revolute", "continuous", "prismatic")


@dataclass(frozen=True)
class Collision:
    """A collision shape of a link."""

    name: str  #: of its object in a scene: LINK, or LINK/NAME where the link has several; none has it twice
    link: str
    kind: str  #: "mesh", "box", "sphere", "cylinder" or "capsule"
    size: Tuple[float, ...]  #: the scale of a mesh; edges of a box; radius; radius and length
    mesh: Optional[str]  #: as the file names it; None for the other shapes


class Robot:
    """A robot from a file of URDF: metres, z up, angles in radians.

    >>> import libgraze
    >>> arm = libgraze.Robot("data/robot/fer_arm.urdf")
    >>> len(arm.links), [joint.name for joint in arm.joints if joint.moves][:2]
    (10, ['fer_joint1', 'fer_joint2'])
    >>> scene = arm.scene({"fer_joint4": -0.0698}, allow_adjacent=True)
    >>> bool(scene.collide())
    False
    >>> arm.move(scene, {"fer_joint2": 0.4, "fer_joint4": -2.9, "fer_joint6": 1.8, "fer_joint7": 0.785})
    >>> bool(scene.collide())
    True

    `packages`: {"NAME": folder} for meshes at package://NAME/…; without one, a folder of that name is looked for near
    the robot's file. `srdf`: a file of SRDF, whose pairs no scene tests.
    """

    def __init__(self, path, *, packages=None, srdf=None):
        self.path = os.fspath(path)
        self._packages = [(name, os.fsencode(folder)) for name, folder in (packages or {}).items()]
        self._robot, self.name, links, joints, collisions, notes = _graze._read_robot(path)
        names = [link[0] for link in links]
        joint_names = [joint[0] for joint in joints]
        self.links = tuple(Link(name, None if joint is None else joint_names[joint]) for name, joint in links)
        self.joints = tuple(self._joint(joint, names, joint_names) for joint in joints)
        counts = [sum(1 for shape in collisions if shape[1] == link) for link in range(len(links))]
        taken = set()
        self.collisions = tuple(self._collision(shape, names, counts, taken) for shape in collisions)
        self.notes = tuple(notes) + tuple(
            f"joint {joint.name} stands at 0, beyond its limits, unless it is given a value" for joint in self.joints
            if joint.moves and joint.follows is None and joint.limits is not None
            and not joint.limits[0] <= 0.0 <= joint.limits[1])
        self._lines = [shape[6] for shape in collisions]
        self._numbers = {joint.name: number for number, joint in enumerate(self.joints)}
        self._meshes = None
        self._disabled = self._read_srdf(srdf) if srdf is not None else []

    @staticmethod
    def _joint(joint, links, joints):
        name, kind, parent, child, axis, limits, mimic = joint
        leader, multiplier, offset = mimic if mimic is not None else (None, 1.0, 0.0)
        follows = joints[leader] if leader is not None else None
        return Joint(name, kind, links[parent], links[child], axis, limits, follows, multiplier, offset)

    @staticmethod
    def _collision(shape, links, counts, taken):
        name, link, number, kind, size, mesh, _ = shape
        own = links[link] if counts[link] == 1 else f"{links[link]}/{name or number}"
        own = free_name(taken, own)
        taken.add(own)
        return Collision(own, links[link], kind, size, mesh)

    # A link and itself is no pair; else what no link is called may be a glob, as with `graze scene --allow`.
    def _read_srdf(self, path):
        known = {link.name: None for link in self.links}
        pairs = set()
        name, rules = _graze._read_srdf(path)
        other = bool(name and self.name) and name != self.name
        for a, b, _, line in rules:
            found = []
            for link in (a, b):
                found.append([link] if link in known else [one for one in known if fnmatch.fnmatchcase(one, link)])
                if not found[-1]:
                    whose = f"; the file is for a robot called {name}, not for {self.name}" if other else ""
                    raise ValueError(f"{path}: line {line}: {_unknown('link', link, known)}{whose}")
            pairs.update((one, two) for one in found[0] for two in found[1] if one != two)
        if other:
            self.notes += (f"{path}: it is for a robot called {name}, and that of {self.path} is called {self.name}: "
                           "is it the right file?",)
        return sorted(pairs)

    def __repr__(self):
        return f"<libgraze.Robot {self.name!r}: {len(self.links)} links, {len(self.joints)} joints>"

    # Values of all joints, from those that are given.
    def _values(self, given, limits):
        values = [0.0] * len(self.joints)
        for name, value in (given or {}).items():
            if name not in self._numbers:
                raise KeyError(_unknown("joint", name, self._numbers))
            joint, value = self.joints[self._numbers[name]], float(value)
            if not math.isfinite(value):
                raise ValueError(f"joint {name}: {value} is not finite")
            if joint.follows is not None:
                raise ValueError(f"joint {name}: it follows joint {joint.follows}")
            if not joint.moves:
                raise ValueError(f"joint {name}: a {joint.kind} joint stays at zero")
            if limits:
                _check_limits(joint, value)
            values[self._numbers[name]] = value
        return values

    # Values, poses of links, poses of collisions. Followers of a joint that was given keep their own limits.
    def _place(self, given, limits):
        values, links, shapes = _graze._place_robot(self._robot, self._values(given, limits))
        for joint, value in zip(self.joints, values):
            leader = joint
            while leader.follows is not None:
                leader = self.joints[self._numbers[leader.follows]]
            if limits and leader is not joint and leader.name in (given or {}):
                _check_limits(joint, value)
        return values, links, shapes

    def place(self, values=None, *, limits=True):
        """Where each link is in the frame of the root: {link: four rows of four numbers}.

        `values`: {joint: radians, or metres if prismatic}; joints that are not named are at 0. A value beyond a joint's
        limits is a ValueError, unless `limits` is False.
        """
        _, links, _ = self._place(values, limits)
        return {link.name: pose for link, pose in zip(self.links, links)}

    def find_mesh(self, name):
        """The path of a mesh that the robot's file names: at package://, file://, or beside the robot's file."""
        try:
            path, _ = _graze._find_mesh(os.fsencode(self.path), name, self._packages)
        except _graze.FileError as error:
            raise _graze.FileError(f"{error}: give packages={{NAME: folder}}") from None
        return os.fsdecode(path)

    # The meshes of all collisions, read once.
    def _load_meshes(self):
        if self._meshes is not None:
            return self._meshes
        files, meshes, told = {}, [], []
        for number, shape in enumerate(self.collisions):
            if shape.kind != "mesh":
                meshes.append(_graze._shape_mesh(self._robot, number))
                continue
            path = self.find_mesh(shape.mesh)
            if path not in files:
                files[path] = _graze._load_robot_mesh(path)
            meshes.append(files[path][0])
            told.append((number, *files[path][1:]))
        for number, unit, other_up, collada in told:
            self._apply_unit(number, unit, other_up, collada)
        self._meshes = meshes
        return meshes

    # The unit that a COLLADA file declares counts in a robot, as ROS has it, and that of others does not; nor does any up
    # axis.
    def _apply_unit(self, number, unit, other_up, collada):
        shape, other = self.collisions[number], unit not in (0.0, 1.0)
        if other and collada:
            _graze._scale_shape(self._robot, number, unit)
        if other or other_up:
            counts = "is applied" if collada else "does not count: its numbers are metres, times the scale"
            said = "is COLLADA" if collada else "is not COLLADA"
            said += f"; its unit of {unit!r} m {counts}" if other else ""
            said += "; its up axis is not z and is not turned" if other_up else ""
            self.notes += (f"line {self._lines[number]}: link {shape.link}: {shape.mesh} {said}",)

    def scene(self, values=None, *, allow_adjacent=False, limits=True):
        """A new Scene with an object for each collision shape, called by Collision.name, at the links' places.

        Shapes of one link are not tested against each other, nor links that the SRDF names. With `allow_adjacent`
        neither are links that a joint joins, and what touches while all joints are at 0, as `graze scene
        --allow-adjacent` has it. Spheres, cylinders and capsules are facets around them, up to 0.26 % wider.
        """
        if not self.collisions:
            raise ValueError(f"{self.path}: no link has collision geometry")
        meshes = self._load_meshes()
        _, _, places = self._place(values, limits)
        _, _, at_zero = self._place(None, False)
        scene = _graze.Scene()
        for shape, mesh, pose in zip(self.collisions, meshes, at_zero):
            scene.add(mesh, pose, name=shape.name)
        self._ignore(scene, allow_adjacent)
        if allow_adjacent:
            for a, b in scene.collide(find="touch").object_pairs.tolist():
                scene.ignore(a, b)
        for shape, pose in zip(self.collisions, places):
            scene.set_pose(shape.name, pose)
        return scene

    def _ignore(self, scene, adjacent):
        of_link = {link.name: [] for link in self.links}
        for shape in self.collisions:
            of_link[shape.link].append(shape.name)
        pairs = [(link.name, link.name) for link in self.links] + self._disabled
        if adjacent:
            pairs += [(joint.parent, joint.child) for joint in self.joints]
        for a, b in pairs:
            for one in of_link[a]:
                for other in of_link[b]:
                    if one != other:
                        scene.ignore(one, other)

    def move(self, scene, values=None, *, limits=True):
        """Move the shapes of this robot in a scene that scene() made to where other values have them."""
        self._load_meshes()
        _, _, places = self._place(values, limits)
        for shape, pose in zip(self.collisions, places):
            scene.set_pose(shape.name, pose)


def _unknown(what, name, known):
    near = difflib.get_close_matches(name, list(known), 1)
    return f"no {what} is called {name}" + (f"; did you mean {near[0]}?" if near else "")


def _check_limits(joint, value):
    if joint.limits is not None and not joint.limits[0] <= value <= joint.limits[1]:
        unit = "m" if joint.kind == "prismatic" else "rad"
        lower, upper = joint.limits
        raise ValueError(f"joint {joint.name}: {value} is beyond its limits, {lower} to {upper} {unit}")
