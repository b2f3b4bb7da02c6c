// SPDX-License-Identifier: MIT
// Where the meshes of a robot are: from the name that URDF has to the name of a file.
#ifndef GRZ_CLI_ASSEMBLY_PACKAGES_H
#define GRZ_CLI_ASSEMBLY_PACKAGES_H

#include "assembly/scene_objects.h"

// Resolve a mesh's name: package://NAME/path by --package NAME=DIR, or else below a folder called NAME that holds the
// file itself or lies beside one that does; file://path; a path, relative to the file's folder. The caller frees the
// answer. NULL on failure: `message`, of `size` bytes, says what is wrong.
char *packages_find(scene_objects *objects, const char *file, const char *name, char *message, size_t size);

#endif
