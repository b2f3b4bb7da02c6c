// SPDX-License-Identifier: MIT
// The table of filters.
#include "space/filter.h"

#include <string.h>

enum {
    FILTER_COUNT = 2
};

static const grz_filter *const filters[FILTER_COUNT] = {&grz_filter_naive, &grz_filter_bvh};

const grz_filter *grz_filter_at(size_t index)
{
    return index < FILTER_COUNT ? filters[index] : NULL;
}

const grz_filter *grz_filter_find(const char *name)
{
    if (name == NULL || strcmp(name, "auto") == 0)
        return &grz_filter_bvh;
    for (size_t i = 0; i < FILTER_COUNT; i++)
        if (strcmp(filters[i]->name, name) == 0)
            return filters[i];
    return NULL;
}
