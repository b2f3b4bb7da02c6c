// SPDX-License-Identifier: MIT
// Looks every triangle of one mesh up in a spatial structure over another: what the methods of the lecture's structures
// have in common. Each of them is a filter of a few lines, GRZ_LOOKUP_FILTER(name), in a folder of its own.
#ifndef GRZ_FILTER_LOOKUP_LOOKUP_H
#define GRZ_FILTER_LOOKUP_LOOKUP_H

#include "filter/filter.h"
#include "space/structures/structure.h"

// Propose the candidates of all jobs, with structures of this type.
grz_status grz_lookup_propose(grz_device *device, const grz_structure_type *type, const grz_job_set *set,
                              grz_sink *sink, grz_error *error);

// True for the mesh that has the structure, of the set's only job.
bool grz_lookup_needs_state(const grz_job_set *set, const grz_mesh *mesh);

#define GRZ_LOOKUP_FILTER(method)                                                                                      \
    static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)            \
    {                                                                                                                  \
        return grz_lookup_propose(device, &grz_structure_##method, set, sink, error);                                  \
    }                                                                                                                  \
    const grz_filter grz_filter_##method = {.name = #method,                                                           \
                                            .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_MANY |               \
                                                            GRZ_CAN_MARGIN | GRZ_CAN_RAYS,                             \
                                            .state = &grz_structure_##method.slot,                                     \
                                            .structure = &grz_structure_##method,                                      \
                                            .needs_state = grz_lookup_needs_state,                                     \
                                            .propose = propose};

#endif
