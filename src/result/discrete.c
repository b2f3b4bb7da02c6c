// SPDX-License-Identifier: MIT
// The statistics of a discrete answer: a few numbers, each under a name that its method has chosen.
#include "result/discrete.h"

#include <assert.h>
#include <string.h>

static grz_statistic *find_or_add(grz_discrete *answer, const char *name)
{
    assert(name != NULL && answer->statistic_count <= GRZ_MOST_STATISTICS);
    for (uint32_t i = 0; i < answer->statistic_count; i++)
        if (strcmp(answer->statistics[i].name, name) == 0)
            return &answer->statistics[i];
    assert(answer->statistic_count < GRZ_MOST_STATISTICS);
    grz_statistic *added = &answer->statistics[answer->statistic_count++];
    *added = (grz_statistic){.name = name, .value = 0};
    return added;
}

void grz_discrete_set(grz_discrete *answer, const char *name, uint64_t value)
{
    find_or_add(answer, name)->value = value;
}

void grz_discrete_add(grz_discrete *answer, const char *name, uint64_t value)
{
    find_or_add(answer, name)->value += value;
}

bool grz_discrete_add_box(grz_discrete *answer, const grz_collision_box *volume)
{
    assert(answer->boxes != NULL && answer->allocator != NULL);
    if (!grz_array_add(answer->allocator, answer->boxes))
        return false;
    answer->boxes->items[answer->boxes->count - 1] = *volume;
    return true;
}
