// SPDX-License-Identifier: MIT
// Targets as a call was given them, read as one list.
#ifndef GRZ_ASK_PICK_TARGETS_H
#define GRZ_ASK_PICK_TARGETS_H

#include <graze/targets.h>

typedef struct grz_target_list {
    const grz_object *objects;
    uint32_t count;
    bool of_scene; // then objects without a mesh are numbers that are free, to be left out
} grz_target_list;

// Check targets and read them. `call` begins the error text: "pick".
grz_status grz_targets_read(const char *call, const grz_device *device, grz_targets targets, grz_target_list *list,
                            grz_error *error);

#endif
