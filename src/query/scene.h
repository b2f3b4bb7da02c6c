// SPDX-License-Identifier: MIT
// The scene object from inside: its objects, and what is remembered from one query to the next.
#ifndef GRZ_QUERY_SCENE_H
#define GRZ_QUERY_SCENE_H

#include <graze/scene.h>

#include "query/pair_cache.h"
#include "result/result.h"
#include "space/pairs/pairs.h"

// Data of one object. Times are numbers of scene->now, which grows by one with each change and each query.
typedef struct grz_scene_entry {
    uint64_t changed; // time when it was last added, moved, deformed or moved to another group
    uint64_t version; // version of the mesh when its box was last given to the broad phase
    uint64_t added;   // time when it was added, 0: no object has this number
    uint32_t asked;   // pairs with it that the present query asks about
    bool dirty;       // its box must be given to the broad phase
} grz_scene_entry;

// Counts of work since creation, for tests.
typedef struct grz_scene_work {
    uint64_t jobs;   // pairs that were tested
    uint64_t follow; // pairs whose answer followed from others
} grz_scene_work;

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
    uint64_t now, last_answer;   // the current time, and the time of the last successful query
    grz_broad_phase broad_phase; // the one that was asked for
    grz_pairs *pairs;            // the broad phase
    double reach;                // by how much the boxes of the last query were enlarged, together
    grz_pair_cache cache;        // answers of the last successful query, at time last_answer
    grz_scene_work work;
};

// Give all new boxes to the broad phase, enlarged so that those of objects nearer than `reach` overlap. GRZ_ERROR_POSE
// if a deformed mesh has become too large for its pose.
grz_status grz_scene_refresh(grz_scene *scene, double reach, grz_control *control, grz_error *error);

// True if groups, masks and the scene's filter let two objects touch. Both are there.
bool grz_scene_allows(const grz_scene *scene, uint32_t a, uint32_t b);

#endif
