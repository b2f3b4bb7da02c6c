// SPDX-License-Identifier: MIT
// Objects that touch where a motion begins are separated by the plane of their contact, whichever way they then go: its
// normal lets a body leave, or slide along a floor. It is known where all contacts have one normal, and B is on one
// side of it: of closed meshes by their faces, of open ones if a plane separates the two as a whole.
#include "ask/move/start_normal.h"

#include <math.h>
#include <string.h>

#include "ask/touching/touching.h"
#include "base/control.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

// A product of a normal and a corner is rounded: relative to its size, and by 2^-1075 at least.
static const double ROUNDING = 0x1p-40, UNDERFLOW = 0x1p-1071;

static const char several[] = "they touch at the start with more than one normal";
static const char open_mesh[] = "they touch at the start, a mesh is open, and no plane has one on each side";

// From where to where an object reaches along n, as rounded.
static void reach(const grz_object *object, const double n[3], double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (uint32_t i = 0; i < object->mesh->triangle_count; i++) {
        double corners[3][3];
        grz_world_corners(object->mesh, &object->pose, i, corners);
        for (int k = 0; k < 3; k++) {
            const double along = grz_dot(n, corners[k]);
            *low = along < *low ? along : *low;
            *high = along > *high ? along : *high;
        }
    }
}

// Whether A is beyond B along n, but for roundings, and whether it is before it. Both: they lie in one plane.
static void sides_of(const grz_object *a, const grz_object *b, const double n[3], bool *beyond, bool *before)
{
    double a_low, a_high, b_low, b_high;
    reach(a, n, &a_low, &a_high);
    reach(b, n, &b_low, &b_high);
    const double near = ROUNDING * (fabs(a_low) + fabs(a_high) + fabs(b_low) + fabs(b_high)) + UNDERFLOW;
    *beyond = a_low >= b_high - near;
    *before = b_low >= a_high - near;
}

// From the contacts of the two.
static grz_status take_normal(const grz_result *result, const grz_object *a, const grz_object *b, grz_control *control,
                              grz_move_answer *answer)
{
    grz_manifold_answer manifold = {.count = 0};
    bool has_one_normal, beyond, before;
    const grz_status status = grz_manifold_of_contacts(result, a, b, 1, control, &manifold, &has_one_normal);
    if (status != GRZ_OK || !has_one_normal)
        return status;
    const double *n = manifold.points[0].normal;
    sides_of(a, b, n, &beyond, &before);
    if (beyond && before)
        return GRZ_OK;
    if (!beyond && !before && grz_result_summary(result)->solids != GRZ_SOLIDS_TOUCHING) {
        answer->reason = open_mesh;
        return GRZ_OK;
    }
    for (int k = 0; k < 3; k++)
        answer->normal[k] = before ? 0.0 - n[k] : n[k];
    answer->reason = NULL;
    return GRZ_OK;
}

grz_status grz_move_start_normal(grz_device *device, const grz_object *a, const grz_object *b,
                                 const grz_collide_options *options, grz_control *control, grz_move_answer *answer,
                                 grz_error *error)
{
    const bool exchanged = grz_touching_is_exchanged(a, b);
    const grz_object *first = exchanged ? b : a, *second = exchanged ? a : b;
    grz_collide_options asked = *options;
    grz_result *result = NULL;
    memset(answer->normal, 0, sizeof answer->normal);
    answer->reason = several;
    asked.find = GRZ_FIND_CONTACTS | GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS;
    asked.max_pairs = UINT64_MAX;
    grz_status status = grz_result_create(device, &result, error);
    if (status == GRZ_OK)
        status = grz_collide(device, first, second, &asked, result, error);
    if (status == GRZ_OK) {
        status = take_normal(result, first, second, control, answer);
        if (status != GRZ_OK)
            grz_control_explain(control, status, "the normal at the start", error);
    }
    grz_result_destroy(result);
    for (int k = 0; k < 3 && exchanged; k++)
        answer->normal[k] = 0.0 - answer->normal[k];
    return status;
}
