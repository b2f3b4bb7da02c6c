// SPDX-License-Identifier: MIT
// grz_distance_points(): checks what was asked, and has the nearest face of each point found, and where the point lies.
// Blocks of points are spread over the device's threads.
#include <graze/distance.h>

#include <math.h>

#include "ask/distance/points/nearest_face.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "inside/point_in_mesh.h"
#include "mesh/object_check.h"
#include "mesh/source.h"

enum {
    MIN_BLOCK = 16, // points
    MAX_BLOCK = 1024,
    BLOCKS_PER_THREAD = 8
};

static const grz_distance_points_options defaults = {
    .size = sizeof(grz_distance_points_options), .inside_rule = GRZ_EVEN_ODD, .locate = true};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(distance_points_options, defaults);

void grz_distance_points_options_init(grz_distance_points_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

// What was asked, and what is needed to answer it.
typedef struct question {
    grz_object object; // its mesh is in memory
    grz_nearest_face_target target;
    grz_solid solid; // if `locate` is true
    bool locate;
    grz_call call;
    const double *points;
    uint64_t count;
    size_t block_size;
    grz_point_distance *answers;
} question;

static grz_status check_options(const grz_distance_points_options *options, grz_error *error)
{
    if ((unsigned)options->inside_rule > GRZ_INSIDE_AUTO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "distance: options.inside_rule is %d",
                        (int)options->inside_rule);
    return GRZ_OK;
}

static void answer_block(size_t index, void *context)
{
    question *q = context;
    const uint64_t first = (uint64_t)index * q->block_size, left = q->count - first,
                   end = first + (left < q->block_size ? left : q->block_size);
    grz_nearest_face search = {.target = &q->target, .control = &q->call.control};
    grz_probe probe = {.solid = &q->solid, .control = &q->call.control};
    bool going = !grz_control_expired(&q->call.control);
    for (uint64_t i = first; i < end && going; i++) {
        grz_point_distance *answer = &q->answers[i];
        going = grz_nearest_face_find(&search, q->points + 3 * i, answer);
        if (going && q->locate && answer->location != GRZ_ON_SURFACE)
            going = grz_probe_point(&probe, q->points + 3 * i, true, &answer->location);
    }
    grz_nearest_face_finish(&search);
}

static grz_status answer_all(question *q, grz_inside_rule rule)
{
    grz_device *device = q->call.device;
    grz_control *control = &q->call.control;
    grz_error *error = q->call.error;
    const grz_bvh *bvh;
    grz_status status = grz_mesh_bvh(q->object.mesh, control, &bvh, error);
    if (status == GRZ_OK && q->locate)
        status = grz_solid_init(&q->solid, &q->object, rule, control, error);
    if (status == GRZ_OK && q->locate && q->solid.fault != GRZ_FAULT_NONE)
        status = grz_solid_tighten(&q->solid, control, error);
    if (status != GRZ_OK)
        return status;
    grz_nearest_face_target_set(&q->target, &q->object, bvh, grz_device_simd(device));
    const uint64_t share = q->count / (BLOCKS_PER_THREAD * (uint64_t)grz_device_threads(device));
    q->block_size = share < MIN_BLOCK ? MIN_BLOCK : share > MAX_BLOCK ? MAX_BLOCK : (size_t)share;
    grz_parallel(device, (size_t)((q->count - 1) / q->block_size + 1), answer_block, q);
    return grz_call_explain(&q->call, grz_control_status(control));
}

static grz_status check_and_answer(question *q, const grz_object *object, const grz_distance_points_options *options)
{
    grz_error *error = q->call.error;
    if (q->count > 0 && (q->points == NULL || q->answers == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "distance: the %s are NULL",
                        q->points == NULL ? "points" : "answers");
    grz_status status = check_options(options, error);
    if (status == GRZ_OK)
        status = grz_object_check("distance", object, "the object", GRZ_NO_ELEMENT, error);
    if (status != GRZ_OK || q->count == 0)
        return status;
    q->locate = options->locate;
    q->object = *object;
    status = grz_points_check("distance", q->points, q->count, &q->call.control, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(object->mesh, &q->call.control, &q->object.mesh, error);
    return status == GRZ_OK ? answer_all(q, options->inside_rule) : status;
}

grz_status grz_distance_points(grz_device *device, const grz_object *object, const double *points, uint64_t count,
                               const grz_distance_points_options *options, grz_point_distance *answers,
                               grz_error *error)
{
    static const grz_point_distance nothing = {.distance = HUGE_VAL,
                                               .upper = HUGE_VAL,
                                               .face = GRZ_NO_FACE,
                                               .location = GRZ_LOCATION_UNKNOWN,
                                               .feature = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}}};
    grz_distance_points_options read;
    question q = {.points = points, .count = count, .answers = answers};
    grz_status status = grz_call_begin(&q.call, "distance", device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_answer(&q, object, &read);
    // Stopped threads leave some answers unwritten; no entry may look decided.
    for (uint64_t i = 0; status != GRZ_OK && answers != NULL && i < count; i++)
        answers[i] = nothing;
    return grz_call_end(&q.call, status);
}
