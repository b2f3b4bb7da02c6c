// SPDX-License-Identifier: MIT
// A robot that is being read from URDF (https://wiki.ros.org/urdf/XML), and what its readers share. Strict: a number
// has to be a number to its last character, and what cannot be understood is refused with its line.
#ifndef GRZ_IO_ROBOT_ROBOT_H
#define GRZ_IO_ROBOT_ROBOT_H

#include "robot/frame.h"
#include "xml/xml_tree.h"

// A robot in the caller's hands, and what is needed to give its memory back. The arrays have the room that was counted
// in the tree before they were filled.
typedef struct owned_robot {
    grz_io_robot shown; // first: its address is the caller's robot
    grz_io_link *links;
    grz_io_joint *joints;
    grz_io_collision *collisions;
    grz_io_left_out *left_out;
    size_t *order;
    char **notes; // each a block of its length + 1
    char *texts;  // all names
    size_t link_room, joint_room, collision_room, note_room, text_room, text_size;
    grz_allocator allocator;
} owned_robot;

typedef struct robot_reading {
    load_control *control;
    const xml_element *tree;
    owned_robot *out;
} robot_reading;

// Refuse the file: "line 12: joint elbow: …", the nearest link or joint around `at` that has a name. Returns false.
bool grz_io_robot_refuse(const robot_reading *r, const xml_element *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool grz_io_robot_fail_memory(const robot_reading *r);

// Add a note, "joint wrist is planar: it stays at zero".
bool grz_io_robot_note(const robot_reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A copy of a name, in the robot's room for them. NULL stays NULL.
const char *grz_io_robot_keep(const robot_reading *r, const char *name);

// Whether a text holds an expression of xacro, which nobody has evaluated.
bool grz_io_robot_is_macro(const char *text);

// The numbers of an attribute, one or three; left as they are where there is none.
bool grz_io_robot_numbers(const robot_reading *r, const xml_element *at, const char *attribute, double *numbers,
                          size_t count);

// The child of this name, of which there may be one; *child is NULL where there is none. False where there are two.
bool grz_io_robot_only(const robot_reading *r, const xml_element *in, const char *name, const xml_element **child);

// The frame of the element's <origin>; identity where it has none.
bool grz_io_robot_origin(const robot_reading *r, const xml_element *in, grz_io_frame *frame);

// urdf_link.c
bool grz_io_robot_read_link(const robot_reading *r, const xml_element *source);

// urdf_joint.c: all joints, whose links have been read.
bool grz_io_robot_read_joints(const robot_reading *r);

// urdf_tree.c: put the links in order, each behind its parent; refused where they are no tree.
bool grz_io_robot_sort_links(const robot_reading *r);

#endif
