// SPDX-License-Identifier: MIT
// Rows about parts of machines: gears and stacked boxes, whose flat sides lie in one plane, boxes of 12 triangles, one
// mesh inside another, two links of a chain.
#include "pair_rows.h"

#include <stdio.h>

static void mesh_gears(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_gear(24, 3);
    s->b = shape_gear(24, 3);
}

static void pose_gears(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_meshing(meshes, set->quick ? 50 : 500, 1.9);
}

static void mesh_stack(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_box(64);
    s->b = shape_box(64);
}

static void pose_stack(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_stacked(meshes, set->quick ? 3 : 20, 8);
}

static void mesh_tiny(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_box(1);
    s->b = shape_box(1);
}

static void pose_tiny(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_random(meshes, set->quick ? 1000 : 10000, 0.3, 9);
}

static void mesh_nested(const settings *set, scene *s)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/cow_spot.ply", set->data);
    s->a = shape_blob(45, 0.12, 3);
    s->b = shape_read(path);
    shape_scale(&s->b, 0.1);
}

static void pose_nested(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_inside(meshes, set->quick ? 200 : 2000, 0.3, 10);
}

static void mesh_chain(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_tube(shape_link, 120, 30, 0.5, 0.02, 15);
    s->b = shape_tube(shape_link, 120, 30, 0.5, 0.02, 16);
}

static void pose_chain(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_linked(meshes, shape_link, set->quick ? 150 : 1500, 1.0 / 3, 17);
}

static scene gears = {.make_meshes = mesh_gears, .make_poses = pose_gears};
static scene stack = {.make_meshes = mesh_stack, .make_poses = pose_stack};
static scene tiny = {.make_meshes = mesh_tiny, .make_poses = pose_tiny};
static scene nested = {.make_meshes = mesh_nested, .make_poses = pose_nested};
static scene chain = {.make_meshes = mesh_chain, .make_poses = pose_chain};

row_list rows_parts(void)
{
    static const row rows[] = {
        LIST_ROW("gears", "gears", "two gears side by side, flat sides in one plane: all touching pairs", &gears),
        LIST_ROW("stack", "stack", "a box of 49K triangles upon another: all touching pairs", &stack),
        VERDICT_ROW("tiny", "tiny", "two boxes of 12 triangles, 30 % touch: yes or no", &tiny),
        VERDICT_ROW("nested", "nested", "5.8K triangles inside 24K, free of contact: yes or no", &nested),
        VERDICT_ROW("chain", "chain", "two links of a chain, 7.2K triangles each, a third touch: yes or no", &chain),
    };
    return (row_list){rows, sizeof rows / sizeof *rows};
}
