// SPDX-License-Identifier: MIT
// Distances are enclosed and locations exact: those of grz_distance_points() and grz_locate_points(), without their
// calls.
#include "ask/overlap/depth/side.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/pose.h"

grz_status grz_depth_side_init(grz_depth_side *side, const grz_object *object, grz_inside_rule rule, grz_call *call)
{
    *side = (grz_depth_side){.object = object};
    grz_status status = grz_solid_init(&side->solid, object, rule, &call->control, call->error);
    if (status == GRZ_OK)
        status = grz_solid_tighten(&side->solid, &call->control, call->error);
    if (status != GRZ_OK)
        return status;
    side->box = side->solid.box;
    grz_nearest_face_target_set(&side->target, object, side->solid.bvh, grz_device_simd(call->device));
    side->nearest = (grz_nearest_face){.target = &side->target, .control = &call->control};
    side->probe = (grz_probe){.solid = &side->solid, .control = &call->control};
    return GRZ_OK;
}

void grz_depth_side_finish(grz_depth_side *side)
{
    if (side->nearest.control != NULL)
        grz_nearest_face_finish(&side->nearest);
}

bool grz_depth_side_locate(grz_depth_side *side, const double point[3], grz_location *location)
{
    *location = GRZ_OUTSIDE;
    return !grz_box_contains(&side->box, point) || grz_probe_point(&side->probe, point, false, location);
}

bool grz_depth_side_measure(grz_depth_side *side, const double point[3], grz_point_depth *depth)
{
    grz_point_distance found;
    if (!grz_nearest_face_find(&side->nearest, point, &found))
        return false;
    if (found.location != GRZ_ON_SURFACE && !grz_probe_point(&side->probe, point, true, &found.location))
        return false;
    depth->location = found.location;
    memcpy(depth->nearest, found.point, sizeof depth->nearest);
    const bool inside = found.location == GRZ_INSIDE;
    depth->lower = inside ? found.lower : -found.upper;
    depth->upper = inside ? found.upper : -found.lower;
    return true;
}

// How far a point in a box is from the box's outside, at most.
static double way_out(const grz_box *box, const double point[3])
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        least = fmin(least, fmin(point[k] - box->min[k], box->max[k] - point[k]));
    return fmax(0.0, least) * GRZ_MORE(4) + GRZ_UNDERFLOWS;
}

bool grz_depth_side_prove(grz_depth_side *side, const double point[3], double step, grz_point_depth *depth)
{
    double behind[3], moved[3];
    grz_location location;
    if (depth->location != GRZ_INSIDE)
        return true;
    for (int k = 0; k < 3; k++) {
        const double way = depth->nearest[k] - point[k], longer = way * (1.0 + step),
                     tiny = 4.0 * fabs(depth->nearest[k]) * 0x1p-52; // what rounding the nearest point moves, and more
        behind[k] = point[k] + (longer + (way < 0.0 ? -tiny : way > 0.0 ? tiny : 0.0));
        moved[k] = behind[k] - point[k];
    }
    const double length = grz_length_up(moved);
    if (!grz_depth_side_locate(side, behind, &location))
        return false;
    depth->upper =
        location != GRZ_INSIDE && length < HUGE_VAL ? fmax(depth->upper, length) : way_out(&side->box, point);
    if (location == GRZ_ON_SURFACE) // of a face that may be no border either
        depth->upper = way_out(&side->box, point);
    return true;
}
