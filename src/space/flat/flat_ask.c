// SPDX-License-Identifier: MIT
// All pairs, and all items in a box or a circle. A structure proposes items by their boxes; what is exact is decided
// here, and the answers are sorted.
#include <math.h>

#include "base/fail.h"
#include "base/sort/number_sort.h"
#include "space/flat/flat_distance.h"
#include "space/flat/flat_set.h"

enum {
    CHECK_BITS = 10
};

typedef struct asking {
    grz_flat_seeker seeker;
    const grz_flat_items *items;
    grz_control *control;
    size_t steps;
    const grz_flat_held *box; // that is asked for; or the box of a circle
    const double *centre;     // NULL: no circle
    double radius;
    GRZ_ARRAY(uint64_t) found;
} asking;

static bool add(asking *a, uint64_t number)
{
    if (grz_array_add(grz_control_allocator(a->control), &a->found)) {
        a->found.items[a->found.count - 1] = number;
        return true;
    }
    grz_control_fail(a->control, GRZ_ERROR_MEMORY);
    return false;
}

static bool add_pair(void *context, uint32_t x, uint32_t y)
{
    asking *a = context;
    if (grz_control_expired_at(a->control, ++a->steps, CHECK_BITS))
        return false;
    if (!grz_flat_touch(&a->items->items[x], &a->items->items[y]))
        return true;
    return add(a, x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x);
}

static bool add_number(grz_flat_seeker *seeker, uint32_t number)
{
    asking *a = (asking *)seeker;
    const grz_flat_held *item = &a->items->items[number];
    if (grz_control_expired_at(a->control, ++a->steps, CHECK_BITS))
        return false;
    const bool is_in =
        a->centre != NULL ? grz_flat_is_within(item, a->centre, a->radius) : grz_flat_touch(item, a->box);
    return !is_in || add(a, number);
}

// Sort what was found. GRZ_OK, or what ended the call.
static grz_status finish(asking *a)
{
    if (a->found.count == 0)
        return grz_control_status(a->control);
    const grz_allocator *allocator = grz_control_allocator(a->control);
    uint64_t *spare = grz_allocate(allocator, a->found.count, sizeof *spare);
    if (spare == NULL)
        return GRZ_ERROR_MEMORY;
    if (grz_control_status(a->control) == GRZ_OK)
        grz_sort_numbers(a->found.items, spare, a->found.count, a->control);
    grz_release(allocator, spare, a->found.count, sizeof *spare);
    return grz_control_status(a->control);
}

static grz_status begin(grz_call *call, const grz_flat *flat, const grz_flat_options *options, const void *places,
                        uint64_t capacity, uint64_t *found, grz_error *error)
{
    grz_status status = grz_flat_begin(call, flat, options, error);
    if (found != NULL)
        *found = 0;
    if (status == GRZ_OK)
        status = grz_flat_need(found, "found is", error);
    if (status == GRZ_OK && capacity > 0)
        status = grz_flat_need(places, "the place for the answers is", error);
    return status;
}

grz_status grz_flat_pairs(const grz_flat *flat, const grz_flat_options *options, grz_flat_pair *pairs,
                          uint64_t capacity, uint64_t *found, grz_error *error)
{
    grz_call call;
    grz_status status = begin(&call, flat, options, pairs, capacity, found, error);
    if (status == GRZ_OK) {
        asking a = {.items = &flat->items, .control = &call.control};
        flat->structure->pairs(flat->state, &flat->items, &call.control, add_pair, &a);
        status = finish(&a);
        for (size_t i = 0; status == GRZ_OK && i < a.found.count && i < capacity; i++)
            pairs[i] = (grz_flat_pair){(uint32_t)(a.found.items[i] >> 32), (uint32_t)(a.found.items[i] & UINT32_MAX)};
        *found = status == GRZ_OK ? a.found.count : 0;
        grz_array_finish(grz_control_allocator(&call.control), &a.found);
    }
    return grz_call_end(&call, grz_call_explain(&call, status));
}

static grz_status find(const grz_flat *flat, asking *a, const grz_flat_held *box, uint32_t *numbers, uint64_t capacity,
                       uint64_t *found)
{
    a->seeker = (grz_flat_seeker){add_number, HUGE_VAL};
    a->items = &flat->items;
    a->box = box;
    if (!grz_control_expired(a->control))
        flat->structure->near_box(flat->state, &flat->items, box, &a->seeker);
    const grz_status status = finish(a);
    for (size_t i = 0; status == GRZ_OK && i < a->found.count && i < capacity; i++)
        numbers[i] = (uint32_t)a->found.items[i];
    *found = status == GRZ_OK ? a->found.count : 0;
    grz_array_finish(grz_control_allocator(a->control), &a->found);
    return status;
}

grz_status grz_flat_in_box(const grz_flat *flat, const double min[2], const double max[2],
                           const grz_flat_options *options, uint32_t *numbers, uint64_t capacity, uint64_t *found,
                           grz_error *error)
{
    grz_call call;
    grz_status status = begin(&call, flat, options, numbers, capacity, found, error);
    if (status == GRZ_OK)
        status = grz_flat_need(min, "the lower corner is", error);
    if (status == GRZ_OK)
        status = grz_flat_need(max, "the upper corner is", error);
    if (status == GRZ_OK)
        status = grz_flat_check_point(min, "the lower corner", GRZ_NO_ELEMENT, error);
    if (status == GRZ_OK)
        status = grz_flat_check_point(max, "the upper corner", GRZ_NO_ELEMENT, error);
    if (status == GRZ_OK && !(min[0] <= max[0] && min[1] <= max[1]))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flat: the lower corner is above the upper one");
    if (status == GRZ_OK) {
        const grz_flat_held box = {.min = {min[0], min[1]}, .max = {max[0], max[1]}, .form = GRZ_FLAT_FULL};
        asking a = {.control = &call.control};
        status = find(flat, &a, &box, numbers, capacity, found);
    }
    return grz_call_end(&call, grz_call_explain(&call, status));
}

grz_status grz_flat_in_circle(const grz_flat *flat, const double centre[2], double radius,
                              const grz_flat_options *options, uint32_t *numbers, uint64_t capacity, uint64_t *found,
                              grz_error *error)
{
    grz_call call;
    grz_status status = begin(&call, flat, options, numbers, capacity, found, error);
    if (status == GRZ_OK)
        status = grz_flat_need(centre, "the centre is", error);
    if (status == GRZ_OK)
        status = grz_flat_check_point(centre, "the centre", GRZ_NO_ELEMENT, error);
    if (status == GRZ_OK && (!(radius >= 0.0) || grz_flat_coordinate_fault(radius) != NULL))
        status =
            grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flat: the radius is %g, must be 0 to 2^300", radius);
    if (status == GRZ_OK) {
        grz_flat_held box = {.form = GRZ_FLAT_FULL};
        for (int k = 0; k < 2; k++) {
            box.min[k] = nextafter(centre[k] - radius, -HUGE_VAL);
            box.max[k] = nextafter(centre[k] + radius, HUGE_VAL);
        }
        asking a = {.control = &call.control, .centre = centre, .radius = radius};
        status = find(flat, &a, &box, numbers, capacity, found);
    }
    return grz_call_end(&call, grz_call_explain(&call, status));
}
