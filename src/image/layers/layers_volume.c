// SPDX-License-Identifier: MIT
// The volume that two solids have in common, by layered depth: pixels times the depths at which both are inside. Each
// pixel stands for a column of space. The estimate of the error compares neighbouring columns: each column's error is
// taken to be random, evenly distributed up to half of that difference in both directions, and independent of others.
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "image/layers/layers_options.h"
#include "image/layers/sample.h"
#include "image/layers/shaders/layers_bindings.h"
#include "mesh/object_check.h"

enum {
    MOST_SIDE = 1 << 14 // pixels; a device may take fewer
};

static const double SAFETY = 3.0; // standard deviations

static const char NAME[] = "layers overlap volume";

typedef struct question {
    grz_call call;
    const grz_object *objects[2];
    grz_layers_volume_options options;
} question;

static grz_status check(question *c)
{
    static const char *const names[2] = {"object A", "object B"};
    grz_status status = GRZ_OK;
    if (c->options.resolution > MOST_SIDE)
        status = grz_fail(c->call.error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "%s: a resolution of %u, must be at most %d", NAME, c->options.resolution, MOST_SIDE);
    for (uint64_t i = 0; i < 2 && status == GRZ_OK; i++)
        status = grz_object_check(NAME, c->objects[i], names[i], i, c->call.error);
    return status;
}

// How long a column is, or may be: a part of the view's depth, from what depths_common.comp wrote.
static double length_of(float coded)
{
    return coded == (float)GRZ_DEPTHS_CROWDED ? 0.0 : coded < 0.0F ? -1.0 - (double)coded : (double)coded;
}

static double squared(double x)
{
    return x * x;
}

// Add up the columns.
static void add_up(const float *lengths, uint32_t side, const grz_view *view, grz_layers_volume *answer)
{
    double sum = 0.0, squares = 0.0, unknown = 0.0;
    const double column = 8.0 * view->half[0] * view->half[1] * view->half[2] / ((double)side * (double)side);
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            const float *at = lengths + (size_t)y * side + x;
            const double length = length_of(*at);
            answer->crowded += *at == (float)GRZ_DEPTHS_CROWDED;
            answer->unpaired += *at < 0.0F;
            unknown += *at < 0.0F || *at == (float)GRZ_DEPTHS_CROWDED ? 1.0 : 0.0;
            sum += length;
            // Neighbours; beyond the picture there is nothing.
            squares += squared(length - (x > 0 ? length_of(at[-1]) : 0.0)) +
                       squared(length - (y > 0 ? length_of(at[-(ptrdiff_t)side]) : 0.0));
        }
    answer->volume = sum * column;
    // Depths are floats, from 0 to 1: each end is off by 2^-24 or so.
    answer->error = (SAFETY * sqrt(squares / 12.0) + unknown + 0x1p-23 * (double)answer->fragments) * column;
}

static grz_status measure(question *c, const grz_box *region, grz_layers_volume *answer)
{
    grz_layers_options options;
    grz_layers_sets sets = {.items = NULL};
    const uint32_t side = c->options.resolution;
    const size_t pixels = (size_t)side * side;
    grz_layers_options_init(&options, sizeof options);
    options.resolution = side;
    options.has_direction = c->options.has_direction;
    memcpy(options.direction, c->options.direction, sizeof options.direction);
    grz_status status = grz_layers_check(&options, c->call.error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_control_allocator(&c->call.control);
    float *lengths = grz_allocate(allocator, pixels, sizeof *lengths);
    if (lengths == NULL)
        return grz_fail(c->call.error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %zu pixels", NAME,
                        pixels);
    const grz_layers_request request = {
        .objects = c->objects, .count = 2, .region = *region, .options = &options, .common_depths = lengths};
    status = grz_layers_sample(c->call.device, &request, &c->call.control, &sets, c->call.error);
    if (status == GRZ_OK) {
        answer->fragments = sets.captured;
        add_up(lengths, side, &sets.view, answer);
    }
    grz_layers_sets_finish(&sets, &c->call.control);
    grz_release(allocator, lengths, pixels, sizeof *lengths);
    return status;
}

static grz_status find(question *c, grz_layers_volume *answer)
{
    grz_status status = check(c);
    if (status != GRZ_OK)
        return status;
    const grz_box a = grz_world_box(&c->objects[0]->pose, &c->objects[0]->mesh->bounds),
                  b = grz_world_box(&c->objects[1]->pose, &c->objects[1]->mesh->bounds),
                  region = grz_box_intersection(&a, &b);
    answer->resolution = c->options.resolution;
    if (grz_control_expired(&c->call.control))
        return grz_control_explain(&c->call.control, grz_control_status(&c->call.control), NAME, c->call.error);
    if (!grz_box_is_empty(&region))
        return measure(c, &region, answer);
    grz_gl *gl; // apart, or not: without OpenGL it is an error
    status = grz_gl_enter(c->call.device, NAME, &gl, c->call.error);
    return status == GRZ_OK ? grz_gl_leave(gl, GRZ_OK, c->call.error) : status;
}

grz_status grz_layers_overlap_volume(grz_device *device, const grz_object *a, const grz_object *b,
                                     const grz_layers_volume_options *options, grz_layers_volume *answer,
                                     grz_error *error)
{
    question c = {.objects = {a, b}};
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the answer is NULL", NAME);
    *answer = (grz_layers_volume){.volume = 0.0};
    grz_status status = grz_call_begin(&c.call, NAME, device, &grz_layers_volume_type, options, &c.options, error);
    if (status == GRZ_OK)
        status = find(&c, answer);
    if (status != GRZ_OK)
        *answer = (grz_layers_volume){.volume = 0.0};
    return grz_call_end(&c.call, status);
}
