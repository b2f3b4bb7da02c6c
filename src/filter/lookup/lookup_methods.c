// SPDX-License-Identifier: MIT
// The methods `grid`, `octree`, `kdtree`, `bsp`, `obbtree` and `kdop`, one line each: triangles of one mesh are looked
// up in this structure over the other. They differ in nothing else.
#include "filter/lookup/lookup.h"

// The method NAME by the structure grz_structure_NAME.
#define METHOD(method)                                                                                                 \
    static grz_status propose_##method(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)   \
    {                                                                                                                  \
        return grz_lookup_propose(device, &grz_structure_##method, set, sink, error);                                  \
    }                                                                                                                  \
    const grz_filter grz_filter_##method = {.name = #method,                                                           \
                                            .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_MANY |               \
                                                            GRZ_CAN_MARGIN | GRZ_CAN_RAYS,                             \
                                            .state = &grz_structure_##method.slot,                                     \
                                            .structure = &grz_structure_##method,                                      \
                                            .needs_state = grz_lookup_needs_state,                                     \
                                            .propose = propose_##method};

METHOD(grid)
METHOD(octree)
METHOD(kdtree)
METHOD(bsp)
METHOD(obbtree)
METHOD(kdop)
