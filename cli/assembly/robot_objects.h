// SPDX-License-Identifier: MIT
// Robots in a scene: each collision shape of each link is an object, called FILE:LINK, or FILE:LINK/NAME where the link
// has several (FILE:LINK/0, … where these have no names). The reference pose has all joints at zero.
#ifndef GRZ_CLI_ASSEMBLY_ROBOT_OBJECTS_H
#define GRZ_CLI_ASSEMBLY_ROBOT_OBJECTS_H

#include "arguments/options.h"
#include "assembly/exclusions.h"
#include "assembly/scene_objects.h"
#include <graze/io_robot.h>

// What the file of a mesh declares: the unit (0: none), by which the scale of the collision has grown if it is COLLADA
// and which does not count if it is another format; and whether its up axis is another than z.
typedef struct declared {
    double unit;
    bool other_up, collada;
} declared;

typedef struct scene_robot {
    const char *file; // the command line's
    grz_io_robot *is;
    double *values;       // of the joints
    double *ends;         // their values where a motion ends; NULL: none was asked for
    grz_io_frame *frames; // of the links; room for grz_io_robot_place()
    declared *declares;   // of each collision
    size_t first_object;  // the objects of its shapes, in order
    size_t silent_links;  // links without collision geometry
} scene_robot;

// Whether the name ends in .urdf, or in .xacro.
bool robot_objects_is_robot(const char *file);

// Add the objects of a robot. Fails as scene_objects_add_file() does.
bool robot_objects_add_file(scene_objects *to, const char *file, progress *bar, char message[LOAD_MESSAGE_SIZE]);

// Whether each --package and --joint has something to do with a robot of the scene. Fails as above.
bool robot_objects_check(const options *given, const scene_objects *objects, char message[LOAD_MESSAGE_SIZE]);

// Move the links to where the --joint of the command line have them. Fails as above.
bool robot_objects_move(const options *given, scene_objects *objects, char message[LOAD_MESSAGE_SIZE]);

// The same where a motion of the joints begins, --joint NAME=FROM:TO; the robots' `ends` become the values where it
// ends. Fails as above.
bool robot_objects_range(const options *given, scene_objects *objects, char message[LOAD_MESSAGE_SIZE]);

// Exclude the pairs of shapes of one link, and with `adjacent` those of two links that a joint joins. False without
// memory.
bool robot_objects_exclude(const scene_objects *objects, bool adjacent, exclusions *out);

void robot_objects_finish(scene_objects *objects);

#endif
