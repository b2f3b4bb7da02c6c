// SPDX-License-Identifier: MIT
// A scene from inside: its objects, and what is remembered from one query to the next.
#ifndef GRZ_QUERY_SCENE_H
#define GRZ_QUERY_SCENE_H

#include <graze/scene.h>

#include "query/result.h"
#include "space/sweep_and_prune.h"

// Times are counted in changes and queries: scene->now grows by one with each.
typedef struct grz_scene_entry {
    grz_object object; // mesh NULL: no object has this number
    grz_object here;   // the same with its mesh in memory, where that lies elsewhere and a query has asked for it
    uint64_t changed;  // when it was last added, moved, deformed or regrouped
    uint64_t version;  // of the mesh, when its box was last handed to the sweep
    bool dirty;        // its box is to be handed to the sweep
} grz_scene_entry;

// What a query found out about two objects. Good as long as neither has changed since.
typedef struct grz_known_pair {
    uint32_t a, b;
    uint64_t asked;
    grz_relation relation; // GRZ_APART where containment was not asked
    grz_containment containment;
    grz_inside_rule rule;
    const char *reason;
    enum {
        GRZ_PAIR_KEPT,  // not asked for this time
        GRZ_PAIR_KNOWN, // asked for, and known from before
        GRZ_PAIR_ASKED  // a job of this query
    } use;
} grz_known_pair;

typedef GRZ_ARRAY(grz_known_pair) grz_known_array;

struct grz_scene {
    grz_device *device;
    const grz_allocator *allocator;
    GRZ_ARRAY(grz_scene_entry) entries; // by number
    uint32_t object_count;
    uint32_t lowest_free; // no number below it is free
    grz_scene_filter *filter;
    void *filter_user;
    uint64_t now, last_answer; // last_answer: when the last query ended well
    grz_sweep *sweep;
    grz_known_array known, next_known; // sorted by (a, b); the second is the one being made
};

// Hand all new boxes to the sweep. GRZ_ERROR_POSE where a deformed mesh has outgrown its pose.
grz_status grz_scene_refresh(grz_scene *scene, grz_control *control, grz_error *error);

#endif
