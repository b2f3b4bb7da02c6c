# SPDX-License-Identifier: MIT
"""A CollisionManager for trimesh, with the calls of trimesh.collision.CollisionManager.

Answers are exact. What lies inside another object collides, too. A distance below 0 is minus the penetration depth of
two closed meshes (an upper bound where the exact depth is not known); of open ones it is 0.
"""

import numpy as np

import libgraze

__all__ = ["CollisionManager", "ContactData", "DistanceData"]


class ContactData:
    """A point where two objects touch."""

    def __init__(self, names, faces, point, normal, depth):
        self.names = set(names)
        self._depth = depth
        self._faces = dict(zip(names, faces))
        self._point = point
        self._normal = normal

    @property
    def normal(self):
        """Of length 1: which way to move the first object (the one that was added first; in_collision_single()'s guest is the
        last) to free it there."""
        return self._normal

    @property
    def point(self):
        return self._point

    @property
    def depth(self):
        """How far the two objects must move to part (all contacts of two objects have the same depth). Measured when it is
        asked for first. 0 if they only touch, or if one is not closed."""
        return self._depth()

    def index(self, name):
        """The face of the object with this name."""
        return self._faces[name]


class DistanceData:
    """The nearest points of two objects."""

    def __init__(self, names, distance, faces, points):
        self.names = set(names)
        self._distance = distance
        self._faces = dict(zip(names, faces))
        self._points = dict(zip(names, points))

    @property
    def distance(self):
        return self._distance

    def index(self, name):
        """The nearest face of the object with this name."""
        return self._faces[name]

    def point(self, name):
        """The nearest point of the object with this name, in world coordinates."""
        return self._points[name]


class _Depth:
    """The penetration of two objects, measured at most once."""

    def __init__(self, a, b):
        self._given = (a.mesh, b.mesh, a.pose, b.pose)
        self._value = None

    def __call__(self):
        if self._value is None:
            a, b, pose_a, pose_b = self._given
            found = libgraze.penetration(a, b, pose_a=pose_a, pose_b=pose_b)
            self._value = found.depth if found.certainty != "undecided" else 0.0
        return self._value


class _Object:
    def __init__(self, name, mesh, pose):
        self.name = name
        self.mesh = mesh
        self.pose = pose
        self.number = None
        self.corners = None  # of the box around the vertices, in the mesh's coordinates

    def box(self):
        """A box that holds the object, rounded outwards."""
        corners = self.corners @ self.pose[:3, :3].T + self.pose[:3, 3]
        low, high = corners.min(axis=0), corners.max(axis=0)
        slack = 1e-12 * np.maximum(np.abs(low), np.abs(high)).max()
        return low - slack, high + slack


def _pose(transform):
    pose = np.eye(4) if transform is None else np.array(transform, dtype=np.float64)  # a copy: the caller may change theirs
    if pose.shape != (4, 4):
        raise ValueError(f"transform: an array of shape {pose.shape}, must be (4, 4)")
    return pose


def _box_distance(a, b):
    """No points of two boxes are nearer."""
    gap = np.maximum(np.maximum(a[0] - b[1], b[0] - a[1]), 0.0)
    return float(np.linalg.norm(gap)) * (1.0 - 1e-12)


class CollisionManager:
    """Objects with names, and which of them collide."""

    def __init__(self):
        self._objs = {}
        self._scene = libgraze.Scene()
        self._by_number = {}
        self._meshes = {}

    def _mesh_of(self, mesh):
        """Graze's mesh of a trimesh, made once while the trimesh does not change."""
        key = (id(mesh), mesh.vertices.shape, mesh.faces.shape, hash(mesh))
        if key not in self._meshes:
            corners = np.array(np.meshgrid(*np.asarray(mesh.bounds).T, indexing="ij")).reshape(3, 8).T
            made = libgraze.Mesh(np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces))
            self._meshes[key] = (made, corners, mesh)  # the trimesh is kept, so that its id stays its own
        return self._meshes[key][:2]

    def _forget_meshes(self):
        """Keep the meshes of objects and of a few guests: the oldest others go."""
        used = {id(o.mesh) for o in self._objs.values()}
        spare = [key for key, kept in self._meshes.items() if id(kept[0]) not in used]
        for key in spare[:-8]:
            del self._meshes[key]

    def _make(self, name, mesh, transform):
        if len(self._meshes) > len(self._objs) + 16:
            self._forget_meshes()
        made, corners = self._mesh_of(mesh)
        new = _Object(name, made, _pose(transform))
        new.corners = corners
        return new

    def add_object(self, name, mesh, transform=None):
        """Add an object, or replace the one with this name."""
        new = self._make(name, mesh, transform)
        if name in self._objs:
            self.remove_object(name)
        new.number = self._scene.add(new.mesh, new.pose)
        self._by_number[new.number] = new
        self._objs[name] = new

    def _get(self, name):
        if name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        return self._objs[name]

    def remove_object(self, name):
        old = self._get(name)
        self._scene.remove(old.number)
        del self._by_number[old.number]
        del self._objs[name]

    def set_transform(self, name, transform):
        moved = self._get(name)
        moved.pose = _pose(transform)
        self._scene.set_pose(moved.number, moved.pose)

    def _ask(self, reference, return_names, return_data):
        """The pairs of objects that collide, and their contacts."""
        find = "contacts" if return_data else "any"
        result = self._scene.collide(find=find, reference=reference)
        pairs = [(self._by_number[a], self._by_number[b]) for a, b in np.asarray(result.object_pairs).tolist()]
        relations = np.asarray(result.object_relations)
        met = [i for i in range(len(pairs)) if relations[i] != 0]
        contacts = []
        if return_data:
            first, count = np.asarray(result.object_first_contacts), np.asarray(result.object_contact_counts)
            faces, rows = np.asarray(result.pairs), np.asarray(result.contact_pairs)
            points, starts = np.asarray(result.contact_points), np.asarray(result.contact_first_points)
            sizes, normals = np.asarray(result.contact_point_counts), np.asarray(result.contact_normals)
            for i in met:
                names = (pairs[i][0].name, pairs[i][1].name)
                depth = _Depth(*pairs[i])
                for c in range(int(first[i]), int(first[i] + count[i])):
                    start = int(starts[c])
                    middle = points[start : start + int(sizes[c])].mean(axis=0)
                    contacts.append(ContactData(names, faces[int(rows[c])].tolist(), middle, normals[c].copy(), depth))
        return [pairs[i] for i in met], contacts

    @staticmethod
    def _answer(found, names, data, return_names, return_data):
        answer = (found,)
        if return_names:
            answer += (names,)
        if return_data:
            answer += (data,)
        return answer if len(answer) > 1 else found

    def in_collision_single(self, mesh, transform=None, return_names=False, return_data=False):
        """Whether a mesh collides with any object; the objects' names; contacts, in which it has the name "__external"."""
        guest = self._make("__external", mesh, transform)
        guest.number = self._scene.add(guest.mesh, guest.pose)
        self._by_number[guest.number] = guest
        try:
            pairs, data = self._ask(guest.number, return_names, return_data)
        finally:
            self._scene.remove(guest.number)
            del self._by_number[guest.number]
        names = {(b if a is guest else a).name for a, b in pairs}
        return self._answer(bool(pairs), names, data, return_names, return_data)

    def in_collision_internal(self, return_names=False, return_data=False):
        """Whether any two objects collide; pairs of their names."""
        pairs, data = self._ask(None, return_names, return_data)
        names = {tuple(sorted((a.name, b.name))) for a, b in pairs}
        return self._answer(bool(pairs), names, data, return_names, return_data)

    def in_collision_other(self, other_manager, return_names=False, return_data=False):
        """Whether any object collides with one of another manager; pairs of names, this manager's first."""
        names, data = set(), []
        for theirs in other_manager._objs.values():
            number = self._scene.add(theirs.mesh, theirs.pose)
            self._by_number[number] = theirs
            try:
                pairs, contacts = self._ask(number, return_names, return_data)
            finally:
                self._scene.remove(number)
                del self._by_number[number]
            names |= {((b if a is theirs else a).name, theirs.name) for a, b in pairs}
            data += contacts
            if names and not return_names and not return_data:
                break
        return self._answer(bool(names), names, data, return_names, return_data)

    @staticmethod
    def _measure(a, b):
        found = libgraze.distance(a.mesh, b.mesh, pose_a=a.pose, pose_b=b.pose)
        distance = found.distance
        if found.touching or libgraze.collide(a.mesh, b.mesh, pose_a=a.pose, pose_b=b.pose, find="any"):
            depth = libgraze.penetration(a.mesh, b.mesh, pose_a=a.pose, pose_b=b.pose)
            distance = -depth.depth if depth.certainty != "undecided" else 0.0
        names = (a.name, b.name)
        return distance, names, DistanceData(names, distance, found.faces, [np.array(found.point_a), np.array(found.point_b)])

    def _nearest(self, couples):
        """The nearest of some couples of objects, or the deepest of those that overlap: those whose boxes are nearest first."""
        boxes = {id(o): o.box() for couple in couples for o in couple}
        bounds = [_box_distance(boxes[id(a)], boxes[id(b)]) for a, b in couples]
        best = (np.inf, None, None)
        for i in np.argsort(bounds, kind="stable"):
            if bounds[i] > max(best[0], 0.0):  # where boxes overlap any depth is possible
                break
            found = self._measure(*couples[i])
            if found[0] < best[0]:
                best = found
        return best

    def min_distance_single(self, mesh, transform=None, return_name=False, return_data=False):
        """The distance from a mesh to the nearest object, whose name it is."""
        guest = self._make("__external", mesh, transform)
        distance, names, data = self._nearest([(o, guest) for o in self._objs.values()])
        return self._answer(distance, names[0] if names else None, data, return_name, return_data)

    def min_distance_internal(self, name=None, return_names=False, return_data=False):
        """The distance of the two objects that are nearest to each other; with `name`, of that object and another."""
        objects = list(self._objs.values())
        if name is not None:
            one = self._get(name)
            couples = [(one, o) for o in objects if o is not one]
        else:
            couples = [(a, b) for i, a in enumerate(objects) for b in objects[i + 1 :]]
        distance, names, data = self._nearest(couples)
        return self._answer(distance, tuple(sorted(names)) if names else None, data, return_names, return_data)

    def min_distance_other(self, other_manager, return_names=False, return_data=False):
        """The distance of the nearest objects of two managers; their names, this manager's first."""
        couples = [(a, b) for a in self._objs.values() for b in other_manager._objs.values()]
        distance, names, data = self._nearest(couples)
        return self._answer(distance, names, data, return_names, return_data)
