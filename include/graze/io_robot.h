// SPDX-License-Identifier: MIT
/// @file
/// Robots, of libgraze_io: read URDF, place the links for values of the joints, make meshes of boxes, spheres,
/// cylinders and capsules, find the files of meshes, and read SRDF. Link with graze_io, as for <graze/io.h>.
///
///     grz_io_robot *robot;
///     if (grz_io_robot_load_file("arm.urdf", NULL, &robot, &error) == GRZ_OK) {
///         double *values = calloc(robot->joint_count, sizeof *values);           // all joints at zero
///         grz_io_frame *links = calloc(robot->link_count, sizeof *links);
///         grz_io_robot_place(robot, values, links, &error);
///         for (size_t i = 0; i < robot->collision_count; i++) {
///             const grz_io_collision *shape = &robot->collisions[i];
///             grz_io_frame frame = grz_io_frame_product(links[shape->link], shape->origin);
///             grz_pose_from_quaternion(frame.translation, frame.quaternion, &pose, &error); // where it is
///         }
///     }
///     grz_io_robot_destroy(robot);
///
/// The reader is strict: a number has to be a number to its last character, and what cannot be understood is refused
/// with its line. Lengths are metres, angles radians, and z points up, all by URDF's definition. Frames are computed in
/// doubles, with the sine and cosine of grz_sine_cosine(): the same values give the same bits on every machine.
///
/// Thread-safety: as <graze/io.h> has it. A robot that no thread changes may be read and placed by all of them.
#ifndef GRAZE_IO_ROBOT_H
#define GRAZE_IO_ROBOT_H

#include <graze/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/// No link, no joint, no package.
#define GRZ_IO_NONE SIZE_MAX

/// A place in space: first turned, then shifted.
typedef struct grz_io_frame {
    double translation[3]; ///< metres
    double quaternion[4];  ///< x, y, z, w, of unit length, as grz_pose_from_quaternion() takes it
} grz_io_frame;

/// @return the frame that leaves everything where it is. Thread-safe.
GRZ_INLINE grz_io_frame grz_io_frame_identity(void)
{
    grz_io_frame frame = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    return frame;
}

/// The frame that URDF writes as an origin.
///
/// @param xyz  the translation, finite numbers
/// @param rpy  roll, pitch and yaw in radians: turned by Rz(yaw) Ry(pitch) Rx(roll)
/// Thread-safe.
GRZ_API grz_io_frame grz_io_frame_from_rpy(const double xyz[3], const double rpy[3]);

/// A frame that is given in another frame: first `inner`, then `outer`. The quaternion is normalised, so that a chain
/// of any length stays rigid.
///
/// @param outer  both of unit length, finite
/// @param inner  in `outer`
/// Thread-safe.
GRZ_API grz_io_frame grz_io_frame_product(grz_io_frame outer, grz_io_frame inner);

/// How a joint moves.
typedef enum grz_io_joint_kind {
    GRZ_IO_JOINT_FIXED,      ///< not at all
    GRZ_IO_JOINT_REVOLUTE,   ///< turns about its axis, within limits where it has some
    GRZ_IO_JOINT_CONTINUOUS, ///< turns about its axis without limits
    GRZ_IO_JOINT_PRISMATIC,  ///< shifts along its axis
    GRZ_IO_JOINT_FLOATING,   ///< freely: one number cannot say how, so it stays at zero, as the next two do
    GRZ_IO_JOINT_PLANAR,     ///< in a plane; stays at zero
    GRZ_IO_JOINT_SPHERICAL   ///< turns freely; stays at zero
} grz_io_joint_kind;

/// Joins a link to the link above it.
typedef struct grz_io_joint {
    const char *name;       ///< no other joint of the robot has it
    grz_io_joint_kind kind; ///< how it moves
    size_t parent;          ///< the link above; index into grz_io_robot::links
    size_t child;           ///< the link that it moves
    grz_io_frame origin;    ///< of the child in the parent, while the joint is at zero
    double axis[3];         ///< of unit length, in the joint's frame; of joints that stay at zero as written
    bool limited;           ///< whether `lower` and `upper` hold
    bool crossed;      ///< the file's lower limit is above its upper one: it has no limits then, as Bullet reads it
    double lower;      ///< radians, metres if prismatic
    double upper;      ///< radians, metres if prismatic
    size_t mimic;      ///< the joint that it follows: its value is multiplier × that one's + offset; GRZ_IO_NONE
    double multiplier; ///< 1 unless given
    double offset;     ///< radians or metres
    uint64_t line;     ///< in the file, from 1
} grz_io_joint;

/// What a collision is.
typedef enum grz_io_shape_kind {
    GRZ_IO_SHAPE_MESH,     ///< a file
    GRZ_IO_SHAPE_BOX,      ///< its middle at the origin
    GRZ_IO_SHAPE_SPHERE,   ///< its middle at the origin
    GRZ_IO_SHAPE_CYLINDER, ///< along z, its middle at the origin
    GRZ_IO_SHAPE_CAPSULE   ///< along z, its middle at the origin; its length is that of the cylinder between the caps
} grz_io_shape_kind;

/// A collision shape, fixed to a link.
typedef struct grz_io_collision {
    const char *name;       ///< NULL where the file gives none; names may repeat
    size_t link;            ///< index into grz_io_robot::links
    size_t number;          ///< among the collisions of its link, as the file has them, from 0
    grz_io_shape_kind kind; ///< what it is
    const char *mesh;       ///< the file of a mesh, as this file writes it (grz_io_robot_find_mesh()); else NULL
    double size[3];         ///< the scale of a mesh; edges of a box; radius; radius and length
    grz_io_frame origin;    ///< in the link
    uint64_t line;          ///< in the file, from 1
} grz_io_collision;

/// A shape that was left out because it has no inside: one of its sizes is 0. Robots mark points of feet and hands so.
typedef struct grz_io_left_out {
    size_t link;            ///< index into grz_io_robot::links
    grz_io_shape_kind kind; ///< what it would be
    uint64_t line;          ///< in the file, from 1
} grz_io_left_out;

/// A rigid part of a robot.
typedef struct grz_io_link {
    const char *name;       ///< no other link of the robot has it
    size_t joint;           ///< the joint above it; GRZ_IO_NONE: it is the root
    size_t first_collision; ///< its collisions: a run of grz_io_robot::collisions
    size_t collision_count; ///< may be 0
    uint64_t line;          ///< in the file, from 1
} grz_io_link;

/// A robot as URDF describes it: links that joints join to a tree. What URDF has besides (visuals, inertia, materials,
/// transmissions) is not kept. Made by the calls that read, which own the memory; destroy it with
/// grz_io_robot_destroy(). Names are UTF-8. The caller may change the scale of
/// a mesh, grz_io_collision::size, and nothing else: ROS applies the unit that a COLLADA file declares.
typedef struct grz_io_robot {
    const char *name;         ///< of the robot; "" where the file gives none
    const grz_io_link *links; ///< in the order of the file
    size_t
        link_count; ///< at least 1, at most 10,001: a parent "world" that is no link of the file is one, without geometry
    const grz_io_joint *joints;      ///< in the order of the file
    size_t joint_count;              ///< link_count - 1
    grz_io_collision *collisions;    ///< link after link
    size_t collision_count;          ///< may be 0
    const grz_io_left_out *left_out; ///< in the order of the file
    size_t left_out_count;           ///< how many
    const size_t *order;             ///< all links, each behind its parent: the root is the first
    const char *const *notes;        ///< what was left out or read in an unusual way, a line each
    size_t note_count;               ///< how many notes
    uint64_t bytes_read;             ///< the size of the file
} grz_io_robot;

/// Read a robot from a file.
///
/// @param path     the file, URDF. A file with macros (xacro) is refused with the command that makes URDF of it
/// @param options  NULL means the defaults. `format`, `directory` and `keep_instances` do not matter here
/// @param robot    receives the robot; NULL on failure. Destroy it with grz_io_robot_destroy()
/// @param error    may be NULL. The message reads "PATH: line 12: joint elbow: what is wrong"; `element` is the line
/// @return GRZ_OK; GRZ_ERROR_FILE; GRZ_ERROR_FORMAT; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE;
///         GRZ_ERROR_ARGUMENT
/// Thread-safety: as grz_io_load_file().
GRZ_API grz_status grz_io_robot_load_file(const char *path, const grz_io_options *options, grz_io_robot **robot,
                                          grz_error *error);

/// Read a robot from memory.
///
/// @param name     what messages begin with; NULL: "memory"
/// @param bytes    what the file holds; not kept
/// @param size     how many bytes
/// @param options  see grz_io_robot_load_file()
/// @param robot    see grz_io_robot_load_file()
/// @param error    see grz_io_robot_load_file()
/// @return as grz_io_robot_load_file(), but never GRZ_ERROR_FILE
/// Thread-safety: as grz_io_load_file().
GRZ_API grz_status grz_io_robot_load_memory(const char *name, const void *bytes, size_t size,
                                            const grz_io_options *options, grz_io_robot **robot, grz_error *error);

/// Destroy a robot. NULL is accepted.
GRZ_API void grz_io_robot_destroy(grz_io_robot *robot);

/// What a joint does to the frame that its origin gives: turn about its axis, shift along it, or nothing.
///
/// @param joint  of a robot
/// @param value  radians or metres; any finite number, limits are the caller's matter
/// Thread-safe.
GRZ_API grz_io_frame grz_io_joint_motion(const grz_io_joint *joint, double value);

/// Find where every link is in the frame of the root.
///
/// @param robot   the robot
/// @param values  joint_count values, radians or metres, finite. Those of joints that stay at zero become 0; those of
///                joints that follow others are computed, and written here. Limits are the caller's matter
/// @param links   receives link_count frames
/// @param error   may be NULL; `element` is the joint whose value is not finite
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
/// Thread-safe.
GRZ_API grz_status grz_io_robot_place(const grz_io_robot *robot, double *values, grz_io_frame *links, grz_error *error);

/// Make a closed mesh of a box, a sphere, a cylinder or a capsule, its faces outwards. A box is exact, of six quads.
/// The others lie inside their meshes, so that what is apart from the mesh is apart from the shape; no point of a mesh
/// is further out than 1.0026 times the radius.
///
/// @param shape    a collision that is no mesh, each of its sizes above 0 (the length of a capsule may be 0)
/// @param options  NULL means the defaults: the limits and the allocator count
/// @param model    receives the mesh in the shape's own frame; destroy it with grz_io_model_destroy(). Its format is
///                 "URDF"
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_MEMORY; GRZ_ERROR_ARGUMENT
/// Thread-safe.
GRZ_API grz_status grz_io_shape_model(const grz_io_collision *shape, const grz_io_options *options,
                                      grz_io_model **model, grz_error *error);

/// Where a package of ROS is.
typedef struct grz_io_package {
    const char *name;   ///< as package://NAME/ has it
    const char *folder; ///< the folder that holds what comes after NAME
} grz_io_package;

/// Find the file of a mesh that a robot's file names:
///
///     package://NAME/path  below the folder of the package; where it is not given, below a folder that holds the
///                          robot's file and is called NAME, or whose package.xml names it so, or below a folder
///                          called NAME beside one that holds the robot's file: from the nearest on
///     file://path          that path
///     path                 relative to the folder of the robot's file
///
/// @param robot_path     the robot's file
/// @param mesh           grz_io_collision::mesh
/// @param packages       where packages are; may be NULL where there are none
/// @param package_count  how many
/// @param path           receives the path of the mesh, which is not opened here
/// @param path_size      bytes at `path`
/// @param used           may be NULL; receives the index of the package that was used, or GRZ_IO_NONE
/// @param error          may be NULL
/// @return GRZ_OK (the mesh may be missing in its package, or at its path); GRZ_ERROR_FILE (the package is not found
///         near the robot's file); GRZ_ERROR_UNSUPPORTED (another scheme, as http://); GRZ_ERROR_FORMAT (package://
///         without a name or a path); GRZ_ERROR_ARGUMENT (the path is longer than path_size, too)
/// Thread-safe.
GRZ_API grz_status grz_io_robot_find_mesh(const char *robot_path, const char *mesh, const grz_io_package *packages,
                                          size_t package_count, char *path, size_t path_size, size_t *used,
                                          grz_error *error);

/// Two links that need no test against each other.
typedef struct grz_io_disabled_pair {
    const char *link1;  ///< the name of a link of the robot
    const char *link2;  ///< the name of another one; the same one says nothing new, a link is one rigid part
    const char *reason; ///< why, in the file's words: "Adjacent"; NULL where it gives none
    uint64_t line;      ///< in the file, from 1
} grz_io_disabled_pair;

/// What SRDF (the semantics of a robot, as MoveIt writes it) says about collisions: each `disable_collisions`. All else
/// in the file is not kept. Whether the file is about this robot is for the caller to see: compare `name` with
/// grz_io_robot::name, and look for each link among its links. Made by grz_io_srdf_load_file() and
/// grz_io_srdf_load_memory(); destroy it with grz_io_srdf_destroy().
typedef struct grz_io_srdf {
    const grz_io_disabled_pair *disabled; ///< in the order of the file; pairs may repeat, and links be unknown
    size_t disabled_count;                ///< may be 0
    const char *name;                     ///< of the robot that the file is for; "" where it gives none
} grz_io_srdf;

/// Read SRDF from a file.
///
/// @param path     the file
/// @param options  see grz_io_robot_load_file()
/// @param srdf     receives the pairs; NULL on failure
/// @param error    may be NULL; `element` is the line
/// @return as grz_io_robot_load_file()
/// Thread-safety: as grz_io_load_file().
GRZ_API grz_status grz_io_srdf_load_file(const char *path, const grz_io_options *options, grz_io_srdf **srdf,
                                         grz_error *error);

/// Read SRDF from memory.
///
/// @param name     what messages begin with; NULL: "memory"
/// @param bytes    what the file holds; not kept
/// @param size     how many bytes
/// @param options  see grz_io_robot_load_file()
/// @param srdf     receives the pairs; NULL on failure
/// @param error    may be NULL; `element` is the line
/// @return as grz_io_robot_load_memory()
/// Thread-safety: as grz_io_load_file().
GRZ_API grz_status grz_io_srdf_load_memory(const char *name, const void *bytes, size_t size,
                                           const grz_io_options *options, grz_io_srdf **srdf, grz_error *error);

/// Destroy it. NULL is accepted.
GRZ_API void grz_io_srdf_destroy(grz_io_srdf *srdf);

#ifdef __cplusplus
}
#endif

#endif
