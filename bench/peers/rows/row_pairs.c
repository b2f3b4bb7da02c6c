// SPDX-License-Identifier: MIT
// Rows that ask about two rigid meshes at many poses, for yes or no or for all touching pairs: two cows (W1, W1N, W1a),
// two large meshes (W2), a torus in a tunnel (W4), a ring that fills one (tight), two sheets that cross all over
// (pairs500k).
#include "pair_rows.h"

#include <stdio.h>

static void mesh_cows(const settings *set, scene *s)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/cow_spot.ply", set->data);
    s->a = shape_read(path);
    s->b = shape_read(path);
}

static void pose_cows(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_random(meshes, set->quick ? 300 : 2000, 0.3, 1);
}

static void pose_near_cows(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_near(meshes, set->quick ? 100 : 500, 0.001 * shape_diagonal(meshes->a), 2);
}

static void mesh_large(const settings *set, scene *s)
{
    if (set->large) {
        s->a = shape_read(set->large);
        s->b = shape_read(set->large);
        return;
    }
    s->a = shape_blob(set->quick ? 45 : 179, 0.12, 3);
    s->b =
        set->quick ? shape_tube(shape_circle, 180, 67, 0.4, 0.3, 4) : shape_tube(shape_circle, 600, 320, 0.4, 0.3, 4);
}

static void pose_large(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_random(meshes, set->quick ? 100 : 500, 0.3, 5);
}

static void mesh_tunnel(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_tube(shape_winding, 700, 50, 0.2, 0.1, 6);
    s->b = shape_tube(shape_circle, 70, 69, 0.4, 0.3, 7);
    shape_scale(&s->b, 0.09);
}

static void pose_tunnel(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_along(meshes, shape_winding, set->quick ? 200 : 800, 0.075);
}

static void mesh_tight(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_tube(shape_winding, 700, 50, 0.2, 0.02, 12);
    s->b = shape_tube(shape_circle, 70, 69, 0.25, 0.04, 13);
    shape_scale(&s->b, 0.15);
}

static void pose_tight(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_through(meshes, shape_winding, set->quick ? 200 : 800, 0.006);
}

static void mesh_sheets(const settings *set, scene *s)
{
    const uint32_t squares = set->quick ? 100 : 440;
    s->a = shape_sheet(squares);
    s->b = shape_sheet(squares);
    shape_corrugate(&s->a, 0, 10 * squares / 43, 0.05);
    shape_corrugate(&s->b, 1, 10 * squares / 43, 0.05);
}

static void pose_sheets(const settings *set, const pose_meshes *meshes, pose_set *poses)
{
    *poses = poses_shifted(meshes, set->quick ? 2 : 5, 0.01, 14);
}

static scene cows = {.make_meshes = mesh_cows, .make_poses = pose_cows};
static scene near_cows = {.make_meshes = mesh_cows, .make_poses = pose_near_cows};
static scene large = {.make_meshes = mesh_large, .make_poses = pose_large};
static scene tunnel = {.make_meshes = mesh_tunnel, .make_poses = pose_tunnel};
static scene tight = {.make_meshes = mesh_tight, .make_poses = pose_tight};
static scene sheets = {.make_meshes = mesh_sheets, .make_poses = pose_sheets};

row_list rows_pairs(void)
{
    static const row rows[] = {
        VERDICT_ROW("W1", "W1", "two models of 5.8K triangles, boxes overlap, 30 % touch: yes or no", &cows),
        VERDICT_ROW("W1N", "W1N", "the same models 0.1 % of the diagonal apart: yes or no", &near_cows),
        LIST_ROW("W1a", "W1a", "the poses of W1 that touch: all touching pairs", &cows),
        VERDICT_ROW("W2", "W2", "two large models (384K triangles; quick: 24K), 30 % touch: yes or no", &large),
        LIST_ROW("W2", "W2 pairs", "the poses of W2 that touch: all touching pairs", &large),
        VERDICT_ROW("W4", "W4", "9.7K triangles through a tunnel of 70K: yes or no", &tunnel),
        VERDICT_ROW("tight", "tight", "a ring of 9.7K triangles that nearly fills a tunnel of 70K: yes or no", &tight),
        LIST_ROW("pairs500k", "pairs500k",
                 "two finely waved sheets (387K triangles; quick: 20K) cross: all touching pairs", &sheets),
    };
    return (row_list){rows, sizeof rows / sizeof *rows};
}
