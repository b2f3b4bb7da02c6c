// SPDX-License-Identifier: MIT
// The solids are classified where A has moved by an exact vector (penetration/overlap.h).
#include "ask/overlap/depth/exact_way.h"

#include "ask/penetration/depth.h"
#include "ask/penetration/overlap.h"
#include "base/rounding.h"

enum {
    MOST_WAYS = 27,
    MOST_TRIANGLES = 4096 // of both: with more the tries take too long
};

static grz_status try_ways(grz_move_call *call, const grz_object objects[2], const grz_overlapping *here,
                           const grz_ways *ways, double most, bool *parts)
{
    grz_status status = GRZ_OK;
    for (int i = 0; i < ways->count && i < MOST_WAYS && status == GRZ_OK && !*parts; i++) {
        double t[3];
        grz_path path;
        grz_instant end;
        grz_overlap overlap;
        bool moves = false;
        for (int k = 0; k < 3; k++) {
            t[k] = ways->directions[i][k] * most * GRZ_LESS(32); // directions and products are rounded
            moves = moves || t[k] != 0.0;
        }
        if (!moves)
            continue;
        grz_path_along(&path, &objects[0], t, HUGE_VAL, &objects[1]);
        grz_instant_set(&end, 1.0);
        status = grz_overlap_at(call, &path, here->surfaces, &end, &overlap);
        *parts = status == GRZ_OK && overlap == GRZ_OVERLAP_NO;
    }
    return status;
}

grz_status grz_parted_exactly(grz_move_call *call, const grz_object objects[2], grz_depth_side sides[2],
                              const grz_ways *first, double most, bool *parts)
{
    grz_overlapping here = {.reason = NULL};
    grz_ways ways = *first;
    const grz_box common = grz_box_intersection(&sides[0].box, &sides[1].box);
    *parts = false;
    if (objects[0].mesh->triangle_count + objects[1].mesh->triangle_count > MOST_TRIANGLES)
        return GRZ_OK;
    grz_ways_add_normals(&ways, sides, &common, most);
    grz_status status = grz_overlapping_find_surfaces(call, &objects[0], &objects[1], &here);
    if (status == GRZ_OK && here.clean)
        status = try_ways(call, objects, &here, &ways, most, parts);
    grz_overlapping_finish(call, &here);
    return status;
}
