// SPDX-License-Identifier: MIT
#include "assembly/adjacent.h"

#include <stdio.h>

// Called by the library for pairs whose boxes overlap.
static bool is_tested(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    (void)object_a, (void)object_b;
    return !exclusions_hold(user, a, b);
}

grz_status adjacent_filter(grz_scene *scene, exclusions *excluded, grz_error *error)
{
    return grz_scene_set_filter(scene, is_tested, excluded, error);
}

bool adjacent_exclude_touching(grz_device *device, grz_scene *scene, const grz_collide_options *parts,
                               grz_result *result, exclusions *out, grz_error *error)
{
    grz_collide_options wanted = *parts;
    uint64_t count;
    uint32_t why = 0;

    wanted.find = 0;
    wanted.answer = GRZ_ANSWER_EXACT;
    wanted.method = NULL;
    wanted.method_options = NULL;
    if (grz_collide_scene(device, scene, &wanted, result, error) != GRZ_OK)
        return false;
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    bool added = count == 0 || (why = exclusions_reason(out, "adjacent: touching at the reference pose")) != UINT32_MAX;
    for (uint64_t i = 0; added && i < count; i++)
        if (pairs[i].relation == GRZ_COLLIDING)
            added = exclusions_add(out, pairs[i].a, pairs[i].b, why);
    if (!added)
        snprintf(error->message, sizeof error->message, "out of memory for the pairs that are excluded");
    exclusions_sort(out);
    return added;
}
