// SPDX-License-Identifier: MIT
// What the user calls the objects of a scene. An object is called by
//   its name as the report has it:   parts.obj:box        robot.urdf:arm/0
//   the name of its part:            box                  arm/0
//   the name of its link (URDF):     robot.urdf:arm, arm  all collision shapes of the link
//   its name without a number:       parts.obj:box, box   all shells of a part (--split), box#1, box#2, …
// and where nothing is called so, by a glob (fnmatch) over these names, and at last by its number.
#ifndef GRZ_CLI_ASSEMBLY_NAMES_H
#define GRZ_CLI_ASSEMBLY_NAMES_H

#include "assembly/scene_objects.h"

// The objects that a name stands for.
typedef struct named {
    bool *holds;    // for each object, whether it is called so
    size_t count;   // how many are
    size_t first;   // the first of them
    bool silent;    // it is a link without collision geometry, which is no object
    bool is_a_glob; // they were found by a glob
} named;

// Sort the names of all objects, so that names_find() is fast. No object may be added after it. Returns false without
// memory; names_find() then compares with every name.
bool names_sort(scene_objects *objects);

// Find what `wanted` stands for. `out->holds` is the caller's: as many as there are objects.
void names_find(const scene_objects *objects, const char *wanted, named *out);

// Whether `wanted` is the name, or the link's name, of objects of one body, or of a link without collision geometry.
bool names_one_link(const scene_objects *objects, const char *wanted);

// Whether all of them are of one body: one object, or the shapes of one link.
bool names_one_body(const scene_objects *objects, const named *found);

// The known name nearest to `wanted`; NULL where none is near.
const char *names_nearest(const scene_objects *objects, const char *wanted);

// Write "no object is called X; did you mean Y?" to `message`. Always returns false.
bool names_refuse(const scene_objects *objects, const char *wanted, char *message, size_t size);

#endif
