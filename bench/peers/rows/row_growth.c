// SPDX-License-Identifier: MIT
// Rows growth-1K to growth-1M: the same question about two bumpy spheres, cut four times finer from one row to the
// next. One way of each library; build times are those of a process that has built before.
#include "pair_rows.h"

#include <stdio.h>

enum {
    SIZES = 6
};

static void make_meshes(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_blob(s->detail, 0.12, 3);
    s->b = shape_blob(s->detail, 0.12, 18);
}

// A pose takes the same random numbers at every size, so that all sizes have nearly the same ones.
static void make_poses(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_random(meshes, set->quick ? 50 : 200, 0.3, 19);
}

static bool can_tell(const peer *p)
{
    return scene_can_tell(p) && p->flags & PEER_USUAL;
}

static bool can_list(const peer *p)
{
    return scene_can_list(p) && p->flags & PEER_USUAL;
}

row_list rows_growth(void)
{
    static const char *const names[SIZES] = {"1K", "4K", "16K", "64K", "256K", "1M"};
    static scene scenes[SIZES];
    static char labels[2 * SIZES][24];
    static row rows[2 * SIZES];
    for (uint32_t i = 0; i < SIZES; i++) {
        // 12 * 9.25 * 9.25 is 1K; the smallest is a little less, the others a little more.
        if (!scenes[i].made)
            scenes[i] = (scene){.make_meshes = make_meshes,
                                .make_poses = make_poses,
                                .detail = (37u << i) / 4,
                                .builds = 5,
                                .not_in_quick = i > 3};
        snprintf(labels[2 * i], sizeof *labels, "growth-%s", names[i]);
        snprintf(labels[2 * i + 1], sizeof *labels, "growth-%s pairs", names[i]);
        rows[2 * i] = (row)VERDICT_ROW("growth", labels[2 * i], "two bumpy spheres, 30 % touch: yes or no", &scenes[i]);
        rows[2 * i + 1] =
            (row)LIST_ROW("growth", labels[2 * i + 1], "the poses that touch: all touching pairs", &scenes[i]);
        rows[2 * i].can = can_tell;
        rows[2 * i + 1].can = can_list;
    }
    return (row_list){rows, sizeof rows / sizeof *rows};
}
