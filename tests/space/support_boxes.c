// SPDX-License-Identifier: MIT
// Boxes for the tests of sweep and prune. The plain loop shares no code with the library.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_boxes.h"

const char *box_style_name(box_style style)
{
    static const char *const names[] = {"uniform",   "grid",    "nested",   "tower",
                                        "identical", "extreme", "clusters", "terrain"};
    return names[style];
}

// Uniform in [0, 1).
static double random_unit(random_stream *random)
{
    return random_signed(random) / 2 + 0.5;
}

// A random point of a box: one number after the other, since the compiler chooses the order within an initialiser.
static void draw_point(random_stream *random, const double min[3], const double extent[3], double point[3])
{
    for (int axis = 0; axis < 3; axis++)
        point[axis] = min[axis] + extent[axis] * random_unit(random);
}

static grz_box cube_at(const double corner[3], double side)
{
    return (grz_box){{corner[0], corner[1], corner[2]}, {corner[0] + side, corner[1] + side, corner[2] + side}};
}

static grz_box draw_uniform(random_stream *random, uint32_t count)
{
    double corner[3];
    draw_point(random, (double[]){0, 0, 0}, (double[]){1, 1, 1}, corner);
    return cube_at(corner, cbrt(6.0 / count) / 2); // two meet if their corners differ by less than a side on each axis
}

static grz_box draw_grid(random_stream *random, uint32_t count)
{
    const uint32_t width = (uint32_t)cbrt(count) + 2, middle = width / 2;
    grz_box box;
    for (int axis = 0; axis < 3; axis++) {
        const double min = (double)random_below(random, width) - middle;
        box.min[axis] = min;
        box.max[axis] = min + random_below(random, 3);
        if (box.min[axis] == 0.0 && random_below(random, 2) == 0)
            box.min[axis] = -0.0;
        if (box.max[axis] == 0.0 && random_below(random, 2) == 0)
            box.max[axis] = -0.0;
    }
    return box;
}

static grz_box draw_nested(random_stream *random)
{
    const double half = ldexp(1.0, -(int)random_below(random, 12));
    grz_box box;
    for (int axis = 0; axis < 3; axis++) {
        const double centre = random_below(random, 4) == 0 ? random_signed(random) : 0.0;
        box.min[axis] = centre - half;
        box.max[axis] = centre + half;
    }
    return box;
}

static grz_box draw_tower(random_stream *random, uint32_t count)
{
    double corner[3];
    draw_point(random, (double[]){0, 0, 0}, (double[]){0.0625, 0.0625, count / 3.0}, corner);
    return cube_at(corner, 1.0);
}

static grz_box draw_extreme(random_stream *random)
{
    grz_box box;
    for (int axis = 0; axis < 3; axis++) {
        double x = random_extreme(random, -1074, 301), y = random_extreme(random, -1074, 301);
        if (random_below(random, 16) == 0)
            x = random_below(random, 2) == 0 ? HUGE_VAL : -HUGE_VAL;
        if (random_below(random, 8) == 0)
            y = x;
        box.min[axis] = x < y ? x : y;
        box.max[axis] = x < y ? y : x;
    }
    return box;
}

static grz_box draw_clusters(random_stream *random, uint32_t count)
{
    if (random_below(random, 50) == 0)
        return draw_extreme(random);
    const uint32_t cluster = random_below(random, 6);
    const double scale = ldexp(1.0, -3 * (int)cluster);
    double corner[3];
    draw_point(random, (double[]){cluster * 10.0, cluster % 2 * 100.0, cluster % 3 * 7.0},
               (double[]){scale, scale, scale}, corner);
    return cube_at(corner, scale * cbrt(36.0 / count) / 2);
}

static grz_box draw_terrain(random_stream *random, uint32_t count)
{
    grz_box box = draw_uniform(random, count);
    const uint32_t kind = random_below(random, 50);
    if (kind < 4) {
        for (int axis = 0; axis < 3; axis++)
            if (kind == 0 || axis == (int)kind - 1)
                box.min[axis] = -1.0, box.max[axis] = 3.0;
    }
    return box;
}

static grz_box draw_styled(box_style style, random_stream *random, uint32_t count)
{
    static const double corners[3][3] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {1, 1, 1}};
    switch (style) {
    case BOXES_GRID:
        return draw_grid(random, count);
    case BOXES_NESTED:
        return draw_nested(random);
    case BOXES_TOWER:
        return draw_tower(random, count);
    case BOXES_IDENTICAL:
        return cube_at(corners[random_below(random, 3)], 0.75);
    case BOXES_EXTREME:
        return draw_extreme(random);
    case BOXES_CLUSTERS:
        return draw_clusters(random, count);
    case BOXES_TERRAIN:
        return draw_terrain(random, count);
    default:
        return draw_uniform(random, count);
    }
}

grz_box box_draw(box_style style, random_stream *random, uint32_t count)
{
    grz_box box = draw_styled(style, random, count);
    if (style != BOXES_UNIFORM && random_below(random, 32) == 0)
        for (int axis = 0; axis < 3; axis++)
            if (random_below(random, 2) == 0)
                box.max[axis] = box.min[axis];
    return box;
}

void box_move(box_style style, random_stream *random, grz_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        if (style == BOXES_EXTREME) {
            double *bound = random_below(random, 2) == 0 ? &box->min[axis] : &box->max[axis];
            if (!isinf(*bound))
                *bound = step_ulps(*bound, (int)random_below(random, 5) - 2);
            continue;
        }
        const double size = box->max[axis] - box->min[axis];
        const double step =
            style == BOXES_GRID ? (double)random_below(random, 3) - 1.0 : 0.1 * size * random_signed(random);
        if (style == BOXES_IDENTICAL && random_below(random, 8) != 0)
            continue;
        box->min[axis] += step;
        box->max[axis] += step;
    }
}

grz_box box_draw_empty(random_stream *random)
{
    grz_box box = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const int axis = (int)random_below(random, 3);
    switch (random_below(random, 4)) {
    case 0:
        return grz_box_empty();
    case 1:
        box.min[axis] = 0.5, box.max[axis] = -0.5;
        break;
    case 2:
        box.min[axis] = nan("");
        break;
    default:
        box.max[axis] = nan("");
        break;
    }
    return box;
}

bool boxes_meet(const grz_box *a, const grz_box *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(a->min[axis] <= a->max[axis]) || !(b->min[axis] <= b->max[axis])) // empty, by a NaN as well
            return false;
        if (a->max[axis] < b->min[axis] || b->max[axis] < a->min[axis])
            return false;
    }
    return true;
}

void expect_box_pairs(const char *what, const grz_box *boxes, uint32_t count, const grz_sweep_pair *pairs,
                      size_t pair_count)
{
    size_t next = 0;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            const bool listed = next < pair_count && pairs[next].a == a && pairs[next].b == b;
            if (boxes_meet(&boxes[a], &boxes[b]) != listed)
                fail_msg("%s: boxes %u and %u %s; entry %zu of %zu is (%u, %u)", what, a, b,
                         listed ? "are listed and do not meet" : "meet and are not the next entry", next, pair_count,
                         next < pair_count ? pairs[next].a : 0, next < pair_count ? pairs[next].b : 0);
            next += listed ? 1 : 0;
        }
    if (next != pair_count)
        fail_msg("%s: %zu pairs are listed, there are %zu", what, pair_count, next);
}

// ---- Crowds -------------------------------------------------------------------------------------------------------

void box_crowd_put(box_crowd *crowd, uint32_t id, const grz_box *box)
{
    crowd->boxes[id] = *box;
    crowd->set(crowd->user, id, box);
}

static void take_out(box_crowd *crowd, uint32_t id)
{
    crowd->boxes[id] = grz_box_empty();
    crowd->remove(crowd->user, id);
}

void box_crowd_draw(box_crowd *crowd, uint32_t id)
{
    const grz_box box = random_below(&crowd->random, 24) == 0 ? box_draw_empty(&crowd->random)
                                                              : box_draw(crowd->style, &crowd->random, crowd->count);
    box_crowd_put(crowd, id, &box);
}

void box_crowd_nudge(box_crowd *crowd, uint32_t id)
{
    grz_box box = crowd->boxes[id];
    if (grz_box_is_empty(&box))
        return;
    box_move(crowd->style, &crowd->random, &box);
    box_crowd_put(crowd, id, &box);
}

void box_crowd_change(box_crowd *crowd, uint32_t kind, uint32_t id)
{
    const grz_box before = crowd->boxes[id];
    switch (kind) {
    case 0:
    case 1:
        box_crowd_nudge(crowd, id);
        break;
    case 2: // jumps
        if (!grz_box_is_empty(&before))
            box_crowd_draw(crowd, id);
        break;
    case 3: // comes
        if (grz_box_is_empty(&before))
            box_crowd_draw(crowd, id);
        break;
    case 4:
        take_out(crowd, id);
        break;
    case 5: // goes, and its id is used again at once
        take_out(crowd, id);
        box_crowd_draw(crowd, id);
        break;
    case 6: // away and back
        box_crowd_draw(crowd, id);
        box_crowd_put(crowd, id, &before);
        break;
    default: // grows or shrinks
        if (!grz_box_is_empty(&before)) {
            const grz_box other = box_draw(crowd->style, &crowd->random, crowd->count);
            grz_box box = before;
            grz_box_add_box(&box, &other);
            box_crowd_put(crowd, id, random_below(&crowd->random, 4) == 0 ? &box : &other);
        }
        break;
    }
}

void box_crowd_step(box_crowd *crowd)
{
    static const uint32_t divisors[] = {1, 3, 10, 50, 0};
    const uint32_t divisor = divisors[random_below(&crowd->random, 5)], kind = random_below(&crowd->random, 8);
    uint32_t changes = divisor > 0 ? crowd->count / divisor + 1 : random_below(&crowd->random, 4);
    if (kind == 7 && changes > 4)
        changes = 4;
    if (changes > crowd->count / 2)
        for (uint32_t id = 0; id < crowd->count; id++)
            box_crowd_change(crowd, kind, id);
    else
        for (uint32_t i = 0; i < changes; i++) {
            const uint32_t other_kind = random_below(&crowd->random, 64),
                           id = random_below(&crowd->random, crowd->count);
            box_crowd_change(crowd, other_kind < 8 ? other_kind : kind, id);
        }
}
