// SPDX-License-Identifier: MIT
// Where --pose and --poses put the objects of a scene.
#ifndef GRZ_CLI_ASSEMBLY_POSES_H
#define GRZ_CLI_ASSEMBLY_POSES_H

#include "arguments/options.h"
#include "assembly/names.h"

// Move the objects that the command line places: those of the files first, then those of --pose. On failure returns
// false, and `message` holds one line that names the option or the file.
bool poses_set(const options *given, const scene_objects *objects, char message[LOAD_MESSAGE_SIZE]);

// Move the objects that a file names: JSON, {"name": [tx, ty, tz], "name": [tx, ty, tz, qx, qy, qz, qw], "name": "P"}.
// Fails as poses_set() does.
bool poses_set_bytes(const char *file, const unsigned char *bytes, size_t count, const scene_objects *objects,
                     char message[LOAD_MESSAGE_SIZE]);

#endif
