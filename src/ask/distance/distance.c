// SPDX-License-Identifier: MIT grz_distance(): checks what was asked, runs the walk (or compares all pairs, for the
// reference), and has the pairs that may be the nearest decided exactly.
#include <graze/distance.h>

#include <math.h>
#include <string.h>

#include "ask/distance/measure.h"
#include "ask/distance/distance_walk.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "query/methods.h"

enum {
    CHECK_BITS = 8,   // pairs compared between two checks of the control, as a power of two
    MOST_EARLIER = 64 // pairs of triangles of an earlier answer's faces that are compared
};

static const grz_distance_options defaults = {.size = sizeof(grz_distance_options)};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(distance_options, defaults);

const grz_distance_answer grz_distance_nothing = {.distance = HUGE_VAL,
                                                  .upper = HUGE_VAL,
                                                  .certainty = GRZ_UNDECIDED,
                                                  .face_a = GRZ_NO_FACE,
                                                  .face_b = GRZ_NO_FACE,
                                                  .feature_a = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}},
                                                  .feature_b = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}}};

void grz_distance_options_init(grz_distance_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_distance_begin(grz_call *call, const char *name, grz_device *device, const grz_distance_options *given,
                              grz_distance_options *options, bool *all_pairs, grz_error *error)
{
    const grz_status status = grz_call_begin(call, name, device, &options_type, given, options, error);
    if (status != GRZ_OK)
        return status;
    if (!(options->relative_error >= 0.0 && options->relative_error < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "distance: options.relative_error is %g; it must be 0 or above, and finite",
                        options->relative_error);
    const grz_filter *filter;
    const grz_status read =
        grz_filter_read(options->method, GRZ_CAN_DISTANCE, "cannot measure distances", &filter, error);
    if (read == GRZ_OK)
        *all_pairs = grz_filter_can(filter, GRZ_IS_REFERENCE);
    return read;
}

// The first triangle of a face; the mesh's triangles are in the order of its faces. Past the last: there is none.
static uint32_t first_triangle(const grz_mesh *mesh, uint32_t face)
{
    uint32_t low = 0, high = mesh->triangle_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (grz_mesh_triangle_face(mesh, middle) < face)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Compare the faces of an earlier answer, so that the search begins with a good upper bound. Faces that the meshes do
// not have are ignored.
static bool try_earlier(grz_nearest_pairs *pairs, const grz_distance_answer *earlier)
{
    const grz_mesh *mesh_a = pairs->a->mesh, *mesh_b = pairs->b->mesh;
    if (earlier == NULL || earlier->face_a == GRZ_NO_FACE || earlier->face_b == GRZ_NO_FACE)
        return true;
    bool has_room = true;
    uint32_t left = MOST_EARLIER;
    for (uint32_t i = first_triangle(mesh_a, earlier->face_a);
         left > 0 && i < mesh_a->triangle_count && grz_mesh_triangle_face(mesh_a, i) == earlier->face_a; i++)
        for (uint32_t j = first_triangle(mesh_b, earlier->face_b);
             left > 0 && j < mesh_b->triangle_count && grz_mesh_triangle_face(mesh_b, j) == earlier->face_b;
             j++, left--)
            has_room = has_room && grz_nearest_pairs_try(pairs, i, j);
    return has_room;
}

static grz_status compare_all(grz_nearest_pairs *pairs, double *lower)
{
    grz_control *control = pairs->control;
    size_t steps = 0;
    bool going = true;
    for (uint32_t i = 0; i < pairs->a->mesh->triangle_count && going; i++)
        for (uint32_t j = 0; j < pairs->b->mesh->triangle_count && going; j++) {
            going = !grz_control_expired_at(control, ++steps, CHECK_BITS);
            if (going && !grz_nearest_pairs_try(pairs, i, j)) {
                grz_control_fail(control, GRZ_ERROR_MEMORY);
                going = false;
            }
        }
    *lower = going ? HUGE_VAL : 0.0;
    return grz_control_status(control);
}

static grz_status walk_trees(grz_nearest_pairs *pairs, grz_device *device, double relative_error, double *lower,
                             grz_error *error)
{
    const grz_bvh *bvh_a, *bvh_b;
    grz_status status = grz_mesh_bvh(pairs->a->mesh, pairs->control, &bvh_a, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(pairs->b->mesh, pairs->control, &bvh_b, error);
    if (status == GRZ_OK)
        status = grz_distance_walk(pairs, bvh_a, bvh_b, grz_device_simd(device), relative_error, lower);
    return status;
}

// What is proved where the search ended early.
static void answer_bounds(const grz_nearest_pairs *pairs, double lower, grz_distance_answer *answer)
{
    answer->distance = answer->upper = pairs->upper;
    answer->lower = fmin(fmin(lower, grz_nearest_pairs_lower(pairs)), pairs->upper);
    answer->touching = pairs->touching;
    answer->certainty = pairs->touching ? GRZ_EXACT : GRZ_UNDECIDED;
    if (pairs->upper < HUGE_VAL)
        grz_nearest_pairs_best(pairs, answer);
}

grz_status grz_distance_measure(grz_device *device, const grz_object objects[2], const grz_distance_options *options,
                                bool all_pairs, grz_control *control, grz_distance_answer *answer, grz_error *error)
{
    grz_nearest_pairs pairs;
    double lower = 0.0;
    grz_nearest_pairs_init(&pairs, &objects[0], &objects[1], grz_device_simd(device), control);
    grz_status status = GRZ_OK;
    if (!try_earlier(&pairs, options->earlier))
        grz_control_fail(control, GRZ_ERROR_MEMORY);
    else if (all_pairs)
        status = compare_all(&pairs, &lower);
    else
        status = walk_trees(&pairs, device, options->relative_error, &lower, error);
    const bool decided = status == GRZ_OK && grz_nearest_pairs_decide(&pairs, answer);
    if (decided && !pairs.touching && lower <= answer->upper) { // something that was dropped may be nearer
        answer->lower = fmin(answer->lower, lower);
        answer->certainty =
            answer->lower > 0.0 ? grz_certainty_of_estimate(answer->lower, answer->upper) : GRZ_UNDECIDED;
        answer->ties = 0;
    }
    if (status == GRZ_OK)
        status = grz_control_status(control);
    if (!decided && (status == GRZ_OK || status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_CANCELLED))
        answer_bounds(&pairs, lower, answer);
    answer->compared = pairs.compared;
    grz_nearest_pairs_finish(&pairs);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "distance", error);
}

static grz_status check_and_measure(grz_call *call, const grz_object *a, const grz_object *b,
                                    const grz_distance_options *options, bool all_pairs, grz_distance_answer *answer)
{
    grz_object here[2];
    grz_error *error = call->error;
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "distance: the answer is NULL");
    grz_status status = grz_object_check("distance", a, "object A", 0, error);
    if (status == GRZ_OK)
        status = grz_object_check("distance", b, "object B", 1, error);
    if (status != GRZ_OK)
        return status;
    here[0] = *a;
    here[1] = *b;
    status = grz_mesh_in_memory(a->mesh, &call->control, &here[0].mesh, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(b->mesh, &call->control, &here[1].mesh, error);
    return status == GRZ_OK
               ? grz_distance_measure(call->device, here, options, all_pairs, &call->control, answer, error)
               : status;
}

grz_status grz_distance(grz_device *device, const grz_object *a, const grz_object *b,
                        const grz_distance_options *options, grz_distance_answer *answer, grz_error *error)
{
    grz_call call;
    grz_distance_options read;
    bool all_pairs = false;
    grz_distance_answer found = grz_distance_nothing; // `answer` may be options->earlier
    grz_status status = grz_distance_begin(&call, "distance", device, options, &read, &all_pairs, error);
    if (status == GRZ_OK)
        status = check_and_measure(&call, a, b, &read, all_pairs, answer != NULL ? &found : NULL);
    if (answer != NULL)
        *answer = found;
    return grz_call_end(&call, status);
}
