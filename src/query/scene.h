// SPDX-License-Identifier: MIT
// The scene object from inside: its objects, and what is remembered from one query to the next.
#ifndef GRZ_QUERY_SCENE_H
#define GRZ_QUERY_SCENE_H

#include <graze/scene.h>

#include "result/result.h"
#include "space/sweep/sweep_and_prune.h"

// Data of one object. Times are numbers of scene->now, which grows by one with each change and each query.
typedef struct grz_scene_entry {
    uint64_t changed; // time when it was last added, moved, deformed or moved to another group
    uint64_t version; // version of the mesh when its box was last given to the broad phase
    bool dirty;       // its box must be given to the broad phase
} grz_scene_entry;

// What a query does with a pair that it keeps.
enum {
    GRZ_PAIR_NOT_WANTED, // kept, but not asked for in this query
    GRZ_PAIR_CACHED,     // asked for, and answered from the cache
    GRZ_PAIR_ASKED       // asked for: a job of this query
};

// The answer of an earlier query about two objects. It is valid as long as neither object has changed since. There may
// be millions of them, so enumerators take a byte each.
typedef struct grz_cached_pair {
    uint32_t a, b;
    uint64_t asked; // time of that query
    const char *reason;
    uint8_t relation; // GRZ_APART if containment was not asked for
    uint8_t containment, rule;
    uint8_t use; // GRZ_PAIR_…
} grz_cached_pair;

typedef GRZ_ARRAY(grz_cached_pair) grz_cached_pairs;

struct grz_scene {
    grz_device *device;
    const grz_allocator *allocator;
    // Indexed by object number; all have the same length.
    GRZ_ARRAY(grz_object) objects; // mesh NULL: no object has this number
    GRZ_ARRAY(grz_scene_entry) entries;
    // The same objects with all meshes in memory. Used only if some meshes are in the caller's buffers; filled in when
    // a query needs them.
    GRZ_ARRAY(grz_object) objects_in_memory;
    // Number of objects, and of those whose meshes are in the caller's buffers.
    uint32_t object_count, in_buffers_count;
    uint32_t lowest_free; // all lower numbers are in use
    grz_scene_filter *filter;
    void *filter_user;
    uint64_t now, last_answer; // the current time, and the time of the last successful query
    grz_sweep *sweep;
    grz_cached_pairs cache, next_cache; // sorted by (a, b); next_cache is filled by the current query
};

// Give all new boxes to the broad phase. GRZ_ERROR_POSE if a deformed mesh has become too large for its pose.
grz_status grz_scene_refresh(grz_scene *scene, grz_control *control, grz_error *error);

#endif
