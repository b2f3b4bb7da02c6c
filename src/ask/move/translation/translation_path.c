// SPDX-License-Identifier: MIT
// The part of a path in which the boxes of two whole objects meet. Both ends are rounded outwards.
#include "ask/move/translation/translation_path.h"

#include <math.h>

#include "geometry/pose.h"

static const double SLACK = 0x1p-48, TINY = 0x1p-1000; // relative and absolute error of a time

static void set_motion(grz_path *path, const double to_a[3], const double to_b[3])
{
    double parts[3][GRZ_TRANSLATION_PARTS] = {{0.0}};
    for (int k = 0; k < 3; k++) {
        const double from_a = path->a->pose.m[k][3], from_b = path->b->pose.m[k][3];
        parts[k][0] = to_a[k];
        parts[k][1] = -from_a;
        parts[k][2] = to_b != NULL ? -to_b[k] : 0.0;
        parts[k][3] = to_b != NULL ? from_b : 0.0;
        path->moved_b[k] = to_b != NULL ? to_b[k] - from_b : 0.0;
    }
    grz_translation_set(&path->motion, (const double(*)[GRZ_TRANSLATION_PARTS])parts);
}

// From when to when the ranges of two boxes overlap along an axis.
static void meet_along(const grz_box *a, const grz_box *b, int k, double v, double *from, double *to)
{
    const double ahead = b->min[k] - a->max[k], behind = b->max[k] - a->min[k]; // their signs are exact
    if (v == 0.0) {
        *from = ahead > 0.0 || behind < 0.0 ? HUGE_VAL : -HUGE_VAL;
        *to = -*from;
        return;
    }
    const double first = (v > 0.0 ? ahead : behind) / v, last = (v > 0.0 ? behind : ahead) / v;
    *from = first - fabs(first) * SLACK - TINY;
    *to = last + fabs(last) * SLACK + TINY;
}

// The part of the time from 0 to `end` in which the boxes of the objects meet.
static void meet(grz_path *path)
{
    const grz_object *a = path->a, *b = path->b;
    path->from = 0.0;
    path->to = path->end;
    if (a->mesh->triangle_count == 0 || b->mesh->triangle_count == 0) {
        path->from = HUGE_VAL;
        path->to = 0.0;
        return;
    }
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    for (int k = 0; k < 3; k++) {
        double from, to;
        meet_along(&box_a, &box_b, k, path->motion.v[k], &from, &to);
        path->from = fmax(path->from, from);
        path->to = fmin(path->to, to);
    }
}

void grz_path_set(grz_path *path, const grz_object *a, const double to_a[3], const grz_object *b, const double to_b[3])
{
    *path = (grz_path){.a = a, .b = b, .end = 1.0};
    set_motion(path, to_a, to_b);
    meet(path);
}

void grz_path_along(grz_path *path, const grz_object *a, const double direction[3], double end, const grz_object *b)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    *path = (grz_path){.a = a, .b = b, .end = end};
    grz_translation_between(&path->motion, origin, direction);
    meet(path);
}
