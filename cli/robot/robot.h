// SPDX-License-Identifier: MIT
// A robot as URDF describes it: links joined to a tree by joints, each link with the collision shapes that are fixed to
// it. What URDF has besides (visuals, inertia, materials, transmissions) is left alone.
#ifndef GRZ_CLI_ROBOT_ROBOT_H
#define GRZ_CLI_ROBOT_ROBOT_H

#include "robot/frame.h"
#include "robot/xml.h"

// No link, no joint.
#define ROBOT_NONE SIZE_MAX

typedef enum robot_joint_kind {
    ROBOT_FIXED,
    ROBOT_REVOLUTE,
    ROBOT_CONTINUOUS,
    ROBOT_PRISMATIC,
    ROBOT_FLOATING, // stays at zero, as the next two do
    ROBOT_PLANAR,
    ROBOT_SPHERICAL
} robot_joint_kind;

typedef struct robot_joint {
    const char *name;
    robot_joint_kind kind;
    size_t parent, child; // links
    robot_frame origin;   // of the joint at zero, and of the child, in the parent
    double axis[3];       // of unit length, in the joint's frame
    bool limited;         // lower and upper hold
    bool crossed;         // the file's lower limit is above its upper one: no limits
    double lower, upper;  // radians, metres if prismatic
    size_t mimic;         // the joint that it follows: multiplier × its value + offset; ROBOT_NONE
    double multiplier, offset;
    const xml_element *source;
} robot_joint;

typedef enum robot_shape {
    ROBOT_MESH,
    ROBOT_BOX,
    ROBOT_SPHERE,
    ROBOT_CYLINDER, // along z, its middle at the origin
    ROBOT_CAPSULE   // likewise; the length is that of the cylinder between the caps
} robot_shape;

typedef struct robot_collision {
    const char *name; // NULL: it has none
    size_t link;
    robot_shape shape;
    const char *mesh;   // as the file names it; NULL for the other shapes
    double size[3];     // scale of a mesh; edges of a box; radius; radius and length
    double unit;        // of a mesh whose file is COLLADA: what 1 is in metres, by which `size` grew; 0: another file
    bool other_up;      // its up axis is not z
    robot_frame origin; // in the link
    size_t place;       // among the collisions of its link, as the file has them
    unsigned long line;
} robot_collision;

// A shape that has no inside, because one of its sizes is 0. Such mark points of feet and hands; others leave them out,
// too.
typedef struct robot_left_out {
    size_t link;
    const char *shape; // as the file calls it
    unsigned long line;
} robot_left_out;

typedef struct robot_link {
    const char *name;
    size_t joint; // the one above it; ROBOT_NONE: it is the root
    size_t first_collision, collision_count;
    const xml_element *source;
} robot_link;

typedef struct robot_model {
    xml_element *tree; // owns all names
    robot_link *links; // in the order of the file, as are the joints
    size_t link_count;
    robot_joint *joints;
    size_t joint_count;
    robot_collision *collisions; // link after link
    size_t collision_count;
    robot_left_out *left_out;
    size_t left_out_count;
    size_t *order; // of the links, each behind its parent; the root is the first
} robot_model;

// Read URDF. On failure returns false, leaves `out` empty, and `message`, of `size` bytes, says what is wrong and
// where, without the file's name.
bool robot_read(const unsigned char *bytes, size_t count, robot_model *out, char *message, size_t size);

// Free; an empty one is accepted.
void robot_finish(robot_model *r);

// Where every link is in the root's frame, if the joints have these values, one for each joint. Values of joints that
// do not move are ignored; those of joints that follow others are computed, and written back.
void robot_place(const robot_model *r, double *values, robot_frame *links);

// What a joint does to the frame that its origin gives, at a value: turn about its axis, shift along it, or nothing.
robot_frame robot_joint_motion(const robot_joint *joint, double value);

#endif
