// SPDX-License-Identifier: MIT
// The interface between a method (a filter) and the rest of the library. A filter proposes candidates: a superset of
// the triangle pairs that touch. It pushes them to the sink, which decides them exactly. A new method is one folder
// with one grz_filter in it, and one line in src/query/method_list.h.
#ifndef GRZ_FILTER_FILTER_H
#define GRZ_FILTER_FILTER_H

#include "filter/job_set.h"
#include "filter/sink.h"
#include "mesh/mesh.h"
#include "result/discrete.h"

// What a filter can do. A query chooses a filter by these bits, never by its name.
enum {
    GRZ_CAN_PAIR = 1u << 0,           // two objects
    GRZ_CAN_SELF = 1u << 1,           // a mesh with itself
    GRZ_CAN_MANY = 1u << 2,           // sets of many jobs: scenes and batches
    GRZ_CAN_MARGIN = 1u << 3,         // sets with a margin
    GRZ_CAN_READ_BUFFERS = 1u << 4,   // pairs of meshes whose data is in the caller's buffers, without a copy of the
                                      // whole (see read_near)
    GRZ_CAN_DISCRETE_PAIR = 1u << 5,  // a discrete answer for two objects
    GRZ_CAN_DISCRETE_SELF = 1u << 6,  // a discrete answer for a mesh with itself
    GRZ_CAN_DISCRETE_SCENE = 1u << 7, // a discrete answer for scenes
    GRZ_CAN_DISCRETE = GRZ_CAN_DISCRETE_PAIR | GRZ_CAN_DISCRETE_SELF | GRZ_CAN_DISCRETE_SCENE,
    GRZ_USES_GL = 1u << 8, // needs a device with OpenGL
    // The reference that other filters are compared with. It is never chosen automatically, and all its candidates are
    // decided by the exact predicates alone.
    GRZ_IS_REFERENCE = 1u << 9,
    GRZ_CAN_DISTANCE = 1u << 10, // distances of two objects: by its trees; of the reference, by comparing all pairs
    GRZ_CAN_MOVE = 1u << 11,     // first contacts of two moving objects; likewise
    GRZ_CAN_RAYS = 1u << 12      // what rays hit; likewise
};

typedef struct grz_filter {
    const char *name;
    uint32_t capabilities;      // the bits above
    const grz_slot_type *state; // the data that it keeps with each mesh; NULL: none
    // The spatial structure whose slot that is, which can be asked by itself; NULL: none.
    const struct grz_structure_type *structure;
    // Check the options of the method, as the caller gave them, before anything is done. NULL: exact answers have none.
    grz_status (*check_options)(const void *options, grz_error *error);

    // True if the set's only job needs the data that this filter keeps with `mesh`, one of the job's meshes. NULL: it
    // is always needed.
    bool (*needs_state)(const grz_job_set *set, const grz_mesh *mesh);

    // Propose the candidates of all jobs. The meshes' data is up to date where needs_state() asked for it.
    grz_status (*propose)(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error);

    // GRZ_CAN_READ_BUFFERS: for the set's only job, whose meshes may be in the caller's buffers (mesh/source.h), read
    // only the triangles that may touch. They become two meshes in memory, `parts`; both are NULL if nothing can touch.
    // *done is false if this filter cannot find them. The candidates of the two parts are then proposed by a filter
    // that works in memory.
    grz_status (*read_near)(grz_device *device, const grz_job_set *set, grz_control *control, grz_mesh *parts[2],
                            bool *done, grz_error *error);

    // Which lists of `find` (bits) the discrete answer can fill with these options. NULL: none.
    uint32_t (*discrete_lists)(const void *options, uint32_t find);

    // There are two ways to give a discrete answer, which is approximate. A filter that can do so (GRZ_CAN_DISCRETE_…)
    // has exactly one of the two functions below; the other is NULL.

    // 1. The filter answers the set's only job by itself: whether the objects touch, and the volumes in which they do.
    // It may err in both directions. If it sets *confirm, the query then decides exactly which triangles touch in these
    // volumes, and nothing is invented any more.
    grz_status (*discrete)(grz_device *device, const grz_job_set *set, const void *options, grz_control *control,
                           bool *confirm, grz_discrete *answer, grz_error *error);

    // 2. The filter proposes candidates, as `propose` does, but may leave some out, as the method's paper does. The
    // predicates decide each candidate, so the answer may miss a contact but never invents one. The set may have no
    // jobs.
    grz_status (*propose_discrete)(grz_device *device, const grz_job_set *set, const void *options, grz_sink *sink,
                                   grz_discrete *answer, grz_error *error);
} grz_filter;

static inline bool grz_filter_can(const grz_filter *filter, uint32_t capabilities)
{
    return (filter->capabilities & capabilities) == capabilities;
}

#endif
