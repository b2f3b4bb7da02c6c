// SPDX-License-Identifier: MIT
// Looks every triangle of one mesh up in a spatial structure over another: the methods of the lecture's structures.
// Each of them is one line in lookup_methods.c.
#ifndef GRZ_FILTER_LOOKUP_LOOKUP_H
#define GRZ_FILTER_LOOKUP_LOOKUP_H

#include "filter/filter.h"
#include "space/structures/structure.h"

extern const grz_filter grz_filter_grid;
extern const grz_filter grz_filter_octree;
extern const grz_filter grz_filter_kdtree;
extern const grz_filter grz_filter_bsp;
extern const grz_filter grz_filter_obbtree;
extern const grz_filter grz_filter_kdop;

// Propose the candidates of all jobs, with structures of this type.
grz_status grz_lookup_propose(grz_device *device, const grz_structure_type *type, const grz_job_set *set,
                              grz_sink *sink, grz_error *error);

// True for the mesh that has the structure, of the set's only job.
bool grz_lookup_needs_state(const grz_job_set *set, const grz_mesh *mesh);

#endif
