// SPDX-License-Identifier: MIT
// Results: create and destroy, what callers read from them, and the list of face pairs.
#include "result/result.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"

grz_status grz_result_create(grz_device *device, grz_result **result, grz_error *error)
{
    if (device == NULL || result == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "result: a NULL argument");
    const grz_allocator *allocator = grz_device_allocator(device);
    *result = grz_allocate(allocator, 1, sizeof **result);
    if (*result == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "result: out of memory");
    grz_result_init(*result, allocator);
    (*result)->device = device;
    grz_device_retain(device);
    return GRZ_OK;
}

void grz_result_init(grz_result *result, const grz_allocator *allocator)
{
    *result = (grz_result){.allocator = allocator};
    grz_result_reset(result);
}

void grz_result_destroy(grz_result *result)
{
    if (result == NULL)
        return;
    const grz_allocator *allocator = result->allocator;
    grz_device *device = result->device;
    grz_result_finish(result);
    grz_release(allocator, result, 1, sizeof *result);
    grz_device_release(device);
}

void grz_result_finish(grz_result *result)
{
    const grz_allocator *allocator = result->allocator;
    grz_array_finish(allocator, &result->found);
    grz_array_finish(allocator, &result->near_found);
    grz_array_finish(allocator, &result->pairs);
    grz_array_finish(allocator, &result->near_pairs);
    grz_array_finish(allocator, &result->contacts);
    grz_array_finish(allocator, &result->points);
    grz_array_finish(allocator, &result->features);
    grz_array_finish(allocator, &result->keys);
    grz_array_finish(allocator, &result->own_points);
    grz_array_finish(allocator, &result->curves);
    grz_array_finish(allocator, &result->curve_points);
    grz_array_finish(allocator, &result->scene_pairs);
    grz_array_finish(allocator, &result->scene_solids);
    grz_array_finish(allocator, &result->scene_clearances);
    grz_array_finish(allocator, &result->statistics);
    grz_array_finish(allocator, &result->boxes);
}

void grz_result_reset(grz_result *result)
{
    result->found.count = result->pairs.count = result->contacts.count = 0;
    result->near_found.count = result->near_pairs.count = result->scene_clearances.count = 0;
    result->points.count = result->features.count = result->keys.count = result->own_points.count = 0;
    result->curves.count = result->curve_points.count = result->scene_pairs.count = 0;
    result->scene_solids.count = result->statistics.count = result->boxes.count = 0;
    result->reference = GRZ_ALL_OBJECTS;
    result->summary =
        (grz_summary){.certainty = GRZ_UNDECIDED, .reason = "no query was completed", .method = "", .device = ""};
}

const grz_summary *grz_result_summary(const grz_result *result)
{
    return result != NULL ? &result->summary : NULL;
}

// What a getter of a list gives back; a place for the number that is NULL is accepted.
static const void *list_of(const void *items, size_t length, uint64_t *count)
{
    if (count != NULL)
        *count = length;
    return items;
}

const grz_pair *grz_result_pairs(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->pairs.items, result->pairs.count, count) : list_of(NULL, 0, count);
}

const grz_pair *grz_result_near_pairs(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->near_pairs.items, result->near_pairs.count, count)
                          : list_of(NULL, 0, count);
}

const grz_contact *grz_result_contacts(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->contacts.items, result->contacts.count, count) : list_of(NULL, 0, count);
}

const double *grz_result_points(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->points.items, result->points.count, count) : list_of(NULL, 0, count);
}

const double *grz_result_contact_points(const grz_result *result, uint64_t contact, uint64_t *count)
{
    if (result == NULL || contact >= result->contacts.count)
        return list_of(NULL, 0, count);
    const grz_contact *of = &result->contacts.items[contact];
    return list_of(result->points.items[of->first_point].at, of->point_count, count);
}

const grz_features *grz_result_features(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->features.items, result->features.count, count) : list_of(NULL, 0, count);
}

const grz_curve *grz_result_curves(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->curves.items, result->curves.count, count) : list_of(NULL, 0, count);
}

const double *grz_result_curve_points(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->curve_points.items, result->curve_points.count, count)
                          : list_of(NULL, 0, count);
}

const grz_scene_pair *grz_result_scene_pairs(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->scene_pairs.items, result->scene_pairs.count, count)
                          : list_of(NULL, 0, count);
}

const grz_pair_solids *grz_result_scene_solids(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->scene_solids.items, result->scene_solids.count, count)
                          : list_of(NULL, 0, count);
}

const grz_pair_clearance *grz_result_scene_clearances(const grz_result *result, uint64_t *count)
{
    return result != NULL ? list_of(result->scene_clearances.items, result->scene_clearances.count, count)
                          : list_of(NULL, 0, count);
}

const grz_statistic *grz_result_statistics(const grz_result *result, uint64_t *count)
{
    if (count != NULL)
        *count = result != NULL ? result->statistics.count : 0;
    return result != NULL ? result->statistics.items : NULL;
}

bool grz_result_statistic(const grz_result *result, const char *name, uint64_t *value)
{
    uint64_t count;
    const grz_statistic *statistics = grz_result_statistics(result, &count);
    if (value != NULL)
        *value = 0;
    for (uint64_t i = 0; i < count && name != NULL; i++) {
        if (strcmp(statistics[i].name, name) != 0)
            continue;
        if (value != NULL)
            *value = statistics[i].value;
        return true;
    }
    return false;
}

const grz_collision_box *grz_result_collision_boxes(const grz_result *result, uint64_t *count)
{
    if (count != NULL)
        *count = result != NULL ? result->boxes.count : 0;
    return result != NULL ? result->boxes.items : NULL;
}

grz_status grz_result_build_pairs(grz_result *result, const grz_found_range *range, grz_control *control,
                                  grz_verdict *verdict)
{
    const grz_found *found = result->found.items;
    const size_t first = result->pairs.count;
    assert(range->first <= range->end && range->end <= result->found.count);
    size_t count = first;
    if (!grz_array_reserve(result->allocator, &result->pairs, first + (range->end - range->first)))
        return GRZ_ERROR_MEMORY;
    grz_pair *pairs = result->pairs.items;
    for (size_t i = range->first; i < range->end; i++) {
        if (grz_control_expired_at(control, i, 16))
            return grz_control_status(control);
        assert(found[i].kind < GRZ_KIND_COUNT && (i == range->first || found[i - 1].face_a <= found[i].face_a));
        if (count == first || pairs[count - 1].face_a != found[i].face_a || pairs[count - 1].face_b != found[i].face_b)
            pairs[count++] = (grz_pair){.face_a = found[i].face_a, .face_b = found[i].face_b, .kind = found[i].kind};
        else if (found[i].kind > pairs[count - 1].kind)
            pairs[count - 1].kind = found[i].kind;
    }
    for (size_t i = first; i < count; i++)
        verdict->kinds[pairs[i].kind]++;
    assert(count <= first + (range->end - range->first));
    result->pairs.count = count;
    verdict->first_pair = first;
    verdict->pair_count = count - first;
    return GRZ_OK;
}

grz_status grz_result_build_near_pairs(grz_result *result, const grz_found_range *range, grz_control *control,
                                       grz_verdict *verdict)
{
    const grz_found *found = result->near_found.items;
    const grz_pair *touching = result->pairs.items;
    const size_t first = result->near_pairs.count, end = (size_t)(verdict->first_pair + verdict->pair_count);
    assert(range->first <= range->end && range->end <= result->near_found.count && end <= result->pairs.count);
    size_t count = first, at = (size_t)verdict->first_pair;
    if (!grz_array_reserve(result->allocator, &result->near_pairs, first + (range->end - range->first)))
        return GRZ_ERROR_MEMORY;
    grz_pair *pairs = result->near_pairs.items;
    for (size_t i = range->first; i < range->end; i++) {
        const uint32_t face_a = found[i].face_a, face_b = found[i].face_b;
        if (grz_control_expired_at(control, i, 16))
            return grz_control_status(control);
        while (at < end &&
               (touching[at].face_a < face_a || (touching[at].face_a == face_a && touching[at].face_b < face_b)))
            at++;
        if (at < end && touching[at].face_a == face_a && touching[at].face_b == face_b)
            continue;
        if (count == first || pairs[count - 1].face_a != face_a || pairs[count - 1].face_b != face_b)
            pairs[count++] = (grz_pair){.face_a = face_a, .face_b = face_b, .kind = GRZ_NEAR};
    }
    result->near_pairs.count = count;
    verdict->first_near = first;
    verdict->near_count = count - first;
    return GRZ_OK;
}
