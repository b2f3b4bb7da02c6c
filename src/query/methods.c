// SPDX-License-Identifier: MIT
// The table of methods, one filter each.
#include "query/query.h"

#include <string.h>

enum {
    FILTER_COUNT = 4
};

static const grz_filter *const filters[FILTER_COUNT] = {&grz_filter_naive, &grz_filter_bvh, &grz_filter_slices, &grz_filter_layers};

const grz_filter *grz_filter_at(size_t index)
{
    return index < FILTER_COUNT ? filters[index] : NULL;
}

const grz_filter *grz_filter_find(const char *name, grz_answer answer)
{
    if (name == NULL || strcmp(name, "auto") == 0)
        return answer == GRZ_ANSWER_DISCRETE ? &grz_filter_slices : &grz_filter_bvh;
    for (size_t i = 0; i < FILTER_COUNT; i++)
        if (strcmp(filters[i]->name, name) == 0)
            return filters[i];
    return NULL;
}

const char *grz_method_name(size_t index)
{
    const grz_filter *filter = grz_filter_at(index);
    return filter != NULL ? filter->name : NULL;
}

bool grz_method_info(size_t index, grz_method *method)
{
    const grz_filter *filter = grz_filter_at(index);
    if (method == NULL)
        return false;
    *method = (grz_method){.name = NULL};
    if (filter == NULL)
        return false;
    *method = (grz_method){.name = filter->name,
                           .exact = filter->propose != NULL,
                           .discrete = filter->discrete != NULL || filter->sample != NULL,
                           .self = (filter->capabilities & GRZ_CAN_SELF) != 0,
                           .gl = filter->gl};
    return true;
}
