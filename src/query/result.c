// SPDX-License-Identifier: MIT
// Results: life, what callers read from them, and the list of face pairs.
#include "query/result.h"

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
    grz_result_finish(result);
    grz_release(allocator, result, 1, sizeof *result);
}

void grz_result_finish(grz_result *result)
{
    const grz_allocator *allocator = result->allocator;
    grz_array_finish(allocator, &result->found);
    grz_array_finish(allocator, &result->pairs);
    grz_array_finish(allocator, &result->contacts);
    grz_array_finish(allocator, &result->points);
    grz_array_finish(allocator, &result->features);
    grz_array_finish(allocator, &result->keys);
    grz_array_finish(allocator, &result->own_points);
    grz_array_finish(allocator, &result->curves);
    grz_array_finish(allocator, &result->curve_points);
    grz_array_finish(allocator, &result->scene_pairs);
    grz_array_finish(allocator, &result->volumes);
}

void grz_result_reset(grz_result *result)
{
    result->found.count = result->pairs.count = result->contacts.count = 0;
    result->points.count = result->features.count = result->keys.count = result->own_points.count = 0;
    result->curves.count = result->curve_points.count = result->scene_pairs.count = result->volumes.count = 0;
    result->summary = (grz_summary){.certainty = GRZ_UNDECIDED, .reason = "no query was completed", .method = ""};
}

const grz_summary *grz_result_summary(const grz_result *result)
{
    return &result->summary;
}

const grz_pair *grz_result_pairs(const grz_result *result, uint64_t *count)
{
    *count = result->pairs.count;
    return result->pairs.items;
}

const grz_contact *grz_result_contacts(const grz_result *result, uint64_t *count)
{
    *count = result->contacts.count;
    return result->contacts.items;
}

const double *grz_result_points(const grz_result *result, uint64_t *count)
{
    *count = result->points.count;
    return result->points.items != NULL ? result->points.items->at : NULL;
}

const grz_features *grz_result_features(const grz_result *result, uint64_t *count)
{
    *count = result->features.count;
    return result->features.items;
}

const grz_curve *grz_result_curves(const grz_result *result, uint64_t *count)
{
    *count = result->curves.count;
    return result->curves.items;
}

const double *grz_result_curve_points(const grz_result *result, uint64_t *count)
{
    *count = result->curve_points.count;
    return result->curve_points.items != NULL ? result->curve_points.items->at : NULL;
}

const grz_scene_pair *grz_result_scene_pairs(const grz_result *result, uint64_t *count)
{
    *count = result->scene_pairs.count;
    return result->scene_pairs.items;
}

grz_status grz_result_build_pairs(grz_result *result, const grz_found_range *range, grz_control *control, grz_verdict *verdict)
{
    const grz_found *found = result->found.items;
    const size_t first = result->pairs.count;
    size_t count = first;
    if (!grz_array_reserve(result->allocator, &result->pairs, first + (range->end - range->first)))
        return GRZ_ERROR_MEMORY;
    grz_pair *pairs = result->pairs.items;
    for (size_t i = range->first; i < range->end; i++) {
        if (grz_control_expired_at(control, i, 16))
            return grz_control_status(control);
        if (count == first || pairs[count - 1].face_a != found[i].face_a || pairs[count - 1].face_b != found[i].face_b)
            pairs[count++] = (grz_pair){.face_a = found[i].face_a, .face_b = found[i].face_b, .kind = found[i].kind};
        else if (found[i].kind > pairs[count - 1].kind)
            pairs[count - 1].kind = found[i].kind;
    }
    for (size_t i = first; i < count; i++)
        verdict->kinds[pairs[i].kind]++;
    result->pairs.count = count;
    verdict->first_pair = first;
    verdict->pair_count = count - first;
    return GRZ_OK;
}
