// SPDX-License-Identifier: MIT
// What all stages share: noting a failure, and planes across an axis.
#include <string.h>

#include "level/portals/bsp/bsp_work.h"

bool grz_bsp_fail(grz_bsp_work *w, grz_status status)
{
    if (w->status == GRZ_OK)
        w->status = status;
    return false;
}

uint32_t grz_bsp_add_across(grz_bsp_work *w, int axis, double where)
{
    double at[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(at[i], w->level->box.min, sizeof at[i]);
        at[i][axis] = where;
    }
    for (int i = 1; i < 3; i++)
        at[i][(axis + i) % 3] = w->level->box.max[(axis + i) % 3];
    const uint32_t plane = grz_parts_add_plane(&w->pool, at[0], at[1], at[2]);
    if (plane == UINT32_MAX)
        (void)grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    return plane;
}
