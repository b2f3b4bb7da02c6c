// SPDX-License-Identifier: MIT
// Where the meshes of a robot are: from the name that URDF has to the name of a file.
#ifndef GRZ_CLI_ASSEMBLY_PACKAGES_H
#define GRZ_CLI_ASSEMBLY_PACKAGES_H

#include "assembly/scene_objects.h"

// Find the path of a mesh that a robot's file names:
//   package://NAME/path  below the folder that --package NAME=DIR gives; without one, below a folder called NAME that
//                        holds the robot's file, or that stands beside a folder which does
//   file://path          that path
//   path                 relative to the folder of the robot's file
// The caller frees the answer. NULL on failure: `message`, of `size` bytes, says what is wrong.
char *packages_find(scene_objects *objects, const char *file, const char *name, char *message, size_t size);

#endif
