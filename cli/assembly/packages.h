// SPDX-License-Identifier: MIT
// Where the meshes of a robot are, with the packages of the command line.
#ifndef GRZ_CLI_ASSEMBLY_PACKAGES_H
#define GRZ_CLI_ASSEMBLY_PACKAGES_H

#include "assembly/scene_objects.h"

// Find the path of a mesh that a robot's file names, as grz_io_robot_find_mesh() does; each --package NAME=DIR is a
// package, and is marked where it was used. The caller frees the answer. NULL on failure: `message`, of `size` bytes,
// says what is wrong.
char *packages_find(scene_objects *objects, const char *file, const char *mesh, char *message, size_t size);

#endif
