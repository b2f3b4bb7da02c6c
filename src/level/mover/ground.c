// SPDX-License-Identifier: MIT
// grz_mover_step() with `ground`: a broad phase in the plane. The objects around the step are gathered by their boxes
// in the plane, and the step is done among these. The step says where it has looked. If that is not all in the box that
// was gathered, a larger box is taken and the step is done again. In the end no object that is left out has a triangle
// where the step has looked, so it cannot change the answer.
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/fail.h"
#include "level/mover/mover_searched.h"
#include "level/vector_check.h"

enum {
    TRIES = 4, // then all objects are taken
    FEW = 64
};

static const double USUAL_SKIN = 0x1p-10; // as in grz_mover_options
static const double LARGEST = 0x1p100;    // of what the caller gives, as <graze/mover.h> says

// ---- Where a step will look -----------------------------------------------------------------------------------------

double grz_mover_skin(const grz_moved_shape *shape, const grz_mover_options *options)
{
    return options->skin > 0.0 ? options->skin : grz_moved_shape_thickness(shape) * USUAL_SKIN;
}

grz_box grz_mover_usual_box(const grz_moved_shape *shape, const double position[3], const double displacement[3],
                            const grz_mover_options *options)
{
    double reach = shape->radius, square = 0.0;
    for (int k = 0; k < 3; k++) {
        reach += fabs(shape->half[k]);
        square += displacement[k] * displacement[k];
    }
    reach += sqrt(square) + 4.0 * grz_mover_skin(shape, options) +
             (options->walk ? options->step_up + options->step_down : 0.0);
    grz_box box = grz_box_empty();
    grz_box_add_point(&box, position);
    return reach <= LARGEST ? grz_box_grown(&box, reach) : box; // the mover refuses what is not a number
}

// ---- Gathering ------------------------------------------------------------------------------------------------------

typedef struct gathering {
    grz_call call;
    const grz_object *objects; // the caller's
    uint32_t count;
    const grz_shape *shape;
    const double *position, *displacement;
    grz_mover_options options;   // the caller's
    GRZ_ARRAY(uint32_t) numbers; // of those near, ascending
    GRZ_ARRAY(grz_object) near;
    GRZ_ARRAY(grz_pose) earlier;
} gathering;

static const grz_allocator *allocator_of(gathering *g)
{
    return grz_control_allocator(&g->call.control);
}

static grz_status out_of_memory(gathering *g)
{
    return grz_control_explain(&g->call.control, GRZ_ERROR_MEMORY, "the mover", g->call.error);
}

// The numbers of the objects whose items overlap a box, looked at along the axis.
static grz_status find_near(gathering *g, const grz_box *box)
{
    const uint32_t axis = g->options.ground_axis, x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
    const double min[2] = {box->min[x], box->min[y]}, max[2] = {box->max[x], box->max[y]};
    uint64_t found = FEW, room = 0;
    while (room < found) { // once, but where many are near
        room = found;
        if (!grz_array_reserve(allocator_of(g), &g->numbers, (size_t)room))
            return out_of_memory(g);
        const grz_status status = grz_flat_in_box(g->options.ground, min, max, NULL, g->numbers.items,
                                                  g->numbers.capacity, &found, g->call.error);
        if (status != GRZ_OK)
            return status;
        room = g->numbers.capacity;
    }
    g->numbers.count = (size_t)found;
    if (found > 0 && g->numbers.items[found - 1] >= g->count)
        return grz_fail(g->call.error, GRZ_ERROR_ARGUMENT, g->numbers.items[found - 1],
                        "mover: options.ground has an item %u, but there are %u objects", g->numbers.items[found - 1],
                        g->count);
    return GRZ_OK;
}

// Add a number, in its order. Its index, or SIZE_MAX: no memory.
static size_t add_number(gathering *g, uint32_t number)
{
    size_t at = 0;
    while (at < g->numbers.count && g->numbers.items[at] < number)
        at++;
    if (at < g->numbers.count && g->numbers.items[at] == number)
        return at;
    if (!grz_array_add(allocator_of(g), &g->numbers))
        return SIZE_MAX;
    memmove(g->numbers.items + at + 1, g->numbers.items + at, (g->numbers.count - 1 - at) * sizeof *g->numbers.items);
    g->numbers.items[at] = number;
    return at;
}

static bool has_moved(const gathering *g, uint32_t number)
{
    return memcmp(&g->options.earlier_poses[number], &g->objects[number].pose, sizeof(grz_pose)) != 0;
}

// Whether anything has moved changes how a step begins: if something has, the step must know.
static bool add_moved(gathering *g)
{
    if (g->options.earlier_poses == NULL)
        return true;
    for (size_t i = 0; i < g->numbers.count; i++)
        if (has_moved(g, g->numbers.items[i]))
            return true;
    uint32_t first = 0;
    while (first < g->count && !has_moved(g, first))
        first++;
    return first == g->count || add_number(g, first) != SIZE_MAX;
}

// The objects near a box, as a step takes them. The floor is called by its index among them.
static grz_status gather(gathering *g, const grz_box *box, grz_mover_options *options)
{
    const bool stands = g->options.walk && g->options.floor.stands;
    const grz_status status = find_near(g, box);
    if (status != GRZ_OK)
        return status;
    if ((stands && add_number(g, g->options.floor.object) == SIZE_MAX) || !add_moved(g))
        return out_of_memory(g);
    const size_t count = g->numbers.count;
    if (!grz_array_reserve(allocator_of(g), &g->near, count) || !grz_array_reserve(allocator_of(g), &g->earlier, count))
        return out_of_memory(g);
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = g->numbers.items[i];
        g->near.items[i] = g->objects[number];
        if (g->options.earlier_poses != NULL)
            g->earlier.items[i] = g->options.earlier_poses[number];
        if (stands && number == g->options.floor.object)
            options->floor.object = (uint32_t)i;
    }
    options->earlier_poses = g->options.earlier_poses != NULL ? g->earlier.items : NULL;
    return GRZ_OK;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

static void rename_objects(const gathering *g, grz_mover_answer *answer)
{
    if (answer->floor.stands)
        answer->floor.object = g->numbers.items[answer->floor.object];
    for (uint32_t i = 0; i < answer->contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++)
        answer->contacts[i].object = g->numbers.items[answer->contacts[i].object];
}

static bool holds(const grz_box *outer, const grz_box *inner)
{
    return grz_box_contains(outer, inner->min) && grz_box_contains(outer, inner->max);
}

static grz_status step_among_all(gathering *g, grz_mover_answer *answer)
{
    grz_mover_options options = g->options;
    options.limits = grz_control_limits_left(&g->call.control);
    return grz_mover_step_searched(g->call.device, g->objects, g->count, g->shape, g->position, g->displacement,
                                   &options, answer, NULL, g->call.error);
}

// False: what is asked is refused, or cannot be known from the objects near; the step among all of them says how.
static bool is_askable(const gathering *g, grz_moved_shape *shape, const grz_mover_answer *answer)
{
    const grz_mover_options *o = &g->options;
    return g->shape != NULL && g->position != NULL && g->displacement != NULL && answer != NULL &&
           (g->objects != NULL || g->count == 0) && grz_moved_shape_read(g->shape, shape, NULL) == GRZ_OK &&
           grz_vector_check("mover", "position", g->position, NULL) == GRZ_OK &&
           grz_vector_check("mover", "displacement", g->displacement, NULL) == GRZ_OK &&
           !(o->walk && o->floor.stands && o->floor.object >= g->count);
}

static grz_status step(gathering *g, grz_mover_answer *answer)
{
    grz_moved_shape shape;
    if (!is_askable(g, &shape, answer))
        return step_among_all(g, answer);
    grz_box box = grz_mover_usual_box(&shape, g->position, g->displacement, &g->options);
    for (int i = 0; i < TRIES; i++) {
        grz_mover_options options = g->options;
        grz_box searched = grz_box_empty();
        grz_status status = gather(g, &box, &options);
        if (status != GRZ_OK)
            return status;
        options.limits = grz_control_limits_left(&g->call.control);
        status = grz_mover_step_searched(g->call.device, g->near.items, (uint32_t)g->numbers.count, g->shape,
                                         g->position, g->displacement, &options, answer, &searched, g->call.error);
        if (status == GRZ_ERROR_ARGUMENT || status == GRZ_ERROR_POSE || status == GRZ_ERROR_UNSUPPORTED)
            break; // the text should name the object as the caller does
        if (status != GRZ_OK)
            return status;
        if (holds(&box, &searched)) {
            rename_objects(g, answer);
            return GRZ_OK;
        }
        grz_box_add_box(&box, &searched);
        box = grz_box_grown(&box, grz_mover_skin(&shape, &g->options));
    }
    return step_among_all(g, answer);
}

static grz_status step_on_ground(gathering *g, grz_mover_answer *answer)
{
    if (g->options.ground_axis > 2)
        return grz_fail(g->call.error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mover: options.ground_axis is %u, must be 0, 1 or 2", g->options.ground_axis);
    const grz_status status = step(g, answer);
    const grz_allocator *allocator = allocator_of(g);
    grz_array_finish(allocator, &g->numbers);
    grz_array_finish(allocator, &g->near);
    grz_array_finish(allocator, &g->earlier);
    return status;
}

grz_status grz_mover_step(grz_device *device, const grz_object *objects, uint32_t count, const grz_shape *shape,
                          const double position[3], const double displacement[3], const grz_mover_options *options,
                          grz_mover_answer *answer, grz_error *error)
{
    gathering g = {
        .objects = objects, .count = count, .shape = shape, .position = position, .displacement = displacement};
    if (device == NULL || grz_mover_read_options(options, &g.options, NULL) != GRZ_OK || g.options.ground == NULL)
        return grz_mover_step_searched(device, objects, count, shape, position, displacement, options, answer, NULL,
                                       error);
    if (answer != NULL) {
        *answer = (grz_mover_answer){.outcome = GRZ_MOVER_LIMIT, .crushed_at = 1.0};
        if (position != NULL)
            memcpy(answer->position, position, sizeof answer->position);
    }
    grz_status status = grz_call_begin(&g.call, "mover", device, &grz_mover_options_type, options, &g.options, error);
    if (status == GRZ_OK)
        status = step_on_ground(&g, answer);
    return grz_call_end(&g.call, status);
}
