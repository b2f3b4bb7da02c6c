// SPDX-License-Identifier: MIT
// Distances are enclosed and locations exact: those of grz_distance_points() and grz_locate_points(), without their
// calls.
#include "ask/overlap/depth/side.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/pose.h"
#include "inside/border/border.h"
#include "mesh/triangles.h"
#include "space/bvh/bvh.h"

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
    if (side->nearest.control == NULL)
        return;
    const grz_allocator *allocator = grz_control_allocator(side->nearest.control);
    grz_nearest_face_finish(&side->nearest);
    grz_mesh_destroy(side->border_mesh);
    grz_release(allocator, side->border_triangles, side->border_count, sizeof *side->border_triangles);
    grz_release(allocator, side->is_border, side->border_count, sizeof *side->is_border);
}

// ---- The border of a surface that meets itself --------------------------------------------------------------------

static bool may_be_border(unsigned sides)
{
    const unsigned both = GRZ_NORMAL_SIDE_INSIDE | GRZ_OTHER_SIDE_INSIDE;
    if ((sides & GRZ_BORDER_NO_AREA) != 0)
        return false;
    return (sides & GRZ_BORDER_KNOWN) == 0 || ((sides & both) != 0 && (sides & both) != both);
}

// A mesh of some triangles at their world positions, each with corners of its own.
static grz_status make_mesh(grz_depth_side *side, grz_call *call)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    const size_t corners = 3 * (size_t)side->border_count;
    double(*positions)[3][3] = grz_allocate(allocator, side->border_count, sizeof *positions);
    uint32_t *indices = grz_allocate(allocator, corners, sizeof *indices);
    grz_status status = GRZ_ERROR_MEMORY;
    if (positions != NULL && indices != NULL) {
        grz_mesh_description description = grz_default_mesh_description();
        for (uint32_t i = 0; i < side->border_count; i++)
            grz_world_corners(side->object->mesh, &side->object->pose, side->border_triangles[i], positions[i]);
        for (size_t i = 0; i < corners; i++)
            indices[i] = (uint32_t)i;
        description.positions = positions;
        description.position_type = GRZ_FLOAT64;
        description.vertex_count = corners;
        description.indices = indices;
        description.index_count = corners;
        description.face_count = side->border_count;
        description.flags = GRZ_MESH_INDEX_ONLY;
        status = grz_mesh_make(call->device, &description, &call->control, &side->border_mesh, call->error);
    }
    grz_release(allocator, positions, side->border_count, sizeof *positions);
    grz_release(allocator, indices, corners, sizeof *indices);
    return status;
}

static grz_status list_border(grz_depth_side *side, const unsigned char *sides, unsigned known, grz_call *call)
{
    const uint32_t triangles = side->object->mesh->triangle_count;
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    uint32_t count = 0, at = 0;
    for (uint32_t t = 0; t < triangles; t++)
        count += may_be_border(sides[t] | known);
    side->all_border = known != 0 && count == triangles;
    if (count == 0 || count > UINT32_MAX / 3 || side->all_border)
        return GRZ_OK;
    side->border_count = count;
    side->border_triangles = grz_allocate(allocator, count, sizeof *side->border_triangles);
    side->is_border = grz_allocate(allocator, count, sizeof *side->is_border);
    if (side->border_triangles == NULL || side->is_border == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t t = 0; t < triangles; t++)
        if (may_be_border(sides[t] | known)) {
            side->border_triangles[at] = t;
            side->is_border[at++] = ((sides[t] | known) & GRZ_BORDER_KNOWN) != 0;
        }
    const grz_bvh *bvh;
    grz_status status = make_mesh(side, call);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(side->border_mesh, &call->control, &bvh, call->error);
    if (status != GRZ_OK)
        return status;
    side->border_object = grz_object_at_origin(side->border_mesh);
    grz_nearest_face_finish(&side->nearest);
    grz_nearest_face_target_set(&side->target, &side->border_object, bvh, grz_device_simd(call->device));
    side->nearest = (grz_nearest_face){.target = &side->target, .control = &call->control};
    return GRZ_OK;
}

grz_status grz_depth_side_use_border(grz_depth_side *side, const grz_surface *surface, grz_call *call)
{
    if (!surface->unclean)
        return list_border(side, surface->sides, GRZ_BORDER_KNOWN, call);
    grz_posed_border border;
    grz_status status = grz_posed_border_init(&border, side->object, side->solid.rule, &call->control, call->error);
    if (status == GRZ_OK)
        status = list_border(side, border.border->sides, 0, call);
    grz_posed_border_finish(grz_control_allocator(&call->control), &border);
    return status;
}

uint32_t grz_depth_side_nearest(const grz_depth_side *side, bool *is_border)
{
    const uint32_t found = side->nearest.guess;
    *is_border = side->border_mesh == NULL || side->is_border[found];
    return side->border_mesh == NULL ? found : side->border_triangles[found];
}

// ---- Points -------------------------------------------------------------------------------------------------------

// How far a point in a box is from the box's outside, at most.
static double way_out(const grz_box *box, const double point[3])
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        least = fmin(least, fmin(point[k] - box->min[k], box->max[k] - point[k]));
    return fmax(0.0, least) * GRZ_MORE(4) + GRZ_UNDERFLOWS;
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
    const bool touches = found.location == GRZ_ON_SURFACE;
    if (!touches && !grz_probe_point(&side->probe, point, side->border_mesh == NULL, &found.location))
        return false;
    depth->location = found.location;
    memcpy(depth->nearest, found.point, sizeof depth->nearest);
    if (found.location == GRZ_ON_SURFACE) { // a triangle that is no border may be deep inside
        const bool is_border = touches && (side->border_mesh != NULL ? side->is_border[found.face] : side->all_border);
        depth->lower = -found.upper;
        depth->upper = is_border ? 0.0 : way_out(&side->box, point);
        return true;
    }
    const bool inside = found.location == GRZ_INSIDE;
    depth->lower = inside ? found.lower : -found.upper;
    depth->upper = inside ? found.upper : -found.lower;
    return true;
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
