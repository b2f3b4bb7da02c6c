# SPDX-License-Identifier: MIT
from typing_extensions import Buffer
from os import PathLike
from typing import Any, List, Literal, Optional, Sequence, Tuple, Union, final, overload

from ._contacts import Contact, Curve
from ._shapes import Shape

_Rows = Union[Buffer, Sequence[Sequence[float]]]
_Faces = Union[Buffer, Sequence[Sequence[int]]]
_Pose = Union[None, Buffer, Sequence[float], Sequence[Sequence[float]]]
_Poses = Union[Buffer, Sequence[_Pose]]
_Objects = Union["Mesh", "Scene", Sequence[Union["Mesh", Tuple["Mesh", _Pose]]]]
_Vector = Union[Buffer, Sequence[float]]
_Box = Union[Buffer, Sequence[float], Sequence[Sequence[float]]]
_Find = Literal["any", "touch", "pairs", "contacts", "curves", "solids"]
_Rule = Literal["even_odd", "nonzero"]

__version__: str

class Error(Exception):
    status: str
    element: Optional[int]

class InvalidArgument(Error, ValueError): ...
class OutOfMemory(Error, MemoryError): ...
class InvalidMesh(Error, ValueError): ...
class InvalidPose(Error, ValueError): ...
class TooManyPairs(Error, RuntimeError): ...
class Unsupported(Error, RuntimeError): ...
class DeviceError(Error, OSError): ...
class DeviceBusy(Error, RuntimeError): ...
class Cancelled(Error, RuntimeError): ...
class DeadlineExceeded(Error, TimeoutError): ...
class FileError(Error, OSError): ...
class FormatError(Error, ValueError): ...

@final
class Mesh:
    def __new__(cls, vertices: _Rows, faces: Optional[_Faces] = None) -> Mesh: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def face_count(self) -> int: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def is_balanced(self) -> bool: ...
    @property
    def positions(self) -> Any: ...
    @positions.setter
    def positions(self, value: _Rows) -> None: ...
    @property
    def triangles(self) -> memoryview: ...
    @property
    def triangle_faces(self) -> Optional[memoryview]: ...
    def __reduce__(self) -> Tuple[Any, ...]: ...

@final
class Result:
    def __bool__(self) -> bool: ...
    @property
    def relation(self) -> str: ...
    @property
    def colliding(self) -> bool: ...
    @property
    def certainty(self) -> str: ...
    @property
    def containment(self) -> str: ...
    @property
    def solids(self) -> str: ...
    @property
    def reason(self) -> Optional[str]: ...
    @property
    def solids_reason(self) -> Optional[str]: ...
    @property
    def method(self) -> str: ...
    @property
    def clearance(self) -> str: ...
    @property
    def pair_count(self) -> int: ...
    @property
    def kinds(self) -> dict[str, int]: ...
    @property
    def pairs(self) -> memoryview: ...
    @property
    def pair_kinds(self) -> memoryview: ...
    @property
    def contacts(self) -> Tuple[Contact, ...]: ...
    @property
    def contact_points(self) -> memoryview: ...
    @property
    def contact_normals(self) -> memoryview: ...
    @property
    def contact_first_points(self) -> memoryview: ...
    @property
    def contact_point_counts(self) -> memoryview: ...
    @property
    def contact_pairs(self) -> memoryview: ...
    @property
    def contact_kinds(self) -> memoryview: ...
    @property
    def contact_features(self) -> memoryview: ...
    @property
    def curves(self) -> Tuple[Curve, ...]: ...
    @property
    def curve_points(self) -> memoryview: ...
    @property
    def curve_first_points(self) -> memoryview: ...
    @property
    def curve_point_counts(self) -> memoryview: ...
    @property
    def curve_closed(self) -> memoryview: ...
    @property
    def near_pairs(self) -> memoryview: ...
    @property
    def region(self) -> Optional[Tuple[Tuple[float, float, float], Tuple[float, float, float]]]: ...
    def picture(
        self,
        *,
        width: int = 1200,
        height: int = 900,
        direction: Optional[_Vector] = None,
        up: Optional[_Vector] = None,
        region: Optional[_Box] = None,
        whole: bool = False,
        names: Optional[Sequence[Optional[str]]] = None,
        title: Optional[str] = None,
        caption: Optional[str] = None,
        legend: bool = True,
        inset: bool = True,
        colours: Optional[_Faces] = None,
        touch_colours: Optional[_Faces] = None,
    ) -> Picture: ...
    @property
    def object_pairs(self) -> memoryview: ...
    @property
    def object_names(self) -> List[Tuple[Union[int, str], Union[int, str]]]: ...
    @property
    def object_relations(self) -> memoryview: ...
    @property
    def object_pair_counts(self) -> memoryview: ...
    @property
    def object_first_pairs(self) -> memoryview: ...
    @property
    def object_first_contacts(self) -> memoryview: ...
    @property
    def object_contact_counts(self) -> memoryview: ...
    @property
    def object_solids(self) -> memoryview: ...
    def show(self) -> Any: ...

@final
class PoseResults:
    def __len__(self) -> int: ...
    @property
    def colliding(self) -> memoryview: ...
    @property
    def relations(self) -> memoryview: ...
    @property
    def certainties(self) -> memoryview: ...
    @property
    def pair_counts(self) -> memoryview: ...
    @property
    def clearances(self) -> memoryview: ...

@final
class Scene:
    def __new__(cls) -> Scene: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    @property
    def objects(self) -> List[Union[int, str]]: ...
    @overload
    def add(self, mesh: Mesh, pose: _Pose = None, name: None = None) -> int: ...
    @overload
    def add(self, mesh: Mesh, pose: _Pose = None, name: str = ...) -> str: ...
    def remove(self, object: Union[int, str], /) -> None: ...
    def set_pose(self, object: Union[int, str], pose: _Pose) -> None: ...
    def ignore(self, a: Union[int, str], b: Union[int, str], ignored: bool = True) -> None: ...
    def mesh(self, object: Union[int, str], /) -> Mesh: ...
    def number(self, object: Union[int, str], /) -> int: ...
    def pose(self, object: Union[int, str], /) -> Tuple[Tuple[float, ...], ...]: ...
    def collide(
        self,
        *,
        find: _Find = "any",
        method: Optional[str] = None,
        clearance: float = 0.0,
        deadline: float = 0.0,
        reference: Union[int, str, None] = None,
    ) -> Result: ...

@final
class View: ...

@final
class RayHits:
    def __len__(self) -> int: ...
    @property
    def rays(self) -> memoryview: ...
    @property
    def t(self) -> memoryview: ...
    @property
    def lower(self) -> memoryview: ...
    @property
    def upper(self) -> memoryview: ...
    @property
    def distances(self) -> memoryview: ...
    @property
    def points(self) -> memoryview: ...
    @property
    def normals(self) -> memoryview: ...
    @property
    def objects(self) -> memoryview: ...
    @property
    def faces(self) -> memoryview: ...
    @property
    def features(self) -> memoryview: ...
    @property
    def sides(self) -> memoryview: ...

@final
class PointDistances:
    def __len__(self) -> int: ...
    @property
    def distances(self) -> memoryview: ...
    @property
    def signed_distances(self) -> memoryview: ...
    @property
    def lower(self) -> memoryview: ...
    @property
    def upper(self) -> memoryview: ...
    @property
    def locations(self) -> memoryview: ...
    @property
    def points(self) -> memoryview: ...
    @property
    def faces(self) -> memoryview: ...
    @property
    def features(self) -> memoryview: ...

@final
class Moves:
    def __len__(self) -> int: ...
    @property
    def has_contact(self) -> memoryview: ...
    @property
    def first_contact(self) -> memoryview: ...
    @property
    def lower(self) -> memoryview: ...
    @property
    def upper(self) -> memoryview: ...
    @property
    def certainties(self) -> memoryview: ...
    @property
    def started_touching(self) -> memoryview: ...
    @property
    def started_inside(self) -> memoryview: ...
    @property
    def faces(self) -> memoryview: ...
    @property
    def features_a(self) -> memoryview: ...
    @property
    def features_b(self) -> memoryview: ...
    @property
    def normals(self) -> memoryview: ...
    @property
    def points(self) -> memoryview: ...
    @property
    def ties(self) -> memoryview: ...

@final
class ContactIntervals:
    def __len__(self) -> int: ...
    @property
    def enter(self) -> memoryview: ...
    @property
    def leave(self) -> memoryview: ...
    @property
    def enter_bounds(self) -> memoryview: ...
    @property
    def leave_bounds(self) -> memoryview: ...
    @property
    def enter_faces(self) -> memoryview: ...
    @property
    def leave_faces(self) -> memoryview: ...

@final
class Picture:
    @property
    def pixels(self) -> memoryview: ...
    @property
    def rgb(self) -> memoryview: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def to_pixels(self) -> Tuple[Tuple[float, ...], ...]: ...
    @property
    def direction(self) -> Tuple[float, float, float]: ...
    @property
    def visible(self) -> float: ...
    def save(self, path: Union[str, bytes, PathLike[Any]], /) -> None: ...

@final
class Distances:
    def __len__(self) -> int: ...
    @property
    def distances(self) -> memoryview: ...
    @property
    def lower(self) -> memoryview: ...
    @property
    def upper(self) -> memoryview: ...
    @property
    def certainties(self) -> memoryview: ...
    @property
    def touching(self) -> memoryview: ...
    @property
    def faces(self) -> memoryview: ...
    @property
    def features_a(self) -> memoryview: ...
    @property
    def features_b(self) -> memoryview: ...
    @property
    def points_a(self) -> memoryview: ...
    @property
    def points_b(self) -> memoryview: ...
    @property
    def ties(self) -> memoryview: ...

@final
class ShapeAnswers:
    def __len__(self) -> int: ...
    @property
    def relations(self) -> memoryview: ...
    @property
    def distances(self) -> memoryview: ...
    @property
    def lower(self) -> memoryview: ...
    @property
    def upper(self) -> memoryview: ...
    @property
    def points_a(self) -> memoryview: ...
    @property
    def points_b(self) -> memoryview: ...
    @property
    def depths(self) -> memoryview: ...
    @property
    def depth_lower(self) -> memoryview: ...
    @property
    def depth_upper(self) -> memoryview: ...
    @property
    def directions(self) -> memoryview: ...

def compare(
    a: Shape, b: Shape, *, exact_distance: bool = False, depth: bool = True, deadline: float = 0.0
) -> dict[str, Any]: ...
def compare_many(
    shapes: Sequence[Shape],
    pairs: Union[Buffer, Sequence[Sequence[int]]],
    *,
    exact_distance: bool = False,
    depth: bool = True,
    deadline: float = 0.0,
) -> ShapeAnswers: ...
def shape_manifold(
    a: Shape, b: Shape, *, face_angle: float = 0.1
) -> Tuple[
    dict[str, Any], List[Tuple[Tuple[float, ...], Tuple[float, ...], float, Tuple[int, ...], Tuple[int, ...]]]
]: ...
def compare_mesh(
    shape: Shape, mesh: Mesh, *, pose: _Pose = None, exact_distance: bool = False, deadline: float = 0.0
) -> dict[str, Any]: ...
def faces_touched(shape: Shape, mesh: Mesh, *, pose: _Pose = None, deadline: float = 0.0) -> memoryview: ...
def hull(of: Union[Mesh, _Rows], *, deadline: float = 0.0) -> Mesh: ...
def _hull_corners(of: Union[Mesh, _Rows], /) -> memoryview: ...
def is_convex(mesh: Mesh, /) -> dict[str, Any]: ...
def fit(mesh: Mesh, *, deadline: float = 0.0) -> dict[str, Any]: ...
def convex_parts(
    mesh: Mesh, *, max_parts: int = 10000, deadline: float = 0.0
) -> Tuple[List[Tuple[Mesh, float, float]], float]: ...
def convex_cover(
    mesh: Mesh, *, error: float = 0.0, max_parts: int = 64, deadline: float = 0.0
) -> Tuple[List[Tuple[Mesh, float, float]], float]: ...
def collide(
    a: Mesh,
    b: Mesh,
    *,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    find: _Find = "pairs",
    method: Optional[str] = None,
    clearance: float = 0.0,
    deadline: float = 0.0,
    inside_rule: _Rule = "even_odd",
) -> Result: ...
def collide_poses(
    a: Mesh,
    b: Mesh,
    poses: _Poses,
    *,
    pose_a: _Pose = None,
    find: _Find = "any",
    method: Optional[str] = None,
    clearance: float = 0.0,
    deadline: float = 0.0,
) -> PoseResults: ...
def self_collide(
    mesh: Mesh, *, find: _Find = "pairs", method: Optional[str] = None, deadline: float = 0.0
) -> Result: ...
def distance(
    a: Mesh,
    b: Mesh,
    *,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    relative_error: float = 0.0,
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def penetration(
    a: Mesh,
    b: Mesh,
    *,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    along: Optional[_Vector] = None,
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def load(path: Union[str, bytes, PathLike[Any]], /) -> Mesh: ...
def methods() -> list[str]: ...
def _pose_rows(pose: _Pose, /) -> Tuple[Tuple[float, ...], ...]: ...
def _restore_mesh(points: bytes, is_float32: bool, corners: bytes, sizes: Optional[bytes], /) -> Mesh: ...
def _restore_view(data: bytes, format: str, rows: int, columns: int = -1, /) -> memoryview: ...
def rays(
    target: _Objects,
    origins: Union[_Rows, Sequence[float]],
    directions: Union[_Rows, Sequence[float], None] = None,
    *,
    ends: Union[_Rows, Sequence[float], None] = None,
    find: Literal["first", "all", "any"] = "first",
    pose: _Pose = None,
    t_min: Optional[float] = None,
    t_max: Optional[float] = None,
    skip_front: bool = False,
    skip_back: bool = False,
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> Any: ...
def pick(
    target: _Objects,
    origin: _Vector,
    direction: Optional[_Vector] = None,
    *,
    end: Optional[_Vector] = None,
    pose: _Pose = None,
    t_min: Optional[float] = None,
    t_max: Optional[float] = None,
    skip_front: bool = False,
    skip_back: bool = False,
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> Optional[dict[str, Any]]: ...
def locate(
    mesh: Mesh,
    points: _Rows,
    *,
    pose: _Pose = None,
    inside_rule: _Rule = "even_odd",
    deadline: float = 0.0,
) -> memoryview: ...
def nearest(
    mesh: Mesh,
    points: _Rows,
    *,
    pose: _Pose = None,
    locate: bool = True,
    inside_rule: _Rule = "even_odd",
    deadline: float = 0.0,
) -> PointDistances: ...
def move(
    a: Mesh,
    b: Mesh,
    *,
    to_a: Optional[_Vector] = None,
    to_b: Optional[_Vector] = None,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    inside: bool = True,
    inside_rule: _Rule = "even_odd",
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def first_overlap(
    a: Mesh,
    b: Mesh,
    *,
    to_a: Optional[_Vector] = None,
    to_b: Optional[_Vector] = None,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    inside: bool = True,
    inside_rule: _Rule = "even_odd",
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def move_intervals(
    a: Mesh,
    b: Mesh,
    *,
    to_a: Optional[_Vector] = None,
    to_b: Optional[_Vector] = None,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    inside: bool = True,
    inside_rule: _Rule = "even_odd",
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> ContactIntervals: ...
def move_paths(
    a: Mesh,
    ends: _Rows,
    b: Mesh,
    *,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    inside: bool = True,
    inside_rule: _Rule = "even_odd",
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> Moves: ...
def move_rigid(
    a: Mesh,
    b: Mesh,
    *,
    from_a: _Pose = None,
    to_a: _Pose = None,
    from_b: _Pose = None,
    to_b: _Pose = None,
    screw: bool = False,
    tolerance: float = 0.0,
    t_max: float = 1.0,
    max_steps: int = 100_000_000,
    inside: bool = True,
    inside_rule: _Rule = "even_odd",
    search: str = "advance",
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def move_deforming(
    a: Mesh,
    b: Optional[Mesh] = None,
    *,
    end_a: Optional[_Rows] = None,
    end_b: Optional[_Rows] = None,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    t_max: float = 1.0,
    time_tolerance: float = 9.094947017729282e-13,
    tolerance: float = 0.0,
    separation: float = 0.0,
    max_steps: int = 4096,
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def picture(
    objects: _Objects,
    *,
    pose: _Pose = None,
    result: Optional[Result] = None,
    width: int = 1200,
    height: int = 900,
    direction: Optional[_Vector] = None,
    up: Optional[_Vector] = None,
    region: Optional[_Box] = None,
    whole: bool = False,
    names: Optional[Sequence[Optional[str]]] = None,
    title: Optional[str] = None,
    caption: Optional[str] = None,
    legend: bool = True,
    inset: bool = True,
    colours: Optional[_Faces] = None,
    touch_colours: Optional[_Faces] = None,
) -> Picture: ...
def aim(
    objects: _Objects,
    *,
    pose: _Pose = None,
    width: int = 1200,
    height: int = 900,
    direction: Optional[_Vector] = None,
    up: Optional[_Vector] = None,
    region: Optional[_Box] = None,
) -> dict[str, Any]: ...
def ray_through_pixel(
    to_pixels: _Box, column: float, row: float
) -> Tuple[Tuple[float, float, float], Tuple[float, float, float]]: ...
def overlap_volume(
    a: Mesh,
    b: Mesh,
    *,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    inside_rule: _Rule = "even_odd",
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def manifold(
    a: Mesh,
    b: Mesh,
    *,
    pose_a: _Pose = None,
    pose_b: _Pose = None,
    max_points: int = 4,
    direction: Optional[_Vector] = None,
    surfaces: bool = False,
    inside_rule: _Rule = "even_odd",
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> dict[str, Any]: ...
def distance_poses(
    a: Mesh,
    b: Mesh,
    poses: _Poses,
    *,
    pose_a: _Pose = None,
    relative_error: float = 0.0,
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> Distances: ...
def move_scene(
    scene: Scene,
    object: Union[int, str],
    to: _Vector,
    *,
    max_count: Optional[int] = None,
    inside: bool = True,
    inside_rule: _Rule = "even_odd",
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> list[Tuple[Union[int, str], dict[str, Any]]]: ...
def distance_scene(
    scene: Scene,
    max_count: Optional[int] = 1,
    *,
    relative_error: float = 0.0,
    method: Optional[str] = None,
    deadline: float = 0.0,
) -> list[Tuple[Union[int, str], Union[int, str], dict[str, Any]]]: ...
def flight_from(position: _Vector, velocity: _Vector, time: float, /) -> dict[str, Any]: ...
def flight_advance(
    data: bytes,
    meshes: Sequence[Mesh],
    poses: Sequence[_Pose],
    motions: Optional[Sequence[Sequence[float]]],
    until: float,
    *,
    radius: float = 0.0,
    skin: float = 0.0,
    acceleration: Optional[_Vector] = None,
    restitution: float = 1.0,
    friction: float = 0.0,
    max_bounces: int = 64,
    deadline: float = 0.0,
) -> Tuple[dict[str, Any], list[dict[str, Any]]]: ...
def flight_pose(
    pose: _Pose, motion: Sequence[float], time: float, /
) -> Tuple[Tuple[float, float, float, float], ...]: ...
def flight_motion_between(
    first: _Pose, second: _Pose, since: float, arrival: float, centre: _Vector, /
) -> Tuple[Any, ...]: ...
